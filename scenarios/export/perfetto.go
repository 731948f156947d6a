package export

import (
	"bufio"
	"fmt"
	"io"

	"simrun/scenarios/label"
	"simrun/scenarios/spacetime"
	"simrun/sim"
)

// PerfettoEvents is how many events of a run a trace has at the most. Perfetto opens larger
// ones; but each line is there for a person to look at, and takes some hundred bytes.
const PerfettoEvents = 1_000_000

// Perfetto writes runs in the Chrome trace format, as Perfetto opens it: a process for each
// run, a thread for each node. What a handler does is a slice of 1 µs on its node's thread,
// and what it sends is a flow from there to the slice that receives it. What lasts is
// drawn beside the threads: snapshots, blocked inputs, service and down-time. A counter for
// each channel says how much of what was sent on it was not processed yet.
//
// Two slices of a thread must not overlap. Where events are nearer than 1 µs the later
// slice is moved, and with it what depends on it: no receipt comes before what was sent.
func Perfetto(w io.Writer, runs []*spacetime.Diagram) (left []string, err error) {
	b := bufio.NewWriter(w)
	b.WriteString(`{"displayTimeUnit":"ms","traceEvents":[`)
	t := &tracing{out: b}
	for i, d := range runs {
		t.run(d, i+1)
		left = append(left, cut(d, fmt.Sprintf("a trace has up to %d", PerfettoEvents))...)
	}
	b.WriteString("\n]")
	if left != nil {
		t.field("metadata", map[string]any{"left_out": left})
	}
	b.WriteString("}\n")
	return left, b.Flush()
}

// tracing writes one trace.
type tracing struct {
	out   *bufio.Writer
	lines int
	flows int // the ids that are used: of flows and of what lasts, in all runs

	diagram *spacetime.Diagram
	process int
	unit    int64   // how much of a diagram's time is a nanosecond of the trace's
	free    []int64 // by lane: until when its last slice lasts
	start   []int64 // by event: the beginning of its slice
	id      map[int32]int
	depth   []int     // by channel: how many messages are under way
	outputs [][]int32 // by node: its channels

	recorded   []int // by channel: of how many messages the snapshot has a record
	recordedBy sim.SnapshotID
}

// sliceLength is how long the slice of a handler is, in nanoseconds: less is not drawn.
const sliceLength = 1000

// line writes a line of the trace. Its fields come in order: what, and then pairs.
func (t *tracing) line(phase string, fields ...any) {
	if t.lines++; t.lines > 1 {
		t.out.WriteByte(',')
	}
	fmt.Fprintf(t.out, "\n"+`{"ph":%q,"pid":%d`, phase, t.process)
	for i := 0; i < len(fields); i += 2 {
		t.field(fields[i].(string), fields[i+1])
	}
	t.out.WriteByte('}')
}

// micros is an instant or a length in nanoseconds, written as the format has it.
type micros int64

func (t *tracing) field(name string, value any) {
	if at, ok := value.(micros); ok {
		fmt.Fprintf(t.out, `,%q:%d.%03d`, name, at/1000, at%1000)
		return
	}
	fmt.Fprintf(t.out, ",%q:%s", name, asJSON(value))
}

// run writes a run.
func (t *tracing) run(d *spacetime.Diagram, process int) {
	t.diagram, t.process, t.unit = d, process, 1
	if d.Result.Order == "chosen" { // a step is a microsecond
		t.unit = 1000
	}
	t.free, t.start, t.id = make([]int64, d.Lanes()), make([]int64, len(d.Events)), map[int32]int{}
	t.depth, t.outputs, t.recorded = make([]int, len(d.Graph.Channels)), make([][]int32, len(d.Graph.Nodes)), nil
	for c, ends := range d.Graph.Channels {
		t.outputs[ends.From] = append(t.outputs[ends.From], int32(c))
	}
	t.line("M", "name", "process_name", "args", args{"name": run(d)})
	t.line("M", "name", "process_labels", "args", args{"labels": label.Short(verdict(d), verdictLength)})
	t.line("M", "name", "process_sort_index", "args", args{"sort_index": process})
	for v := range d.Lanes() {
		t.line("M", "tid", v+1, "name", "thread_name", "args", args{"name": lane(d, int32(v))})
		t.line("M", "tid", v+1, "name", "thread_sort_index", "args", args{"sort_index": v})
	}
	for i := 0; i < len(d.Events); {
		next := i + 1
		for next < len(d.Events) && sameHandler(d, i, next) {
			next++
		}
		t.handler(i, next)
		i = next
	}
	t.spans()
	t.verdicts()
}

