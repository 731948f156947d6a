package mutants

import "simrun/sim"

// firstNodeAlone takes one initiator to be enough, whatever the graph: node 0
// initiates, and the others leave the order to it. A node to which no path leads
// from there never gets a marker, and the snapshot never completes.
type firstNodeAlone struct {
	marking
	first bool
}

func newFirstNodeAlone(info sim.NodeInfo) sim.Node {
	return node{&firstNodeAlone{newMarking(info), info.ID == 0}}
}

func (n *firstNodeAlone) Initiate(id sim.SnapshotID, out *sim.Out) {
	if n.first {
		n.marking.Initiate(id, out)
	}
}
