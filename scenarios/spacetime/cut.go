package spacetime

import (
	"slices"

	"simrun/scenarios"
	"simrun/sim"
)

// cut collects where the nodes recorded a snapshot.
type cut struct {
	events   []int32 // by node: its Record event
	behind   []bool  // by node: that event lies behind the window
	finished []bool  // by node: its part is, and what it records then is none of it
}

// cut is that of a snapshot; there is one from the first event about it on.
func (b *builder) cut(id sim.SnapshotID) *cut {
	c := b.cuts[id]
	if c == nil {
		n := len(b.Graph.Nodes)
		c = &cut{events: slices.Repeat([]int32{None}, n), behind: make([]bool, n), finished: make([]bool, n)}
		b.cuts[id] = c
	}
	return c
}

func (c *cut) record(v, event int32, behind bool) {
	if !c.finished[v] {
		c.events[v], c.behind[v] = event, behind
	}
}

func (c *cut) done(v int32) { c.finished[v] = true }

// snapshot is the Snapshot, with what was recorded of the channels, by id.
func (c *cut) snapshot(res *scenarios.SnapshotResult, recorded [][]sim.Recorded) Snapshot {
	s := Snapshot{Result: res, ID: sim.SnapshotID(res.ID), Cut: c.events}
	for id, messages := range recorded {
		if len(messages) == 0 {
			continue
		}
		one := RecordedChannel{Channel: int32(id), Logged: messages[0].Logged}
		for i := range messages {
			one.Numbers = append(one.Numbers, messages[i].Number)
		}
		s.Channels = append(s.Channels, one)
	}
	return s
}
