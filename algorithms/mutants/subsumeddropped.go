package mutants

import "simrun/sim"

// subsumedDropped commits the transaction of the checkpoint that is complete, and
// forgets those of the checkpoints before it that are not. What these hold is in the
// state that is complete now: nobody produces it again.
type subsumedDropped struct{ commits }

func newSubsumedDropped(algorithm sim.NewNode) sim.NewNode {
	return around(algorithm, subsumedDropped{})
}

func (subsumedDropped) complete(id sim.SnapshotID, s *sink, out *sim.Out) {
	for len(s.closed) > 0 && s.closed[0].id <= id {
		if s.closed[0].id == id {
			s.closed[0].commit(out)
		}
		s.closed = s.closed[1:]
	}
}
