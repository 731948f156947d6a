package scenarios

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
)

// This file checks runs again from their traces alone, as a stranger would who has
// docs/trace.md and nothing else: no type of the engine is used below.

type traceLine struct {
	I               *int64
	T               int64
	Kind            string
	Node            *string
	Incarnation     int
	Channel         int
	Number          int
	Key, Aux        uint64
	Value           int64
	SentIncarnation int `json:"sent_incarnation"`
	ID              int
	Due             int64 `json:"due_ns"`
	Snapshot        *int
	State           json.RawMessage
	Numbers         []int
	Messages        []struct {
		Key, Aux        uint64
		Value           int64
		SentIncarnation int `json:"sent_incarnation"`
	}
	Crashed        []string
	Restarted      []string
	States         []json.RawMessage
	Offsets        []int
	Timers         json.RawMessage
	Channels, Logs []traceContents
	How, Did       string
	Down           []string
	Twice          []traceTwice
}

type traceContents struct {
	Channel int
	Numbers []int
	Markers int
	Blocked *int
}

type payload struct {
	key, aux    uint64
	value       int64
	incarnation int // that sent it
}

// cut is what a trace says of one snapshot.
type cut struct {
	states          map[string]json.RawMessage
	offsets         map[string]int
	sent, processed map[int]int // by channel
	numbers         map[int][]int
	messages        map[int][]payload
	timers          map[string]string
	complete, over  bool
	savepoint       bool
}

// recheck follows a trace and collects what is wrong.
type recheck struct {
	header struct {
		Format   string
		Version  int
		App      string
		Replay   string
		Aligned  bool
		States   []json.RawMessage
		Nodes    []string
		Channels []struct {
			ID       int
			From, To string
			BackEdge bool `json:"back_edge"`
		}
	}
	sent, processed map[int]int
	dropped         map[int]int
	before          map[int][]payload // of channels on which messages come once more
	offsets         map[string]int
	payloads        map[int][]payload // of a channel's messages, in the stitched run
	cuts            map[int]*cut
	incarnation     int
	closed          map[int]bool // channels whose stream has ended
	kinds           map[string]int
	wrong           []string
}

func (r *recheck) complain(format string, args ...any) {
	r.wrong = append(r.wrong, fmt.Sprintf(format, args...))
}

func recheckTrace(t *testing.T, trace io.Reader) *recheck {
	r := &recheck{sent: map[int]int{}, processed: map[int]int{}, dropped: map[int]int{}, before: map[int][]payload{}, offsets: map[string]int{},
		payloads: map[int][]payload{}, cuts: map[int]*cut{}, closed: map[int]bool{}, kinds: map[string]int{}}
	lines := bufio.NewScanner(trace)
	lines.Buffer(nil, 1<<20)
	lines.Scan()
	if err := json.Unmarshal(lines.Bytes(), &r.header); err != nil || r.header.Format != "simrun-trace" || r.header.Version != 1 {
		t.Fatalf("header %s: %v", lines.Bytes(), err)
	}
	last := traceLine{}
	for n := int64(0); lines.Scan(); n++ {
		var e traceLine
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil || e.I == nil || *e.I != n {
			t.Fatalf("line %s: %v", lines.Bytes(), err)
		}
		if e.T < last.T || e.Incarnation < last.Incarnation {
			r.complain("line %d goes back", n)
		}
		if named := e.Node != nil; e.Kind != "coordinator" && named == slices.Contains([]string{"trigger", "complete", "abort", "restore", "end"}, e.Kind) {
			r.complain("line %d: node of %s", n, e.Kind)
		}
		r.kinds[e.Kind]++
		r.line(&e)
		last = e
	}
	return r
}

