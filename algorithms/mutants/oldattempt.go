package mutants

import "simrun/sim"

// oldAttempt lets what is pending go on over a restore, and takes acknowledgements of
// any attempt: a checkpoint of a run that was taken back becomes complete, and the
// graph is restored to what no longer happened.
type oldAttempt struct{ checkpoints }

func newOldAttempt(t Timing) sim.Coordinator { return coordinator{&oldAttempt{newCheckpoints(t)}} }

func (c *oldAttempt) Receive(task int32, m sim.Control, out *sim.Decisions) {
	m.Attempt = c.attempt
	c.checkpoints.Receive(task, m, out)
}

func (c *oldAttempt) Failed(_ int32, out *sim.Decisions) {
	if c.running {
		c.running = false
		out.Restore(c.newest(), c.timing.Restart)
	}
}
