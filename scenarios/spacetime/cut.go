package spacetime

import (
	"slices"

	"simrun/scenarios"
	"simrun/sim"
)

// cut collects what the nodes recorded for a snapshot.
type cut struct {
	events   []int32 // by node: its Record event
	behind   []bool  // by node: that event lies behind the window
	finished []bool  // by node: its part is, and what it records then is none of it
	channels []RecordedChannel
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

// channel takes what was recorded of a channel.
func (c *cut) channel(ev *sim.Event) {
	if len(ev.Recorded) == 0 || c.finished[ev.Node] {
		return
	}
	one := RecordedChannel{Channel: ev.Channel, Logged: ev.Recorded[0].Logged}
	for i := range ev.Recorded {
		one.Numbers = append(one.Numbers, ev.Recorded[i].Number)
	}
	c.channels = append(c.channels, one)
}

func (c *cut) snapshot(res *scenarios.SnapshotResult) Snapshot {
	slices.SortFunc(c.channels, func(a, b RecordedChannel) int { return int(a.Channel - b.Channel) })
	return Snapshot{Result: res, ID: sim.SnapshotID(res.ID), Cut: c.events, Channels: c.channels}
}
