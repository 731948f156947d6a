package invariants

import (
	"slices"

	"simrun/sim"
)

// checkCoordinator is the invariant coordinator, as far as there is one: the engine
// decides which snapshot is complete, and the restores which ones are given up. Every
// snapshot is decided once; a complete one is whole and durable, part by part; nothing
// is restored that was not complete or had been given up; and no id is used again.
func (c *Checker) checkCoordinator() {
	if c.off[coordinator] {
		return
	}
	givenUp := c.checkGivenUp()
	aborted := c.checkFacts()
	last := (*sim.Snapshot)(nil)
	for i, s := range c.h.Snapshots {
		if s == nil || s.ID != sim.SnapshotID(i+1) {
			c.checkReused(i, s)
			continue
		}
		if s.Status == sim.Absent && c.h.From != nil && s.ID <= c.h.From.Last() {
			continue
		}
		c.standsAtCut(s)
		where := nowhere
		where.Snapshot = s.ID
		if last != nil && (s.TriggeredAt < last.TriggeredAt || s.Incarnation < last.Incarnation) {
			c.report(coordinator, where, "snapshot %d was begun before snapshot %d: ids do not grow", s.ID, last.ID)
		}
		last = s
		c.checkIncarnation(s, where)
		c.checkDecision(s, givenUp[i], aborted != nil && aborted[i], where)
	}
	c.checkRestorable(givenUp)
}

// checkReused reports an entry in the list of snapshots that has not its own id.
func (c *Checker) checkReused(i int, s *sim.Snapshot) {
	if s == nil {
		return // sift has said so
	}
	for k, other := range c.h.Snapshots {
		if k != i && other != nil && other.ID == s.ID {
			where := nowhere
			where.Snapshot = s.ID
			c.report(coordinator, where, "the id %d was given to two snapshots", s.ID)
			return
		}
	}
}

// checkGivenUp finds, for every snapshot, the restore that gave it up; -1 for none.
func (c *Checker) checkGivenUp() []int {
	by := make([]int, len(c.h.Snapshots))
	for i := range by {
		by[i] = -1
	}
	for k := range c.h.Restores {
		r := &c.h.Restores[k]
		c.standsAt(r.Row, r.At)
		for _, id := range r.Aborted {
			where := nowhere
			where.Snapshot, where.Restore = id, k
			if id == 0 || uint64(id) > uint64(len(by)) {
				c.report(coordinator, where, "restore %d gave up snapshot %d, which does not exist", k+1, id)
				continue
			}
			if first := by[id-1]; first >= 0 {
				c.report(coordinator, where, "snapshot %d was given up twice, by restores %d and %d", id, first+1, k+1)
				continue
			}
			by[id-1] = k
			if s := c.h.Snapshots[id-1]; s != nil && int(s.Incarnation) != k {
				c.report(coordinator, where, "restore %d gave up snapshot %d, which was begun in incarnation %d; incarnation %d is the one that it ended",
					k+1, id, s.Incarnation, k)
			}
		}
	}
	return by
}

// checkIncarnation checks that a snapshot was begun and recorded in the incarnation
// that it names.
func (c *Checker) checkIncarnation(s *sim.Snapshot, where Violation) {
	restores, k := c.h.Restores, int(s.Incarnation)
	if k > len(restores) {
		c.report(coordinator, where, "snapshot %d names incarnation %d; there were %d", s.ID, k, len(restores)+1)
		return
	}
	if k > 0 && s.TriggeredAt < restores[k-1].At || k < len(restores) && s.TriggeredAt > restores[k].At {
		c.report(coordinator, where, "snapshot %d names incarnation %d, and was begun at %d, in another one", s.ID, k, s.TriggeredAt)
	}
	if c.h.Rows == nil {
		return
	}
	for v := range s.Recordings {
		row := s.Recordings[v].Row
		if s.Recordings[v].Seq != 0 && (k > 0 && row < restores[k-1].Row || k < len(restores) && row > restores[k].Row) {
			where.Node = int32(v)
			c.report(coordinator, where, "snapshot %d was begun in incarnation %d, and %s recorded it in another one (row %d)",
				s.ID, k, c.run.node(int32(v)), row)
		}
	}
}

