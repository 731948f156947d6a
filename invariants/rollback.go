package invariants

import (
	"bytes"
	"slices"

	"simrun/sim"
)

// limits sets, for every node, the last row that the next restore of it leaves in the
// stitched run: the node's recording of the snapshot to which it goes back, or
// none for the initial state. Later restores go back behind an earlier one's cut only
// to start over, so the next one is all that counts; a history in which one does
// otherwise is replayed up to there and not beyond.
func (r *replay) limits() {
	r.doubled = nil
	k := r.restores
	coming := k < len(r.c.h.Restores)
	r.over = r.startsOver(k)
	r.limited = coming && (r.over == k || r.canFollow(k))
	if r.limited {
		r.doubled = r.doubling(r.c.h.Restores[k].Snapshot)
	}
	for v := range r.nodes {
		n := &r.nodes[v]
		n.by = r.c.restartOf(int32(v), k)
		switch {
		case n.branched: // since before a restore of others
			n.limit = never
		case !r.limited || n.by < 0 || n.by == r.over || n.by > k && !r.canFollow(n.by):
			n.limit = never
		case r.c.h.Restores[n.by].Snapshot == nil:
			n.limit = -1
		default:
			n.limit = r.c.h.Restores[n.by].Snapshot.Recordings[v].Row
		}
	}
}

// canFollow says whether the main cursor, which stands at the cut of restore k-1,
// can come to that of restore k: a snapshot whose recordings have rows, each of
// them after restore k-1, or the same cut once more.
func (r *replay) canFollow(k int) bool {
	restores := r.c.h.Restores
	s := restores[k].Snapshot
	if k > 0 && s == restores[k-1].Snapshot {
		return true
	}
	if s == r.c.from() { // where the run began
		return k == 0
	}
	if s == nil || !r.c.whole(s) {
		return false
	}
	first := 0
	if k > 0 {
		first = restores[k-1].Row + 1
	}
	for v := range s.Recordings {
		row := s.Recordings[v].Row
		if row < first || row >= restores[k].Row || !r.isRecord(row, int32(v), s.ID) {
			return false
		}
	}
	return true
}

// pass deals with a row of a node beyond its limit: the first one puts the node on
// a branch. A node that is down has no rows.
func (r *replay) pass(v int32, n *node) bool {
	if n.down {
		r.fail(recovery, atNode(v), "%s is down, but row %d is something that it did", r.c.run.node(v), r.at)
		return false
	}
	return r.branch(v, n)
}

// branch leaves the main cursor of a node where it is and goes on with a copy.
func (r *replay) branch(v int32, n *node) bool {
	r.buf = n.app.Save(r.buf[:0])
	twin := r.c.spareApp(v)
	err := twin.Load(r.buf)
	r.c.buf = r.c.buf[:0]
	if err == nil {
		r.c.buf = twin.Save(r.c.buf)
	}
	if err != nil || !bytes.Equal(r.buf, r.c.buf) {
		where := atNode(v)
		where.Restore = n.by
		r.fail(recovery, where, "the App of %s cannot be restored: after Load, Save does not give the same state (error: %v)", r.c.run.node(v), err)
		return false
	}
	n.main, n.app = n.app, twin
	n.position.copyTo(&n.kept)
	n.branched, n.limit = true, never
	for _, id := range r.outs[r.outStart[v]:r.outStart[v+1]] {
		ch := &r.channels[id]
		ch.kept.produced, ch.kept.sent = ch.produced, ch.sent
	}
	for _, id := range r.ins[r.inStart[v]:r.inStart[v+1]] {
		ch := &r.channels[id]
		ch.kept.processed = ch.processed
		r.loose[ch.loose].keep()
	}
	return true
}

