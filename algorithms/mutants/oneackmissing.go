package mutants

import "simrun/sim"

// oneAckMissing publishes the metadata of a checkpoint when one handle is still
// missing in it.
type oneAckMissing struct{ checkpoints }

func newOneAckMissing(t Timing) sim.Coordinator {
	return coordinator{&oneAckMissing{newCheckpoints(t)}}
}

func (c *oneAckMissing) Receive(task int32, m sim.Control, out *sim.Decisions) {
	p, missing := c.heard(task, m, out), 0
	if p == nil {
		return
	}
	for _, h := range p.handles {
		if h == 0 {
			missing++
		}
	}
	if missing <= 1 {
		c.publish(p, out)
	}
}
