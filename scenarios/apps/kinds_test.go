package apps

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"simrun/sim"
)

func TestKinds(t *testing.T) {
	var names []string
	for _, kind := range Kinds() {
		names = append(names, kind.Name)
		if kind.Doc == "" || strings.Contains(kind.Doc, "\n") {
			t.Errorf("%s: the doc is not one line: %q", kind.Name, kind.Doc)
		}
		builder := kind.New()
		if builder == kind.New() {
			t.Errorf("%s: New gives the same builder twice", kind.Name)
		}
		parameters := reflect.TypeOf(builder).Elem()
		for i := range parameters.NumField() {
			key, _, _ := strings.Cut(parameters.Field(i).Tag.Get("yaml"), ",")
			if key == "" || key != strings.ToLower(key) {
				t.Errorf("%s: field %s has the yaml key %q", kind.Name, parameters.Field(i).Name, key)
			}
		}
		g := graphOf("S->A S->B A->K B->K")
		w := mustBuild(t, builder, g)
		if w.Restless {
			t.Errorf("%s: says that it never rests", kind.Name)
		}
		if steps := newToy(w, g, 1).rest(t); steps < 20 {
			t.Errorf("%s: rests after %d steps, too few for a snapshot to see anything", kind.Name, steps)
		}
	}
	if want := []string{"bank", "wordcount", "loop", "join", "sums", "dataflow", "zip", "windows", "activity", "tokens"}; !slices.Equal(names, want) {
		t.Errorf("the kinds are %v, want %v", names, want)
	}
}

// TestSourceIsAPureFunction: whatever is asked in whatever order, record k is the
// same, times do not fall, and after the end there is nothing.
func TestSourceIsAPureFunction(t *testing.T) {
	sourceless := 0
	rapid.Check(t, func(t *rapid.T) {
		kind, w, g := drawWorkload(t)
		seed := rapid.Uint64().Draw(t, "seed")
		for v := range int32(len(g.Nodes)) {
			source := w.NewSource(seed, v)
			if source == nil {
				sourceless++
				continue
			}
			again, last, count := w.NewSource(seed, v), int64(0), uint64(0)
			for {
				m, at, ok := source.Record(count)
				if !ok {
					break
				}
				if at < last {
					t.Fatalf("%s: record %d is released at %d, before the one before it at %d", kind.Name, count, at, last)
				}
				if id := RecordID(v, count); kind.Name != "bank" && m.Aux != id {
					t.Fatalf("%s: record %d carries %#x, want its id %#x", kind.Name, count, m.Aux, id)
				}
				last = at
				count++
			}
			for range 10 {
				k := rapid.Uint64Range(0, count+2).Draw(t, "k")
				m1, at1, ok1 := source.Record(k)
				m2, at2, ok2 := again.Record(k)
				if m1 != m2 || at1 != at2 || ok1 != ok2 || ok1 != (k < count) {
					t.Fatalf("%s: record %d of %d is %v at %d (%v), then %v at %d (%v)", kind.Name, k, count, m1, at1, ok1, m2, at2, ok2)
				}
			}
			for _, k := range []uint64{math.MaxInt64, math.MaxInt64 + 1, math.MaxUint64} {
				if _, _, ok := source.Record(k); ok {
					t.Fatalf("%s: there is a record %d", kind.Name, k)
				}
			}
		}
	})
	if sourceless == 0 {
		t.Error("no node without a source was seen")
	}
}

// TestSaveLoad: at any moment of a run a state can be saved, loaded into an app
// that has another one, and goes on as if nothing had happened.
func TestSaveLoad(t *testing.T) {
	grown := map[string]bool{} // kinds of which a state that is not the first was seen
	rapid.Check(t, func(t *rapid.T) {
		kind, w, g := drawWorkload(t)
		seed := rapid.Uint64().Draw(t, "seed")
		net, other := newToy(w, g, seed), newToy(w, g, seed+1)
		for range rapid.IntRange(0, 40).Draw(t, "steps") {
			net.step()
			other.step()
		}
		for v, app := range net.apps {
			state := app.Save([]byte("before"))
			if !bytes.HasPrefix(state, []byte("before")) {
				t.Fatalf("%s: Save does not append", kind.Name)
			}
			state = state[len("before"):]
			if !bytes.Equal(state, w.NewApp(seed, int32(v)).Save(nil)) {
				grown[kind.Name] = true
			}
			kept, loaded := bytes.Clone(state), other.apps[v]
			if err := loaded.Load(state); err != nil {
				t.Fatalf("%s: Load: %v", kind.Name, err)
			}
			for i := range state {
				state[i] ^= 0xff // Load must not have kept it
			}
			if got := loaded.Save(nil); !bytes.Equal(got, kept) {
				t.Fatalf("%s: saved %x, loaded, saved %x", kind.Name, kept, got)
			}
			checkDamaged(t, kind.Name, w.NewApp(seed, int32(v)), kept)
			want, got := app.(sim.Describer).Describe(), loaded.(sim.Describer).Describe()
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("%s: shows %v after loading, want %v", kind.Name, got, want)
			}
			if _, err := json.Marshal(got); err != nil {
				t.Fatalf("%s: Describe does not marshal: %v", kind.Name, err)
			}
		}
		goesOnAlike(t, kind.Name, net, other)
	})
	for _, kind := range Kinds() {
		if !grown[kind.Name] {
			t.Errorf("%s: no state was seen that differs from the first", kind.Name)
		}
	}
}

