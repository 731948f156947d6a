package mutants

import "simrun/sim"

// earlyBroadcast aligns its inputs as it should, but has passed the barrier on when
// the first one came. What it sends until it saves its state is behind the
// barrier, so whoever is below has it in no snapshot: missing.
type earlyBroadcast struct{ aligning }

func newEarlyBroadcast(info sim.NodeInfo) sim.Node {
	return node{&earlyBroadcast{newAligning(info)}}
}

func (n *earlyBroadcast) Initiate(id sim.SnapshotID, out *sim.Out) { n.onBarrier(sim.Nil, id, out) }

func (n *earlyBroadcast) Receive(i sim.Input, m sim.Message, out *sim.Out) {
	if m.Kind() == sim.Marker {
		n.onBarrier(i, m.Snapshot(), out)
		return
	}
	forward(i, m, out)
}

func (n *earlyBroadcast) onBarrier(i sim.Input, id sim.SnapshotID, out *sim.Out) {
	missing, ok := n.arrive(i, id)
	if !ok {
		return
	}
	if missing == slots(n.info)-1 {
		broadcast(id, n.info.Outputs, out)
	}
	n.block(i, id, out)
	if missing == 0 {
		out.SaveState(id)
		n.unblockAll(out)
		n.end(id, out)
	}
}
