package mutants

import "simrun/sim"

// savepointCommits tells the tasks of a savepoint as of any checkpoint, so that sinks
// commit what is inside it. After a crash the graph is restored from the checkpoint
// before, and what has left is produced and leaves again.
type savepointCommits struct{ checkpoints }

func newSavepointCommits(t Timing) sim.Coordinator {
	return coordinator{&savepointCommits{newCheckpoints(t)}}
}

func (c *savepointCommits) Published(id sim.SnapshotID, ok bool, out *sim.Decisions) {
	p := c.find(id)
	c.checkpoints.Published(id, ok, out)
	if p != nil && p.savepoint && ok && c.running {
		c.tell(sim.Notify, id, out)
	}
}
