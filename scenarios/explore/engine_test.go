package explore

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"simrun/invariants"
	"simrun/scenarios"
	"simrun/sim"
)

// walker is a Scheduler that goes at random, and looks at every step whether the search
// would have gone on in the same way.
type walker struct {
	t      *testing.T
	x      *explorer
	random *rand.Rand
	row    []uint32
	writes []sim.Step // that the search has let follow at once
	steps  int
}

func (w *walker) Pick(_ int64, enabled sim.Enabled) int {
	if len(w.writes) > 0 {
		want := w.writes[0]
		w.writes = w.writes[1:]
		for i := range enabled.Len() {
			if enabled.At(i) == want {
				return i
			}
		}
		w.t.Fatalf("the write %v is not enabled", want)
	}
	steps := w.x.enabledIn(w.row, nil)
	var search, engine []string
	for i := range steps {
		search = append(search, fmt.Sprint(w.stepOf(&steps[i])))
	}
	for i := range enabled.Len() {
		engine = append(engine, fmt.Sprint(enabled.At(i)))
	}
	slices.Sort(search)
	slices.Sort(engine)
	if !slices.Equal(search, engine) {
		w.t.Fatalf("after %d steps the search has the steps %v, the engine %v", w.steps, search, engine)
	}
	s := &steps[w.random.IntN(len(steps))]
	before := slices.Clone(w.row)
	w.x.apply(w.row, s)
	if s.input < 0 {
		w.writes = slices.Clone(w.x.nodes[s.node].own(int32(before[s.node]), s.own).writes)
	} else {
		head := w.x.contents[before[len(w.x.nodes)+int(w.x.nodes[s.node].inputs[s.input])]].head
		w.writes = slices.Clone(w.x.nodes[s.node].deliver(int32(before[s.node]), int(s.input), head).writes)
	}
	w.steps++
	for i := range enabled.Len() {
		if enabled.At(i) == w.stepOf(s) {
			return i
		}
	}
	return 0
}

func (w *walker) stepOf(s *enabledStep) sim.Step {
	if s.input < 0 {
		return s.own.step
	}
	return sim.Step{Kind: sim.StepDeliver, Entity: w.x.nodes[s.node].inputs[s.input]}
}

// TestSearchGoesAsTheEngine: on random ways the steps that the search takes for enabled
// are those that the engine does, up to the end of the run.
func TestSearchGoesAsTheEngine(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 2))
	steps := 0
	for walks := 0; walks < 500; {
		text, algorithm := drawScenario(random)
		plan := resolve(t, text, algorithm)
		if plan == nil {
			continue
		}
		walks++
		x, err := prepare(context.Background(), plan, Options{Seed: plan.Seed, Full: true})
		if err != nil {
			t.Fatal(err)
		}
		cfg := x.cfg
		w := &walker{t: t, x: x, random: random, row: make([]uint32, x.states.width)}
		cfg.Scheduler, cfg.MaxSteps = w, 300
		e, err := sim.New(&cfg)
		if err != nil {
			t.Fatal(err)
		}
		if h := e.Run(); h.End == sim.Quiescent && len(x.enabledIn(w.row, nil)) > 0 {
			t.Fatalf("the engine is at rest, the search is not\n%s under %s", text, algorithm)
		}
		steps += w.steps
	}
	if steps < 4000 {
		t.Errorf("only %d steps were compared", steps)
	}
}

// branching is a Scheduler that takes the choices of a list, and the first after them.
type branching struct {
	choices []int
	among   []int // of each choice, how many there were
}

func (b *branching) Pick(n int64, enabled sim.Enabled) int {
	if int(n) == len(b.choices) {
		b.choices = append(b.choices, 0)
	}
	b.among = append(b.among[:n], enabled.Len())
	return b.choices[n]
}

// next is the next list of choices, of those that were not taken the last ones first.
func (b *branching) next() bool {
	b.choices = b.choices[:len(b.among)]
	for i := len(b.choices) - 1; i >= 0; i-- {
		if b.choices[i]++; b.choices[i] < b.among[i] {
			b.choices = b.choices[:i+1]
			return true
		}
		b.choices = b.choices[:i]
	}
	return false
}

// TestAgainstEverySchedule: runs of the engine with every schedule one after the other,
// nothing merged, record the same snapshots with the same verdicts.
func TestAgainstEverySchedule(t *testing.T) {
	tests := []struct{ name, algorithm, text string }{
		{"two nodes", "chandy-lamport", "graph: {nodes: [a, b], channels: [[a, b], [b, a]]}\napp: {kind: bank, balance: 1, amount: 1, transfers: 1}\n"},
		{"no channel state", "no-channel-state", "graph: {nodes: [a, b], channels: [[a, b], [b, a]]}\napp: {kind: bank, balance: 1, amount: 1, transfers: 1}\n"},
		{"join", "abs", "graph: {nodes: [a, b], channels: [[a, b], [a, b]]}\napp: {kind: bank, balance: 2, amount: 1, transfers: 2}\n"},
		{"no blocking", "no-blocking", "graph: {nodes: [a, b], channels: [[a, b], [a, b]]}\napp: {kind: bank, balance: 1, amount: 1, transfers: 2}\n"},
		{"loop", "loop-no-log", "graph: {nodes: [s, h], channels: [[s, h], [h, h]]}\napp: {kind: loop, records: 1, hops: 2}\n"},
		{"by reference", "state-by-reference", "graph: {nodes: [a, b], channels: [[a, b]]}\napp: {kind: bank, balance: 1, amount: 1, transfers: 2}\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			plan := resolve(t, "version: 1\norder: chosen\nsnapshots: {at: [1]}\n"+test.text, test.algorithm)
			if plan == nil {
				t.Fatal("the scenario is not suited")
			}
			want, schedules := everySchedule(t, explorerOf(t, plan, Options{Full: true}))
			for _, options := range []Options{{Full: true}, {}} {
				x := explorerOf(t, plan, options)
				x.search(context.Background())
				got := map[string]string{}
				for key, s := range x.result.distinct {
					got[key] = strings.Join(s.Violates, " ")
				}
				if !x.result.Finished || !maps.Equal(got, want) {
					t.Errorf("with reduction %t: %d snapshots, by %d schedules one after the other %d", !options.Full, len(got), schedules, len(want))
				}
			}
			t.Logf("%d schedules, %d snapshots", schedules, len(want))
		})
	}
}

// everySchedule is the distinct snapshots that runs record, with what they violate.
func everySchedule(t *testing.T, x *explorer) (snapshots map[string]string, schedules int) {
	snapshots = map[string]string{}
	b := &branching{}
	var engine *sim.Engine
	var checker invariants.Checker
	for more := true; more; more = b.next() {
		if schedules++; schedules > 100_000 {
			t.Fatal("more schedules than a test has time for")
		}
		cfg := x.cfg
		cfg.Scheduler = b
		scenarios.Prepare(&engine, &cfg)
		run := &judgedRun{history: engine.Run()}
		run.report = x.plan.Judge(&checker, &cfg, run.history)
		for _, s := range run.history.Snapshots {
			if s.Status == sim.Complete {
				violates, _ := run.aboutSnapshot(s.ID)
				snapshots[contentOf(s)+strings.Join(violates, " ")] = strings.Join(violates, " ")
			}
		}
	}
	return snapshots, schedules
}
