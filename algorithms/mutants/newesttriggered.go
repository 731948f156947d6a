package mutants

import "simrun/sim"

// newestTriggered restores the newest checkpoint that has begun, complete or not.
type newestTriggered struct{ checkpoints }

func newNewestTriggered(t Timing) sim.Coordinator {
	return coordinator{&newestTriggered{newCheckpoints(t)}}
}

func (c *newestTriggered) Failed(task int32, out *sim.Decisions) {
	running := c.running
	c.checkpoints.Failed(task, out)
	if running && len(c.pending) == 0 {
		out.Restore(c.last, c.timing.Restart) // in place of the right order
	}
}
