package mutants

import "simrun/sim"

// unnotified tells nobody that a checkpoint is complete. What a transactional sink has kept
// for it never leaves.
type unnotified struct{ checkpoints }

func newUnnotified(t Timing) sim.Coordinator { return coordinator{&unnotified{newCheckpoints(t)}} }

func (c *unnotified) Published(id sim.SnapshotID, ok bool, out *sim.Decisions) {
	p := c.find(id)
	if p == nil || !ok || !c.running {
		c.checkpoints.Published(id, ok, out)
		return
	}
	c.running = false // who is restored needs no notice
	c.complete(p, out)
	c.running = true
}
