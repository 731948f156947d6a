package invariants

// A restore goes back behind the cut of an earlier one when that one's checkpoint is
// deleted and no newer one can be read. What can be read once can be read as long as it
// is stored, and what is older is deleted first: so it goes to the initial state.

// behind says whether restore k goes back to the initial state for that reason.
func (c *Checker) behind(k int) bool {
	r := &c.h.Restores[k]
	if k == 0 || r.Snapshot != nil || c.h.Restores[k-1].Snapshot == nil {
		return false
	}
	return c.unreadable(c.h.Restores[k-1].Snapshot.ID, r.At)
}

// startsOver finds the next restore that does so, from restore k on; -1: none. Where the
// run began with a snapshot, or channels are unreliable, it is not followed.
func (r *replay) startsOver(k int) int {
	if r.c.h.From != nil || len(r.loose) > 1 {
		return -1
	}
	for ; k < len(r.c.h.Restores); k++ {
		if r.c.behind(k) {
			return k
		}
	}
	return -1
}

// afresh puts a node back to its beginning.
func (r *replay) afresh(v int32, n *node) {
	n.app, n.main = r.c.run.NewApp(v), nil
	n.offset, n.timers, n.emits = 0, n.timers[:0], n.emits[:0]
}

// empty puts a channel back to its beginning.
func (r *replay) empty(ch *channel) {
	ch.produced, ch.sent, ch.processed = 0, 0, 0
	r.queues.truncate(ch)
}

// undone says whether a coming restore takes back what a node does.
func (r *replay) undone(n *node) bool { return n.branched || r.over >= 0 }

// takenBack says which restore takes back the emission of a transactional sink that
// leaves now, or -1. That it has left its copy at the cut of the next restore knows, too.
func (r *replay) takenBack(n *node) int {
	if n.branched {
		if len(n.kept.emits) == 0 {
			return n.by
		}
		n.kept.emits = n.kept.emits[:copy(n.kept.emits, n.kept.emits[1:])]
	}
	return r.over
}

// noFollowing notes that a restore is not followed, without any fault of the run's; ok is
// false if that is a fault.
func (r *replay) noFollowing(k int) (ok bool) {
	if !r.c.behind(k) {
		return false
	}
	r.failed, r.muted = true, true
	r.c.out.Unfollowed = len(r.c.h.Restores) - k
	return true
}
