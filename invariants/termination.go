package invariants

import (
	"fmt"
	"slices"
	"strings"

	"simrun/sim"
)

// ended says whether the run came to its own end: at a limit, what is open might
// still have been finished, so there is no verdict.
func (c *Checker) ended() bool { return c.h.End == sim.Quiescent || c.h.End == sim.Settled }

// checkTermination is the invariant termination: every snapshot that was started
// is complete (or aborted by a restore), and nothing waits for ever. What an App
// produced and its Node never let go belongs here too, but only the replay can see
// it (see replay.heldBack). An App that never rests leaves application messages in
// flight; those are no fault.
func (c *Checker) checkTermination() {
	if c.off[termination] || !c.ended() {
		return
	}
	c.position = atEnd
	for _, v := range c.h.Final.Down {
		c.report(termination, atNode(v), "the run has ended with %s down, and nothing restores it", c.run.node(v))
	}
	for _, s := range c.h.Snapshots {
		if s != nil && s.Status == sim.Pending {
			where := nowhere
			where.Snapshot = s.ID
			c.report(termination, where, "the run has ended and snapshot %d is pending: %s", s.ID, c.waits(s))
		}
	}
	for ch := range int32(len(c.run.Graph.From)) {
		c.checkLeft(ch)
	}
	for v := range int32(c.run.Graph.Nodes) {
		c.checkSwallowed(v)
	}
}

// checkSwallowed reports inputs that are no channel's and that a Node in a run that
// has come to rest was handed and has never let its App process. An App that never
// rests has timers armed whenever it is looked at, and a Node may be holding what
// came last.
func (c *Checker) checkSwallowed(v int32) {
	f := &c.h.Final
	if c.h.End != sim.Quiescent || slices.Contains(f.Down, v) {
		return
	}
	if read, processed := at(f.Read, v), at(f.Offsets, v); read > processed {
		c.report(termination, atNode(v), "the run has ended, and %s was handed %s of its source (up to number %d) that it never let its App process",
			c.run.node(v), counted(int(read-processed), "External record"), read)
	}
	if timers := at(f.Timers, v); len(timers) > 0 {
		c.report(termination, atNode(v), "the run has ended, and %s never let its App process %s",
			c.run.node(v), timerList(timers))
	} else if gone := at(f.GoneOff, v); len(gone) > 0 {
		c.report(termination, atNode(v), "the run has ended, and %s never let its App process %s when it went off; the App has armed it again since",
			c.run.node(v), idList(gone))
	}
}

// refused says whether the App of a channel's receiver does not accept what comes
// next on it (sim.Guarded).
func (c *Checker) refused(ch int32) bool {
	_, is := slices.BinarySearch(c.h.Final.Refused, ch)
	return is
}

// underWay says whether an algorithm may still be doing something for a complete
// snapshot in a run whose App never rests, such as letting go what it has stopped: such
// a run ends when no snapshot is pending, whatever is still to come. It may not when
// another snapshot was begun since.
func (c *Checker) underWay(id sim.SnapshotID) bool {
	if id == 0 || uint64(id) > uint64(len(c.h.Snapshots)) {
		return false
	}
	s := c.h.Snapshots[id-1]
	return s != nil && s.Status == sim.Complete && !slices.ContainsFunc(c.h.Snapshots, func(o *sim.Snapshot) bool {
		return o != nil && o.ID > id && o.TriggeredAt > s.CompletedAt
	})
}

