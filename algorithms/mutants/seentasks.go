package mutants

import (
	"slices"

	"simrun/sim"
)

// seenTasks takes those for the participants who have written a part before. A task
// of whom nothing has come so far is not waited for, and not restored.
type seenTasks struct {
	checkpoints
	seen []int32
}

func newSeenTasks(t Timing) sim.Coordinator {
	return coordinator{&seenTasks{checkpoints: newCheckpoints(t)}}
}

func (c *seenTasks) Receive(task int32, m sim.Control, out *sim.Decisions) {
	if m.Kind == sim.Acknowledge && !slices.Contains(c.seen, task) {
		c.seen = append(c.seen, task)
	}
	p := c.heard(task, m, out)
	if p == nil || slices.ContainsFunc(c.seen, func(v int32) bool { return p.handles[v] == 0 }) {
		return
	}
	c.publish(p, out)
}

func (c *seenTasks) state(x *codec) {
	c.checkpoints.state(x)
	list(x, &c.seen, number[int32])
}
