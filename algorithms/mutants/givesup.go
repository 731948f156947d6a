package mutants

import "simrun/sim"

// givesUp restores the graph once, whatever its restart strategy allows.
type givesUp struct {
	checkpoints
	restored bool
}

func newGivesUp(t Timing) sim.Coordinator {
	return coordinator{&givesUp{checkpoints: newCheckpoints(t)}}
}

func (c *givesUp) Failed(task int32, out *sim.Decisions) {
	switch {
	case !c.running:
	case c.restored:
		out.GiveUp()
	default:
		c.restored = true
		c.checkpoints.Failed(task, out)
	}
}

func (c *givesUp) state(x *codec) {
	c.checkpoints.state(x)
	bit(x, &c.restored)
}