// checkLeft reports what is left in a channel.
func (c *Checker) checkLeft(ch int32) {
	f := &c.h.Final
	left, markers, blocker := at(f.InFlight, ch), at(f.Markers, ch), at(f.Blocked, ch)
	stranded := len(left) > 0 && c.h.End == sim.Quiescent
	if c.h.End == sim.Settled {
		markers = 0
		if c.underWay(blocker) {
			blocker = 0
		}
	}
	if !stranded && markers == 0 && blocker == 0 {
		return
	}
	where := inChannel(ch)
	for i := range left[:min(len(left), numbersMax)] {
		where.Numbers = append(where.Numbers, left[i].Number)
	}
	var waiting []string
	if len(left) > numbersMax {
		waiting = append(waiting, fmt.Sprintf("%d messages from number %d on", len(left), left[0].Number))
	} else if len(left) > 0 {
		waiting = append(waiting, messages(where.Numbers))
	}
	if markers > 0 {
		waiting = append(waiting, counted(markers, "marker"))
	}
	what := strings.Join(waiting, " and ")
	to := c.run.node(c.run.Graph.To[ch])
	switch {
	case blocker != 0:
		if what == "" {
			what = "nothing"
		}
		where.Snapshot = blocker
		c.report(termination, where, "the run has ended and %s still blocks %s for snapshot %d; it holds %s",
			to, c.run.channel(ch), blocker, what)
	case stranded && c.refused(ch):
		what, first := counted(len(left), "message"), ""
		if markers > 0 {
			what += " and " + counted(markers, "marker")
		}
		if len(left) > 1 || markers > 0 {
			first = ", the first of them"
		}
		c.report(termination, where, "the run is at rest with %s stranded on %s: the App of %s does not accept message %d%s",
			what, c.run.channel(ch), to, left[0].Number, first)
	case stranded || markers > 0:
		c.report(termination, where, "the run has ended and %s, which is not blocked, still holds %s for %s",
			c.run.channel(ch), what, to)
	}
}

// waits words what a pending snapshot waits for, and why that will never come.
func (c *Checker) waits(s *sim.Snapshot) string {
	heard := make([]bool, c.run.Graph.Nodes) // some marker of s
	lacks := make([]bool, c.run.Graph.Nodes) // another one
	for ch, to := range c.run.Graph.To {
		if at(s.Marked, int32(ch)) {
			heard[to] = true
		} else if !c.hasEnded(int32(ch)) {
			lacks[to] = true
		}
	}
	var unrecorded, half, open, stuck, undurable []int32
	for v := range int32(c.run.Graph.Nodes) {
		switch done := v < int32(len(s.DoneAt)) && s.DoneAt[v] >= 0; {
		case at(s.Recordings, v).Seq == 0:
			unrecorded = append(unrecorded, v)
			if heard[v] && lacks[v] {
				half = append(half, v)
			}
		case !done && lacks[v]:
			open = append(open, v)
		case !done:
			stuck = append(stuck, v)
		case !at(s.Durable, v):
			undurable = append(undurable, v)
		}
	}
	var blocked []int32
	for ch, id := range c.h.Final.Blocked {
		if id == s.ID && ch < len(c.run.Graph.To) {
			blocked = append(blocked, int32(ch))
		}
	}
	awaits := func(v int32) string {
		return c.nodeOrDown(v) + " waits for its " + c.markerName() + " on " + c.unmarked(s, v)
	}
	var parts []string
	add := func(what string, ids []int32, name func(int32) string) {
		if len(ids) > 0 {
			parts = append(parts, what+list(ids, name))
		}
	}
	add("not recorded by ", unrecorded, c.nodeOrDown)
	add("not recorded, and ", half, awaits)
	add("recorded, and ", open, awaits)
	add("recorded, every marker received, and not done: ", stuck, c.nodeOrDown)
	add("done and not durable: ", undurable, c.nodeOrDown)
	add("blocked for it: ", blocked, c.run.channel)
	if len(parts) == 0 {
		return "every part is durable"
	}
	if why := c.because(s); why != "" {
		parts = append(parts, why)
	}
	return strings.Join(parts, "; ")
}

// unmarked names the inputs of node v on which the snapshot's marker has not been
// received, and who should have sent it.
func (c *Checker) unmarked(s *sim.Snapshot, v int32) string {
	var without []int32
	for ch, to := range c.run.Graph.To {
		if to == v && !at(s.Marked, int32(ch)) && !c.hasEnded(int32(ch)) {
			without = append(without, int32(ch))
		}
	}
	return list(without, func(ch int32) string {
		return c.run.channel(ch) + " from " + c.nodeOrDown(c.run.Graph.From[ch])
	})
}

// hasEnded says whether nothing comes on a channel any more: its sender has finished.
func (c *Checker) hasEnded(ch int32) bool { return slices.Contains(c.h.Final.Ended, ch) }

// nodeOrDown names a node and says if it is down.
func (c *Checker) nodeOrDown(v int32) string {
	if slices.Contains(c.h.Final.Down, v) {
		return c.run.node(v) + " (down)"
	}
	return c.run.node(v)
}
