package mutants

import "simrun/sim"

// retiresEarly deletes what is stored when the next checkpoint begins. If that is
// aborted there is nothing to go back to.
type retiresEarly struct{ checkpoints }

func newRetiresEarly(t Timing) sim.Coordinator { return coordinator{&retiresEarly{newCheckpoints(t)}} }

func (c *retiresEarly) Alarm(id uint32, out *sim.Decisions) {
	last := c.last
	c.checkpoints.Alarm(id, out)
	if c.last == last {
		return
	}
	for i := range c.stored {
		out.Retire(c.stored[i].ID)
	}
	c.stored = nil
}