// checkDamaged: a state that is cut short or has something behind it is an error,
// and not a panic.
func checkDamaged(t *rapid.T, name string, app sim.App, state []byte) {
	for _, damaged := range [][]byte{state[:len(state)-1], append(bytes.Clone(state), 0), nil} {
		if err := app.Load(damaged); err == nil {
			t.Fatalf("%s: Load takes %x, made of %x", name, damaged, state)
		}
	}
}

// goesOnAlike lets two networks with the same states and the same contents go on.
func goesOnAlike(t *rapid.T, name string, net, other *toy) {
	copy(other.offset, net.offset)
	other.sources = net.sources
	for c := range net.channels {
		other.channels[c] = slices.Clone(net.channels[c])
	}
	for v := range net.timers {
		other.timers[v] = slices.Clone(net.timers[v])
	}
	other.order, other.emitted = net.order, slices.Clone(net.emitted)
	net.rest(t)
	other.rest(t)
	if !slices.Equal(net.emitted, other.emitted) {
		t.Fatalf("%s: the loaded states emit something else", name)
	}
	for v := range net.apps {
		if want, got := net.apps[v].Save(nil), other.apps[v].Save(nil); !bytes.Equal(want, got) {
			t.Fatalf("%s: node %d ends as %x, loaded as %x", name, v, want, got)
		}
	}
}

// TestLoadNeverPanics: whatever the bytes, Load gives an error or a state whose
// canonical bytes can be loaded again.
func TestLoadNeverPanics(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		kind, w, _ := drawWorkload(t)
		app := w.NewApp(1, 0)
		if app.Load(rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(t, "state")) != nil {
			return
		}
		if err := app.Load(app.Save(nil)); err != nil {
			t.Fatalf("%s: what was loaded is saved as something that cannot be: %v", kind.Name, err)
		}
	})
}

// TestStepsDoNotAllocate: a warm app steps without allocating.
func TestStepsDoNotAllocate(t *testing.T) {
	for _, kind := range Kinds() {
		g := graphOf("S->A R->A S->B A->K B->K")
		w := mustBuild(t, kind.New(), g)
		for v := range int32(len(g.Nodes)) {
			app, source := w.NewApp(1, v), w.NewSource(1, v)
			in, m := sim.Input(0), sim.Message{Key: 1, Value: 1, Aux: 1}
			if source != nil {
				in = sim.External
			}
			var fx sim.Effects
			k := uint64(0)
			step := func() {
				if source != nil {
					m, _, _ = source.Record(k % 10)
					k++
				}
				fx.Reset()
				app.Step(in, m, &fx)
			}
			step()
			if n := testing.AllocsPerRun(100, step); n != 0 {
				t.Errorf("%s at %s: a step allocates %v times", kind.Name, g.Nodes[v], n)
			}
		}
	}
}

