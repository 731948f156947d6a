package export

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"simrun/scenarios/spacetime"
)

// traceEvent is a line of a trace.
type traceEvent struct {
	Phase    string         `json:"ph"`
	Process  int            `json:"pid"`
	Thread   int            `json:"tid"`
	At       json.Number    `json:"ts"`
	Duration json.Number    `json:"dur"`
	Category string         `json:"cat"`
	Name     string         `json:"name"`
	ID       int            `json:"id"`
	Bind     string         `json:"bp"`
	Scope    string         `json:"s"`
	Args     map[string]any `json:"args"`

	at, end int64 // in nanoseconds
}

// track is a thread of a process.
type track struct{ process, thread int }

// checkPerfetto refuses what Perfetto drops, or draws wrongly: slices of a thread that
// overlap without nesting, flows that no slice is open for, or that have no other end, ids
// that are used twice.
func checkPerfetto(text string) error {
	events, err := traceEvents(text)
	if err != nil {
		return err
	}
	named, open, slices := map[track]string{}, map[string]*traceEvent{}, map[track][]*traceEvent{}
	ids := map[string]int{}
	for i := range events {
		e := &events[i]
		on := track{e.Process, e.Thread}
		key := fmt.Sprintf("%s/%s/%d", e.Category, e.Name, e.ID)
		switch e.Phase {
		case "M":
			if e.Name == "thread_name" {
				named[on] = e.Args["name"].(string)
			}
		case "X":
			if e.end-e.at < 1000 {
				return fmt.Errorf("the slice %q lasts %d ns", e.Name, e.end-e.at)
			}
			slices[on] = append(slices[on], e)
		case "i":
			if e.Scope != "t" && e.Scope != "p" {
				return fmt.Errorf("the instant %q has the scope %q", e.Name, e.Scope)
			}
		case "C":
			if n, ok := e.Args["messages"].(float64); !ok || n < 0 || n != float64(int(n)) {
				return fmt.Errorf("the counter %q is %v", e.Name, e.Args["messages"])
			}
		case "s", "b":
			if ids[fmt.Sprint(e.ID)]++; ids[fmt.Sprint(e.ID)] > 1 {
				return fmt.Errorf("the id %d is used twice", e.ID)
			}
			open[e.Phase+key] = e
		case "f", "e":
			begun := open[map[string]string{"f": "s", "e": "b"}[e.Phase]+key]
			switch {
			case begun == nil:
				return fmt.Errorf("%s ends and has not begun", key)
			case begun.at > e.at:
				return fmt.Errorf("%s ends before it begins", key)
			case e.Phase == "f" && e.Bind != "e":
				return fmt.Errorf("%s binds to the next slice", key)
			}
			delete(open, map[string]string{"f": "s", "e": "b"}[e.Phase]+key)
		default:
			return fmt.Errorf("the phase %q", e.Phase)
		}
		if e.Phase == "s" || e.Phase == "f" {
			if err := bound(e, slices[on]); err != nil {
				return err
			}
		}
		if e.Phase == "X" && named[on] == "" {
			return fmt.Errorf("the thread %v has no name", on)
		}
	}
	for key := range open {
		return fmt.Errorf("%s does not end", key)
	}
	return nested(slices)
}

// traceEvents is the lines of a trace, in the order of the file.
func traceEvents(text string) ([]traceEvent, error) {
	var trace struct {
		Unit   string       `json:"displayTimeUnit"`
		Events []traceEvent `json:"traceEvents"`
	}
	if err := json.Unmarshal([]byte(text), &trace); err != nil {
		return nil, err
	}
	if trace.Unit != "ms" || len(trace.Events) == 0 {
		return nil, fmt.Errorf("the unit %q, %d events", trace.Unit, len(trace.Events))
	}
	for i := range trace.Events {
		e := &trace.Events[i]
		at, err := nanoseconds(e.At)
		if err != nil {
			return nil, err
		}
		length, err := nanoseconds(e.Duration)
		if err != nil {
			return nil, err
		}
		if e.Phase != "M" && e.At == "" {
			return nil, fmt.Errorf("%q has no instant", e.Name)
		}
		e.at, e.end = at, at+length
	}
	return trace.Events, nil
}

// nanoseconds is a number of microseconds with three digits behind the point, exactly.
func nanoseconds(n json.Number) (int64, error) {
	if n == "" {
		return 0, nil
	}
	whole, part, _ := strings.Cut(string(n), ".")
	if len(part) != 3 {
		return 0, fmt.Errorf("the instant %s", n)
	}
	return json.Number(whole + part).Int64()
}

