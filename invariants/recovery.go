package invariants

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"simrun/sim"
)

// checkRestores is the part of the invariant recovery that needs no rows: right
// after a restore the node states, the contents of the channels and the logs that
// were handed out are those of the newest complete snapshot, or the initial state
// where there was none. Of a restore of some nodes that goes for these. That the stitched run goes on legally from there is for
// the replay to find out.
func (c *Checker) checkRestores() {
	if c.off[recovery] {
		return
	}
	for k := range c.h.Restores {
		r := &c.h.Restores[k]
		where := nowhere
		where.Restore, where.Snapshot = k, idOf(r.Snapshot)
		c.standsAt(r.Row, r.At)
		c.checkOrder(k, where)
		if r.Snapshot != nil && !c.whole(r.Snapshot) {
			c.report(recovery, where, "restore %d goes back to snapshot %d, which is not a complete snapshot of this run", k+1, r.Snapshot.ID)
			continue
		}
		c.checkNewest(k, where)
		for v := range int32(c.run.Graph.Nodes) {
			if r.Restarted(v) {
				c.checkRestoredNode(r, v, where)
			}
		}
		for ch, to := range c.run.Graph.To {
			if r.Restarted(to) {
				c.checkRestoredChannel(r, int32(ch), where)
			}
		}
	}
	c.checkAborted()
}

// checkOrder checks that restores follow one another.
func (c *Checker) checkOrder(k int, where Violation) {
	r := &c.h.Restores[k]
	if int(r.Incarnation) != k+1 {
		c.report(recovery, where, "the history is damaged: restore %d begins incarnation %d", k+1, r.Incarnation)
	}
	if k > 0 && r.At < c.h.Restores[k-1].At {
		c.report(recovery, where, "the history is damaged: restore %d is at %d, before the one before it", k+1, r.At)
	}
}

// checkNewest checks that the system went back to the newest complete snapshot.
// One that became complete at the very instant of the restore may count or not:
// which of the two came first is not in the history. One that could not be read does not
// count, nor a savepoint, nor one that was deleted when a newer one was stored that then could not be
// read; that it was damaged is for the invariant coordinator to say.
func (c *Checker) checkNewest(k int, where Violation) {
	r := &c.h.Restores[k]
	if r.Snapshot != nil && (r.Snapshot.CompletedAt > r.At || int(r.Snapshot.Incarnation) > k) {
		c.report(recovery, where, "restore %d, at %d, goes back to snapshot %d, which became complete only later, at %d",
			k+1, r.At, r.Snapshot.ID, r.Snapshot.CompletedAt)
	}
	for i := len(c.complete) - 1; i >= 0 && c.complete[i].ID > idOf(r.Snapshot); i-- {
		s := c.complete[i]
		if s.CompletedAt < r.At && !s.Savepoint && int(s.Incarnation) <= k && !c.unreadable(s.ID, r.At) {
			c.report(recovery, where, "restore %d goes back to %s, but snapshot %d is newer and was complete",
				k+1, snapshotName(r.Snapshot), s.ID)
			return
		}
	}
}

// unreadable says whether a checkpoint had turned out to be unreadable by an instant, or
// was deleted and a newer one had.
func (c *Checker) unreadable(id sim.SnapshotID, by int64) bool {
	retired := false
	for i := range c.h.Facts {
		switch x := &c.h.Facts[i]; {
		case x.At > by:
			return false
		case x.Kind == sim.FactRetired && x.ID == id:
			retired = true
		case x.Kind == sim.FactUnreadable && (x.ID == id || x.ID > id && retired):
			return true
		}
	}
	return false
}

// checkAborted checks that a restore aborts what is not complete: a snapshot that
// is finished across a restore mixes two incarnations.
func (c *Checker) checkAborted() {
	for _, s := range c.h.Snapshots {
		if s == nil || int(s.Incarnation) >= len(c.h.Restores) || s.Status == sim.Aborted {
			continue
		}
		k := int(s.Incarnation)
		c.standsAt(c.h.Restores[k].Row, c.h.Restores[k].At)
		where := nowhere
		where.Snapshot, where.Restore = s.ID, k
		if s.Status == sim.Pending {
			c.report(recovery, where, "snapshot %d was not complete at restore %d and is still pending; the restore should have aborted it", s.ID, k+1)
		} else if s.CompletedAt > c.h.Restores[k].At {
			c.report(recovery, where, "snapshot %d became complete at %d, after restore %d at %d should have aborted it",
				s.ID, s.CompletedAt, k+1, c.h.Restores[k].At)
			c.accuse(s.ID)
		}
	}
}

