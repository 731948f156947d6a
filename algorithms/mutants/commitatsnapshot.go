package mutants

import "simrun/sim"

// commitAtSnapshot does not wait for the checkpoint to be complete: its transaction
// leaves as soon as the node has recorded its own state. If a crash then takes the graph
// back to an earlier checkpoint, the same records are produced and leave again.
type commitAtSnapshot struct{ commits }

func newCommitAtSnapshot(algorithm sim.NewNode) sim.NewNode {
	return around(algorithm, commitAtSnapshot{})
}

func (commitAtSnapshot) recorded(id sim.SnapshotID, s *sink, out *sim.Out) {
	s.close(id)
	commits{}.complete(id, s, out)
}
