package abs

import (
	"fmt"

	"simrun/sim"
)

// New makes the algorithm's part of one task: Algorithm 2 if the graph has
// back-edges anywhere, else Algorithm 1.
func New(info sim.NodeInfo) sim.Node {
	if info.Cyclic {
		return newCyclic(info)
	}
	return newAcyclic(info)
}

// inputs is how many inputs a task has; Nil is one of them, the last, where
// barriers are injected.
func inputs(info *sim.NodeInfo) int {
	if info.Initiator {
		return info.Inputs + 1
	}
	return info.Inputs
}

// slot is the place of an input in a list of inputs.
func slot(info *sim.NodeInfo, i sim.Input) int {
	if i == sim.Nil {
		return info.Inputs
	}
	return int(i)
}

// mustHaveNil guards against an order to a task that does not wait for one: its
// barriers would leave and never be matched.
func mustHaveNil(info *sim.NodeInfo, id sim.SnapshotID) {
	if !info.Initiator {
		panic(fmt.Sprintf("abs: node %d is ordered to initiate snapshot %d and has no Nil input", info.ID, id))
	}
}

// broadcast puts the barrier on every output.
func broadcast(info *sim.NodeInfo, id sim.SnapshotID, out *sim.Out) {
	for c := range info.Outputs {
		out.SendMarker(c, id)
	}
}
