package scenarios

import (
	"bufio"
	"encoding/json"
	"io"
	"strconv"

	"simrun/sim"
)

// Trace is Run, and writes what happened as JSON Lines: the format that
// docs/trace.md describes. The error is that of writing.
func (r *Runner) Trace(seed uint64, w io.Writer) (*Result, error) {
	return r.Write(seed, Files{Trace: w})
}

// traceVersion changes when a reader of traces would have to.
const traceVersion = 1

// tracer writes a line for every event that the trace is made of. Errors stick
// in out until it is flushed.
type tracer struct {
	plan  *Plan
	out   *bufio.Writer
	line  []byte
	index int64
	names [][]byte // of nodes, as JSON
	seed  uint64
	says  *Describer

	timers      [][]sim.ArmedTimer // by node, by id
	incarnation uint8              // the one whose restore has been written
}

func newTracer(p *Plan, seed uint64, files Files) (*tracer, error) {
	hash, err := p.Hash()
	if err != nil {
		return nil, err
	}
	t := &tracer{plan: p, out: bufio.NewWriterSize(files.Trace, 1<<16), seed: seed,
		names: make([][]byte, len(p.Graph.Nodes)), says: p.Describer(seed), timers: make([][]sim.ArmedTimer, len(p.Graph.Nodes))}
	for v, name := range p.Graph.Nodes {
		t.names[v] = asJSON(name)
	}
	t.header(files.Tool, hash)
	return t, nil
}

// traceHeader is the first line of a trace.
type traceHeader struct {
	Format     string            `json:"format"`
	Version    int               `json:"version"`
	Tool       string            `json:"tool"`
	Scenario   string            `json:"scenario"`
	Hash       string            `json:"scenario_hash"`
	Seed       uint64            `json:"seed"`
	Algorithm  string            `json:"algorithm"`
	Aligned    bool              `json:"aligned"`
	Order      string            `json:"order"`
	App        string            `json:"app"`
	Replay     string            `json:"replay"`
	Initiators []string          `json:"initiators"`
	Nodes      []string          `json:"nodes"`
	Channels   []traceChannel    `json:"channels"`
	States     []json.RawMessage `json:"states"`
}

type traceChannel struct {
	ID       int    `json:"id"`
	From     string `json:"from"`
	To       string `json:"to"`
	BackEdge bool   `json:"back_edge,omitempty"`

	Reorder   bool `json:"reorder,omitempty"`
	Lose      bool `json:"lose,omitempty"`
	Duplicate bool `json:"duplicate,omitempty"`
}

func (t *tracer) header(tool, hash string) {
	p := t.plan
	h := traceHeader{
		Format: "simrun-trace", Version: traceVersion, Tool: tool,
		Scenario: p.Name, Hash: hash, Seed: t.seed, Algorithm: p.Algorithm.Name, Aligned: p.Algorithm.Aligned,
		Order: p.Scenario.Order, App: p.Scenario.App.Kind, Replay: p.Scenario.Replay,
		Initiators: p.nodeNames(p.Initiators), Nodes: p.Graph.Nodes,
		Channels: p.traceChannels(),
	}
	for v := range p.Graph.Nodes {
		h.States = append(h.States, t.says.Describe(int32(v), p.Workload.NewApp(t.seed, int32(v)).Save(nil)))
	}
	t.out.Write(append(asJSON(h), '\n'))
}

// traceChannels is the channels as files that are written have them.
func (p *Plan) traceChannels() []traceChannel {
	channels := make([]traceChannel, len(p.Graph.Channels))
	for c, ch := range p.Graph.Channels {
		channels[c] = traceChannel{ID: c, From: p.Graph.Nodes[ch.From], To: p.Graph.Nodes[ch.To], BackEdge: p.BackEdge != nil && p.BackEdge[c]}
		if p.config.Unreliable != nil {
			u := &p.config.Unreliable[c]
			channels[c].Reorder, channels[c].Lose, channels[c].Duplicate = u.Reorder, u.Lose.Any(), u.Duplicate.Any()
		}
	}
	return channels
}

// Observe implements sim.Observer.
func (t *tracer) Observe(ev *sim.Event) {
	switch ev.Kind {
	case sim.EventSend:
		t.begin("send", ev)
		t.message(ev, true)
	case sim.EventLose, sim.EventDuplicate:
		t.begin(map[sim.EventKind]string{sim.EventLose: "lose", sim.EventDuplicate: "duplicate"}[ev.Kind], ev)
		t.unreliable(ev)
	case sim.EventProcess:
		t.begin("process", ev)
		t.message(ev, true)
		t.field("sent_incarnation", int64(ev.SentIncarnation))
	case sim.EventDrop:
		t.begin("drop", ev)
		t.field("channel", int64(ev.Channel))
		t.field("number", int64(ev.Number))
		t.field("sent_incarnation", int64(ev.SentIncarnation))
	case sim.EventExternal:
		t.begin("external", ev)
		t.message(ev, false)
	case sim.EventEmit:
		t.begin("emit", ev)
		t.message(ev, false)
	case sim.EventArm:
		if ev.Incarnation != t.incarnation {
			return // the restore that is under way arms it, and says so
		}
		t.begin("arm", ev)
		t.arm(ev)
	case sim.EventTimer:
		t.begin("timer", ev)
		t.fire(ev)
	default:
		if !t.ofSnapshots(ev) {
			return
		}
	}
	t.out.Write(append(t.line, '}', '\n'))
}

