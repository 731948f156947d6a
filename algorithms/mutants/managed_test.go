package mutants

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	realabs "simrun/algorithms/abs"
	realcoordinator "simrun/algorithms/coordinator"
	"simrun/algorithms/twophase"
	"simrun/invariants"
	"simrun/sim"
)

// managedSeeds is how many runs of a world each mutant of a coordinator gets.
const managedSeeds = 20

var timing = Timing{Interval: 60, Timeout: 150, Restart: 5, Concurrent: 2, Retained: 2}

// rightCoordinator is the real one, with the same timing.
func rightCoordinator() sim.Coordinator { return coordinatorWith(timing.Timeout) }

func coordinatorWith(timeout int64) sim.Coordinator {
	return realcoordinator.New(realcoordinator.Settings{
		Interval: timing.Interval, Timeout: timeout, MaxConcurrent: timing.Concurrent, Tolerable: 1000,
		Retained: timing.Retained, Restart: realcoordinator.Restart{Delay: timing.Restart}, Partial: true,
	})()
}

// rightTask is the real algorithm as a task of a coordinator.
var rightTask = realcoordinator.Task(realabs.New)

// sinking is a task with a transactional sink.
type sinking struct{ sim.Task }

func sinkingTask(info sim.NodeInfo) sim.Node {
	return sinking{realcoordinator.Task(twophase.Sink(realabs.New))(info).(sim.Task)}
}

// of is what runs with a mutant: itself, and the right one of what it is not.
func (m *Mutant) of() (coordinator func() sim.Coordinator, task sim.NewNode) {
	coordinator, task = rightCoordinator, rightTask
	if m.Coordinator != nil {
		coordinator = func() sim.Coordinator { return m.Coordinator(timing) }
	}
	if m.New != nil {
		task = m.New
	}
	return coordinator, task
}

// managedConfig is a world whose checkpoints a coordinator takes, with everything that
// its mistakes hide from: crashes of tasks and of the coordinator, control messages that
// are late, come twice and overtake each other, parts that are written slowly, not at
// all, or in chunks that they share.
func (w *world) managedConfig(seed uint64, order sim.Order, coordinator func() sim.Coordinator, task sim.NewNode) *sim.Config {
	cfg := w.config(seed, order, task)
	cfg.Snapshots.At, cfg.Faults = []int64{300 + int64(seed), 900, 910}, nil
	cfg.Management = sim.ManagementPlan{
		New: coordinator, Sources: w.initiators,
		Delay: sim.Dist{Kind: sim.Uniform, Low: 1, High: 30}, Read: sim.Dist{Low: 5},
		Fails:     sim.Unreliable{Duplicate: sim.Failure{PerMillion: 100_000}, Reorder: seed%2 == 0},
		Unwritten: sim.Failure{PerMillion: 30_000},
	}
	if seed%2 == 1 {
		cfg.Management.Chunk = 8
	}
	cfg.Delays[0].High, cfg.Write.High, cfg.Stop.At = 30, 60, 2000
	if seed%4 == 0 {
		cfg.Management.Delay.High = 110 // so that an abort overtakes a trigger
	}
	word := sim.Word(seed)
	for range 1 + word.Below(4) {
		f := sim.Fault{Nodes: []int32{int32(word.Below(w.graph.Nodes + 1))}, Down: 10}
		if order == sim.Chosen {
			f.Step = 1 + int64(word.Below(1800))
		} else {
			f.At = 1 + int64(word.Below(1800))
		}
		cfg.Faults = append(cfg.Faults, f)
	}
	return cfg
}

func runManaged(cfg *sim.Config) (*sim.History, *invariants.Report) {
	e, err := sim.New(cfg)
	if err != nil {
		panic(err)
	}
	run := invariants.Of(cfg, e.Run())
	run.Aligned, run.MaxPending, run.Restarts = true, timing.Concurrent, -1
	_, run.Transactional = cfg.NewNode(sim.NodeInfo{Inputs: 1, BackEdge: []bool{false}}).(sinking)
	run.HoldsOutputs = run.Transactional
	return run.History, invariants.Check(run, nil)
}

