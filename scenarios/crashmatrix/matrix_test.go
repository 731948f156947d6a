package crashmatrix_test

import (
	"context"
	"flag"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"simrun/scenarios"
	"simrun/scenarios/crashmatrix"
	"simrun/scenarios/documented"
	"simrun/sim"
)

// plan is a scenario of testdata.
func plan(t *testing.T, name string) *scenarios.Plan {
	t.Helper()
	c := scenarios.Default()
	s, err := scenarios.Load(c, "../../testdata/scenarios/"+name+".yaml")
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.Resolve(c, scenarios.Overrides{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

var most = flag.Int("pairs", 300, "how many pairs of crashes are run of each scenario with transactional sinks")

// transactional is the scenario files with a coordinator and transactional sinks, and how
// many pairs of a phase and a node they have.
var transactional = map[string]int{"transactional-wordcount": 71, "transactional-loop": 49, "transactional-flink-plan": 358}

// TestEveryCrashIsSurvived: in the word count, the loop and the Flink plan every node,
// and the coordinator, comes to every phase that it has, every recovery is right, and
// every output leaves once.
func TestEveryCrashIsSurvived(t *testing.T) {
	for name, want := range transactional {
		m := matrix(plan(t, name), false)
		if n := m.Count(); n != (crashmatrix.Count{Possible: want, Reached: want, Holds: want}) || m.ExitCode() != 0 {
			t.Errorf("%s: %+v of %d, exit code %d", name, n, want, m.ExitCode())
		}
		for i := range m.Cells {
			if c := &m.Cells[i]; c.Possible && (len(c.Restored) == 0 || c.Outputs != "exactly-once") {
				t.Errorf("%s: %s at %s: restored %d, outputs %s", name, c.Phase, c.Node, c.Restored, c.Outputs)
			}
		}
		if c := cell(t, m, "publishing", "coordinator"); c.Restored[0] != 1 {
			t.Errorf("%s: what the coordinator was writing when it crashed was restored: %d", name, c.Restored)
		}
		if c := cell(t, m, "complete", "coordinator"); c.Restored[0] != 2 {
			t.Errorf("%s: what was durable when the coordinator crashed was not restored: %d", name, c.Restored)
		}
	}
}

// TestTwoCrashesAreSurvived: the same for two crashes at a time, all of them or many, spread
// evenly: both happen, and every phase and every node is among them.
func TestTwoCrashesAreSurvived(t *testing.T) {
	for name, cells := range transactional {
		m := crashmatrix.Of(context.Background(), plan(t, name), 1, crashmatrix.Options{Workers: runtime.GOMAXPROCS(0), Pairs: true, MostPairs: *most})
		p := m.Pairs
		t.Logf("%s: %d pairs, %d run, both reached in %d", name, p.Of, len(p.Runs), p.Both)
		if p.Of != cells*(cells-1)/2 || len(p.Runs) != min(p.Of, *most) || p.Both != len(p.Runs) || m.ExitCode() != 0 {
			t.Errorf("%s: %d pairs, %d run, %d left out; both reached in %d, one in %d; exit code %d", name, p.Of, len(p.Runs), p.LeftOut, p.Both, p.One, m.ExitCode())
		}
		seen, inRecovery, different := map[string]bool{}, 0, map[[4]string]bool{}
		for i := range p.Runs {
			x := &p.Runs[i]
			different[[4]string{x.First.Phase, x.First.Node, x.Second.Phase, x.Second.Node}] = true
			if x.Second.Phase == "restoring" || x.Second.Phase == "replaying" {
				inRecovery++
			}
			for _, place := range []crashmatrix.Place{x.First, x.Second} {
				seen[place.Phase], seen[place.Node] = true, true
			}
			if !x.First.Reached || !x.Second.Reached || x.Verdict != scenarios.Holds || x.Outputs != "exactly-once" {
				t.Errorf("%s: %v: %+v, %+v, %s, outputs %s", name, x.Faults, x.First, x.Second, x.Verdict, x.Outputs)
			}
		}
		if inRecovery < 20 || len(different) != len(p.Runs) {
			t.Errorf("%s: %d crashes during a recovery, %d different pairs", name, inRecovery, len(different))
		}
		for _, what := range slices.Concat(m.Nodes, m.Phases) {
			if !seen[what] && slices.ContainsFunc(m.Cells, func(c crashmatrix.Cell) bool { return c.Reached && (c.Phase == what || c.Node == what) }) {
				t.Errorf("%s: no pair has %s", name, what)
			}
		}
	}
}

// matrix is the matrix of a plan, with the scenario's seed.
func matrix(p *scenarios.Plan, pairs bool) *crashmatrix.Matrix {
	return crashmatrix.Of(context.Background(), p, p.Seed, crashmatrix.Options{Workers: runtime.GOMAXPROCS(0), Pairs: pairs})
}

// cell is the entry of a phase and a node.
func cell(t *testing.T, m *crashmatrix.Matrix, phase, node string) *crashmatrix.Cell {
	t.Helper()
	for i := range m.Cells {
		if m.Cells[i].Phase == phase && m.Cells[i].Node == node {
			return &m.Cells[i]
		}
	}
	t.Fatalf("no cell of %s at %s", phase, node)
	return nil
}

// TestEveryCrashOfFinishedTasksIsSurvived: so does every node where some have finished, and
// outputs leave exactly once.
func TestEveryCrashOfFinishedTasksIsSurvived(t *testing.T) {
	m := matrix(plan(t, "finished-source"), false)
	if n := m.Count(); n != (crashmatrix.Count{Possible: 60, Reached: 60, Holds: 60}) || m.ExitCode() != 0 {
		t.Errorf("%+v, exit code %d", n, m.ExitCode())
	}
	for i := range m.Cells {
		if c := &m.Cells[i]; c.Possible && c.Outputs != "exactly-once" {
			t.Errorf("%s at %s: outputs %s", c.Phase, c.Node, c.Outputs)
		}
	}
}

// TestPartialRecovery: what has one input is restored with its source alone, and nothing
// leaves twice. What merges is not, as it sends something else the second time.
func TestPartialRecovery(t *testing.T) {
	m := matrix(plan(t, "partial-recovery"), false)
	if n := m.Count(); n.Reached < n.Possible || n.Holds < 80 {
		t.Errorf("%+v", n)
	}
	for i := range m.Cells {
		c := &m.Cells[i]
		if !c.Possible || c.Phase == "restoring" { // which another node comes to, too
			continue
		}
		kind, _, _ := strings.Cut(c.Node, "-")
		want := map[string]string{"read": "exactly-once", "map": "exactly-once", "out": "at-least-once", "coordinator": "at-least-once"}[kind]
		switch {
		case kind == "count" && !(c.Verdict == scenarios.Violated && slices.Contains(c.Violated, "recovery")),
			kind != "count" && !(c.Verdict == scenarios.Holds && c.Outputs == want):
			t.Errorf("%s at %s: %s, outputs %s, %v", c.Phase, c.Node, c.Verdict, c.Outputs, c.Violated)
		}
	}
}

// TestWrongOnesDoNotSurvive: a log that is not saved, and inputs that are not blocked.
func TestWrongOnesDoNotSurvive(t *testing.T) {
	for _, wrong := range []struct{ file, algorithm, node, broken string }{
		{"loop-crash", "no-backup-log", "worker", "channel-state"},
		{"wordcount-crash", "no-blocking", "sink-0", "abs-staged"},
	} {
		c := scenarios.Default()
		s, err := scenarios.Load(c, "../../testdata/scenarios/"+wrong.file+".yaml")
		if err != nil {
			t.Fatal(err)
		}
		p, err := s.Resolve(c, scenarios.Overrides{Algorithm: wrong.algorithm})
		if err != nil {
			t.Fatal(err)
		}
		m := matrix(p, false)
		if n := m.Count(); n.Violated < 20 || m.ExitCode() != 1 {
			t.Errorf("%s: %+v, exit code %d", wrong.algorithm, n, m.ExitCode())
		}
		if c := cell(t, m, "recorded", wrong.node); !slices.Contains(c.Violated, wrong.broken) {
			t.Errorf("%s: %v is violated, want %s", wrong.algorithm, c.Violated, wrong.broken)
		}
	}
}

// TestNeverReachedIsNoSuccess: without any snapshot nobody comes to a phase, and none
// counts as reached or as holding.
func TestNeverReachedIsNoSuccess(t *testing.T) {
	p := plan(t, "loop-crash").Changed(func(cfg *sim.Config) { cfg.Snapshots.Every = 0 })
	m := matrix(p, true)
	if n := m.Count(); n != (crashmatrix.Count{Possible: 32}) {
		t.Errorf("%+v", n)
	}
	var b strings.Builder
	if err := m.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"32 pairs of a phase and a node: 0 reached, 32 never; of those reached 0 hold\n", "never reached: saving at source, head, worker, sink\n", "two at a time: 0 pairs"} {
		if !strings.Contains(b.String(), line) {
			t.Errorf("the report lacks %q:\n%s", line, &b)
		}
	}
}

// TestInterrupted: what is not done is not shown as done.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	m := crashmatrix.Of(ctx, plan(t, "loop-crash"), 1, crashmatrix.Options{Workers: 1, Pairs: true})
	var b strings.Builder
	if err := m.WriteText(&b); err != nil || !m.Interrupted || m.ExitCode() != 130 || !strings.Contains(b.String(), "interrupted") {
		t.Errorf("%v, exit code %d:\n%s", err, m.ExitCode(), &b)
	}
}

// TestJSONIsDocumented: docs/json.md has the fields, and no others.
func TestJSONIsDocumented(t *testing.T) {
	for title, value := range map[string]any{
		"## crashmatrix": crashmatrix.Matrix{}, "### An entry of cells": crashmatrix.Cell{}, "### The object pairs": crashmatrix.Pairs{},
		"### An entry of pairs.runs": crashmatrix.Pair{}, "### The objects first and second": crashmatrix.Place{},
	} {
		got := documented.Names(t, "json.md", title)
		var want []string
		for _, f := range reflect.VisibleFields(reflect.TypeOf(value)) {
			if name := f.Tag.Get("json"); name != "" {
				want = append(want, name)
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: the fields are\n%v, docs/json.md has\n%v", title, want, got)
		}
	}
}