// checkRestoredNode compares what a node was restored to with what it should be.
func (c *Checker) checkRestoredNode(r *sim.Restore, v int32, where Violation) {
	where.Node = v
	name := snapshotName(r.Snapshot)
	var state []byte
	var recording sim.Recording
	if r.Snapshot != nil {
		state, recording = r.Snapshot.States[v], r.Snapshot.Recordings[v]
	} else {
		c.buf = c.run.NewApp(v).Save(c.buf[:0]) // those of c.apps are where the run began
		state = c.buf
	}
	if !bytes.Equal(state, at(r.States, v)) {
		c.report(recovery, where, "restore %d: the state of %s is not the one in %s", where.Restore+1, c.run.node(v), name)
	}
	offset := at(r.Offsets, v)
	if offset < recording.Offset || offset > recording.Offset && c.run.Replay != sim.NoReplay {
		c.report(recovery, where, "restore %d: %s is put at External record %d, in %s it is %d",
			where.Restore+1, c.run.node(v), offset, name, recording.Offset)
	}
	if timers := at(r.Timers, v); !rearmed(recording.Timers, timers, r.At) {
		c.report(recovery, where, "restore %d: %s has %s, in %s it has %s",
			where.Restore+1, c.run.node(v), dueList(timers), name, dueList(recording.Timers))
	}
}

// rearmed says whether timers were re-armed for when they were due, or for the
// restore if that had passed.
func rearmed(saved, got []sim.ArmedTimer, now int64) bool {
	if len(saved) != len(got) {
		return false
	}
	for i := range saved {
		if got[i].ID != saved[i].ID || got[i].Due != max(saved[i].Due, now) && got[i].Due != saved[i].Due {
			return false
		}
	}
	return true
}

// dueList words a list of timers and when they are due.
func dueList(timers []sim.ArmedTimer) string {
	var parts []string
	for _, t := range timers {
		parts = append(parts, fmt.Sprintf("timer %d due at %d", t.ID, t.Due))
	}
	if len(parts) == 0 {
		return "no timer"
	}
	return strings.Join(parts, ", ")
}

// checkRestoredChannel compares what was put back into a channel, and what was
// handed to Recover, with the recorded channel state: the logged messages are in
// the log, the others in the channel, each in the order in which they were saved.
func (c *Checker) checkRestoredChannel(r *sim.Restore, ch int32, where Violation) {
	requeued, logged := at(r.Requeued, ch), at(r.Logged, ch)
	var saved []sim.Recorded
	if r.Snapshot != nil {
		saved = r.Snapshot.Channels[ch]
	}
	if len(saved)+len(requeued)+len(logged) == 0 {
		return
	}
	where.Channel = ch
	var inLog []sim.LogEntry
	if r.Snapshot != nil {
		inLog = at(r.Snapshot.Logs, c.run.Graph.To[ch])
	}
	compare := func(what string, got, want []sim.Recorded) {
		if !equalRecorded(got, want) {
			where.Numbers = numbersOf(got)
			there := messages(numbersOf(want))
			if slices.Equal(where.Numbers, numbersOf(want)) {
				there += " with another content, or from another incarnation"
			}
			c.report(recovery, where, "restore %d, %s %s: %s; in %s: %s", where.Restore+1,
				what, c.run.channel(ch), messages(where.Numbers), snapshotName(r.Snapshot), there)
		}
	}
	isLogged := make([]bool, len(saved))
	var log []sim.Recorded
	for _, entry := range inLog {
		if entry.Channel == ch && entry.Index >= 0 && int(entry.Index) < len(saved) {
			log = append(log, saved[entry.Index])
			isLogged[entry.Index] = true
		}
	}
	var queue []sim.Recorded
	for i := range saved {
		if !isLogged[i] {
			queue = append(queue, saved[i])
		}
	}
	compare("put back into", requeued, queue)
	compare("replayed from the backup log of", logged, log)
}

// numbersOf is the numbers of the first messages of a list.
func numbersOf(recorded []sim.Recorded) []uint32 {
	var numbers []uint32
	for i := range recorded[:min(len(recorded), numbersMax)] {
		numbers = append(numbers, recorded[i].Number)
	}
	return numbers
}

// equalRecorded says whether two lists hold the same messages, identity and all.
func equalRecorded(a, b []sim.Recorded) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Number != b[i].Number || a[i].Incarnation != b[i].Incarnation || !a[i].Message.Equal(b[i].Message) {
			return false
		}
	}
	return true
}

// snapshotName names what a restore goes back to.
func snapshotName(s *sim.Snapshot) string {
	if s == nil {
		return "the initial state"
	}
	return fmt.Sprintf("snapshot %d", s.ID)
}
