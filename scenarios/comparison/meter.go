package comparison

import (
	"slices"

	"simrun/scenarios"
	"simrun/sim"
	"simrun/topology"
)

// meter measures a run while it happens. An event costs a few operations; only a crash, a
// restore and the end of a snapshot cost something for every node or channel.
type meter struct {
	*timeline
	*catchUp
	graph   *topology.Graph
	since   []int64 // by channel: when it was blocked; never: it is not
	blocked []int64 // by node: how long its inputs were
	posted  int64   // messages to and from the coordinator
	sizes   []size  // by id of a snapshot
}

// size is what a complete snapshot holds.
type size struct {
	complete, aborted                   bool
	messages, bytes, states, attachment int64
}

func newMeter(p *scenarios.Plan) *meter {
	nodes, channels := len(p.Graph.Nodes), len(p.Graph.Channels)
	m := &meter{timeline: newTimeline(nodes, channels), catchUp: newCatchUp(nodes), graph: p.Graph, blocked: make([]int64, nodes)}
	m.since = slices.Repeat([]int64{never}, channels)
	return m
}

// Observe implements sim.Observer.
func (m *meter) Observe(ev *sim.Event) {
	m.timeline.Observe(ev)
	m.catchUp.Observe(ev)
	switch ev.Kind {
	case sim.EventBlock:
		m.since[ev.Channel] = ev.At
	case sim.EventUnblock:
		m.unblock(ev.Channel, ev.Node, ev.At)
	case sim.EventFact:
		if ev.Fact.Kind == sim.FactTold || ev.Fact.Kind == sim.FactReplied {
			m.posted++
		}
	case sim.EventAbort:
		m.sizeOf(ev.Snapshot).aborted = true
	case sim.EventComplete:
		*m.sizeOf(ev.Snapshot) = sizeOf(ev.Complete)
	}
}

func (m *meter) unblock(c, v int32, at int64) {
	m.blocked[v] += at - m.since[c]
	m.since[c] = never
}

// sizeOf is the place of a snapshot.
func (m *meter) sizeOf(id sim.SnapshotID) *size {
	for len(m.sizes) < int(id) {
		m.sizes = append(m.sizes, size{})
	}
	return &m.sizes[id-1]
}

func sizeOf(s *sim.Snapshot) size {
	z := size{complete: true}
	for _, recorded := range s.Channels {
		z.messages += int64(len(recorded))
	}
	z.bytes = z.messages * sim.MessageBytes
	for v := range s.States {
		z.states += int64(len(s.States[v]))
		z.attachment += int64(len(s.Attached[v]))
	}
	return z
}

// ended unblocks what is still blocked when the run ends.
func (m *meter) ended(at int64) {
	for c := range m.since {
		if m.since[c] != never {
			m.unblock(int32(c), m.graph.Channels[c].To, at)
		}
	}
}

// fill puts what was observed into the measures.
func (m *meter) fill(to *Measured) {
	var sum size
	var aborted int64
	for _, z := range m.sizes {
		if z.aborted && !z.complete {
			aborted++
		}
		sum.messages, sum.bytes = sum.messages+z.messages, sum.bytes+z.bytes
		sum.states, sum.attachment = sum.states+z.states, sum.attachment+z.attachment
	}
	to.Aborted = &aborted
	to.ChannelMessages, to.ChannelBytes = &sum.messages, &sum.bytes
	to.StateBytes, to.AttachedBytes = &sum.states, &sum.attachment
	var total int64
	for _, span := range m.blocked {
		total += span
	}
	to.Blocked = &total
}

// worst is the node whose inputs were blocked longest, and how long; -1 and 0 if none
// were.
func (m *meter) worst() (node int32, span int64) {
	node = -1
	for v, b := range m.blocked {
		if b > span {
			node, span = int32(v), b
		}
	}
	return node, span
}
