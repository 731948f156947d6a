package mutants

import "simrun/sim"

// newestParts restores every task from the newest part that it has acknowledged,
// whichever checkpoint that is of: it makes metadata of them. What one task has sent
// since its part the next has in its own: inconsistent.
type newestParts struct {
	checkpoints
	newest []sim.Handle // by task
}

func newNewestParts(t Timing) sim.Coordinator {
	return coordinator{&newestParts{checkpoints: newCheckpoints(t)}}
}

func (c *newestParts) Start(s sim.Standing, out *sim.Decisions) {
	c.newest = make([]sim.Handle, s.Tasks)
	c.checkpoints.Start(s, out)
}

func (c *newestParts) Receive(task int32, m sim.Control, out *sim.Decisions) {
	if m.Kind == sim.Acknowledge && m.Attempt == c.attempt {
		c.newest[task] = max(c.newest[task], m.Handle)
	}
	c.checkpoints.Receive(task, m, out)
}

func (c *newestParts) Failed(task int32, out *sim.Decisions) {
	if !c.running || len(c.stored) == 0 || c.last == c.stored[len(c.stored)-1].ID {
		c.checkpoints.Failed(task, out)
		return
	}
	p := &underWay{id: c.last, handles: c.newest}
	c.running, c.pending = false, []*underWay{p}
	c.publish(p, out) // and restored when it is written
}

func (c *newestParts) state(x *codec) {
	c.checkpoints.state(x)
	handles(x, &c.newest)
}
