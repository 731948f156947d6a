package comparison

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"simrun/scenarios"
	"simrun/scenarios/apps"
	"simrun/sim"
)

// TestSeeds: many seeds are what one seed at a time gives, on any number of goroutines.
func TestSeeds(t *testing.T) {
	s := load(t, "wordcount-crash.yaml")
	var first []byte
	for _, workers := range []int{1, 3} {
		c, err := Of(context.Background(), s, scenarios.Default(), Options{Algorithms: []string{"chandy-lamport", "abs"}, Seeds: &Range{5, 24}, Workers: workers})
		if err != nil || c.Seeds != 20 || c.First != 5 || c.Last != 24 || c.Interrupted {
			t.Fatalf("%v, %+v", err, c)
		}
		data, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = data
		}
		if !bytes.Equal(first, data) {
			t.Errorf("%d goroutines give another comparison", workers)
		}
		for i := range c.Algorithms {
			for _, run := range c.Algorithms[i].Runs {
				if run.Seed%7 != 0 {
					continue
				}
				alone := compare(t, s, &Range{run.Seed, run.Seed}, "chandy-lamport", "abs").Algorithms[i].Runs[0]
				for _, m := range Measures() {
					if a, b := m.Text(m.Of(&run.Measures), c.Order), m.Text(m.Of(&alone.Measures), c.Order); a != b {
						t.Errorf("seed %d: %s is %s, alone %s", run.Seed, m.Key, a, b)
					}
				}
			}
		}
	}
}

// TestDifferences: they are of runs with the same seed, not of medians, and only of seeds
// with which both have the measure.
func TestDifferences(t *testing.T) {
	c := &Comparison{Reference: "a", Order: "timed", Algorithms: []Algorithm{{Name: "a"}, {Name: "b"}}}
	a, b := []int64{10, 20, 30, 40, 50, 60, 70}, []int64{61, 52, 43, 34, 25, 16, -1}
	for k := range a {
		p := paired{runs: []Run{{Seed: uint64(k)}, {Seed: uint64(k)}}, reproduces: make([]string, 2), good: []bool{true, k != 2}}
		p.reproduces[1] = "again"
		p.runs[0].Measures.Blocked, p.runs[1].Measures.Blocked = &a[k], &b[k]
		if b[k] < 0 {
			p.runs[1].Measures.Blocked = nil
		}
		c.add(p)
	}
	c.summarise()
	for k, m := range Measures() {
		if m.Key != "blocked_ns" {
			continue
		}
		one, other := c.Algorithms[0].Summaries[k], c.Algorithms[1].Summaries[k]
		if one.Runs != 7 || *one.Median != 40 || one.Difference != nil || other.Runs != 6 || *other.Median != 34 {
			t.Errorf("%+v, %+v", one, other)
		}
		// 51, 32, 13, -6, -25, -44
		if d := other.Difference; d.Pairs != 6 || d.Median != -6 || *d.Low != -44 || *d.High != 51 || d.Confidence != 968_750 {
			t.Errorf("%+v", d)
		}
	}
	if x := c.Algorithms[1]; x.Failing != 1 || *x.FirstFailing != 2 || x.Reproduce != "again" || c.ExitCode() != 1 {
		t.Errorf("%+v, exit code %d", x, c.ExitCode())
	}
}

// TestInterrupted: what is known are the first of the seeds, without a gap; without any
// there is no table, in no form.
func TestInterrupted(t *testing.T) {
	s := load(t, "no-snapshot-yet.yaml")
	ctx, cancel := context.WithCancel(context.Background())
	o := Options{Algorithms: Usual(), Seeds: &Range{1, 1 << 40}, Workers: 2, Progress: func(seeds int64) {
		if seeds >= 10 {
			cancel()
		}
	}}
	c, err := Of(ctx, s, scenarios.Default(), o)
	if err != nil || !c.Interrupted || c.ExitCode() != 130 || c.Seeds < 10 || c.Last != uint64(c.Seeds) || int64(len(c.Algorithms[1].Runs)) != c.Seeds {
		t.Errorf("%v, %+v", err, c)
	}
	everyForm(t, c)
	for _, seeds := range []*Range{nil, {1, 1 << 40}} {
		o.Seeds, o.Progress = seeds, nil
		c, err = Of(ctx, s, scenarios.Default(), o)
		if err != nil || c.Seeds != 0 || c.ExitCode() != 130 {
			t.Errorf("%v, %+v", err, c)
		}
		everyForm(t, c)
		var b strings.Builder
		if err := c.WriteText(&b); err != nil || !strings.Contains(b.String(), "before the first runs") {
			t.Errorf("%v: %s", err, b.String())
		}
	}
	// One of many seeds is no comparison of one seed: it has no Results.
	ctx, cancel = context.WithCancel(context.Background())
	o.Seeds, o.Workers, o.Progress = &Range{1, 1 << 40}, 1, func(int64) { cancel() }
	if c, err = Of(ctx, s, scenarios.Default(), o); err != nil || c.Seeds == 0 {
		t.Errorf("%v, %+v", err, c)
	}
	everyForm(t, c)
}