// bound says whether a slice is open where a flow begins or ends, that stands before it in
// the file.
func bound(e *traceEvent, before []*traceEvent) error {
	for _, s := range slices.Backward(before) {
		if s.at <= e.at && e.at < s.end {
			return nil
		}
	}
	return fmt.Errorf("no slice is open for the flow %d at %s", e.ID, e.At)
}

// nested says whether the slices of every thread contain each other or do not touch.
func nested(threads map[track][]*traceEvent) error {
	for on, list := range threads {
		slices.SortStableFunc(list, func(a, b *traceEvent) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(b.end, a.end)) })
		var stack []*traceEvent
		for _, s := range list {
			for len(stack) > 0 && stack[len(stack)-1].end <= s.at {
				stack = stack[:len(stack)-1]
			}
			if n := len(stack); n > 0 && stack[n-1].end < s.end {
				return fmt.Errorf("%v: %q and %q overlap", on, stack[n-1].Name, s.Name)
			}
			stack = append(stack, s)
		}
	}
	return nil
}

func perfetto(t *testing.T, runs ...*spacetime.Diagram) string {
	t.Helper()
	text, _ := written(t, func(w io.Writer) ([]string, error) { return Perfetto(w, runs) })
	return text
}

// TestPerfetto: the trace of every scenario file keeps the rules, and has every event, every
// message that came, and what lasts.
func TestPerfetto(t *testing.T) {
	seen := map[string]int{}
	moved := 0
	for _, file := range files(t) {
		d := diagram(load(t, file, ""), 1200)
		text := perfetto(t, d)
		if err := checkPerfetto(text); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		events, _ := traceEvents(text)
		flows, begun, told := 0, 0, 0
		for i := range events {
			e := &events[i]
			switch e.Phase {
			case "X":
				told++
				if more, ok := e.Args["then"].([]any); ok {
					told += len(more)
				}
				if first := int(e.Args["event"].(float64)); d.Result.Order == "timed" && d.Events[first].At != e.at {
					moved++
				}
			case "s":
				begun++
			case "f":
				flows++
			case "b", "i":
				word, _, _ := strings.Cut(e.Name, " ")
				seen[strings.TrimSuffix(word, ":")]++
			}
		}
		sent := 0
		for i := range d.Events {
			if e := &d.Events[i]; e.Kind.Sends() && e.Peer != spacetime.None {
				sent++
			}
		}
		if told != len(d.Events) || flows != sent || begun != sent {
			t.Errorf("%s: %d of %d events, %d of %d messages, of which %d end", file, told, len(d.Events), begun, sent, flows)
		}
	}
	for _, what := range []string{"snapshot", "blocked", "busy", "down", "record"} {
		if seen[what] == 0 {
			t.Errorf("no trace has %q", what)
		}
	}
	if moved == 0 {
		t.Error("no slice was moved, so that nothing shows that those which are moved nest")
	}
}

// TestPerfettoMovesReceipts: where messages take less time than slices are long, the slice
// of a receipt is moved behind that of what was sent.
func TestPerfettoMovesReceipts(t *testing.T) {
	d := diagram(parse(t, "graph: {generate: complete, nodes: 4}\napp: {kind: bank, transfers: 20, every: 100ns}\nnetwork: {delay: {constant: 1ns}}\nsnapshots: {at: [1us]}\nstop: {at: 10us}"), PerfettoEvents)
	text := perfetto(t, d)
	if err := checkPerfetto(text); err != nil {
		t.Fatal(err)
	}
	if events, _ := traceEvents(text); events[len(events)-1].at < 10_000 {
		t.Error("the slices did not move")
	}
}

// TestPerfettoSaysWhatIsViolated: where something is violated there is an instant.
func TestPerfettoSaysWhatIsViolated(t *testing.T) {
	text := perfetto(t, diagram(load(t, "in-transit.yaml", "no-channel-state"), PerfettoEvents))
	if !strings.Contains(text, `"s":"p","cat":"verdict","name":"violated: channel-state"`) {
		t.Error("no instant says so")
	}
}

