package mutants

import "simrun/sim"

// skippedOutput puts no barrier on its last output. Whoever is there waits for it
// for ever.
type skippedOutput struct{ aligning }

func newSkippedOutput(info sim.NodeInfo) sim.Node {
	return node{&skippedOutput{newAligning(info)}}
}

func (n *skippedOutput) Initiate(id sim.SnapshotID, out *sim.Out) { n.onBarrier(sim.Nil, id, out) }

func (n *skippedOutput) Receive(i sim.Input, m sim.Message, out *sim.Out) {
	if m.Kind() == sim.Marker {
		n.onBarrier(i, m.Snapshot(), out)
		return
	}
	forward(i, m, out)
}

func (n *skippedOutput) onBarrier(i sim.Input, id sim.SnapshotID, out *sim.Out) {
	missing, ok := n.arrive(i, id)
	if !ok {
		return
	}
	n.block(i, id, out)
	if missing == 0 {
		broadcast(id, n.info.Outputs-1, out)
		out.SaveState(id)
		n.unblockAll(out)
		n.end(id, out)
	}
}
