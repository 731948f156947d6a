package mutants

import "simrun/sim"

// savepointRetained counts savepoints among the checkpoints that are retained: one pushes
// out what the graph is restored from after a crash.
type savepointRetained struct{ checkpoints }

func newSavepointRetained(t Timing) sim.Coordinator {
	return coordinator{&savepointRetained{newCheckpoints(t)}}
}

func (c *savepointRetained) Published(id sim.SnapshotID, ok bool, out *sim.Decisions) {
	c.checkpoints.Published(id, ok, out)
	for oldest := c.oldest(); len(c.stored) > c.timing.Retained && oldest >= 0; oldest = c.oldest() {
		out.Retire(c.stored[oldest].ID)
		c.stored = append(c.stored[:oldest:oldest], c.stored[oldest+1:]...)
	}
}
