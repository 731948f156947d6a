package mutants

import "simrun/sim"

// earlyUnblock counts one input too few: it unblocks when one barrier is still
// missing. What the others bring until that comes is an orphan in its state.
type earlyUnblock struct{ aligning }

func newEarlyUnblock(info sim.NodeInfo) sim.Node {
	return node{&earlyUnblock{newAligning(info)}}
}

func (n *earlyUnblock) Initiate(id sim.SnapshotID, out *sim.Out) { n.onBarrier(sim.Nil, id, out) }

func (n *earlyUnblock) Receive(i sim.Input, m sim.Message, out *sim.Out) {
	if m.Kind() == sim.Marker {
		n.onBarrier(i, m.Snapshot(), out)
		return
	}
	forward(i, m, out)
}

func (n *earlyUnblock) onBarrier(i sim.Input, id sim.SnapshotID, out *sim.Out) {
	missing, ok := n.arrive(i, id)
	if !ok {
		return
	}
	if missing > 1 {
		n.block(i, id, out)
	} else {
		n.unblockAll(out)
	}
	if missing == 0 {
		broadcast(id, n.info.Outputs, out)
		out.SaveState(id)
		n.end(id, out)
	}
}