// TestPerfettoCounters: the last value of every counter is what is left on its channel.
func TestPerfettoCounters(t *testing.T) {
	crashes, rolled := 0, 0
	for _, file := range []string{"abilene-bank.yaml", "loop-crash.yaml", "wordcount-crash.yaml", "ring-both.yaml", "concurrent-snapshots.yaml", "partial-recovery.yaml"} {
		d := diagram(load(t, file, ""), PerfettoEvents)
		events, err := traceEvents(perfetto(t, d))
		if err != nil {
			t.Fatal(err)
		}
		last := map[string]float64{}
		for i := range events {
			if e := &events[i]; e.Phase == "C" {
				last[e.Name] = e.Args["messages"].(float64)
			}
		}
		for name, n := range last {
			if n != 0 && d.Result.End == "quiescent" { // then all has been processed
				t.Errorf("%s: %s ends with %v", file, name, n)
			}
		}
		crashes += len(d.Restores)
		for i := range d.Events {
			if d.Events[i].Kind == spacetime.Send && d.Events[i].Undone != spacetime.None && d.Events[i].Peer == spacetime.None {
				rolled++
			}
		}
	}
	if crashes == 0 || rolled == 0 {
		t.Errorf("%d recoveries, %d messages taken back on their way", crashes, rolled)
	}
}

// TestPerfettoCountersAfterRecovery: after a recovery the counters are what the snapshot
// has of the channels.
func TestPerfettoCountersAfterRecovery(t *testing.T) {
	put := int64(0)
	for _, file := range []string{"abilene-bank.yaml", "loop-crash.yaml"} {
		d := diagram(load(t, file, ""), PerfettoEvents)
		events, err := traceEvents(perfetto(t, d))
		if err != nil {
			t.Fatal(err)
		}
		last := map[string]float64{}
		restoring, recovery := false, 0
		for i := range events {
			switch e := &events[i]; {
			case e.Phase == "C":
				last[e.Name] = e.Args["messages"].(float64)
			case e.Phase == "X" && strings.HasPrefix(e.Name, "restored to "):
				restoring = true
			case e.Phase == "X" && restoring:
				sum := int64(0)
				for _, n := range last {
					sum += int64(n)
				}
				if want := d.Result.Recoveries[recovery].Replayed; sum != want {
					t.Errorf("%s: recovery %d: %d messages are under way, want %d", file, recovery, sum, want)
				}
				put += sum
				restoring = false
				recovery++
			}
		}
	}
	if put == 0 {
		t.Error("no recovery put a message back")
	}
}

// TestPerfettoManyRuns: each run is a process of its own, and names may be anything.
func TestPerfettoManyRuns(t *testing.T) {
	a := diagram(load(t, "ring-both.yaml", "chandy-lamport"), 500)
	text := perfetto(t, a, diagram(load(t, "ring-both.yaml", "abs"), 500), diagram(strange(t), 500), unseen(t))
	if err := checkPerfetto(text); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(text, `"process_name"`); n != 4 {
		t.Errorf("%d processes", n)
	}
	if !a.Whole() && !strings.Contains(text, `"left_out":["chandy-lamport: the first 500 of `) {
		t.Error("the file does not say that it is cut")
	}
}

// TestPerfettoCheckerRejects: the checker sees what Perfetto would drop.
func TestPerfettoCheckerRejects(t *testing.T) {
	text := perfetto(t, diagram(load(t, "in-transit.yaml", ""), PerfettoEvents))
	lines := strings.Split(text, "\n")
	flow := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, `{"ph":"f"`) })
	swapped := slices.Clone(lines)
	swapped[flow-1], swapped[flow] = lines[flow], lines[flow-1]
	if err := checkPerfetto(strings.Join(swapped, "\n")); err == nil {
		t.Error("a flow in front of its slice is not noticed")
	}
	for _, c := range []struct{ what, old, by string }{
		{"no JSON", "{", "["},
		{"a short slice", `"dur":1.000`, `"dur":0.999`},
		{"a slice that reaches into others", `"ts":1048.920,"dur":1.000`, `"ts":1048.920,"dur":8480.000`},
		{"an id twice", `"name":"message","id":2}`, `"name":"message","id":1}`},
		{"another category", `"bp":"e","cat":"computation"`, `"bp":"e","cat":"other"`},
		{"another name", `"bp":"e","cat":"computation","name":"message"`, `"bp":"e","cat":"computation","name":"letter"`},
		{"bound to the next slice", `,"bp":"e"`, ``},
		{"a message that comes before it is sent", `{"ph":"s","pid":1,"tid":1,"ts":4528.239`, `{"ph":"s","pid":1,"tid":2,"ts":9528.239`},
		{"an end without a beginning", `{"ph":"b"`, `{"ph":"i","s":"t"`},
		{"a thread without a name", `"name":"thread_name"`, `"name":"thread_title"`},
		{"a counter below 0", `"args":{"messages":1}`, `"args":{"messages":-1}`},
	} {
		mustReject(t, c.what, text, c.old, c.by, checkPerfetto)
	}
}
