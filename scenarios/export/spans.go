package export

import (
	"cmp"
	"fmt"
	"slices"

	"simrun/scenarios/spacetime"
	"simrun/sim"
)

// span is something that lasts, drawn beside the threads: its like may overlap.
type span struct {
	category, name string
	from, to       int64 // of the diagram's time
	args           args
}

// spans writes what lasts.
func (t *tracing) spans() {
	d := t.diagram
	list := t.snapshots()
	for _, s := range d.Blocked {
		from, to := t.at(s.From, 0), t.at(s.To, d.EndedAt)
		list = append(list, span{"snapshot", "blocked: " + t.channel(s.Channel), from, to, args{"snapshot": s.Snapshot}})
	}
	for _, s := range d.Busy {
		list = append(list, span{"computation", "busy: " + lane(d, s.Node), s.From, s.Until, nil})
	}
	list = append(list, t.downs()...)
	slices.SortStableFunc(list, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	for _, s := range list {
		t.flows++
		t.line("b", "ts", micros(s.from*t.unit), "cat", s.category, "name", s.name, "id", t.flows, "args", s.args)
		t.line("e", "ts", micros(s.to*t.unit), "cat", s.category, "name", s.name, "id", t.flows)
	}
}

// at is when an event was, or another instant where there is no event.
func (t *tracing) at(event int32, otherwise int64) int64 {
	if event == spacetime.None {
		return otherwise
	}
	return t.diagram.Events[event].At
}

// snapshots is how long snapshots took: from their trigger to their completion or, of those
// that were not completed, to the end.
func (t *tracing) snapshots() (list []span) {
	d := t.diagram
	for i := range d.Snapshots {
		s := d.Snapshots[i].Result
		one := span{"snapshot", fmt.Sprintf("snapshot %d", s.ID), s.Triggered, d.EndedAt, args{"verdict": s.Verdict, "markers": s.Markers, "messages": s.ChannelMessages}}
		if s.Completed != nil {
			one.to = *s.Completed
		}
		list = append(list, one)
	}
	return list
}

// downs is how long nodes were down: until they were put back, or to the end.
func (t *tracing) downs() (list []span) {
	d := t.diagram
	open := make([]int, d.Lanes()) // by lane: which of the list lasts, plus one
	for i := range d.Events {
		e := &d.Events[i]
		switch {
		case e.Kind == spacetime.Crash && open[e.Node] == 0:
			list = append(list, span{"failure", "down: " + lane(d, e.Node), e.At, d.EndedAt, nil})
			open[e.Node] = len(list)
		case e.Kind == spacetime.Restored && open[e.Node] > 0:
			list[open[e.Node]-1].to = e.At
			open[e.Node] = 0
		}
	}
	return list
}

// channel is the name of a channel.
func (t *tracing) channel(c int32) string {
	ends := t.diagram.Graph.Channels[c]
	return fmt.Sprintf("%s->%s#%d", lane(t.diagram, ends.From), lane(t.diagram, ends.To), c)
}

// verdicts marks where something is violated.
func (t *tracing) verdicts() {
	for _, v := range t.diagram.Violations {
		if v.Event == spacetime.None {
			continue
		}
		thread := int(t.diagram.Events[v.Event].Node) + 1
		t.line("i", "tid", thread, "ts", micros(t.start[v.Event]), "s", "p", "cat", "verdict", "name", "violated: "+v.Result.Invariant, "args", args{"detail": v.Result.Detail})
	}
}

// counters writes how the depths of channels change with an event: how many messages were
// sent and are not processed yet. They have the event's own instant, so that they follow
// each other.
func (t *tracing) counters(e *spacetime.Event) {
	change := 0
	switch e.Kind {
	case spacetime.Send:
		change = 1
	case spacetime.Process, spacetime.Drop:
		change = -1
	case spacetime.Lost, spacetime.Doubled:
		if e.Snapshot == 0 { // of a message
			change = map[spacetime.Kind]int{spacetime.Lost: -1, spacetime.Doubled: 1}[e.Kind]
		}
	case spacetime.Restored:
		t.restored(e)
		return
	}
	if change != 0 {
		t.count(e.Channel, max(0, t.depth[e.Channel]+change), e.At)
	}
}

// count writes the depth of a channel.
func (t *tracing) count(c int32, depth int, at int64) {
	t.depth[c] = depth
	t.line("C", "ts", micros(at*t.unit), "name", "under way: "+t.channel(c), "args", args{"messages": depth})
}

// restored sets what a node sends on to what the snapshot has of it.
func (t *tracing) restored(e *spacetime.Event) {
	if t.recorded == nil || t.recordedBy != e.Snapshot {
		t.recorded, t.recordedBy = recorded(t.diagram, e.Snapshot), e.Snapshot
	}
	for _, c := range t.outputs[e.Node] {
		if t.depth[c] != t.recorded[c] {
			t.count(c, t.recorded[c], e.At)
		}
	}
}

// recorded is how many messages a snapshot has of each channel.
func recorded(d *spacetime.Diagram, id sim.SnapshotID) []int {
	of := make([]int, len(d.Graph.Channels))
	for i := range d.Snapshots {
		if s := &d.Snapshots[i]; s.ID == id {
			for _, c := range s.Channels {
				of[c.Channel] = len(c.Numbers)
			}
		}
	}
	return of
}