// TestFailures: the first failing seed of each algorithm, and the command.
func TestFailures(t *testing.T) {
	s := parse(t, `
graph: {generate: complete, nodes: 4}
app: {kind: bank, transfers: 40, every: 2ms}
snapshots: {at: [80ms]}
`)
	c := compare(t, s, &Range{5, 24}, "abs", "no-channel-state")
	right, wrong := c.Algorithms[0], c.Algorithms[1]
	if right.Holds != 20 || right.FirstFailing != nil || wrong.Violated == 0 || wrong.Violated+wrong.Holds != 20 || wrong.Failing != wrong.Violated || c.ExitCode() != 1 {
		t.Fatalf("%+v, %+v", right, wrong)
	}
	for _, run := range wrong.Runs {
		if run.Verdict == scenarios.Violated {
			if again := fmt.Sprintf("--seed %d --algorithm no-channel-state", run.Seed); run.Seed != *wrong.FirstFailing || !strings.HasSuffix(wrong.Reproduce, again) {
				t.Errorf("%d fails first; %s", run.Seed, wrong.Reproduce)
			}
			break
		}
	}
	var b strings.Builder
	if err := c.WriteText(&b); err != nil || !strings.Contains(b.String(), wrong.Reproduce) {
		t.Errorf("%v: %s", err, b.String())
	}
}

// fragile is an App that panics at its third input.
type fragile struct{ inputs byte }

// Build implements apps.Builder.
func (*fragile) Build(*apps.Env) (*apps.Workload, error) {
	return &apps.Workload{
		NewApp:    func(uint64, int32) sim.App { return &fragile{} },
		NewSource: func(uint64, int32) sim.Source { return everyStep{} },
	}, nil
}

// Step implements sim.App.
func (f *fragile) Step(sim.Input, sim.Message, *sim.Effects) {
	if f.inputs++; f.inputs == 3 {
		panic("broken")
	}
}

// Save implements sim.App.
func (f *fragile) Save(buf []byte) []byte { return append(buf, f.inputs) }

// Load implements sim.App.
func (f *fragile) Load(state []byte) error { f.inputs = state[0]; return nil }

// everyStep is ten records, a millisecond apart.
type everyStep struct{}

// Record implements sim.Source.
func (everyStep) Record(k uint64) (sim.Message, int64, bool) {
	return sim.Message{Key: k}, int64(k) * ms, k < 10
}

// TestAppThatPanics: its runs are violated, and there is no run without snapshots that
// they could be held against.
func TestAppThatPanics(t *testing.T) {
	catalogue := scenarios.Default()
	catalogue.Apps = append(catalogue.Apps, apps.Kind{Name: "fragile", New: func() apps.Builder { return &fragile{} }})
	s, err := scenarios.Parse(catalogue, "fragile.yaml", []byte("graph: {nodes: [A]}\napp: {kind: fragile}\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, seeds := range []*Range{nil, {1, 3}} {
		c, err := Of(context.Background(), s, catalogue, Options{Algorithms: Usual(), Seeds: seeds})
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range c.Algorithms {
			if m := a.Runs[0].Measures; a.Violated != c.Seeds || m.Throughput != nil || m.DelayMax != nil {
				t.Errorf("%+v, %v, %v", a, m.Throughput, m.DelayMax)
			}
		}
		if c.DelayOf != "" || len(c.Notes) != 1 || !strings.Contains(c.Notes[0], "misbehaves") || c.ExitCode() != 1 {
			t.Errorf("the delay is of %q; %v; exit code %d", c.DelayOf, c.Notes, c.ExitCode())
		}
		everyForm(t, c)
	}
}
