package mutants

import "simrun/sim"

// reusedID counts on from the checkpoint that was restored: the ids of those that were
// given up are used again, and what is left of the old ones is taken for the new.
type reusedID struct{ checkpoints }

func newReusedID(t Timing) sim.Coordinator { return coordinator{&reusedID{newCheckpoints(t)}} }

func (c *reusedID) Restored(attempt uint8, from sim.SnapshotID, ok bool, out *sim.Decisions) {
	c.checkpoints.Restored(attempt, from, ok, out)
	if ok {
		c.last = from
	}
}
