package scenarios

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"

	"simrun/sim"
)

// This file writes the lines of a trace that are about the whole graph, and what
// they need: the timers that are armed.

// byID finds a timer of a node.
func (t *tracer) byID(ev *sim.Event) (int, bool) {
	return slices.BinarySearchFunc(t.timers[ev.Node], ev.Timer, func(a sim.ArmedTimer, id uint32) int {
		return cmp.Compare(a.ID, id)
	})
}

func (t *tracer) arm(ev *sim.Event) {
	i, armed := t.byID(ev)
	if !armed {
		t.timers[ev.Node] = slices.Insert(t.timers[ev.Node], i, sim.ArmedTimer{})
	}
	t.timers[ev.Node][i] = sim.ArmedTimer{ID: ev.Timer, Due: ev.Due}
	t.field("id", int64(ev.Timer))
	t.field("due_ns", ev.Due)
}

// fire takes a timer away. An algorithm that processes one twice is told the
// instant of the line for the second.
func (t *tracer) fire(ev *sim.Event) {
	due := ev.At
	if i, armed := t.byID(ev); armed {
		due = t.timers[ev.Node][i].Due
		t.timers[ev.Node] = slices.Delete(t.timers[ev.Node], i, i+1)
	}
	t.field("id", int64(ev.Timer))
	t.field("due_ns", due)
}

// traceTimer is an armed timer.
type traceTimer struct {
	ID  uint32 `json:"id"`
	Due int64  `json:"due_ns"`
}

func armedTimers(timers []sim.ArmedTimer) json.RawMessage {
	list := make([]traceTimer, len(timers))
	for i, a := range timers {
		list[i] = traceTimer{a.ID, a.Due}
	}
	return asJSON(list)
}

// timersByNode writes the armed timers of all nodes.
func (t *tracer) timersByNode(timers [][]sim.ArmedTimer) {
	list := make([]json.RawMessage, len(timers))
	for v := range timers {
		list[v] = armedTimers(timers[v])
	}
	t.raw("timers", asJSON(list))
}

// restore writes what the graph, or a part of it, was restored to.
func (t *tracer) restore(r *sim.Restore) {
	t.incarnation = r.Incarnation
	if r.Snapshot == nil {
		t.raw("snapshot", []byte("null"))
	} else {
		t.field("snapshot", int64(r.Snapshot.ID))
	}
	t.raw("crashed", asJSON(t.plan.nodeNames(r.Crashed)))
	if r.Partial != nil {
		t.raw("restarted", asJSON(t.plan.nodeNames(r.Partial)))
	}
	states := make([]json.RawMessage, len(r.States))
	for v := range r.States {
		if !r.Restarted(int32(v)) {
			states[v] = json.RawMessage("null")
			continue
		}
		states[v] = t.says.Describe(int32(v), r.States[v])
		t.timers[v] = slices.Clone(r.Timers[v])
	}
	t.raw("states", asJSON(states))
	t.raw("offsets", asJSON(r.Offsets))
	t.timersByNode(r.Timers)
	t.contents("channels", r.Requeued)
	t.contents("logs", r.Logged)
}

// contents writes the channels that hold something.
func (t *tracer) contents(name string, channels [][]sim.Recorded) {
	t.key(name)
	t.line = append(t.line, '[')
	first := true
	for c, messages := range channels {
		if len(messages) == 0 {
			continue
		}
		if !first {
			t.line = append(t.line, ',')
		}
		first = false
		t.line = append(t.line, `{"channel":`...)
		t.line = strconv.AppendInt(t.line, int64(c), 10)
		t.numbers(messages)
		t.line = append(t.line, '}')
	}
	t.line = append(t.line, ']')
}

// traceLeft is a channel in which the run left something, or that is blocked.
type traceLeft struct {
	Channel int             `json:"channel"`
	Numbers []uint32        `json:"numbers"`
	Markers uint32          `json:"markers"`
	Blocked *sim.SnapshotID `json:"blocked"` // the snapshot that blocks it
}

// traceTwice is a snapshot that nodes recorded more than once.
type traceTwice struct {
	Snapshot sim.SnapshotID `json:"snapshot"`
	Nodes    []string       `json:"nodes"`
}

// end writes the last line: how the run ended, and what it left.
func (t *tracer) end(h *sim.History) {
	f := &h.Final
	t.begin("end", &sim.Event{Node: -1, At: h.EndedAt, Incarnation: t.incarnation})
	t.raw("how", asJSON(endNames[h.End]))
	t.raw("down", asJSON(t.plan.nodeNames(f.Down)))
	states := make([]json.RawMessage, len(f.States))
	for v := range f.States {
		states[v] = t.says.Describe(int32(v), f.States[v])
	}
	t.raw("states", asJSON(states))
	t.raw("offsets", asJSON(f.Offsets))
	t.timersByNode(f.Timers)
	left := []traceLeft{}
	for c := range f.InFlight {
		if len(f.InFlight[c]) == 0 && f.Markers[c] == 0 && f.Blocked[c] == 0 {
			continue
		}
		one := traceLeft{Channel: c, Numbers: []uint32{}, Markers: f.Markers[c]}
		for i := range f.InFlight[c] {
			one.Numbers = append(one.Numbers, f.InFlight[c][i].Number)
		}
		if f.Blocked[c] != 0 {
			one.Blocked = &f.Blocked[c]
		}
		left = append(left, one)
	}
	t.raw("channels", asJSON(left))
	twice := []traceTwice{}
	for _, s := range h.Snapshots {
		if len(s.Twice) > 0 {
			twice = append(twice, traceTwice{s.ID, t.plan.nodeNames(s.Twice)})
		}
	}
	t.raw("twice", asJSON(twice))
	t.out.Write(append(t.line, '}', '\n'))
}