func (r *recheck) line(e *traceLine) {
	c := e.Channel
	switch e.Kind {
	case "close":
		if r.closed[c] || r.header.Channels[c].From != *e.Node {
			r.complain("fifo: channel %d is closed again, or by another node", c)
		}
		r.closed[c] = true
	case "send":
		if r.closed[c] {
			r.complain("fifo: message %d is sent on channel %d behind its end", e.Number, c)
		}
		if r.sent[c]++; e.Number != r.sent[c] || r.header.Channels[c].From != *e.Node {
			r.complain("channel %d: message %d sent as number %d", c, r.sent[c], e.Number)
		}
		r.payloads[c] = append(r.payloads[c], payload{e.Key, e.Aux, e.Value, e.Incarnation})
	case "process":
		if r.processed[c]++; e.Number != r.processed[c] || e.Number > r.sent[c] || r.header.Channels[c].To != *e.Node {
			r.complain("fifo: channel %d: message %d processed where %d was due", c, e.Number, r.processed[c])
		} else if r.payloads[c][e.Number-1] != (payload{e.Key, e.Aux, e.Value, e.SentIncarnation}) {
			r.complain("channel %d: message %d has changed", c, e.Number)
		}
	case "external":
		if r.offsets[*e.Node]++; e.Number != r.offsets[*e.Node] {
			r.complain("%s: record %d", *e.Node, e.Number)
		}
	case "record":
		r.record(e)
	case "channel":
		k := r.cut(*e.Snapshot)
		k.numbers[c] = e.Numbers
		for _, m := range e.Messages {
			k.messages[c] = append(k.messages[c], payload{m.Key, m.Aux, m.Value, m.SentIncarnation})
		}
	case "coordinator":
		if e.Did == "began-savepoint" {
			r.cut(*e.Snapshot).savepoint = true
		}
	case "trigger":
		r.cut(*e.Snapshot)
	case "abort":
		r.cut(*e.Snapshot).over = true
	case "complete":
		r.complete(*e.Snapshot)
	case "end":
		r.end(e)
	case "restore":
		r.restore(e)
	case "drop":
		r.again(e)
	}
}

func (r *recheck) cut(id int) *cut {
	if r.cuts[id] == nil {
		r.cuts[id] = &cut{states: map[string]json.RawMessage{}, offsets: map[string]int{}, sent: map[int]int{},
			processed: map[int]int{}, numbers: map[int][]int{}, messages: map[int][]payload{}, timers: map[string]string{}}
	}
	return r.cuts[id]
}

func (r *recheck) record(e *traceLine) {
	k := r.cut(*e.Snapshot)
	k.states[*e.Node], k.offsets[*e.Node], k.timers[*e.Node] = e.State, r.offsets[*e.Node], string(e.Timers)
	for c, ch := range r.header.Channels {
		if ch.From == *e.Node {
			k.sent[c] = r.sent[c]
		}
		if ch.To == *e.Node {
			k.processed[c] = r.processed[c]
		}
	}
}

// complete checks the snapshot: a consistent cut, and the channels in between.
func (r *recheck) complete(id int) {
	k := r.cut(id)
	k.complete, k.over = true, true
	r.conserved(id, k)
	r.staged(id, k)
	if len(k.states) != len(r.header.Nodes) {
		r.complain("snapshot %d: %d states", id, len(k.states))
	}
	for c := range r.header.Channels {
		if k.processed[c] > k.sent[c] {
			r.complain("consistent-cut: snapshot %d, channel %d", id, c)
		}
		var numbers []int
		for n := k.processed[c] + 1; n <= k.sent[c]; n++ {
			numbers = append(numbers, n)
		}
		if len(numbers) != len(k.numbers[c]) || len(numbers) > 0 && !slices.Equal(numbers, k.numbers[c]) {
			r.complain("channel-state: snapshot %d, channel %d: %v recorded instead of %v", id, c, k.numbers[c], numbers)
			continue
		}
		for i, n := range numbers {
			if k.messages[c][i] != r.payloads[c][n-1] {
				r.complain("channel-state: snapshot %d, channel %d: message %d is another", id, c, n)
			}
		}
	}
}

