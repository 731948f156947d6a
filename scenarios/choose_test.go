package scenarios

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"simrun/scenarios/search"
	"simrun/sim"
)

// openScenario leaves all that can be left open to the search.
const openScenario = `
algorithm: ALGORITHM
order: chosen
graph: {nodes: [a, b, c], channels: [[a, b], [b, c], [c, a], [a, c]]}
app: {kind: bank, transfers: 8}
network: {channels: {c->a: {lose: {any: 1}}}}
snapshots: {any: 3}
faults: [{crash: any, times: 2}, {crash: [a, b]}]
`

// byStrategy makes a plan of a scenario's text with a strategy of the command line.
func byStrategy(t *testing.T, text, strategy string, depth *int, seed *uint64) *Plan {
	t.Helper()
	s, err := Parse(Default(), "test.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.Resolve(Default(), Overrides{Strategy: strategy, Depth: depth, Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestStrategiesAreDeterministic: a run depends on its seed and strategy, not on the runs
// before it; and what it has chosen, given back, makes the same run. Whatever is left
// open comes, now and then.
func TestStrategiesAreDeterministic(t *testing.T) {
	text := strings.Replace(strings.Replace(openScenario, "ALGORITHM", "chandy-lamport", 1), "{crash: [a, b]}", "{crash: [a, b], times: 1}", 1)
	for _, s := range SearchStrategies() {
		taken := map[sim.Step]int{}
		plan := byStrategy(t, text, s.Name, nil, nil)
		runner := plan.NewRunner()
		for seed := range uint64(40) {
			want := runner.Run(seed).Digest
			res, course := plan.NewRunner().Record(seed)
			if res.Digest != want {
				t.Fatalf("%s, seed %d: digest %s after other runs, %s alone", s.Name, seed, want, res.Digest)
			}
			if _, divergence := plan.NewRunner().Follow(seed, course, false); divergence != nil {
				t.Fatalf("%s, seed %d: %v", s.Name, seed, divergence)
			}
			for _, step := range course.Steps {
				taken[step]++
				if again, err := ParseStep(FormatStep(step)); err != nil || again != step {
					t.Fatalf("%+v is written as %q and read as %+v, %v", step, FormatStep(step), again, err)
				}
			}
		}
		for _, step := range []sim.Step{{Kind: sim.StepSnapshot}, {Kind: sim.StepLose, Entity: 2},
			{Kind: sim.StepCrash, Entity: 2}, {Kind: sim.StepCrash, Entity: 1, Index: 1}} {
			if taken[step] == 0 {
				t.Errorf("%s: never: %s", s.Name, plan.DescribeStep(step))
			}
		}
		if taken[sim.Step{Kind: sim.StepCrash, Entity: 2, Index: 1}] > 0 {
			t.Errorf("%s: the second fault crashes a node that it does not name", s.Name)
		}
	}
}

// TestRandomIsTheDefault: the strategy random makes the runs that there are without one.
func TestRandomIsTheDefault(t *testing.T) {
	const text = "order: chosen\nfaults: [{crash: n1, step: 40}]"
	for seed := range uint64(10) {
		want := mustResolve(t, text).NewRunner().Run(seed)
		got := byStrategy(t, text, "random", nil, nil).NewRunner().Run(seed)
		if got.Digest != want.Digest || *got.Search != *want.Search || want.Search.Strategy != search.Random {
			t.Errorf("seed %d: digest %s by %+v, %s by %+v", seed, want.Digest, want.Search, got.Digest, got.Search)
		}
	}
	if res := mustResolve(t, "version: 1").NewRunner().Run(1); res.Search != nil {
		t.Errorf("in timed order the order is chosen by %+v", res.Search)
	}
}

// TestSearchFinds: a sweep says which strategy has found what, and each of its lines makes
// the run again, alone.
func TestSearchFinds(t *testing.T) {
	text := strings.Replace(strings.Replace(openScenario, "ALGORITHM", "no-channel-state", 1), "network", "# network", 1)
	text = strings.Replace(text, ", {crash: [a, b]}", "", 1)
	var first []byte
	for _, workers := range []int{1, 3} {
		sweep := byStrategy(t, text, search.Portfolio, nil, nil).Sweep(context.Background(), 3, 62, workers, nil)
		if first == nil {
			first = asJSON(sweep)
		}
		if !bytes.Equal(asJSON(sweep), first) {
			t.Errorf("on %d cores: %s instead of %s", workers, asJSON(sweep), first)
		}
		runs := int64(0)
		for _, tried := range sweep.Strategies {
			runs += tried.Runs
			if tried.Failing == 0 || tried.Failing == tried.Runs {
				t.Errorf("%s fails in %d of %d runs", tried.Searched, tried.Failing, tried.Runs)
			}
		}
		if runs != 60 || len(sweep.Strategies) != len(search.Members()) || len(sweep.Found) != len(sweep.FailingSeeds) {
			t.Fatalf("%d runs by %d strategies; %d of %d found", runs, len(sweep.Strategies), len(sweep.Found), len(sweep.FailingSeeds))
		}
		for _, found := range sweep.Found {
			res := byStrategy(t, text, found.Strategy, found.Depth, &found.Seed).NewRunner().Run(found.Seed)
			if res.Reproduce != found.Reproduce || !strings.Contains(found.Reproduce, " --strategy "+found.Strategy) {
				t.Errorf("seed %d: %s, and again %s", found.Seed, found.Reproduce, res.Reproduce)
			}
			if len(found.Invariants) == 0 || !slices.ContainsFunc(res.Violations, func(v ViolationResult) bool { return v.Invariant == found.Invariants[0] }) {
				t.Errorf("%s: %v instead of %v", found.Reproduce, res.Violations, found.Invariants)
			}
		}
	}
}

// TestStrategyInAFile: it is printed with its depth, and read again; the command line
// stands above it, and a depth of the file's is not for another strategy.
func TestStrategyInAFile(t *testing.T) {
	two := 2
	for _, test := range []struct {
		file, strategy string
		depth          *int
		want           string
	}{
		{"{strategy: pct}", "", nil, "search: {strategy: pct, depth: 3}"},
		{"{strategy: pct, depth: 5}", "", nil, "search: {strategy: pct, depth: 5}"},
		{"{strategy: pct, depth: 5}", "pct", nil, "search: {strategy: pct, depth: 5}"},
		{"{strategy: pct, depth: 5}", "", &two, "search: {strategy: pct, depth: 2}"},
		{"{strategy: pct, depth: 5}", "delay", nil, "search: {strategy: delay, depth: 2}"},
		{"{strategy: delay, depth: 0}", "", nil, "search: {strategy: delay, depth: 0}"},
		{"{strategy: pct, depth: 5}", "pos", nil, "search: {strategy: pos}"},
		{"{}", "portfolio", nil, "search: {strategy: portfolio}"},
	} {
		p := byStrategy(t, "order: chosen\nsearch: "+test.file, test.strategy, test.depth, nil)
		printed := resolvedText(t, p)
		if !strings.Contains(printed, test.want+"\n") {
			t.Errorf("%+v: no %q in\n%s", test, test.want, printed)
		}
		if again := mustResolve(t, printed); again.search != p.search {
			t.Errorf("%+v is read again as %+v", p.search, again.search)
		}
	}
	if printed := resolvedText(t, mustResolve(t, "order: chosen")); strings.Contains(printed, "search") {
		t.Errorf("a search that nobody asked for:\n%s", printed)
	}
}

// TestNodeNamedAny: a node may have the name that stands for all, and then is meant.
func TestNodeNamedAny(t *testing.T) {
	const text = "order: chosen\ngraph: {nodes: [any, b], channels: [[any, b], [b, any]]}\nfaults: [{crash: any, times: 1}]"
	if f := mustResolve(t, text).config.Faults[0]; !slices.Equal(f.Nodes, []int32{0}) || f.Times != 1 {
		t.Errorf("%+v", f)
	}
	p := mustResolve(t, "order: chosen\ngraph: {generate: ring, nodes: 3}\ncoordinator: {}\nfaults: [{crash: any}]")
	if f := p.config.Faults[0]; !slices.Equal(f.Nodes, []int32{0, 1, 2, 3}) || f.Times != 1 {
		t.Errorf("with a coordinator, %+v", f)
	}
}

// TestCoordinatorCrashesAnyTime: it is among those that may crash, also more than once,
// and the runs hold.
func TestCoordinatorCrashesAnyTime(t *testing.T) {
	plan := byStrategy(t, "algorithm: abs\norder: chosen\ngraph: {generate: ring, nodes: 3}\ncoordinator: {timeout: 0ns}\nfaults: [{crash: any, times: 4}]", search.Portfolio, nil, nil)
	runner, crashes, restores := plan.NewRunner(), int64(0), int64(0)
	for seed := range uint64(60) {
		o := runner.Outcome(seed)
		if o.Verdict != Holds {
			t.Errorf("seed %d: %s %v", seed, o.Verdict, o.Broken)
		}
		crashes, restores = crashes+o.Exercised.CoordinatorCrashes, restores+int64(len(o.Restored))
	}
	if crashes < 20 || restores < 60 {
		t.Errorf("%d crashes of the coordinator, %d restores", crashes, restores)
	}
}

// TestNoCheckpointsOfOpenRuns: a checkpoint does not say how many choices are left.
func TestNoCheckpointsOfOpenRuns(t *testing.T) {
	plan := mustResolve(t, "order: chosen\nsnapshots: {any: 2}")
	if _, err := plan.Keep(t.TempDir(), 0); err == nil || !strings.Contains(err.Error(), "how many of them are left") {
		t.Errorf("%v", err)
	}
}