// restore is a Restore row: every node that is restarted is back at its main cursor.
func (r *replay) restore(id sim.SnapshotID) {
	k := r.restores
	where := nowhere
	where.Snapshot, where.Restore = id, k
	if k >= len(r.c.h.Restores) || r.c.h.Restores[k].Row != r.at || idOf(r.c.h.Restores[k].Snapshot) != id {
		r.fail(recovery, where, "the history is damaged: row %d restores snapshot %d, the list of restores does not", r.at, id)
		return
	}
	if !r.limited {
		if r.noFollowing(k) {
			return
		}
		r.fail(recovery, where, "restore %d goes back to %s, to which the run cannot be followed: that was taken back by the restore before, or its recordings have no rows",
			k+1, snapshotName(r.c.h.Restores[k].Snapshot))
		return
	}
	restarted := &r.c.h.Restores[k]
	if !r.closed(k) {
		return
	}
	r.crashed(k)
	if r.doubled != nil {
		r.ledger.double(r.doubled, r.c.run.Replay)
	}
	r.unseen()
	r.unstaged()
	for v := range r.nodes {
		if restarted.Restarted(int32(v)) {
			r.rejoin(int32(v), &r.nodes[v])
		}
	}
	if r.c.run.Replay == sim.NoReplay {
		r.goOn(k)
	}
	echoes := len(r.echoes)
	for id := range r.channels {
		if ch := &r.channels[id]; restarted.Restarted(ch.to) {
			r.rewind(int32(id), where)
		} else if restarted.Restarted(ch.from) {
			r.repeat(ch)
		}
	}
	r.remember(echoes)
	r.restores++
	for v := range int32(len(r.nodes)) {
		if restarted.Restarted(v) {
			r.nodes[v].branched = false
			r.await(v, r.c.h.Restores[k].Snapshot, r.at)
		}
	}
	r.incarnation = r.c.h.Restores[k].Incarnation
	r.limits()
}

// rejoin puts a node back on its main cursor.
func (r *replay) rejoin(v int32, n *node) {
	reached := n.offset
	if r.over == r.restores {
		r.afresh(v, n)
	} else if n.branched {
		n.app, n.main = n.main, nil
		n.kept.copyTo(&n.position)
	}
	n.down = false
	for i := range n.emits {
		n.emits[i].crossed = true
	}
	r.ledger.takeBack(v, n.offset, reached, r.c.run.Replay)
	if r.c.run.Replay == sim.NoReplay {
		// What was read after the cut is not read again, but lost.
		r.c.out.Lost += int64(reached - n.offset)
		n.offset = reached
	}
}

// goOn checks that nothing is read twice if nothing is to be read again, and nothing
// passed over. Without rows the offset of the cut is all that is known, see
// checkRestoredNode.
func (r *replay) goOn(k int) {
	where := nowhere
	where.Restore = k
	for v := range int32(len(r.nodes)) {
		if offset, read := at(r.c.h.Restores[k].Offsets, v), r.nodes[v].offset; offset != read {
			where.Node = v
			r.c.report(recovery, where, "restore %d: %s is put at External record %d; it has read %d, and none is to be read again",
				k+1, r.c.run.node(v), offset, read)
		}
	}
}

// rewind brings a channel back to where its ends' main cursors stand.
func (r *replay) rewind(id int32, where Violation) {
	ch := &r.channels[id]
	ch.echo = 0
	if r.over == r.restores {
		r.empty(ch)
		return
	}
	out, in := r.nodes[ch.from].branched, r.nodes[ch.to].branched
	if out {
		ch.produced, ch.sent = ch.kept.produced, ch.kept.sent
	}
	if in {
		ch.processed = ch.kept.processed
		r.loose[ch.loose].rejoin()
	}
	if ch.processed > ch.sent && !r.sendAgain(ch) && !r.failed {
		where.Channel, where.Numbers = id, between(ch.sent+1, ch.processed)
		r.fail(recovery, where, "restore %d goes back to a cut in which %s on %s %s processed and not sent",
			where.Restore+1, span(ch.sent+1, ch.processed), r.c.run.channel(id), are(ch.sent+1, ch.processed))
		return
	}
	switch {
	case ch.loose > 0:
		r.truncateLoose(ch)
	case out || in:
		r.queues.truncate(ch)
	}
}

// crashed compares the nodes that are down with those that a restore says were.
func (r *replay) crashed(k int) {
	where := nowhere
	where.Restore = k
	listed := r.c.h.Restores[k].Crashed
	for v := range int32(len(r.nodes)) {
		if r.nodes[v].down != slices.Contains(listed, v) {
			where.Node = v
			r.c.report(recovery, where, "the history is damaged: restore %d and the crash rows before it do not agree on whether %s was down",
				k+1, r.c.run.node(v))
		}
	}
}

// idOf is a snapshot's id, 0 for the initial state.
func idOf(s *sim.Snapshot) sim.SnapshotID {
	if s == nil {
		return 0
	}
	return s.ID
}
