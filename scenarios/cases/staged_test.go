package cases

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"simrun/invariants"
	"simrun/scenarios"
	"simrun/sim"
)

// staged is a scenario whose configuration a test changes before it plays.
type staged struct {
	t    *testing.T
	plan *scenarios.Plan
	sim.Config
}

// stage makes one of a scenario's text; algorithm is instead of the one that it names,
// or nothing.
func stage(t *testing.T, text, algorithm string) *staged {
	t.Helper()
	c := scenarios.Default()
	scenario, err := scenarios.Parse(c, "case.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	plan, err := scenario.Resolve(c, scenarios.Overrides{Algorithm: algorithm})
	if err != nil {
		t.Fatal(err)
	}
	return &staged{t, plan, plan.Config(plan.Seed)}
}

// stageFile makes one of a scenario file.
func stageFile(t *testing.T, file, algorithm string) *staged {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "testdata", "scenarios", file))
	if err != nil {
		t.Fatal(err)
	}
	return stage(t, string(text), algorithm)
}

// play carries it out.
func (s *staged) play() *invariants.Run {
	s.t.Helper()
	e, err := sim.New(&s.Config)
	if err != nil {
		s.t.Fatal(err)
	}
	run := invariants.Of(&s.Config, e.Run())
	run.Aligned = s.plan.Algorithm.Aligned
	run.NodeName = func(v int32) string { return s.plan.Graph.Nodes[v] }
	run.ChannelName = s.plan.Graph.ChannelName
	return run
}

// bare carries it out without snapshots.
func (s *staged) bare() *invariants.Run {
	s.t.Helper()
	without := *s
	without.Snapshots = sim.SnapshotPlan{Initiators: s.Snapshots.Initiators}
	return without.play()
}

// node is the id of a node.
func (s *staged) node(name string) int32 { return int32(slices.Index(s.plan.Graph.Nodes, name)) }

// state is what a node's App shows of one of its states.
func state[T any](s *staged, node string, saved []byte) T {
	s.t.Helper()
	app := s.plan.Workload.NewApp(s.plan.Seed, s.node(node))
	if err := app.Load(saved); err != nil {
		s.t.Fatal(err)
	}
	return app.(sim.Describer).Describe().(T)
}

// holds demands that nothing is wrong with a run.
func holds(t *testing.T, what string, run *invariants.Run) {
	t.Helper()
	if report := invariants.Check(run, nil); !report.Holds() || run.History.End != sim.Quiescent {
		t.Errorf("%s: ends as %d, with %v", what, run.History.End, report.Violations)
	}
}

// violates demands a violation with this text.
func violates(t *testing.T, what string, run *invariants.Run, invariant, text string) {
	t.Helper()
	report := invariants.Check(run, nil)
	for _, v := range report.Violations {
		if v.Invariant == invariant && strings.Contains(v.Detail, text) {
			return
		}
	}
	t.Errorf("%s: nothing violates %s with %q, but %v", what, invariant, text, report.Violations)
}

// emissions is what left the system, in order.
func emissions(h *sim.History) (rows []sim.Row) {
	for _, row := range h.Rows {
		if row.Kind() == sim.RowEmit {
			rows = append(rows, row)
		}
	}
	return rows
}
