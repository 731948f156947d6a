package invariants

import (
	"slices"

	"simrun/sim"
)

// A task answers for its part of a checkpoint: it acknowledges what is durable, and
// declines what is not, or what it was told to cancel. Else checkpoints fail for ever, or
// wait for their timeouts, and nothing else is wrong.

// said is something that was said to a task of a checkpoint.
type said struct {
	task int32
	id   sim.SnapshotID
}

// noteAnswer takes in what a task says of its part.
func (c *Checker) noteAnswer(f *facts, x *sim.Fact) {
	switch x.Control.Kind {
	case sim.Acknowledge:
		if h := x.Control.Handle; h > 0 && int(h) <= len(f.stored) {
			f.stored[h-1].settled = true
		}
	case sim.Decline:
		of := said{x.Task, x.Control.ID}
		if f.cancelled[of] {
			return
		}
		i := slices.IndexFunc(f.stored, func(p storedPart) bool { return p.task == of.task && p.id == of.id })
		if i < 0 {
			return
		}
		f.stored[i].settled = true
		where := atNode(x.Task)
		where.Snapshot = x.Control.ID
		c.report(coordinator, where, "%s declines checkpoint %d: its part is durable, and nobody has told it to cancel", c.run.node(x.Task), x.Control.ID)
	}
}

// checkAnswers looks, in a run that has come to rest, for parts that are durable and were
// never acknowledged. One that was restarted since knows nothing of it.
func (c *Checker) checkAnswers(f *facts) {
	if c.h.Rows == nil || c.h.End != sim.Quiescent {
		return
	}
	c.position = atEnd
	for i := range f.stored {
		p := &f.stored[i]
		if p.settled || slices.Contains(c.h.Final.Down, p.task) || c.restartedSince(p.task, p.row) {
			continue
		}
		where := atNode(p.task)
		where.Snapshot = p.id
		c.report(termination, where, "the run has ended, and %s has never acknowledged its part of checkpoint %d, which is durable, and was not told to cancel it before", c.run.node(p.task), p.id)
	}
}

// restartedSince says whether a node was restarted when the history had more than so many
// rows.
func (c *Checker) restartedSince(v int32, row int) bool {
	return slices.ContainsFunc(c.h.Restores, func(r sim.Restore) bool { return r.Row >= row && r.Restarted(v) })
}
