package shrink

import (
	"bytes"
	"strings"
	"testing"

	"simrun/algorithms/mutants"
	"simrun/scenarios"
	"simrun/scenarios/generate"
	"simrun/scenarios/reproducer"
)

var catalogue = scenarios.Default()

// failing is the run of the first generated scenario that convicts a wrong algorithm of
// what it has to be convicted of.
func failing(t *testing.T, name, invariant string, family func(uint64) *scenarios.Scenario) *reproducer.Reproducer {
	t.Helper()
	for seed := uint64(1); seed < 400; seed++ {
		plan, err := family(seed).Resolve(catalogue, scenarios.Overrides{Algorithm: name})
		if err != nil {
			continue
		}
		res := plan.NewRunner().Run(plan.Seed)
		if res.Verdict != scenarios.Violated || res.Violations[0].Invariant != invariant {
			continue
		}
		r, _, err := reproducer.Of(catalogue, plan, plan.Seed, "test")
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	t.Fatalf("%s violates %s with no seed", name, invariant)
	return nil
}

// TestMutants: of every wrong algorithm a run is left with at most 4 nodes and 20
// deliveries that violates the same, and in whose scenario the right algorithm does not.
func TestMutants(t *testing.T) {
	shrunk := 0
	for _, m := range mutants.All() {
		if m.Coordinator != nil {
			continue
		}
		r := failing(t, m.Name, m.Catches, generate.Scenario)
		s, err := Shrink(catalogue, r, Limits{})
		if err != nil {
			t.Errorf("%s: %v", m.Name, err)
			continue
		}
		shrunk++
		if s.To.Nodes > 4 || s.To.Deliveries > 20 || s.Ended != "" {
			t.Errorf("%s: %v, %s", m.Name, s.To, s.Ended)
		}
		if got := targetOf(s.Reproducer.Violation); got.invariant != m.Catches {
			t.Errorf("%s: what is left violates %s", m.Name, got.invariant)
		}
		var file bytes.Buffer
		if err := s.Reproducer.Write(&file); err != nil {
			t.Fatal(err)
		}
		again, err := reproducer.Parse(catalogue, "small.yaml", file.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		if o := again.Replay(false); o.Outcome != reproducer.Reproduced || o.ExitCode() != 1 {
			t.Errorf("%s: %s, exit code %d", m.Name, o.Outcome, o.ExitCode())
		}
		right := m.Base
		plan, err := s.Reproducer.Plan.Scenario.Resolve(catalogue, scenarios.Overrides{Algorithm: right})
		if err != nil {
			t.Errorf("%s: the scenario is nothing for %s: %v", m.Name, right, err)
			continue
		}
		for seed := range uint64(20) {
			if res := plan.NewRunner().Run(seed); res.Verdict != scenarios.Holds {
				t.Errorf("%s: with seed %d %s is %s in this scenario", m.Name, seed, right, res.Verdict)
			}
		}
	}
	if shrunk < 35 {
		t.Errorf("only %d runs were made smaller", shrunk)
	}
}

// TestDeterministic: the result is the same to the last byte, and a limit on the runs
// ends the work early and says so.
func TestDeterministic(t *testing.T) {
	r := failing(t, "no-channel-state", "channel-state", generate.Scenario)
	var texts [2]bytes.Buffer
	for i := range texts {
		s, err := Shrink(catalogue, r, Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Reproducer.Write(&texts[i]); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(texts[0].Bytes(), texts[1].Bytes()) {
		t.Error("the same work has two results")
	}
	s, err := Shrink(catalogue, r, Limits{Runs: 40})
	if err != nil || s.Ended == "" || s.Runs > 40 || s.Reproducer.Replay(false).Outcome != reproducer.Reproduced {
		t.Errorf("%+v, %v", s, err)
	}
}

// TestUnder: runs of wrong coordinators and tasks are made as small.
func TestUnder(t *testing.T) {
	for _, m := range mutants.Managed() {
		s, err := Shrink(catalogue, failing(t, m.Name, m.Catches, generate.Coordinated), Limits{})
		if err != nil {
			t.Errorf("%s: %v", m.Name, err)
			continue
		}
		if s.To.Nodes > 4 || s.To.Deliveries > 20 || s.Ended != "" {
			t.Errorf("%s: %v, %s", m.Name, s.To, s.Ended)
		}
	}
}

// TestPicture: the picture has a column for each node and what happens there.
func TestPicture(t *testing.T) {
	s, err := Shrink(catalogue, failing(t, "late-markers", "consistent-cut", generate.Scenario), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	text := Picture(s.Reproducer)
	for _, word := range append(s.Reproducer.Plan.Graph.Nodes, "in 1", "[1]", "begin 1", "<1", "M1>") {
		if !strings.Contains(text, word) {
			t.Errorf("no %q in\n%s", word, text)
		}
	}
}

// TestNothingToShrink: a run in which nothing is violated is refused.
func TestNothingToShrink(t *testing.T) {
	plan, err := generate.Scenario(1).Resolve(catalogue, scenarios.Overrides{Algorithm: "chandy-lamport"})
	if err != nil {
		t.Fatal(err)
	}
	r, _, err := reproducer.Of(catalogue, plan, plan.Seed, "test")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Shrink(catalogue, r, Limits{}); err == nil {
		t.Error("something was made smaller")
	}
}

// TestWhatWasLeftOpen: of a run that a search has found what the search chose is planned,
// and what is not needed is left out.
func TestWhatWasLeftOpen(t *testing.T) {
	crashes := 0
	for _, name := range []string{"no-channel-state", "log-ignored", "no-blocking"} {
		r := failing(t, name, scenarios.Default().Algorithm(name).Catches, generate.Searched)
		s, err := Shrink(catalogue, r, Limits{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		left := s.Reproducer.Plan.Scenario
		if left.Snapshots.Any != 0 || len(left.Snapshots.At) == 0 {
			t.Errorf("%s: snapshots %+v", name, left.Snapshots)
		}
		for _, f := range left.Faults {
			crashes++
			if f.Times != nil || f.Step == nil {
				t.Errorf("%s: %s", name, f)
			}
		}
		if s.To.Nodes > 4 || s.To.Deliveries > 20 {
			t.Errorf("%s: %v", name, s.To)
		}
	}
	if crashes == 0 {
		t.Error("no crash is left anywhere: the runs show nothing of them")
	}
}