// restore checks that the graph goes back to the newest complete snapshot, and
// goes back.
func (r *recheck) restore(e *traceLine) {
	clear(r.closed)
	if r.incarnation++; e.Incarnation != r.incarnation {
		r.complain("incarnation %d", e.Incarnation)
	}
	newest := 0
	for id, k := range r.cuts {
		if k.complete && !k.savepoint {
			newest = max(newest, id)
		}
	}
	k := &cut{}
	if e.Snapshot != nil {
		k = r.cut(*e.Snapshot)
	}
	if e.Snapshot == nil && newest != 0 || e.Snapshot != nil && *e.Snapshot != newest {
		r.complain("recovery: from %+v instead of snapshot %d", e.Snapshot, newest)
	}
	restarted := e.Restarted
	if restarted == nil {
		restarted = r.header.Nodes
	}
	for v, node := range r.header.Nodes {
		if slices.Contains(restarted, node) && e.Snapshot != nil && string(e.States[v]) != string(k.states[node]) {
			r.complain("recovery: %s is not what snapshot %d says", node, newest)
		}
	}
	put := map[int][]int{}
	for _, back := range slices.Concat(e.Channels, e.Logs) {
		put[back.Channel] = append(put[back.Channel], back.Numbers...)
	}
	for c, ch := range r.header.Channels {
		from, to := slices.Contains(restarted, ch.From), slices.Contains(restarted, ch.To)
		if to && !slices.Equal(put[c], k.numbers[c]) && len(put[c])+len(k.numbers[c]) > 0 {
			r.complain("recovery: channel %d got %v back", c, put[c])
		}
		if to && !from {
			r.complain("recovery: %s is restarted and not %s", ch.To, ch.From)
		}
		delete(r.before, c)
		if from && !to {
			r.before[c], r.dropped[c] = r.payloads[c], k.sent[c]
		}
		if from {
			r.sent[c], r.payloads[c] = k.sent[c], slices.Clone(r.payloads[c][:k.sent[c]])
		}
		if to {
			r.processed[c] = k.processed[c]
		}
	}
	r.reread(e, k.offsets, restarted)
}

// again checks a message that comes once more after a restore of some nodes.
func (r *recheck) again(e *traceLine) {
	c := e.Channel
	if r.dropped[c]++; r.before[c] == nil || e.Number != r.dropped[c] || e.Number > r.processed[c] || e.Number > r.sent[c] {
		r.complain("fifo: channel %d: message %d dropped", c, e.Number)
		return
	}
	was, is := r.before[c][e.Number-1], r.payloads[c][e.Number-1]
	if was.incarnation = is.incarnation; was != is {
		r.complain("recovery: channel %d: message %d is another one the second time", c, e.Number)
	}
}

// TestTraceCanBeRechecked: the verdicts follow from the traces alone, those on
// wrong algorithms too.
func TestTraceCanBeRechecked(t *testing.T) {
	kinds := map[string]int{}
	for _, l := range lessons() {
		for _, algorithm := range append(l.compared(), mutantNames(l)...) {
			plan := mustLoad(t, l.file, algorithm)
			if plan.config.Unreliable != nil {
				continue // the checker here keeps counters, and these channels need sets
			}
			var trace strings.Builder
			res, err := plan.NewRunner().Trace(2, &trace)
			if err != nil {
				t.Fatal(err)
			}
			r := recheckTrace(t, strings.NewReader(trace.String()))
			for kind, n := range r.kinds {
				kinds[kind] += n
			}
			for _, name := range []string{"consistent-cut", "channel-state", "abs-staged", "conservation", "termination"} {
				found := slices.ContainsFunc(r.wrong, func(s string) bool { return strings.HasPrefix(s, name) })
				if found != violates(res, name) {
					t.Errorf("%s under %s: %s is violated: %v, from the trace: %v %v", l.file, algorithm, name, violates(res, name), found, r.wrong)
				}
			}
			if res.Verdict == Holds && len(r.wrong) > 0 {
				t.Errorf("%s under %s: the run holds, but the trace is wrong: %v", l.file, algorithm, r.wrong)
			}
			if plan.NewRunner().Run(2).Digest != res.Digest {
				t.Errorf("%s under %s: a run that is traced has another digest", l.file, algorithm)
			}
		}
	}
	for _, kind := range []string{"send", "process", "external", "record", "channel", "complete", "abort", "crash", "restore", "emit", "trigger", "block", "unblock", "close", "coordinator", "control", "store", "end", "drop"} {
		if kinds[kind] == 0 {
			t.Errorf("no line of kind %s in any trace", kind)
		}
	}
}

func mutantNames(l lesson) []string {
	var names []string
	for name := range l.mutants {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// TestTraceOfMutedWriter: what cannot be written is an error, and not of the run.
func TestTraceOfMutedWriter(t *testing.T) {
	plan := mustLoad(t, "ring-both.yaml", "abs")
	res, err := plan.NewRunner().Trace(1, mute{})
	if err == nil || res.Verdict != Holds {
		t.Errorf("error %v, verdict %s", err, res.Verdict)
	}
}

type mute struct{}

func (mute) Write([]byte) (int, error) { return 0, io.ErrShortWrite }
