package mutants

import "simrun/sim"

// acksCounted counts the acknowledgements of a checkpoint and does not look at whose
// they are. One that comes twice stands for one that is missing.
type acksCounted struct {
	checkpoints
	counts []int // by id less one
}

func newAcksCounted(t Timing) sim.Coordinator {
	return coordinator{&acksCounted{checkpoints: newCheckpoints(t)}}
}

func (c *acksCounted) Receive(task int32, m sim.Control, out *sim.Decisions) {
	p := c.heard(task, m, out)
	if p == nil {
		return
	}
	for len(c.counts) < int(p.id) {
		c.counts = append(c.counts, 0)
	}
	if c.counts[p.id-1]++; c.counts[p.id-1] == c.tasks {
		c.publish(p, out)
	}
}

func (c *acksCounted) state(x *codec) {
	c.checkpoints.state(x)
	list(x, &c.counts, number[int])
}