type args map[string]any

// sameHandler says whether an event, which comes behind another and those of its handler,
// is one of that handler, too.
func sameHandler(d *spacetime.Diagram, first, i int) bool {
	e, f := &d.Events[i], &d.Events[first]
	return e.Node == f.Node && e.At == f.At && !begins(e.Kind)
}

// begins says whether a handler begins with such an event. A fact is none of a handler: it
// has a slice of its own.
func begins(kind spacetime.Kind) bool {
	switch kind {
	case spacetime.External, spacetime.Timer, spacetime.Initiate, spacetime.Crash, spacetime.Restored, spacetime.Fact:
		return true
	}
	return kind.Receives()
}

// handler writes the slice of a handler, and the ends of its arrows, which follow it in the
// file: a flow is bound to the slice that is open at its instant.
func (t *tracing) handler(from, to int) {
	d := t.diagram
	first := &d.Events[from]
	at := max(first.At*t.unit, t.free[first.Node])
	if first.Kind.Receives() && first.Peer != spacetime.None {
		at = max(at, t.start[first.Peer])
	}
	t.free[first.Node] = at + sliceLength
	thread := int(first.Node) + 1
	did := args{"event": d.First + from, "incarnation": first.Incarnation}
	if first.Undone != spacetime.None {
		did["undone by recovery"] = first.Undone + 1
	}
	var more []string
	for i := from + 1; i < to; i++ {
		more = append(more, say(d, &d.Events[i]))
	}
	if more != nil {
		did["then"] = more
	}
	t.line("X", "tid", thread, "ts", micros(at), "dur", micros(sliceLength), "cat", category(first.Kind), "name", say(d, first), "args", did)
	for i := from; i < to; i++ {
		t.start[i] = at
		t.arrow(int32(i), thread, at)
		if e := &d.Events[i]; e.Kind == spacetime.Record {
			t.line("i", "tid", thread, "ts", micros(at), "s", "t", "cat", "snapshot", "name", say(d, e))
		}
		t.counters(&d.Events[i])
	}
}

// arrow writes the beginning or the end of a flow: from what is sent to its first receipt.
func (t *tracing) arrow(i int32, thread int, at int64) {
	d := t.diagram
	e := &d.Events[i]
	switch {
	case e.Peer == spacetime.None:
	case e.Kind.Sends():
		t.flows++
		t.id[i] = t.flows
		t.line("s", "tid", thread, "ts", micros(at), "cat", category(e.Kind), "name", flow(e.Kind), "id", t.flows)
	case d.Events[e.Peer].Peer == i: // of a second receipt the flow has ended already
		t.line("f", "tid", thread, "ts", micros(at), "bp", "e", "cat", category(d.Events[e.Peer].Kind), "name", flow(d.Events[e.Peer].Kind), "id", t.id[e.Peer])
	}
}

// flow is what travels.
func flow(sent spacetime.Kind) string {
	switch sent {
	case spacetime.MarkerSent:
		return "marker"
	case spacetime.Close:
		return "end of stream"
	case spacetime.ControlSent:
		return "control message"
	}
	return "message"
}

// category is what an event is about, by which Perfetto can filter.
func category(kind spacetime.Kind) string {
	switch kind {
	case spacetime.MarkerSent, spacetime.Marker, spacetime.Initiate, spacetime.Record, spacetime.Done, spacetime.Block, spacetime.Unblock:
		return "snapshot"
	case spacetime.Crash, spacetime.Restored:
		return "failure"
	case spacetime.ControlSent, spacetime.ControlReceived, spacetime.Fact:
		return "coordination"
	}
	return "computation"
}
