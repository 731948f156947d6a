package mutants

import "simrun/sim"

// oldOrders writes the attempt in which it was started on what it tells the tasks. After
// the first restore none of them listens to it any more.
type oldOrders struct {
	checkpoints
	first uint8
}

func newOldOrders(t Timing) sim.Coordinator {
	return coordinator{&oldOrders{checkpoints: newCheckpoints(t)}}
}

func (c *oldOrders) Start(s sim.Standing, out *sim.Decisions) {
	c.first = s.Attempt
	c.checkpoints.Start(s, out)
}

func (c *oldOrders) Alarm(id uint32, out *sim.Decisions) {
	now := c.attempt
	c.attempt = c.first
	c.checkpoints.Alarm(id, out)
	c.attempt = now
}

func (c *oldOrders) state(x *codec) {
	c.checkpoints.state(x)
	number(x, &c.first)
}
