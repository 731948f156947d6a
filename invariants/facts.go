package invariants

import (
	"slices"

	"simrun/sim"
)

// facts is what the checker has learnt of a coordinator's run up to one of its facts.
type facts struct {
	began, aborted []bool          // by id less one
	published      []*sim.Metadata // by id less one; nil: not
	retired        []bool          // by id less one
	stored         []storedPart    // by handle less one
	pending        int
	next           int // of History.Published
}

// storedPart is a part that the store has written.
type storedPart struct {
	task    int32
	id      sim.SnapshotID
	deleted bool
}

// checkFacts is the invariant coordinator where there is one: every id begins once and
// is decided once; what is published names one durable part of every task, each of
// this checkpoint, and nobody is notified before; what is still needed is not deleted;
// and the graph is restored from the newest checkpoint that is stored. It returns which
// checkpoints the coordinator has aborted, nil if there is none.
func (c *Checker) checkFacts() (aborted []bool) {
	if c.h.Facts == nil {
		return nil
	}
	n := len(c.h.Snapshots)
	f := &facts{began: make([]bool, n), aborted: make([]bool, n), published: make([]*sim.Metadata, n), retired: make([]bool, n)}
	for i := range c.h.Facts {
		x := &c.h.Facts[i]
		c.standsAt(x.Row, x.At)
		c.checkFact(f, x)
	}
	return f.aborted
}

func (c *Checker) checkFact(f *facts, x *sim.Fact) {
	where := nowhere
	where.Snapshot = x.ID
	known := x.ID > 0 && uint64(x.ID) <= uint64(len(f.began))
	switch x.Kind {
	case sim.FactBegan, sim.FactAborted, sim.FactPublished, sim.FactRetired:
		if !known {
			where.Snapshot = 0
			c.report(coordinator, where, "the coordinator speaks of checkpoint %d, which does not exist", x.ID)
			return
		}
	}
	i := int(x.ID) - 1
	switch x.Kind {
	case sim.FactBegan:
		if f.began[i] {
			c.report(coordinator, where, "the id %d is given to a second checkpoint", x.ID)
		}
		f.began[i] = true
		f.pending++
		if most := c.run.MaxPending; most > 0 && f.pending > most {
			c.report(coordinator, where, "with checkpoint %d there are %d pending; at most %d may be", x.ID, f.pending, most)
		}
	case sim.FactFailed:
		f.pending = 0 // what was, nobody knows any more
	case sim.FactAborted:
		if f.published[i] != nil {
			c.report(coordinator, where, "the coordinator aborts checkpoint %d, which is complete", x.ID)
		}
		if !f.aborted[i] {
			f.aborted[i] = true
			f.pending--
		}
	case sim.FactStored:
		f.stored = append(f.stored, storedPart{task: x.Task, id: x.ID})
	case sim.FactPublished:
		c.checkPublished(f, x, where)
	case sim.FactRetired:
		f.retired[i] = true
	case sim.FactDiscarded:
		c.checkDiscarded(f, x)
	case sim.FactTold:
		if x.Control.Kind == sim.Notify && (!known || f.published[i] == nil) {
			c.report(coordinator, atNode(x.Task), "%s is told that checkpoint %d is complete, and it is not", c.run.node(x.Task), x.ID)
		}
	case sim.FactRestore:
		c.checkOrdered(f, x, where)
	}
}

// checkPublished checks the metadata that makes a checkpoint complete.
func (c *Checker) checkPublished(f *facts, x *sim.Fact, where Violation) {
	i := int(x.ID) - 1
	if f.next >= len(c.h.Published) || c.h.Published[f.next].ID != x.ID {
		c.report(coordinator, where, "the history is damaged: it has no metadata of checkpoint %d", x.ID)
		return
	}
	m := &c.h.Published[f.next]
	f.next++
	switch {
	case f.aborted[i]:
		c.report(coordinator, where, "checkpoint %d becomes complete, and had been aborted", x.ID)
	case f.published[i] != nil:
		c.report(coordinator, where, "checkpoint %d becomes complete a second time", x.ID)
	default:
		f.pending--
	}
	f.published[i], f.retired[i] = m, false
	for v := range int32(c.run.Graph.Nodes) {
		where.Node = v
		name, h := c.run.node(v), at(m.Handles, v)
		if h == 0 || int(h) > len(f.stored) {
			c.report(coordinator, where, "checkpoint %d is complete, and its metadata names no durable part of %s", x.ID, name)
			continue
		}
		switch p := f.stored[h-1]; {
		case p.deleted:
			c.report(coordinator, where, "checkpoint %d is complete, and the part of %s that its metadata names is deleted", x.ID, name)
		case p.task != v:
			c.report(coordinator, where, "checkpoint %d is complete, and what its metadata names as the part of %s is that of %s", x.ID, name, c.run.node(p.task))
		case p.id != x.ID:
			c.report(coordinator, where, "checkpoint %d is complete, and the part of %s that its metadata names is of checkpoint %d", x.ID, name, p.id)
		}
	}
}

// checkDiscarded checks that nobody needs a part that is deleted.
func (c *Checker) checkDiscarded(f *facts, x *sim.Fact) {
	h := x.Control.Handle
	if h == 0 || int(h) > len(f.stored) {
		return
	}
	f.stored[h-1].deleted = true
	for i, m := range f.published {
		if m != nil && !f.retired[i] && slices.Contains(m.Handles, h) {
			where := atNode(x.Task)
			where.Snapshot = m.ID
			c.report(coordinator, where, "the part of %s that checkpoint %d needs is deleted, and the checkpoint is still stored", c.run.node(x.Task), m.ID)
		}
	}
}

// checkOrdered checks what the coordinator orders to be restored: the newest checkpoint
// that is stored.
func (c *Checker) checkOrdered(f *facts, x *sim.Fact, where Violation) {
	newest := sim.SnapshotID(0)
	for i, m := range f.published {
		if m != nil && !f.retired[i] && !c.unreadable(x, m.ID) {
			newest = m.ID
		}
	}
	if x.ID != newest {
		c.report(coordinator, where, "the coordinator restores checkpoint %d; the newest that is stored is %d (0: the initial state)", x.ID, newest)
	}
}

// unreadable says whether a checkpoint had turned out to be unreadable before a fact.
func (c *Checker) unreadable(before *sim.Fact, id sim.SnapshotID) bool {
	for i := range c.h.Facts {
		x := &c.h.Facts[i]
		if x == before {
			return false
		}
		if x.Kind == sim.FactUnreadable && x.ID == id {
			return true
		}
	}
	return false
}
