package simtest

import (
	"testing"

	"simrun/algorithms/mutants"
	"simrun/scenarios"
	"simrun/scenarios/reproducer"
	"simrun/sim"
)

// experimentIn is an experiment whose reproducers lie in a folder of its own.
func experimentIn(t *testing.T, dir string, algorithm sim.NewNode, options ...Option) *experiment {
	t.Helper()
	s, err := newSettings(algorithm, options)
	if err != nil {
		t.Fatal(err)
	}
	x := newExperiment(t.Name(), s)
	x.home.work = dir
	return x
}

// promises is what a mutant says of itself: what the right one does.
func promises(m mutants.Mutant) []Option {
	if m.Base == "abs" {
		return []Option{Named(m.Name), Aligned(), BackEdges()}
	}
	return []Option{Named(m.Name), Invisible()}
}

// TestMutants: every wrong algorithm that shows without a coordinator is found within the
// usual number of runs, on graphs of any kind, and the run that is kept is small and
// violates the same when it is read again. A wrong algorithm may violate another invariant
// first than the one that must catch it: they are different scenarios.
func TestMutants(t *testing.T) {
	for _, m := range mutants.All() {
		t.Run(m.Name, func(t *testing.T) {
			t.Parallel()
			x := experimentIn(t, t.TempDir(), m.New, append(promises(m), AnyGraph(1, 6))...)
			f := x.search(1, x.runs)
			if f == nil {
				t.Fatalf("not found in %d runs", x.runs)
			}
			if f.to.Nodes > 4 || f.to.Deliveries > 20 {
				t.Error(f.to)
			}
			r, err := reproducer.Read(x.catalogue, f.file)
			if err != nil {
				t.Fatal(err)
			}
			if o := r.Replay(false); o.Outcome != reproducer.Reproduced || o.ExitCode() != 1 {
				t.Errorf("%s, exit code %d", o.Outcome, o.ExitCode())
			}
			if kept := files(t, x.home.path("")); len(kept) != 1 {
				t.Error(kept)
			}
		})
	}
}

// TestMutantsCoordinated: so are wrong coordinators, tasks of one and transactional sinks.
func TestMutantsCoordinated(t *testing.T) {
	n := 0
	for _, a := range scenarios.Default().Algorithms {
		if !a.Wrong || !a.Coordinated {
			continue
		}
		n++
		x := experimentIn(t, t.TempDir(), a.New, Algorithm(a))
		at := 0
		for seed := 1; seed <= x.runs && at == 0; seed++ {
			if x.run(x.scenarios().Example(seed), "", "").wrong() != "" {
				at = seed
			}
		}
		t.Log(a.Name, at)
		if at == 0 {
			t.Errorf("%s is not found", a.Name)
		}
	}
	if n < 20 {
		t.Errorf("only %d wrong ones", n)
	}
}

// TestMutantsStronglyConnected: those of Chandy and Lamport's algorithm on the graphs that
// their paper is about.
func TestMutantsStronglyConnected(t *testing.T) {
	for _, m := range mutants.All() {
		if m.Base == "abs" {
			continue
		}
		x := experimentIn(t, t.TempDir(), m.New, append(promises(m), StronglyConnected(2, 6), Crashes(0, 2))...)
		found := false
		for seed := 1; seed <= x.runs && !found; seed++ {
			found = x.run(x.scenarios().Example(seed), "", "").wrong() != ""
		}
		if !found {
			t.Errorf("%s is not found", m.Name)
		}
	}
}
