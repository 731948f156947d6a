package mutants

import (
	"testing"

	"simrun/sim"
)

// finishConfig is managedConfig with tasks that finish, the lower the earlier, and without
// timeouts: a checkpoint that waits for what never comes stays pending.
func (w *world) finishConfig(seed uint64, order sim.Order, task sim.NewNode) *sim.Config {
	cfg := w.managedConfig(seed, order, func() sim.Coordinator { return coordinatorWith(0) }, task)
	cfg.Management.Finish, cfg.Management.Fails.Reorder = true, false
	source := cfg.NewSource
	cfg.NewSource = func(v int32) sim.Source {
		s := source(v)
		if s == nil {
			return nil
		}
		return bounded{s, 20 * uint64(v+1)}
	}
	return cfg
}

// finishes says that a mutant is a task that finishes: only there its mistake shows.
func (m *Mutant) finishes() bool {
	if m.New == nil {
		return false
	}
	_, ok := m.New(sim.NodeInfo{}).(sim.Drainer)
	return ok
}

// bounded is the first records of a source.
type bounded struct {
	sim.Source
	records uint64
}

func (s bounded) Record(k uint64) (m sim.Message, at int64, ok bool) {
	if k >= s.records {
		return m, 0, false
	}
	return s.Source.Record(k)
}

// Nothing is wrong on the same runs with the right task, nor with what the mutants are made
// from, and checkpoints complete for which tasks had finished.
func TestRightFinishingLives(t *testing.T) {
	plainTask := func(info sim.NodeInfo) sim.Node { n := newFinishing(info); return newFinisher(&n) }
	for _, right := range []struct {
		name string
		task sim.NewNode
	}{{"abs", rightTask}, {"finishing", plainTask}} {
		for _, w := range managedWorlds() {
			finished := 0
			for _, order := range []sim.Order{sim.Timed, sim.Chosen} {
				for seed := range uint64(managedSeeds) {
					h, report := runManaged(w.finishConfig(seed, order, right.task))
					if !report.Holds() || h.End != sim.Quiescent {
						t.Fatalf("%s on %s, order %d, seed %d, ended %d: %v", right.name, w.name, order, seed, h.End, report.Violations)
					}
					for _, m := range h.Published {
						if m.Finished[0] {
							finished++
						}
					}
				}
			}
			t.Logf("%s on %s: %d checkpoints with finished tasks", right.name, w.name, finished)
			if finished < 20 && w.name != "complete" { // where every node is part of a loop, none finishes
				t.Errorf("%s on %s: %d checkpoints with finished tasks", right.name, w.name, finished)
			}
		}
	}
}