func TestManagedMutantsDie(t *testing.T) {
	for _, m := range Managed() {
		t.Run(m.Name, func(t *testing.T) {
			coordinator, task := m.of()
			killed, runs, others := 0, 0, map[string]int{}
			for _, w := range managedWorlds() {
				for seed := range uint64(managedSeeds) {
					cfg := w.managedConfig(seed, sim.Timed, coordinator, task)
					if m.Name == "unnotified" { // nobody else waits for it
						cfg = w.managedConfig(seed, sim.Timed, coordinator, sinkingTask)
					}
					if m.finishes() {
						cfg = w.finishConfig(seed, sim.Timed, task)
					}
					_, report := runManaged(cfg)
					runs++
					seen := map[string]bool{}
					for _, v := range report.Violations {
						if !seen[v.Invariant] {
							seen[v.Invariant] = true
							others[v.Invariant]++
						}
					}
					if seen[m.Catches] {
						killed++
					}
				}
			}
			t.Logf("killed in %d of %d: %v", killed, runs, others)
			if killed < runs/10 {
				t.Errorf("%s was violated in %d of %d runs", m.Catches, killed, runs)
			}
		})
	}
}

// managedWorlds are the worlds in which nothing is set up but the graph.
func managedWorlds() []world {
	return slices.DeleteFunc(worlds(), func(w world) bool { return w.crash || w.overlap })
}

// Nothing is wrong on the same runs with the right coordinator, the right task, and
// what the mutants are made from; and what a mistake needs does happen there.
func TestRightManagedLive(t *testing.T) {
	plain := func() sim.Coordinator { c := newCheckpoints(timing); return coordinator{&c} }
	plainTask := func(info sim.NodeInfo) sim.Node { n := newAttending(info); return newTask(&n) }
	for _, right := range []struct {
		name        string
		coordinator func() sim.Coordinator
		task        sim.NewNode
	}{
		{"coordinator and abs", rightCoordinator, rightTask},
		{"checkpoints and abs", plain, rightTask},
		{"coordinator and attending", rightCoordinator, plainTask},
	} {
		for _, w := range managedWorlds() {
			t.Run(right.name+" on "+w.name, func(t *testing.T) {
				seen := map[sim.FactKind]int{}
				for _, order := range []sim.Order{sim.Timed, sim.Chosen} {
					for seed := range uint64(managedSeeds) {
						h, report := runManaged(w.managedConfig(seed, order, right.coordinator, right.task))
						if !report.Holds() {
							t.Fatalf("order %d, seed %d: %v", order, seed, report.Violations)
						}
						if h.End != sim.Quiescent {
							t.Fatalf("order %d, seed %d: ended %d", order, seed, h.End)
						}
						for _, f := range h.Facts {
							seen[f.Kind]++
						}
					}
				}
				for _, kind := range []sim.FactKind{sim.FactFailed, sim.FactAborted, sim.FactPublished, sim.FactRetired, sim.FactLost, sim.FactDropped, sim.FactRestore} {
					if seen[kind] < 10 {
						t.Errorf("fact %d happened %d times", kind, seen[kind])
					}
				}
			})
		}
	}
}

// Every mutant of a coordinator can be saved and loaded in the middle of a run, which
// goes on as if nothing had been.
func TestManagedSaveLoad(t *testing.T) {
	w := managedWorlds()[0]
	for _, m := range Managed() {
		coordinator, task := m.of()
		for seed := range uint64(5) {
			cfg := w.managedConfig(seed, sim.Timed, coordinator, task)
			if m.finishes() {
				cfg = w.finishConfig(seed, sim.Timed, task)
			}
			want, _ := runManaged(cfg)
			var engines [2]*sim.Engine
			for i := range engines {
				engines[i], _ = sim.New(cfg)
			}
			word := sim.Word(seed)
			engines[0].Step(int64(word.Below(int(want.Steps))))
			if err := engines[1].Load(engines[0].Save(nil)); err != nil {
				t.Fatalf("%s: %v", m.Name, err)
			}
			got := engines[1].Run()
			if diff := cmp.Diff(want.Facts, got.Facts); diff != "" || want.Digest != got.Digest {
				t.Errorf("%s, seed %d (-never loaded +loaded):\n%s", m.Name, seed, diff)
			}
		}
		if m.Coordinator != nil {
			c := m.Coordinator(timing)
			state := c.Save(nil)
			if err := c.Load(state[:len(state)-1]); err == nil {
				t.Errorf("%s: loaded a state without its last byte", m.Name)
			}
		}
	}
}
