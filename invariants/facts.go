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
	pending        []sim.SnapshotID
	unreadable     []bool   // by id less one: the coordinator that is up has been told
	finished       []finish // by task; nil: none has
	over           []over   // likewise, each time, in order
	next           int      // of History.Published
	restores       int      // so far
	orders         int      // to restore, since the coordinator has started
	cancelled      map[said]bool
}

// storedPart is a part that the store has written.
type storedPart struct {
	task    int32
	id      sim.SnapshotID
	row     int // History.Rows had so many rows
	deleted bool
	purged  bool         // chunks of it were deleted
	damaged bool         // it counts as durable, and not all of it is there
	settled bool         // its task has acknowledged it, or need not: it was told to cancel, or it was another process
	shares  []sim.Handle // parts with which chunks of it were written
}

// checkFacts is the invariant coordinator where there is one: every id begins once and
// is decided once; what is published names one durable part of every task, each of
// this checkpoint, and says which tasks had finished, and nobody is notified before; what
// is said is of the attempt under way; a task answers for each part that is durable; what
// is still needed is not deleted, and of what is stored not the newest, nor any savepoint;
// and the graph is restored from the newest checkpoint that is stored, not known to be
// damaged, and no savepoint, unless the restart strategy allows no more. It returns which
// checkpoints the coordinator has aborted, nil if there is none.
func (c *Checker) checkFacts() (aborted []bool) {
	if c.h.Facts == nil {
		return nil
	}
	n := len(c.h.Snapshots)
	f := &facts{began: make([]bool, n), aborted: make([]bool, n), published: make([]*sim.Metadata, n), retired: make([]bool, n), unreadable: make([]bool, n)}
	f.cancelled = map[said]bool{}
	for i := range c.h.Facts {
		x := &c.h.Facts[i]
		c.standsAt(x.Row, x.At)
		c.checkFact(f, x)
	}
	c.checkStore(f)
	c.checkAnswers(f)
	c.checkEnded(f)
	return f.aborted
}

// decided takes a checkpoint off the pending ones.
func (f *facts) decided(id sim.SnapshotID) {
	f.pending = slices.DeleteFunc(f.pending, func(p sim.SnapshotID) bool { return p == id })
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
	case sim.FactStarted:
		f.orders = 0
	case sim.FactBegan:
		if f.began[i] {
			c.report(coordinator, where, "the id %d is given to a second checkpoint", x.ID)
		}
		f.began[i] = true
		f.pending = append(f.pending, x.ID)
		if most := c.run.MaxPending; most > 0 && len(f.pending) > most && !c.savepoint(x.ID) {
			c.report(coordinator, where, "with checkpoint %d there are %d pending; at most %d may be", x.ID, len(f.pending), most)
		}
	case sim.FactAborted:
		if f.published[i] != nil {
			c.report(coordinator, where, "the coordinator aborts checkpoint %d, which is complete", x.ID)
		}
		f.aborted[i] = true
		f.decided(x.ID)
	case sim.FactFailed:
		f.pending = f.pending[:0] // nobody knows of them any more
		clear(f.unreadable)
	case sim.FactStored:
		f.stored = append(f.stored, storedPart{task: x.Task, id: x.ID, row: x.Row, settled: f.cancelled[said{x.Task, x.ID}]})
	case sim.FactPublished:
		c.checkPublished(f, x, where)
		c.checkPublishedIn(f, x.ID, where)
	case sim.FactRetired:
		f.retired[i] = true
		if c.savepoint(x.ID) {
			c.report(coordinator, where, "savepoint %d is deleted, and it is the user's", x.ID)
		} else if newest := f.newestStored(); newest < x.ID && !f.unreadable[i] {
			c.report(coordinator, where, "checkpoint %d is deleted, and no newer one is stored", x.ID)
		}
	case sim.FactAdopted:
		c.checkAdopted(f, x, where)
	case sim.FactShared, sim.FactDamaged, sim.FactDiscarded, sim.FactPurged, sim.FactUnreadable:
		c.checkStored(f, x)
	case sim.FactTold, sim.FactHeard, sim.FactReplied:
		c.checkControl(f, x)
	case sim.FactCommitted:
		c.checkCommitted(f, x)
	case sim.FactGaveUp:
		c.checkGaveUp(f)
	case sim.FactRestore:
		f.orders++
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
	case m.Savepoint != c.savepoint(x.ID):
		c.report(coordinator, where, "checkpoint %d becomes complete, and whether it is a savepoint its metadata does not say truly", x.ID)
	}
	f.decided(x.ID)
	f.published[i], f.retired[i] = m, false
	c.checkFinished(f, m, where)
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
		case p.purged:
			c.report(coordinator, where, "checkpoint %d is complete, and chunks of the part of %s that its metadata names are deleted", x.ID, name)
		case p.task != v:
			c.report(coordinator, where, "checkpoint %d is complete, and what its metadata names as the part of %s is that of %s", x.ID, name, c.run.node(p.task))
		case p.id != x.ID:
			c.report(coordinator, where, "checkpoint %d is complete, and the part of %s that its metadata names is of checkpoint %d", x.ID, name, p.id)
		}
	}
}

// checkOrdered checks what the coordinator orders to be restored: the newest checkpoint
// that is stored.
func (c *Checker) checkOrdered(f *facts, x *sim.Fact, where Violation) {
	if newest := f.newestStored(); x.ID != newest {
		c.report(coordinator, where, "the coordinator restores checkpoint %d; the newest that is stored is %d (0: the initial state)", x.ID, newest)
	}
}

// checkAdopted takes in what is stored when the run begins with a checkpoint: its parts,
// and then its metadata. The ids that had been given are taken.
func (c *Checker) checkAdopted(f *facts, x *sim.Fact, where Violation) {
	if x.Task >= 0 {
		f.stored = append(f.stored, storedPart{task: x.Task, id: x.ID, settled: true})
		return
	}
	if s := c.h.From; s == nil || s.ID != x.ID {
		c.report(coordinator, where, "the history is damaged: the store has checkpoint %d, and the run did not begin with it", x.ID)
		return
	}
	for i := range f.began[:min(len(f.began), int(c.h.From.Last()))] {
		f.began[i] = true
	}
	c.checkPublished(f, x, where)
}

// newestStored is the newest checkpoint that is stored, is no savepoint, and that the
// coordinator does not know to be unreadable; 0: none.
func (f *facts) newestStored() (newest sim.SnapshotID) {
	for i, m := range f.published {
		if m != nil && !m.Savepoint && !f.retired[i] && !f.unreadable[i] {
			newest = m.ID
		}
	}
	return newest
}
