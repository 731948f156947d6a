package spacetime

import (
	"encoding/json"
	"path/filepath"
	"reflect"
	"testing"

	"simrun/scenarios"
	"simrun/scenarios/generate"
)

// load is the plan of a scenario file.
func load(t *testing.T, file, algorithm string) *scenarios.Plan {
	t.Helper()
	s, err := scenarios.Load(scenarios.Default(), file)
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.Resolve(scenarios.Default(), scenarios.Overrides{Algorithm: algorithm})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// files is every scenario file.
func files(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../../testdata/scenarios/*.yaml")
	if err != nil || len(files) < 30 {
		t.Fatalf("%d scenario files, %v", len(files), err)
	}
	return files
}

// TestArrows: every receipt has the event that sent what it received, and this one lies
// before it, on the same channel, with the same number.
func TestArrows(t *testing.T) {
	seen := map[Kind]int{}
	for _, file := range files(t) {
		p := load(t, file, "")
		d := Of(p, p.Seed, Options{})
		for i := range d.Events {
			e := &d.Events[i]
			seen[e.Kind]++
			if !e.Kind.Receives() {
				continue
			}
			if e.Peer == None || e.Peer >= int32(i) {
				t.Fatalf("%s: event %d, %s, has the peer %d", file, i, e.Kind, e.Peer)
			}
			from := &d.Events[e.Peer]
			if !from.Kind.Sends() || from.Channel != e.Channel || from.Kind != ControlSent && from.Number != e.Number || from.At > e.At {
				t.Fatalf("%s: event %d, %+v, is tied to %+v", file, i, e, from)
			}
		}
	}
	for _, kind := range Kinds() {
		if seen[kind] == 0 {
			t.Errorf("no file has a %s", kind)
		}
	}
}

// TestStates: the states that the diagram follows are those that the engine recorded.
// A recording has a State of what the engine saved; it must change nothing.
func TestStates(t *testing.T) {
	recordings, steps := 0, 0
	for _, file := range files(t) {
		p := load(t, file, "")
		d := Of(p, p.Seed, Options{})
		for _, s := range d.States {
			kind := d.Events[s.Event].Kind
			if kind != Record {
				steps++
				continue
			}
			recordings++
			if string(s.Patch) != "{}" {
				t.Fatalf("%s: the recording at event %d differs from the state before it by %s", file, s.Event, s.Patch)
			}
		}
	}
	if recordings < 100 || steps < 1000 {
		t.Errorf("%d recordings and %d steps have states", recordings, steps)
	}
}

// TestUndone: what a recovery took back is what the nodes had done since the cut, and
// nothing that came after it.
func TestUndone(t *testing.T) {
	p := load(t, "../../testdata/scenarios/wordcount-crash.yaml", "")
	d := Of(p, p.Seed, Options{})
	if len(d.Restores) != 1 || d.Restores[0].Snapshot != 1 {
		t.Fatalf("restores: %+v", d.Restores)
	}
	at := d.Restores[0].Event
	undone, messages := 0, int64(0)
	for i := range d.Events {
		e := &d.Events[i]
		after := int32(i) > d.Snapshots[0].Cut[e.Node]
		work := e.Kind != Emit && e.Kind != Crash && e.Kind != Restored
		if want := int32(i) < at && after && work; want != (e.Undone == 0) {
			t.Fatalf("event %d, %+v: the cut of its node is %d, the recovery came at %d", i, e, d.Snapshots[0].Cut[e.Node], at)
		}
		if e.Undone == 0 {
			undone++
			if e.Kind == Process {
				messages++
			}
		}
	}
	if want := d.Result.Recoveries[0].UndoneMessages; undone == 0 || messages != want {
		t.Errorf("%d events are undone, %d of them messages processed; the engine counted %d", undone, messages, want)
	}
}

// TestWindow: a window is a part of the whole, with the same states.
func TestWindow(t *testing.T) {
	p := load(t, "../../testdata/scenarios/loop-crash.yaml", "")
	whole := Of(p, p.Seed, Options{})
	const first, most = 1000, 500
	d := Of(p, p.Seed, Options{First: first, Most: most})
	if len(d.Events) != most || d.First != first || d.Total != len(whole.Events) || d.Whole() || !whole.Whole() {
		t.Fatalf("%d events from %d of %d; the run has %d", len(d.Events), d.First, d.Total, len(whole.Events))
	}
	outside := 0
	for i := range d.Events {
		want := whole.Events[first+i]
		if want.Peer -= first; want.Peer < 0 || want.Peer >= most {
			want.Peer = None
			outside++
		}
		if d.Events[i] != want {
			t.Fatalf("event %d is %+v, want %+v", i, d.Events[i], want)
		}
	}
	if outside == 0 {
		t.Error("every arrow lies within the window")
	}
	if a, b := stateAt(t, d, 3, most), stateAt(t, whole, 3, first+most); !reflect.DeepEqual(a, b) {
		t.Errorf("the state of node 3 is %v at the end of the window, and in the whole %v", a, b)
	}
}

// TestUndoneInWindow: a window takes as undone what the whole run does, also where it ends
// between the recordings of the snapshot that is restored.
func TestUndoneInWindow(t *testing.T) {
	p := load(t, "../../testdata/scenarios/wordcount-crash.yaml", "")
	whole, d := Of(p, p.Seed, Options{}), Of(p, p.Seed, Options{Most: 500})
	recorded, undone := 0, 0
	for _, i := range d.Snapshots[0].Cut {
		if i != None {
			recorded++
		}
	}
	for i := range d.Events {
		if d.Events[i].Undone != whole.Events[i].Undone {
			t.Fatalf("event %d: undone by %d, in the whole run by %d", i, d.Events[i].Undone, whole.Events[i].Undone)
		}
		if d.Events[i].Undone != None {
			undone++
		}
	}
	if recorded == 0 || recorded == len(d.Graph.Nodes) || undone == 0 {
		t.Errorf("%d of %d nodes record in the window, and %d of its events are undone", recorded, len(d.Graph.Nodes), undone)
	}
}

// stateAt puts the patches of a node together, up to an event.
func stateAt(t *testing.T, d *Diagram, v int32, end int32) any {
	t.Helper()
	state := parse(d.Initial[v])
	for _, s := range d.States {
		if s.Event < end && d.Events[s.Event].Node == v {
			state = merge(state, parse(s.Patch))
		}
	}
	return state
}

// merge applies a merge patch, as RFC 7396 says.
func merge(target, patch any) any {
	p, ok := patch.(map[string]any)
	if !ok {
		return patch
	}
	to, ok := target.(map[string]any)
	if !ok {
		to = map[string]any{}
	}
	for key, value := range p {
		if value == nil {
			delete(to, key)
		} else {
			to[key] = merge(to[key], value)
		}
	}
	return to
}

func TestDifference(t *testing.T) {
	for _, c := range []struct{ a, b, patch string }{
		{`{"x":1,"y":2}`, `{"x":1,"y":3}`, `{"y":3}`},
		{`{"x":{"a":1,"b":2}}`, `{"x":{"b":2,"c":3}}`, `{"x":{"a":null,"c":3}}`},
		{`"00ff"`, `"00fe"`, `"00fe"`},
		{`{"x":[1,2]}`, `{"x":[1]}`, `{"x":[1]}`},
		{`null`, `{"x":18446744073709551615}`, `{"x":18446744073709551615}`},
		{`{"x":1}`, `{"x":1}`, `{}`},
	} {
		patch := difference(parse([]byte(c.a)), parse([]byte(c.b)))
		if string(patch) != c.patch {
			t.Errorf("from %s to %s: %s, want %s", c.a, c.b, patch, c.patch)
		}
		got, _ := json.Marshal(merge(parse([]byte(c.a)), parse(patch)))
		if string(got) != c.b {
			t.Errorf("%s with %s is %s, want %s", c.a, patch, got, c.b)
		}
	}
}

// TestLittleForStates: where the states cost too much, recordings have them all the same,
// and the diagram says from where on steps have none.
func TestLittleForStates(t *testing.T) {
	p := load(t, "../../testdata/scenarios/wordcount-crash.yaml", "")
	d := Of(p, p.Seed, Options{StateBytes: 2000})
	late := 0
	for _, s := range d.States {
		switch kind := d.Events[s.Event].Kind; {
		case int(s.Event) < d.Stepped:
		case kind.Steps():
			t.Fatalf("event %d has a state, and the states after steps end at %d", s.Event, d.Stepped)
		case kind == Record:
			late++
		}
	}
	if d.Stepped == 0 || d.Stepped == len(d.Events) || late == 0 {
		t.Errorf("the states end at event %d of %d; %d recordings have one after that", d.Stepped, len(d.Events), late)
	}
}

// TestLocate: the place of the event that shows a violation is the one that the whole
// diagram has; and a window that does not have this event says that it has none.
func TestLocate(t *testing.T) {
	seen := 0
	for _, file := range []string{"in-transit", "abilene-bank", "ring-both", "wordcount-crash"} {
		for _, algorithm := range []string{"no-channel-state", "no-blocking"} {
			s, err := scenarios.Load(scenarios.Default(), "../../testdata/scenarios/"+file+".yaml")
			if err != nil {
				t.Fatal(err)
			}
			p, err := s.Resolve(scenarios.Default(), scenarios.Overrides{Algorithm: algorithm})
			if err != nil {
				continue // it cannot run there
			}
			d := Of(p, p.Seed, Options{})
			for i := range min(3, len(d.Violations)) {
				v := &d.Violations[i]
				place, ok := Locate(p, p.Seed, v.Result)
				if !ok || int32(place) > v.Event || d.Events[place].Kind != d.Events[v.Event].Kind {
					t.Errorf("%s, %s: %s is shown by event %d, and located at %d, %v", file, algorithm, v.Result.Detail, v.Event, place, ok)
				}
				if behind := Of(p, p.Seed, Options{First: place + 1, Most: 100}); behind.Violations[i].Event != None {
					t.Errorf("%s, %s: %s is shown by event %d of a window that begins behind it", file, algorithm, v.Result.Detail, behind.Violations[i].Event)
				}
				seen++
			}
		}
	}
	if seen < 8 {
		t.Errorf("only %d violations were looked at", seen)
	}
}

// TestShown: the event that shows an orphan lies in front of where its receiver recorded
// the snapshot, also if a later incarnation sends a message of that number again.
func TestShown(t *testing.T) {
	again := 0
	for seed := uint64(22001); seed < 22060; seed++ {
		p, err := generate.Scenario(seed).Resolve(scenarios.Default(), scenarios.Overrides{Algorithm: "no-blocking"})
		if err != nil {
			continue // it cannot run there
		}
		d := Of(p, p.Seed, Options{StateBytes: 1})
		for i := range d.Violations {
			v := &d.Violations[i]
			if v.Result.Invariant == "recovery" {
				break // from there on the numbers are counts
			}
			if v.Result.Invariant != "consistent-cut" || v.Result.Channel == nil {
				continue
			}
			s := sightOf(v.Result, d.Graph.Nodes)
			recorded := d.lastWhere(s.receiver(d.Graph).recording)
			if e := &d.Events[v.Event]; v.Event > recorded || !s.processing(e) {
				t.Errorf("seed %d: %s: shown by event %d, %+v; recorded is at %d", seed, v.Result.Detail, v.Event, e, recorded)
			}
			if d.lastWhere(s.processing) > recorded {
				again++
			}
		}
	}
	if again == 0 {
		t.Error("no message was there again")
	}
}
