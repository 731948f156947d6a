package twophase_test

import (
	"slices"
	"testing"

	"simrun/algorithms/abs"
	"simrun/algorithms/chandylamport"
	"simrun/algorithms/coordinator"
	"simrun/algorithms/stoptheworld"
	"simrun/algorithms/twophase"
	"simrun/invariants"
	"simrun/scenarios/apps"
	"simrun/sim"
	"simrun/topology"
)

const ms = 1_000_000

// job is what the tests run: a graph with its app and an algorithm.
type job struct {
	name      string
	spec      topology.Spec
	app       string
	algorithm sim.NewNode
	aligned   bool
}

var jobs = []job{
	{"loops", topology.Spec{Kind: "dataflow", Parallelism: 3, Layers: 3, Degree: 2, Loops: 1, Seed: 8}, "dataflow", abs.New, true},
	{"diamond", topology.Spec{Kind: "diamond", Width: 4}, "dataflow", abs.New, true},
	{"Chandy-Lamport", topology.Spec{Kind: "diamond", Width: 3}, "dataflow", chandylamport.New, false},
	{"stop-the-world", topology.Spec{Kind: "diamond", Width: 3}, "dataflow", stoptheworld.New, true},
}

// config is a run with crashes of tasks and of the coordinator, and with checkpoints
// that time out.
func (j *job) config(t *testing.T, seed uint64, sink func(sim.NewNode) sim.NewNode) *sim.Config {
	g, err := topology.Generate(j.spec)
	if err != nil {
		t.Fatal(err)
	}
	var w *apps.Workload
	for _, k := range apps.Kinds() {
		if k.Name == j.app {
			if w, err = k.New().Build(&apps.Env{Graph: g}); err != nil {
				t.Fatal(err)
			}
		}
	}
	roots := topology.DefaultInitiators(g)
	cfg := &sim.Config{
		Graph: g.Sim(), Seed: seed, Rows: true, NewNode: coordinator.Task(sink(j.algorithm)),
		NewApp:    func(v int32) sim.App { return w.NewApp(seed, v) },
		NewSource: func(v int32) sim.Source { return w.NewSource(seed, v) },
		BackEdge:  topology.BackEdges(g, roots),
		Delays:    []sim.Dist{{Kind: sim.Uniform, Low: ms, High: 5 * ms}},
		Write:     sim.Dist{Kind: sim.Uniform, Low: ms, High: 20 * ms},
		Stop:      sim.Stop{At: 200 * ms}, MaxSteps: 1_000_000,
	}
	cfg.Snapshots.Initiators = roots
	cfg.Management = sim.ManagementPlan{
		New: coordinator.New(coordinator.Settings{
			Interval: 15 * ms, Timeout: 38 * ms, MaxConcurrent: 2, Tolerable: 20, Retained: 1, Final: true,
			Restart: coordinator.Restart{Delay: 3 * ms},
		}),
		Sources: roots, Delay: sim.Dist{Kind: sim.Uniform, Low: ms, High: 9 * ms}, Read: sim.Dist{Low: ms},
	}
	cfg.Management.Fails.Reorder = seed%2 == 1
	word := sim.Word(seed)
	for range word.Below(5) {
		f := sim.Fault{Nodes: []int32{int32(word.Below(cfg.Graph.Nodes + 1))}, At: 1 + int64(word.Below(180*ms)), Down: int64(word.Below(10 * ms))}
		if word.Below(2) == 0 {
			inside := word.Below(3)
			f.AfterOutputs = &inside // between two transactions, for one
		}
		cfg.Faults = append(cfg.Faults, f)
	}
	return cfg
}

func run(t *testing.T, cfg *sim.Config) *sim.History {
	t.Helper()
	e, err := sim.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return e.Run()
}

// judge checks a run with transactional sinks.
func (j *job) judge(cfg *sim.Config, h *sim.History) *invariants.Report {
	run := invariants.Of(cfg, h)
	run.Aligned, run.HoldsOutputs, run.Transactional = j.aligned, true, true
	return invariants.Check(run, nil)
}

// TestExactlyOnce: whatever crashes, each output leaves once, and at the end none is
// held back; with plain sinks outputs of the same runs leave again, and none is lost.
func TestExactlyOnce(t *testing.T) {
	for _, j := range jobs {
		var again, late, restores, crashedCoordinators, left, duplicated int64
		for seed := range uint64(100) {
			cfg := j.config(t, seed, twophase.Sink)
			h := run(t, cfg)
			report := j.judge(cfg, h)
			for _, v := range report.Violations {
				t.Errorf("%s, seed %d: %v", j.name, seed, v)
			}
			l := report.Ledger
			if h.End != sim.Quiescent || l == nil || l.Outputs != invariants.ExactlyOnce || l.OutputsWaiting > 0 {
				t.Fatalf("%s, seed %d: ended %d, %+v", j.name, seed, h.End, l)
			}
			left += l.OutputsOnce
			restores += int64(len(h.Restores))
			again += count(h, sim.FactRepeated)
			for i := range h.Facts {
				if f := &h.Facts[i]; f.Kind == sim.FactCommitted && h.Snapshots[f.ID-1].Status == sim.Aborted {
					late++
				}
			}
			crashedCoordinators += count(h, sim.FactFailed)

			cfg = j.config(t, seed, func(algorithm sim.NewNode) sim.NewNode { return algorithm })
			plain := invariants.Of(cfg, run(t, cfg))
			plain.Aligned = j.aligned
			if report = invariants.Check(plain, nil); !report.Holds() {
				t.Errorf("%s, seed %d, plain: %v", j.name, seed, report.Violations)
			}
			if l = report.Ledger; l != nil {
				duplicated += l.OutputsDuplicated
				if l.OutputsLost > 0 {
					t.Errorf("%s, seed %d: plain sinks lost %d outputs", j.name, seed, l.OutputsLost)
				}
			}
			if t.Failed() {
				return
			}
		}
		t.Logf("%s: %d records left, %d restores, %d crashes of the coordinator, %d commits that found nothing to do, %d of checkpoints that were aborted; plain: %d records left again",
			j.name, left, restores, crashedCoordinators, again, late, duplicated)
		if left < 1000 || restores < 30 || crashedCoordinators < 5 || again < 10 || late < 10 || duplicated < 100 {
			t.Errorf("%s: too little happened", j.name)
		}
	}
}

func count(h *sim.History, kind sim.FactKind) (n int64) {
	for i := range h.Facts {
		if h.Facts[i].Kind == kind {
			n++
		}
	}
	return n
}

// TestGoesOn: a run that is saved in the middle and loaded goes on to the same end.
func TestGoesOn(t *testing.T) {
	for seed := range uint64(20) {
		j := &jobs[seed%uint64(len(jobs))]
		cfg := j.config(t, seed, twophase.Sink)
		want := run(t, cfg)
		var engines [2]*sim.Engine
		for i := range engines {
			var err error
			if engines[i], err = sim.New(cfg); err != nil {
				t.Fatal(err)
			}
		}
		after := sim.Word(seed + 100)
		engines[0].Step(int64(after.Below(int(want.Steps))))
		if err := engines[1].Load(engines[0].Save(nil)); err != nil {
			t.Fatal(err)
		}
		if got := engines[1].Run(); got.Digest != want.Digest || !slices.Equal(got.Facts, want.Facts) {
			t.Errorf("seed %d: saved, loaded and gone on: digest %016x, want %016x", seed, got.Digest, want.Digest)
		}
	}
}
