package invariants

import (
	"bytes"
	"fmt"
	"slices"

	"simrun/sim"
)

// record is a Record row. It is where three things are decided for the node: the
// cut that the engine noted is where the replay stands; the recorded state is the
// one that replaying the node's own history gives on a fresh App (the invariant
// state-truth); and the recorded states of its input channels say what was sent
// (channel-state). Snapshots that never became complete are nobody's truth.
func (r *replay) record(v int32, n *node, id sim.SnapshotID) {
	c := r.c
	if id == 0 || uint64(id) > uint64(len(c.h.Snapshots)) {
		r.fail(r.blame(), atNode(v), "the history is damaged: %s recorded snapshot %d, of which it says nothing else", c.run.node(v), id)
		return
	}
	s := c.h.Snapshots[id-1]
	if s == nil || !c.whole(s) {
		return
	}
	recording := &s.Recordings[v]
	if recording.Row != r.at {
		if !slices.Contains(s.Twice, v) {
			where := atNode(v)
			where.Snapshot = id
			c.report(consistentCut, where, "the history is damaged: %s recorded snapshot %d in row %d too, which the snapshot does not say", c.run.node(v), id, r.at)
		}
		return
	}
	r.await(v, s, r.at)
	r.recorded[id-1]++
	where := atNode(v)
	where.Snapshot = id
	r.buf = n.app.Save(r.buf[:0])
	if !bytes.Equal(r.buf, s.States[v]) {
		c.report(stateTruth, where, "the state that snapshot %d has of %s is not the state that replaying its history up to there gives", id, c.run.node(v))
	}
	if n.offset != recording.Offset {
		r.strays.doubt(s, v)
		c.report(stateTruth, where, "snapshot %d has %s at External record %d, but it had read %d when it recorded",
			id, c.run.node(v), recording.Offset, n.offset)
	}
	if !sameTimers(n.timers, recording.Timers) {
		c.report(stateTruth, where, "snapshot %d has %s with %s, but its App had armed %s",
			id, c.run.node(v), timerList(recording.Timers), idList(n.timerIDs()))
	}
	r.counters(v, s)
	r.held(v, n, s)
	for _, ch := range r.ins[r.inStart[v]:r.inStart[v+1]] {
		r.contents(ch, s)
	}
	r.windowAt(s)
}

// counters compares the cut that the engine noted for a node with the replay's own.
func (r *replay) counters(v int32, s *sim.Snapshot) {
	for _, id := range r.outs[r.outStart[v]:r.outStart[v+1]] {
		if got, want := s.Sent[id], r.channels[id].sent; got != want {
			r.wrongCounter(v, id, s, "sent", got, want)
		}
	}
	for _, id := range r.ins[r.inStart[v]:r.inStart[v+1]] {
		if got, want := s.Processed[id], r.channels[id].processed; got != want {
			r.wrongCounter(v, id, s, "processed", got, want)
		}
		if ch := &r.channels[id]; ch.loose > 0 {
			r.gaps(id, s)
		}
	}
}

func (r *replay) wrongCounter(v, ch int32, s *sim.Snapshot, did string, got, want uint32) {
	where := atNode(v)
	where.Snapshot, where.Channel = s.ID, ch
	r.c.report(consistentCut, where, "the cut of snapshot %d says that %s had %s %s on %s when it recorded; it had %s %d",
		s.ID, r.c.run.node(v), did, counted(got, "message"), r.c.run.channel(ch), did, want)
}

// unrecorded reports complete snapshots of which some recording has no row, as far as
// the replay came.
func (r *replay) unrecorded() {
	for _, s := range r.c.complete {
		if s == r.c.h.From || int(r.recorded[s.ID-1]) == len(s.Recordings) {
			continue
		}
		for v := range int32(len(s.Recordings)) {
			if row := s.Recordings[v].Row; s.Recordings[v].Seq != 0 && (!r.failed || row <= r.at) && !r.isRecord(row, v, s.ID) {
				where := atNode(v)
				where.Snapshot = s.ID
				r.c.report(stateTruth, where, "the history is damaged: snapshot %d says that %s recorded it in row %d, which is another one",
					s.ID, r.c.run.node(v), row)
			}
		}
	}
}

// isRecord says whether a row is the one in which v recorded the snapshot.
func (r *replay) isRecord(row int, v int32, id sim.SnapshotID) bool {
	return row >= 0 && row < len(r.rows) && r.rows[row] == sim.NewRow(sim.RowRecord, v, uint32(id), 0)
}

// sameTimers says whether the timers that a history lists are those that are armed.
func sameTimers(timers []armed, listed []sim.ArmedTimer) bool {
	if len(timers) != len(listed) {
		return false
	}
	for i := range timers {
		if timers[i].id != listed[i].ID {
			return false
		}
	}
	return true
}

// idList words a list of timers.
func idList(ids []uint32) string {
	switch len(ids) {
	case 0:
		return "no timer"
	case 1:
		return fmt.Sprintf("timer %d", ids[0])
	}
	return fmt.Sprintf("timers %v", ids)
}

func timerList(timers []sim.ArmedTimer) string {
	ids := make([]uint32, len(timers))
	for i := range timers {
		ids[i] = timers[i].ID
	}
	return idList(ids)
}
