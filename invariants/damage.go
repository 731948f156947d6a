package invariants

import (
	"slices"

	"simrun/sim"
)

// A history says many things twice. Where it does not agree with itself nothing that
// it says is worth much, so damage is reported whatever is switched off. What the
// invariants compare anyway is not looked at here.

// checkItself holds the history against itself.
func (c *Checker) checkItself() {
	c.position = atEnd
	f := &c.h.Final
	states := len(f.States)
	if c.h.End == sim.Misbehaved {
		states = len(f.Offsets) // nobody could be asked for it
	}
	c.shape(termination, nowhere, "its end",
		[]int{states, len(f.Offsets), len(f.Read), len(f.Timers)},
		[]int{len(f.Sent), len(f.Processed), len(f.InFlight), len(f.Markers), len(f.Blocked)}, f.Gaps)
	c.checkEnd(f)
	for _, s := range c.h.Snapshots {
		if s != nil {
			c.checkEntry(s)
		}
	}
	for k := range c.h.Restores {
		c.checkRestoreEntry(k)
	}
	for i := range c.h.Crashes {
		if crash := &c.h.Crashes[i]; slices.Contains(c.h.UnfiredFaults, crash.Fault) {
			where := nowhere
			where.Node = crash.Node
			c.damage(recovery, where, "the history is damaged: fault %d crashed %s, and is listed as never fired", crash.Fault, c.run.node(crash.Node))
		}
	}
	if c.h.Rows != nil {
		c.checkRows()
	}
}

// shape reports lists that have not an entry for every node, or for every channel.
// Of Gaps there are none where all channels are reliable.
func (c *Checker) shape(inv invariant, where Violation, what string, byNode, byChannel []int, gaps [][]uint32) (right bool) {
	nodes, channels := c.run.Graph.Nodes, len(c.run.Graph.From)
	not := func(want int) func(int) bool { return func(got int) bool { return got != want } }
	switch {
	case slices.ContainsFunc(byNode, not(nodes)):
		c.damage(inv, where, "the history is damaged: %s has lists of %v entries, and the graph has %d nodes", what, byNode, nodes)
	case slices.ContainsFunc(byChannel, not(channels)):
		c.damage(inv, where, "the history is damaged: %s has lists of %v entries, and the graph has %d channels", what, byChannel, channels)
	case gaps != nil && len(gaps) != channels:
		c.damage(inv, where, "the history is damaged: %s has the gaps of %d channels, and the graph has %d", what, len(gaps), channels)
	default:
		return true
	}
	return false
}

// checkEnd looks at how the run is said to have ended.
func (c *Checker) checkEnd(f *sim.FinalState) {
	if c.h.End > sim.Misbehaved {
		c.damage(termination, nowhere, "the history is damaged: the run has ended in the unknown way %d", c.h.End)
	}
	for v := range int32(c.run.Graph.Nodes) {
		if read, processed := at(f.Read, v), at(f.Offsets, v); read < processed {
			c.damage(termination, atNode(v), "the history is damaged: %s was handed %d External records, and its App has processed %d", c.run.node(v), read, processed)
		}
	}
	for ch, id := range f.Blocked {
		if uint64(id) > uint64(len(c.h.Snapshots)) {
			c.damage(termination, inChannel(int32(ch)), "the history is damaged: at the end %s is blocked for snapshot %d, of which it says nothing else", c.run.channel(int32(ch)), id)
		}
	}
}

// checkEntry looks at what a snapshot says of itself.
func (c *Checker) checkEntry(s *sim.Snapshot) {
	where := nowhere
	where.Snapshot = s.ID
	started := int64(-1)
	if len(s.States)+len(s.Recordings)+len(s.Channels)+len(s.Sent)+len(s.DoneAt) > 0 || s.Status == sim.Complete {
		if !c.shape(coordinator, where, "snapshot "+number(s.ID),
			[]int{len(s.States), len(s.Recordings), len(s.Logs), len(s.Attached), len(s.DoneAt), len(s.Durable)},
			[]int{len(s.Channels), len(s.Sent), len(s.Processed), len(s.Marked)}, s.Gaps) {
			return
		}
		started = c.checkParted(s, where)
	}
	c.checkLogs(s, where)
	switch {
	case s.StartedAt != started && len(s.Twice) == 0:
		c.damage(coordinator, where, "the history is damaged: snapshot %d was first recorded at %d, and says at %d", s.ID, started, s.StartedAt)
	case s.Status != sim.Complete && s.CompletedAt != -1:
		c.damage(coordinator, where, "the history is damaged: snapshot %d is not complete, and says at %d it was", s.ID, s.CompletedAt)
	case max(s.TriggeredAt, s.CompletedAt) > c.h.EndedAt:
		c.damage(coordinator, where, "the history is damaged: snapshot %d was begun at %d and complete at %d (-1: never), and the run ended at %d", s.ID, s.TriggeredAt, s.CompletedAt, c.h.EndedAt)
	case s.Markers < 0 || s.BlockedFor < 0:
		c.damage(coordinator, where, "the history is damaged: snapshot %d had %d markers and blocked for %d", s.ID, s.Markers, s.BlockedFor)
	}
	outside := func(n int) func(int32) bool { return func(id int32) bool { return id < 0 || int(id) >= n } }
	if slices.ContainsFunc(s.Initiators, outside(c.run.Graph.Nodes)) || slices.ContainsFunc(s.Twice, outside(c.run.Graph.Nodes)) ||
		slices.ContainsFunc(s.LostOn, outside(len(c.run.Graph.From))) {
		c.damage(coordinator, where, "the history is damaged: snapshot %d names nodes or channels that do not exist: initiators %v, recorded twice %v, markers lost on %v", s.ID, s.Initiators, s.Twice, s.LostOn)
	}
}

