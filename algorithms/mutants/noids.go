package mutants

import "simrun/sim"

// noIDs has one state machine where there should be one for each snapshot: while
// one is under way it takes every marker for one of that. The snapshot whose
// marker it was is never recorded here, and a channel's marker is counted for the
// wrong one.
type noIDs struct{ marking }

func newNoIDs(info sim.NodeInfo) sim.Node {
	return node{&noIDs{newMarking(info)}}
}

func (n *noIDs) Initiate(id sim.SnapshotID, out *sim.Out) {
	if len(n.recordings) == 0 {
		n.marking.Initiate(id, out)
	}
}

func (n *noIDs) Receive(in sim.Input, m sim.Message, out *sim.Out) {
	if m.Kind() == sim.Marker && len(n.recordings) > 0 {
		m = sim.NewMarker(n.recordings[0].id)
	}
	n.marking.Receive(in, m, out)
}
