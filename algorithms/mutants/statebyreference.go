package mutants

import "simrun/sim"

// stateByReference does all at the right time, but what it hands to the store is a
// reference to its state and not a copy. The node goes on, and what the store writes
// in the end has in it what came after the barrier: a wrong state with the right cut.
type stateByReference struct{ aligning }

func newStateByReference(info sim.NodeInfo) sim.Node {
	return node{&stateByReference{newAligning(info)}}
}

func (n *stateByReference) Initiate(id sim.SnapshotID, out *sim.Out) { n.onBarrier(sim.Nil, id, out) }

func (n *stateByReference) Receive(i sim.Input, m sim.Message, out *sim.Out) {
	if m.Kind() == sim.Marker {
		n.onBarrier(i, m.Snapshot(), out)
		return
	}
	forward(i, m, out)
}

func (n *stateByReference) onBarrier(i sim.Input, id sim.SnapshotID, out *sim.Out) {
	missing, ok := n.arrive(i, id)
	if !ok {
		return
	}
	n.block(i, id, out)
	if missing == 0 {
		out.SaveReference(id)
		broadcast(id, n.info.Outputs, out)
		n.unblockAll(out)
		n.end(id, out)
	}
}
