package crashmatrix_test

import (
	"context"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"simrun/algorithms/coordinator"
	"simrun/scenarios"
	"simrun/scenarios/crashmatrix"
	"simrun/sim"
)

const ms = 1_000_000

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

// coordinated is a plan with a coordinator.
func coordinated(p *scenarios.Plan) *scenarios.Plan {
	return p.Changed(func(cfg *sim.Config) {
		settings := coordinator.Settings{
			Interval: cfg.Snapshots.Every, Timeout: 0, Tolerable: 3, Retained: 2, MaxConcurrent: 1,
			Restart: coordinator.Restart{Delay: 2 * ms},
		}
		cfg.NewNode = coordinator.Task(cfg.NewNode)
		cfg.Management = sim.ManagementPlan{
			New: coordinator.New(settings), Sources: p.Initiators,
			Delay: sim.Dist{Kind: sim.Uniform, Low: ms, High: 3 * ms}, Read: sim.Dist{Low: ms},
		}
		cfg.Snapshots = sim.SnapshotPlan{Initiators: p.Initiators}
	})
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

// TestEveryCrashIsSurvived: in the word count, the loop and the Flink plan every node,
// and the coordinator, comes to every phase that it has, and every recovery is right.
func TestEveryCrashIsSurvived(t *testing.T) {
	for name, want := range map[string]int{"wordcount-crash": 104, "loop-crash": 49, "flink-plan": 358} {
		m := matrix(coordinated(plan(t, name)), false)
		if n := m.Count(); n != (crashmatrix.Count{Possible: want, Reached: want, Holds: want}) || m.ExitCode() != 0 {
			t.Errorf("%s: %+v of %d, exit code %d", name, n, want, m.ExitCode())
		}
		for i := range m.Cells {
			if c := &m.Cells[i]; c.Possible && (len(c.Restored) == 0 || c.Restored[0] == 0 || c.Outputs != "at-least-once") {
				t.Errorf("%s: %s at %s: restored %d, outputs %s", name, c.Phase, c.Node, c.Restored, c.Outputs)
			}
		}
		head := cell(t, m, "publishing", "coordinator")
		if head.Restored[0] != 1 {
			t.Errorf("%s: what the coordinator was writing when it crashed was restored: %d", name, head.Restored)
		}
		if c := cell(t, m, "complete", "coordinator"); c.Restored[0] != 2 {
			t.Errorf("%s: what was durable when the coordinator crashed was not restored: %d", name, c.Restored)
		}
	}
}

// TestTwoCrashesAreSurvived: two at a time, in the loop, whose head replays a log.
func TestTwoCrashesAreSurvived(t *testing.T) {
	p := matrix(coordinated(plan(t, "loop-crash")), true).Pairs
	if p.Of != 49*48/2 || len(p.Runs) != crashmatrix.MostPairs || p.LeftOut != p.Of-len(p.Runs) || p.Both < 900 || p.Both+p.One+p.Neither != len(p.Runs) {
		t.Errorf("%d pairs, %d run, %d left out; both reached in %d, one in %d, none in %d", p.Of, len(p.Runs), p.LeftOut, p.Both, p.One, p.Neither)
	}
	inRecovery, seen := 0, map[[4]string]bool{}
	for i := range p.Runs {
		x := &p.Runs[i]
		if x.Verdict != scenarios.Holds {
			t.Errorf("%v: %s: %v", x.Faults, x.Verdict, x.Violated)
		}
		if (x.Second.Phase == "restoring" || x.Second.Phase == "replaying") && x.First.Reached && x.Second.Reached {
			inRecovery++
		}
		seen[[4]string{x.First.Phase, x.First.Node, x.Second.Phase, x.Second.Node}] = true
	}
	if inRecovery < 100 || len(seen) != len(p.Runs) {
		t.Errorf("%d crashes during a recovery, %d different pairs", inRecovery, len(seen))
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
	doc, err := os.ReadFile("../../docs/json.md")
	if err != nil {
		t.Fatal(err)
	}
	for title, value := range map[string]any{
		"## crashmatrix": crashmatrix.Matrix{}, "### An entry of cells": crashmatrix.Cell{}, "### The object pairs": crashmatrix.Pairs{},
		"### An entry of pairs.runs": crashmatrix.Pair{}, "### The objects first and second": crashmatrix.Place{},
	} {
		_, section, _ := strings.Cut(string(doc), "\n"+title+"\n")
		section, _, _ = strings.Cut(section, "\n#")
		var got []string
		for line := range strings.Lines(section) {
			if first, _, ok := strings.Cut(strings.TrimPrefix(line, "| "), " | "); ok && strings.HasPrefix(line, "| `") {
				for _, name := range strings.Split(first, ", ") {
					got = append(got, strings.Trim(name, "`"))
				}
			}
		}
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
