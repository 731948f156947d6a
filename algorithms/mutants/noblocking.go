package mutants

import "simrun/sim"

// noBlocking waits for the last barrier and lets the inputs run on meanwhile. What
// comes behind an early barrier is in the saved state and was sent after the
// sender saved its own: orphans. With sources that fall silent behind their
// barrier there are none.
type noBlocking struct{ aligning }

func newNoBlocking(info sim.NodeInfo) sim.Node {
	return node{&noBlocking{newAligning(info)}}
}

func (n *noBlocking) Initiate(id sim.SnapshotID, out *sim.Out) { n.onBarrier(sim.Nil, id, out) }

func (n *noBlocking) Receive(i sim.Input, m sim.Message, out *sim.Out) {
	if m.Kind() == sim.Marker {
		n.onBarrier(i, m.Snapshot(), out)
		return
	}
	forward(i, m, out)
}

func (n *noBlocking) onBarrier(i sim.Input, id sim.SnapshotID, out *sim.Out) {
	if missing, ok := n.arrive(i, id); !ok || missing > 0 {
		return
	}
	broadcast(id, n.info.Outputs, out)
	out.SaveState(id)
	n.end(id, out)
}
