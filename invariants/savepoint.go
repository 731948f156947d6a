package invariants

import "simrun/sim"

// savepoint says whether a snapshot is one: what the user has asked for, and what no
// recovery goes back to by itself.
func (c *Checker) savepoint(id sim.SnapshotID) bool {
	if id == 0 || uint64(id) > uint64(len(c.h.Snapshots)) {
		return false
	}
	s := c.h.Snapshots[id-1]
	return s != nil && s.Savepoint
}

// checkShared checks that the parts of a savepoint share no chunks with others, so that
// it stays whole whatever becomes of these.
func (c *Checker) checkShared(f *facts, x *sim.Fact) {
	where := atNode(x.Task)
	where.Snapshot = x.ID
	switch owner := x.Number; {
	case c.savepoint(x.ID):
		c.report(coordinator, where, "savepoint %d is to be whole by itself, and the part of %s shares chunks with another", x.ID, c.run.node(x.Task))
	case owner > 0 && int64(owner) <= int64(len(f.stored)) && c.savepoint(f.stored[owner-1].id):
		c.report(coordinator, where, "checkpoint %d shares chunks of the part of %s with savepoint %d, which the user may delete",
			x.ID, c.run.node(x.Task), f.stored[owner-1].id)
	}
}
