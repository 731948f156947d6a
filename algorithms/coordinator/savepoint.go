package coordinator

import (
	"slices"

	"simrun/sim"
)

// This file is what tells savepoints from checkpoints, as in Flink since version 1.15. A
// savepoint is the user's. Nothing is restored from it but what the user restores, so it
// has no effect outside: the tasks are not notified, and what transactional sinks hold
// leaves with the next checkpoint. The coordinator does not retire it, nor does it count
// among those that are retained. It neither subsumes nor is it subsumed.
//
// It begins at once: no pause and no number of pending checkpoints holds it up. But while
// it is pending it counts among them, and the pause before the next checkpoint counts from
// its end, too.

// Savepoint takes one, unless the graph is down: then the user's request fails.
func (c *Coordinator) Savepoint(out *sim.Decisions) {
	if c.running {
		c.begin(true, out)
	}
}

// metadata is that of a checkpoint of which every handle is known.
func (p *pending) metadata(attempt uint8) sim.Metadata {
	return sim.Metadata{ID: p.id, Attempt: attempt, Savepoint: p.savepoint, Handles: p.handles, Finished: p.finished}
}

// supersede retires the oldest checkpoints when another one is stored, and aborts those
// before it that are pending.
func (c *Coordinator) supersede(id sim.SnapshotID, out *sim.Decisions) {
	for c.retained() > c.settings.Retained {
		oldest := slices.IndexFunc(c.stored, func(m sim.Metadata) bool { return !m.Savepoint })
		out.Retire(c.stored[oldest].ID)
		c.stored = slices.Delete(c.stored, oldest, oldest+1)
	}
	c.finished = c.finished || id == c.final
	for _, older := range slices.Clone(c.pending) {
		if older.id < id && !older.publishing && !older.savepoint {
			c.abort(older, out) // subsumed
		}
	}
}

// retained is how many checkpoints are stored that are no savepoints.
func (c *Coordinator) retained() (n int) {
	for i := range c.stored {
		if !c.stored[i].Savepoint {
			n++
		}
	}
	return n
}

// newest is the newest stored checkpoint that is no savepoint; 0: there is none.
func (c *Coordinator) newest() (id sim.SnapshotID) {
	for i := range c.stored {
		if !c.stored[i].Savepoint {
			id = c.stored[i].ID
		}
	}
	return id
}