func TestBuildErrors(t *testing.T) {
	const dag, ring = "S->A A->K", "S->A A->B B->A"
	tests := []struct {
		name, graph, parameter, says string
		builder                      Builder
	}{
		{"bank balance", dag, "balance", "-1 is out of range", &Bank{Balance: -1, Amount: 1, Transfers: 1}},
		{"bank amount", dag, "amount", "write a number from 1 to", &Bank{Transfers: 1}},
		{"bank transfers", dag, "transfers", "0 is out of range", &Bank{Amount: 1}},
		{"bank negative transfers", dag, "transfers", "-1 is out of range", &Bank{Amount: 1, Transfers: -1}},
		{"bank every", dag, "every", "negative", &Bank{Amount: 1, Transfers: 1, Every: -1}},
		{"bank too long", dag, "every", "write at most", &Bank{Amount: 1, Transfers: 2, Every: math.MaxInt64}},
		{"loop hops", ring, "hops", "-1 is out of range", &Loop{Hops: -1, Records: 1}},
		{"loop records", ring, "records", "out of range", &Loop{Records: 0}},
		{"loop too many records", ring, "records", "out of range", &Loop{Records: math.MaxInt64, Every: math.MaxInt64}},
		{"loop every", ring, "every", "negative", &Loop{Records: 1, Every: -1}},
		{"join records", dag, "records", "out of range", &Join{Records: -1, Keys: 1}},
		{"join every", dag, "every", "negative", &Join{Records: 1, Keys: 1, Every: -1}},
		{"join keys", dag, "keys", "out of range", &Join{Records: 1}},
		{"join cycle", ring, "kind", "join needs a graph without cycles, and the channel A->B", NewJoin()},
		{"sums records", dag, "records", "out of range", &Sums{}},
		{"sums every", dag, "every", "negative", &Sums{Records: 1, Every: -1}},
		{"sums self-loop", "S->S", "kind", "use bank, loop, dataflow or activity", NewSums()},
		{"dataflow records", dag, "records", "out of range", &Dataflow{Keys: 1}},
		{"dataflow every", dag, "every", "negative", &Dataflow{Records: 1, Keys: 1, Every: -1}},
		{"dataflow keys", dag, "keys", "out of range", &Dataflow{Records: 1}},
		{"dataflow too many keys", dag, "keys", "out of range", &Dataflow{Records: 1, Keys: mostKeys + 1}},
		{"dataflow skew", dag, "skew", "out of range", &Dataflow{Records: 1, Keys: 1, Skew: -1}},
		{"dataflow hops", dag, "hops", "out of range", &Dataflow{Records: 1, Keys: 1, Hops: -1}},
		{"zip records", dag, "records", "0 is out of range", &Zip{}},
		{"zip every", dag, "every", "negative", &Zip{Records: 1, Every: -1}},
		{"zip too long", dag, "every", "write at most", &Zip{Records: 1, Counts: []int64{2}, Every: math.MaxInt64}},
		{"zip a count", dag, "counts", "-1 is out of range", &Zip{Records: 1, Counts: []int64{-1}}},
		{"zip too few counts", "S->A R->A", "counts", "the number of sources is 2, not 1", &Zip{Records: 1, Counts: []int64{4}}},
		{"zip too many counts", dag, "counts", "the number of sources is 1, not 2", &Zip{Records: 1, Counts: []int64{4, 5}}},
		{"zip cycle", ring, "kind", "zip needs a graph without cycles", NewZip()},
		{"windows records", dag, "records", "out of range", &Windows{Keys: 1, Window: 1}},
		{"windows every", dag, "every", "negative", &Windows{Records: 1, Keys: 1, Window: 1, Every: -1}},
		{"windows keys", dag, "keys", "out of range", &Windows{Records: 1, Window: 1}},
		{"windows window", dag, "window", "0ns is out of range", &Windows{Records: 1, Keys: 1}},
		{"windows too long", dag, "window", "is out of range", &Windows{Records: 1, Keys: 1, Window: sim.MaxTime + 1}},
		{"windows cycle", ring, "kind", "windows needs a graph without cycles", NewWindows()},
		{"activity records", ring, "records", "out of range", &Activity{Energy: 1, Fanout: 1, Work: 1}},
		{"activity every", ring, "every", "negative", &Activity{Records: 1, Energy: 1, Fanout: 1, Work: 1, Every: -1}},
		{"activity energy", ring, "energy", "out of range", &Activity{Records: 1, Fanout: 1, Work: 1}},
		{"activity fanout", ring, "fanout", "out of range", &Activity{Records: 1, Energy: 1, Work: 1}},
		{"activity work", ring, "work", "-1ns is out of range", &Activity{Records: 1, Energy: 1, Fanout: 1, Work: -1}},
		{"wordcount both", dag, "text", "not both", &WordCount{Text: "words.txt", Lines: []string{"a"}, Repeat: 1}},
		{"wordcount no file", dag, "text", "no such file", &WordCount{Text: "missing.txt", Repeat: 1}},
		{"wordcount binary", dag, "text", "not text in UTF-8", &WordCount{Text: "binary", Repeat: 1}},
		{"wordcount latin1", dag, "text", "not text in UTF-8", &WordCount{Text: "latin1", Repeat: 1}},
		{"wordcount empty file", dag, "text", "no word", &WordCount{Text: "empty", Repeat: 1}},
		{"wordcount empty lines", dag, "lines", "no word", &WordCount{Lines: []string{""}, Repeat: 1}},
		{"wordcount repeat", dag, "repeat", "out of range", &WordCount{Repeat: 0}},
		{"wordcount every", dag, "every", "negative", &WordCount{Repeat: 1, Every: -1}},
		{"wordcount source", dag, "sources", `no node "X"`, &WordCount{Repeat: 1, Sources: []string{"X"}}},
		{"wordcount source twice", dag, "sources", "named twice", &WordCount{Repeat: 1, Sources: []string{"S", "S"}}},
		{"wordcount cycle", ring, "kind", "wordcount needs a graph without cycles", NewWordCount()},
	}
	for _, test := range tests {
		_, err := test.builder.Build(testEnv(graphOf(test.graph)))
		var wrong *ParameterError
		if !errors.As(err, &wrong) {
			t.Errorf("%s: the error is %v, not a ParameterError", test.name, err)
			continue
		}
		if wrong.Parameter != test.parameter || !strings.Contains(err.Error(), test.says) || wrong.Right == "" {
			t.Errorf("%s: the error is %q; want parameter %s and %q", test.name, err, test.parameter, test.says)
		}
	}
}

func TestRecordID(t *testing.T) {
	for _, source := range []int32{0, 1, 1<<24 - 1} {
		for _, k := range []uint64{0, 1, mostRecords} {
			id := RecordID(source, k)
			if s, n := RecordOf(id); s != source || n != k || id == 0 {
				t.Errorf("record %d of %d has id %#x, which says record %d of %d", k, source, id, n, s)
			}
		}
	}
}
