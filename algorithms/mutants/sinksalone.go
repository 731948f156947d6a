package mutants

import "simrun/sim"

// sinksAlone publishes a checkpoint when the last task, which is a sink, has
// acknowledged: its barrier came through all the others. But their parts may be on
// the way to the store still, and be lost: the metadata names none of them.
type sinksAlone struct{ checkpoints }

func newSinksAlone(t Timing) sim.Coordinator { return coordinator{&sinksAlone{newCheckpoints(t)}} }

func (c *sinksAlone) Receive(task int32, m sim.Control, out *sim.Decisions) {
	if p := c.heard(task, m, out); p != nil && p.handles[c.tasks-1] != 0 {
		c.publish(p, out)
	}
}
