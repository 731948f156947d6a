package mutants

import (
	"slices"

	"simrun/sim"
)

// leavesParts deletes the parts of which it knows. What was acknowledged before its own
// crash, and what was written and never acknowledged, stays in the store for ever.
type leavesParts struct {
	checkpoints
	known []sim.Handle
}

func newLeavesParts(t Timing) sim.Coordinator {
	return coordinator{&leavesParts{checkpoints: newCheckpoints(t)}}
}

func (c *leavesParts) Receive(task int32, m sim.Control, out *sim.Decisions) {
	if m.Kind == sim.Acknowledge {
		c.known = append(c.known, m.Handle)
	}
	c.checkpoints.Receive(task, m, out)
}

func (c *leavesParts) Restored(attempt uint8, from sim.SnapshotID, ok bool, out *sim.Decisions) {
	if !ok {
		c.checkpoints.Restored(attempt, from, ok, out)
		return
	}
	c.attempt, c.running = attempt, true
	c.Rest(out)
}

func (c *leavesParts) Rest(out *sim.Decisions) {
	if !c.running || len(c.pending) > 0 {
		return
	}
	for _, h := range c.known {
		if !slices.ContainsFunc(c.stored, func(m sim.Metadata) bool { return slices.Contains(m.Handles, h) }) {
			out.Discard(h)
		}
	}
	c.known = nil
}

func (c *leavesParts) state(x *codec) {
	c.checkpoints.state(x)
	handles(x, &c.known)
}
