package mutants

import (
	"slices"

	"simrun/sim"
)

// sharedPurged deletes, with the oldest checkpoint, everything that was written with it,
// and does not ask whether later ones share some of it.
type sharedPurged struct{ checkpoints }

func newSharedPurged(t Timing) sim.Coordinator { return coordinator{&sharedPurged{newCheckpoints(t)}} }

func (c *sharedPurged) Published(id sim.SnapshotID, ok bool, out *sim.Decisions) {
	before := slices.Clone(c.stored)
	c.checkpoints.Published(id, ok, out)
	for _, m := range before {
		if len(c.stored) == 0 || m.ID < c.stored[0].ID {
			for _, h := range m.Handles {
				out.Purge(h)
			}
		}
	}
}