// checkDecision checks that a snapshot was decided once, if it was, and rightly.
// givenUp is the restore that gave it up; aborted says that a coordinator did.
func (c *Checker) checkDecision(s *sim.Snapshot, givenUp int, aborted bool, where Violation) {
	switch {
	case s.Status == sim.Complete && givenUp >= 0:
		c.report(coordinator, where, "snapshot %d became complete, and restore %d gave it up", s.ID, givenUp+1)
	case s.Status == sim.Complete && aborted:
		c.report(coordinator, where, "checkpoint %d became complete, and the coordinator had aborted it", s.ID)
	case s.Status == sim.Aborted && givenUp < 0 && c.h.End == sim.Misbehaved: // perhaps in the middle of that restore
	case s.Status == sim.Aborted && givenUp < 0 && !aborted:
		c.report(coordinator, where, "snapshot %d counts as given up, and no restore gave it up", s.ID)
	case s.Status == sim.Pending && givenUp >= 0:
		c.report(coordinator, where, "restore %d gave up snapshot %d, which still counts as pending", givenUp+1, s.ID)
	case s.Status > sim.Aborted:
		c.report(coordinator, where, "snapshot %d is neither pending nor complete nor given up", s.ID)
	}
	if s.Status == sim.Complete {
		c.checkParts(s, where)
		return
	}
	if s.CompletedAt >= 0 {
		c.report(coordinator, where, "snapshot %d became complete at %d, and does not count as complete", s.ID, s.CompletedAt)
	}
	if c.h.Facts != nil {
		return // the coordinator decides, when it is told of every part
	}
	if s.Status == sim.Pending && len(s.Durable) == c.run.Graph.Nodes && !slices.Contains(s.Durable, false) {
		c.report(coordinator, where, "every part of snapshot %d is durable, and nobody decided that it is complete", s.ID)
	}
}

// checkParts checks that every node's part of a complete snapshot was recorded,
// finished and durable, in this order and before the decision.
func (c *Checker) checkParts(s *sim.Snapshot, where Violation) {
	if s.StartedAt < s.TriggeredAt || s.CompletedAt < s.StartedAt {
		c.report(coordinator, where, "snapshot %d was begun at %d, first recorded at %d and complete at %d: not in this order",
			s.ID, s.TriggeredAt, s.StartedAt, s.CompletedAt)
	}
	for v := range int32(c.run.Graph.Nodes) {
		where.Node = v
		name, recording := c.run.node(v), at(s.Recordings, v)
		done := int64(-1)
		if int(v) < len(s.DoneAt) {
			done = s.DoneAt[v]
		}
		switch {
		case recording.Seq == 0:
			c.report(coordinator, where, "snapshot %d is complete, and %s never recorded it", s.ID, name)
		case done < 0:
			c.report(coordinator, where, "snapshot %d is complete, and %s never said that its part was done", s.ID, name)
		case !at(s.Durable, v):
			c.report(coordinator, where, "snapshot %d is complete, and the part of %s was never durable", s.ID, name)
		case recording.At < s.StartedAt || done < recording.At || s.CompletedAt < done:
			c.report(coordinator, where, "snapshot %d was first recorded at %d, by %s at %d, done there at %d and complete at %d: not in this order",
				s.ID, s.StartedAt, name, recording.At, done, s.CompletedAt)
		}
	}
}

// checkRestorable checks that nothing was restored that was not complete by then, or
// that had been given up.
func (c *Checker) checkRestorable(givenUp []int) {
	for k := range c.h.Restores {
		r := &c.h.Restores[k]
		s := r.Snapshot
		if s == nil {
			continue
		}
		c.standsAt(r.Row, r.At)
		where := nowhere
		where.Snapshot, where.Restore = s.ID, k
		switch {
		case s.Status != sim.Complete:
			c.report(coordinator, where, "restore %d goes back to snapshot %d, which was never complete", k+1, s.ID)
		case s.CompletedAt > r.At:
			c.report(coordinator, where, "restore %d, at %d, goes back to snapshot %d, which was complete only at %d", k+1, r.At, s.ID, s.CompletedAt)
		case s.ID > 0 && uint64(s.ID) <= uint64(len(givenUp)) && givenUp[s.ID-1] >= 0 && givenUp[s.ID-1] <= k:
			c.report(coordinator, where, "restore %d goes back to snapshot %d, which restore %d gave up", k+1, s.ID, givenUp[s.ID-1]+1)
		}
	}
}
