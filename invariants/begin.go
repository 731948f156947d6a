package invariants

import (
	"slices"

	"simrun/sim"
)

// This file is for runs that begin with a snapshot of an earlier process
// (History.From) and not with fresh Apps. What was before is not known, so the
// stitched run begins there: in the recorded states, with what was in flight on the
// channels. The snapshot is held to what it says of itself (the cut, the channel
// states, conservation against the sums of this very snapshot); how it came about, the
// earlier process has judged. The same goes for what transactional sinks had not let go:
// the run is held to Run.Waiting, and whether that is what had been produced is not known.

// beforehand is the root of what was on its way when the run began: no record of this
// run. It is a detour, as abs-staged cannot know on which side of a barrier it was.
const beforehand = heldOver

// named is the records of roots, of which there is one or more, and a phrase for them.
func (r *replay) named(roots []lineage) (ids []RecordID, phrase string) {
	ids = recordsOf(slices.DeleteFunc(slices.Clone(roots), func(root lineage) bool { return !root.known() }))
	if len(ids) == 0 {
		return nil, "what was before the run began"
	}
	return ids, r.c.run.records(ids)
}

// known says whether a root is a record that this run knows.
func (l lineage) known() bool { return l.number() > 0 }

// from is the snapshot that the run began with, nil for the initial state or if the
// list of snapshots does not have it.
func (c *Checker) from() *sim.Snapshot {
	if s := c.h.From; s != nil && c.whole(s) {
		return s
	}
	return nil
}

// firstOffset is how many records of a source were read before the run began.
func (c *Checker) firstOffset(v int32) uint64 {
	if s := c.from(); s != nil {
		return s.Recordings[v].Offset
	}
	return 0
}

// begin counts what the snapshot says that was done before.
func (l *tally) begin() {
	s := l.c.from()
	if s == nil {
		return
	}
	l.recorded = uint32(len(s.Recordings))
	for ch := range s.Processed {
		l.inRun[l.c.run.Graph.To[ch]] += int64(s.Processed[ch])
	}
	for v := range s.Recordings {
		l.read[v] += int64(s.Recordings[v].Offset)
	}
}

// begin puts the main cursor where the run begins. The Apps have been put there by
// freshApps.
func (r *replay) begin() {
	s := r.c.from()
	if s == nil {
		return
	}
	for v := range r.nodes {
		n := &r.nodes[v]
		waiting := at(r.c.run.Waiting, int32(v))
		for i := range waiting {
			n.emits = append(n.emits, emission{hash: waiting[i].Hash(), root: beforehand, row: -1})
		}
		n.offset = s.Recordings[v].Offset
		for _, t := range s.Recordings[v].Timers {
			n.timers = append(n.timers, armed{t.ID, beforehand | timerCrossed})
		}
	}
	for id := range r.channels {
		ch := &r.channels[id]
		ch.processed, ch.produced = s.Processed[id], s.Processed[id]
		for n := s.Processed[id] + 1; n <= s.Sent[id] && n > 0; n++ {
			r.queues.push(ch, recordedAs(s.Channels[id], n), beforehand, 0)
		}
		ch.produced, ch.sent, ch.unsent = s.Sent[id], s.Sent[id], 0
	}
}

// recordedAs is the message with a number in a recorded channel state. One that is
// missing has no content: channel-state has reported it.
func recordedAs(recorded []sim.Recorded, n uint32) *sim.Message {
	for i := range recorded {
		if recorded[i].Number == n {
			return &recorded[i].Message
		}
	}
	return new(sim.Message)
}

// loadApps puts the fresh Apps into the states that the run began with.
func (c *Checker) loadApps(s *sim.Snapshot) {
	for v := range int32(len(c.apps)) {
		if err := c.apps[v].Load(s.States[v]); err != nil {
			where := atNode(v)
			where.Snapshot, where.Restore = s.ID, 0
			c.report(recovery, where, "the App of %s cannot load its state of snapshot %d, with which the run began: %v", c.run.node(v), s.ID, err)
		}
	}
}