// ofSnapshots begins a line about snapshots, crashes and recoveries, and says
// whether the event is one.
func (t *tracer) ofSnapshots(ev *sim.Event) bool {
	switch ev.Kind {
	case sim.EventTrigger:
		t.begin("trigger", ev)
		t.field("snapshot", int64(ev.Snapshot))
		t.raw("initiators", asJSON(t.plan.nodeNames(ev.Initiators)))
	case sim.EventBlock, sim.EventUnblock:
		t.begin(map[sim.EventKind]string{sim.EventBlock: "block", sim.EventUnblock: "unblock"}[ev.Kind], ev)
		t.field("snapshot", int64(ev.Snapshot))
		t.field("channel", int64(ev.Channel))
	case sim.EventEndSent:
		t.begin("close", ev)
		t.field("channel", int64(ev.Channel))
	case sim.EventRecord:
		t.begin("record", ev)
		t.field("snapshot", int64(ev.Snapshot))
		t.raw("state", t.says.Describe(ev.Node, ev.State))
		t.raw("timers", armedTimers(t.timers[ev.Node]))
	case sim.EventChannel:
		t.begin("channel", ev)
		t.field("snapshot", int64(ev.Snapshot))
		t.field("channel", int64(ev.Channel))
		t.recorded(ev.Recorded)
	case sim.EventComplete:
		t.begin("complete", ev)
		t.field("snapshot", int64(ev.Snapshot))
	case sim.EventAbort:
		t.begin("abort", ev)
		t.field("snapshot", int64(ev.Snapshot))
	case sim.EventCrash:
		t.begin("crash", ev)
		t.timers[ev.Node] = nil
	case sim.EventFact:
		t.fact(ev)
	case sim.EventRestore:
		t.begin("restore", ev)
		t.restore(ev.Restore)
	default:
		return false
	}
	return true
}

// begin starts a line with the fields that every line has.
func (t *tracer) begin(kind string, ev *sim.Event) {
	t.line = append(t.line[:0], `{"i":`...)
	t.line = strconv.AppendInt(t.line, t.index, 10)
	t.index++
	t.field("t", ev.At)
	t.raw("kind", []byte(`"`+kind+`"`))
	if ev.Node < 0 {
		t.raw("node", []byte("null"))
	} else {
		t.raw("node", t.names[ev.Node])
	}
	t.field("incarnation", int64(ev.Incarnation))
}

func (t *tracer) key(name string) {
	t.line = append(t.line, ',', '"')
	t.line = append(t.line, name...)
	t.line = append(t.line, '"', ':')
}

func (t *tracer) field(name string, value int64) {
	t.key(name)
	t.line = strconv.AppendInt(t.line, value, 10)
}

func (t *tracer) raw(name string, value []byte) {
	t.key(name)
	t.line = append(t.line, value...)
}

// message writes a message, with its channel if it travels on one.
func (t *tracer) message(ev *sim.Event, onChannel bool) {
	if onChannel {
		t.field("channel", int64(ev.Channel))
	}
	t.field("number", int64(ev.Number))
	t.payload(&ev.Message)
}

// unreliable says what a channel loses or puts on again: a message, or the marker of
// a snapshot.
func (t *tracer) unreliable(ev *sim.Event) {
	t.field("channel", int64(ev.Channel))
	if ev.Message.Kind() == sim.Marker {
		t.field("snapshot", int64(ev.Snapshot))
		return
	}
	t.field("number", int64(ev.Number))
}

func (t *tracer) payload(m *sim.Message) {
	t.key("key")
	t.line = strconv.AppendUint(t.line, m.Key, 10)
	t.field("value", m.Value)
	t.key("aux")
	t.line = strconv.AppendUint(t.line, m.Aux, 10)
}

// recorded writes a recorded channel state: the numbers, and the messages in
// full, because an algorithm may have recorded something else under a number.
func (t *tracer) recorded(messages []sim.Recorded) {
	t.numbers(messages)
	t.raw("messages", nil)
	t.line = append(t.line, '[')
	for i := range messages {
		if i > 0 {
			t.line = append(t.line, ',')
		}
		t.line = append(t.line, `{"sent_incarnation":`...)
		t.line = strconv.AppendUint(t.line, uint64(messages[i].Incarnation), 10)
		t.payload(&messages[i].Message)
		t.raw("logged", strconv.AppendBool(nil, messages[i].Logged))
		t.line = append(t.line, '}')
	}
	t.line = append(t.line, ']')
}

func (t *tracer) numbers(messages []sim.Recorded) {
	t.key("numbers")
	t.line = append(t.line, '[')
	for i := range messages {
		if i > 0 {
			t.line = append(t.line, ',')
		}
		t.line = strconv.AppendUint(t.line, uint64(messages[i].Number), 10)
	}
	t.line = append(t.line, ']')
}
