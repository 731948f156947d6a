package mutants

import "simrun/sim"

// firstBarrier takes its snapshot when the first barrier comes, and ignores the
// others. What comes on the other inputs before their barriers is neither in the
// state nor logged: missing.
type firstBarrier struct{ aligning }

func newFirstBarrier(info sim.NodeInfo) sim.Node {
	return node{&firstBarrier{newAligning(info)}}
}

func (n *firstBarrier) Initiate(id sim.SnapshotID, out *sim.Out) { n.onBarrier(sim.Nil, id, out) }

func (n *firstBarrier) Receive(i sim.Input, m sim.Message, out *sim.Out) {
	if m.Kind() == sim.Marker {
		n.onBarrier(i, m.Snapshot(), out)
		return
	}
	forward(i, m, out)
}

func (n *firstBarrier) onBarrier(i sim.Input, id sim.SnapshotID, out *sim.Out) {
	if _, ok := n.arrive(i, id); !ok {
		return
	}
	broadcast(id, n.info.Outputs, out)
	out.SaveState(id)
	n.end(id, out)
}