// checkParted looks at the parts of a snapshot, and returns when the first was recorded.
func (c *Checker) checkParted(s *sim.Snapshot, where Violation) (started int64) {
	started = -1
	first := uint32(0)
	for v := range s.Recordings {
		r, done := &s.Recordings[v], s.DoneAt[v]
		where.Node = int32(v)
		switch {
		case r.Seq == 0 && (done >= 0 || s.Durable[v] || s.States[v] != nil):
			c.damage(coordinator, where, "the history is damaged: %s never recorded snapshot %d, and has a part of it", c.run.node(int32(v)), s.ID)
		case s.Durable[v] && done < 0:
			c.damage(coordinator, where, "the history is damaged: the part of %s of snapshot %d is durable, and was never done", c.run.node(int32(v)), s.ID)
		case max(r.At, done) > c.h.EndedAt:
			c.damage(coordinator, where, "the history is damaged: %s recorded snapshot %d at %d and was done at %d (-1: never), and the run ended at %d", c.run.node(int32(v)), s.ID, r.At, done, c.h.EndedAt)
		}
		if r.Seq != 0 && (first == 0 || r.Seq < first) {
			first, started = r.Seq, r.At
		}
	}
	return started
}

// checkLogs holds the backup logs of a snapshot against the channel states of which
// they are a part.
func (c *Checker) checkLogs(s *sim.Snapshot, where Violation) {
	logged := 0
	for ch := range s.Channels {
		for i := range s.Channels[ch] {
			if s.Channels[ch][i].Logged {
				logged++
			}
		}
	}
	seen := make(map[sim.LogEntry]bool)
	for v, log := range s.Logs {
		for _, entry := range log {
			ch := entry.Channel
			if ch < 0 || int(ch) >= min(len(s.Channels), len(c.run.Graph.To)) || entry.Index < 0 || int(entry.Index) >= len(s.Channels[ch]) ||
				!s.Channels[ch][entry.Index].Logged || int(c.run.Graph.To[ch]) != v || seen[entry] {
				where.Node = int32(v)
				c.damage(coordinator, where, "the history is damaged: in snapshot %d the backup log of %s names entry %d of %s, which is not in that log, or was named before",
					s.ID, c.run.node(int32(v)), entry.Index, c.run.channel(ch))
				return
			}
			seen[entry] = true
			logged--
		}
	}
	if logged != 0 {
		c.damage(coordinator, where, "the history is damaged: in snapshot %d there are %d messages marked as logged that no backup log names", s.ID, logged)
	}
}

// checkRestoreEntry looks at what a restore says of itself.
func (c *Checker) checkRestoreEntry(k int) {
	r := &c.h.Restores[k]
	where := nowhere
	where.Restore = k
	c.shape(recovery, where, "restore "+number(k+1), []int{len(r.States), len(r.Offsets), len(r.Timers)}, []int{len(r.Requeued), len(r.Logged)}, nil)
	replayed := int64(0)
	if r.Snapshot != nil {
		for ch := range r.Snapshot.Channels {
			if !r.Restarted(at(c.run.Graph.To, int32(ch))) {
				continue
			}
			replayed += int64(len(r.Snapshot.Channels[ch]))
		}
	}
	switch {
	case r.CrashedAt > r.At || r.At > c.h.EndedAt:
		c.damage(recovery, where, "the history is damaged: restore %d, at %d, follows a crash at %d, and the run ended at %d", k+1, r.At, r.CrashedAt, c.h.EndedAt)
	case r.Replayed != replayed:
		c.damage(recovery, where, "the history is damaged: restore %d has put back or replayed %d messages, and its snapshot holds %d", k+1, r.Replayed, replayed)
	}
	for ch := range r.Requeued {
		if slices.ContainsFunc(r.Requeued[ch], func(m sim.Recorded) bool { return m.Logged }) {
			where.Channel = int32(ch)
			c.damage(recovery, where, "the history is damaged: restore %d has put messages into %s that it says are in the backup log", k+1, c.run.channel(int32(ch)))
		}
	}
}
