package mutants

import "simrun/sim"

// lateAck counts an acknowledgement that comes when its checkpoint is over for the one
// that is pending now: parts of two epochs make one checkpoint.
type lateAck struct{ checkpoints }

func newLateAck(t Timing) sim.Coordinator { return coordinator{&lateAck{newCheckpoints(t)}} }

func (c *lateAck) Receive(task int32, m sim.Control, out *sim.Decisions) {
	if m.Kind == sim.Acknowledge && c.find(m.ID) == nil && len(c.pending) > 0 {
		m.ID = c.pending[0].id
	}
	c.checkpoints.Receive(task, m, out)
}
