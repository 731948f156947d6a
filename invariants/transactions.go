package invariants

import (
	"slices"

	"simrun/sim"
)

// With transactional sinks what an App emits leaves when a checkpoint that covers it is
// complete, in the order in which it was produced, and once: that a restore takes a step
// back and keeps what it emitted, or keeps the step and loses or repeats what it
// emitted, violates recovery.

// letGo notes that the first emission of a node leaves. It is taken back if the coming
// restore takes back the step that produced it; with transactional sinks that is a
// violation, and if it does not, what has left is not produced again either.
func (r *replay) letGo(v int32, n *node) {
	root := n.emits[0].root
	undone, by := r.undone(n), n.by
	if undone && r.c.run.Transactional {
		by = r.takenBack(n)
		undone = by >= 0
	}
	r.ledger.emit(root, undone)
	n.emits = slices.Delete(n.emits, 0, 1)
	if !undone || !r.c.run.Transactional {
		return
	}
	where := atNode(v)
	where.Restore = by
	ids, of := r.named([]lineage{root})
	where.Records = ids
	r.c.report(recovery, where, "emission %d of %s, of %s, left the system, and restore %d takes back the step that produced it: its sink is transactional, and did not wait for a complete checkpoint that covers it",
		n.emitted, r.c.run.node(v), of, by+1)
}

// passedOver reports emissions that should have left before a later one, or by the end,
// and drops them.
func (r *replay) passedOver(v int32, n *node, count int) {
	r.missed(v, n, n.emits[:count])
	if r.c.run.Transactional {
		r.lost(v, n, n.emits[:count])
		n.kept.emits = slices.Delete(n.kept.emits, 0, min(count, len(n.kept.emits)))
	}
	n.emits = slices.Delete(n.emits, 0, count)
}

// lost reports emissions that a transactional sink has lost without any restore.
func (r *replay) lost(v int32, n *node, emits []emission) {
	var roots []lineage
	for i := range emits {
		if !emits[i].crossed {
			roots = append(roots, emits[i].root)
		}
	}
	if len(roots) == 0 {
		return
	}
	ids, of := r.neverOut(n, roots)
	where := atNode(v)
	where.Records = someRecords(ids)
	r.c.report(recovery, where, "the transactional sink of %s has lost %s, of %s: a checkpoint that covers what came of them is complete, and they never left",
		r.c.run.node(v), counted(len(roots), "emission"), of)
}

// uncommitted looks, at the end of a run, at what a transactional sink has not let go.
// In a run that has come to rest that is lost if a complete checkpoint covers it; else it
// waits for one.
func (r *replay) uncommitted() {
	if !r.c.run.Transactional {
		return
	}
	last := r.lastComplete()
	for v := range int32(len(r.nodes)) {
		n := &r.nodes[v]
		if n.down {
			continue
		}
		covered := 0
		if s := last; s != nil && r.c.h.End == sim.Quiescent {
			for covered < len(n.emits) && n.emits[covered].row < s.Recordings[v].Row {
				covered++
			}
		}
		r.lost(v, n, n.emits[:covered])
		for _, e := range n.emits[covered:] {
			if !e.crossed && e.root.known() {
				r.ledger.waiting = append(r.ledger.waiting, e.root)
			}
		}
	}
}

// lastComplete is the newest checkpoint that became complete in the incarnation in which
// the run has ended, and is no savepoint; nil if there is none. What it covers has to leave:
// the coordinator tells every node of it, and when nothing is on its way any more it has
// seen to it that they know.
func (r *replay) lastComplete() *sim.Snapshot {
	for i := len(r.c.complete) - 1; i >= 0; i-- {
		if s := r.c.complete[i]; s.Incarnation == r.incarnation && !s.Savepoint {
			return s
		}
	}
	return nil
}

// checkCommitted is the invariant coordinator on a transaction: it is committed when a
// checkpoint that covers it is complete.
func (c *Checker) checkCommitted(f *facts, x *sim.Fact) {
	for i := int64(x.ID) - 1; i >= 0 && i < int64(len(f.published)); i++ {
		if f.covers(i) {
			return
		}
	}
	if c.recordedLater(f, x) {
		return
	}
	where := atNode(x.Task)
	where.Snapshot = x.ID
	c.report(coordinator, where, "%s has committed transaction %d, and no checkpoint that covers it is complete", c.run.node(x.Task), x.ID)
}

// covers says whether a checkpoint, by index, is complete and one that a crash cannot take
// the graph back behind: no savepoint.
func (f *facts) covers(i int64) bool { return f.published[i] != nil && !f.published[i].Savepoint }

// recordedLater says whether a complete checkpoint with a lower number covers a
// transaction, as the node recorded its state for that one later.
func (c *Checker) recordedLater(f *facts, x *sim.Fact) bool {
	for i := int64(0); i < int64(x.ID)-1 && int64(x.ID) <= int64(len(f.published)); i++ {
		if f.covers(i) && c.seqOf(i, x.Task) > c.seqOf(int64(x.ID)-1, x.Task) {
			return true
		}
	}
	return false
}

// seqOf is the position of a recording among all of the run; 0: there is none.
func (c *Checker) seqOf(snapshot int64, v int32) uint32 {
	if snapshot >= int64(len(c.h.Snapshots)) || c.h.Snapshots[snapshot] == nil || int(v) >= len(c.h.Snapshots[snapshot].Recordings) {
		return 0
	}
	return c.h.Snapshots[snapshot].Recordings[v].Seq
}
