package coordinator_test

import (
	"slices"
	"testing"

	"simrun/algorithms/abs"
	"simrun/algorithms/coordinator"
	"simrun/invariants"
	"simrun/scenarios/apps"
	"simrun/sim"
	"simrun/topology"
)

const ms = 1_000_000

func config(t testing.TB, seed uint64, spec topology.Spec, settings coordinator.Settings) *sim.Config {
	g, err := topology.Generate(spec)
	if err != nil {
		t.Fatal(err)
	}
	var w *apps.Workload
	for _, k := range apps.Kinds() {
		if k.Name == "dataflow" {
			if w, err = k.New().Build(&apps.Env{Graph: g}); err != nil {
				t.Fatal(err)
			}
		}
	}
	roots := topology.DefaultInitiators(g)
	cfg := &sim.Config{
		Graph: g.Sim(), Seed: seed, Rows: true, NewNode: coordinator.Task(abs.New),
		NewApp:    func(v int32) sim.App { return w.NewApp(seed, v) },
		NewSource: func(v int32) sim.Source { return w.NewSource(seed, v) },
		BackEdge:  topology.BackEdges(g, roots),
		Delays:    []sim.Dist{{Kind: sim.Uniform, Low: ms, High: 5 * ms}},
		Write:     sim.Dist{Kind: sim.Uniform, Low: ms, High: 3 * ms},
		Stop:      sim.Stop{At: 200 * ms}, MaxSteps: 1_000_000,
	}
	cfg.Snapshots.Initiators = roots
	cfg.Management = sim.ManagementPlan{
		New: coordinator.New(settings), Sources: roots,
		Delay: sim.Dist{Kind: sim.Uniform, Low: ms, High: 3 * ms}, Read: sim.Dist{Low: ms},
	}
	return cfg
}

// TestRunsHold: whatever crashes, the coordinator included, every check holds and the
// run comes to its end.
func TestRunsHold(t *testing.T) {
	for _, spec := range []topology.Spec{
		{Kind: "dataflow", Parallelism: 3, Layers: 3, Degree: 2, Loops: 1, Seed: 8},
		{Kind: "diamond", Width: 4},
	} {
		complete, restores := 0, 0
		for seed := range uint64(50) {
			word := sim.Word(seed)
			cfg := config(t, seed, spec, coordinator.Settings{Interval: 20 * ms, Timeout: 60 * ms, Tolerable: 3, Retained: 2, Restart: coordinator.Restart{Delay: 3 * ms}})
			n := cfg.Graph.Nodes
			for range word.Below(4) {
				f := sim.Fault{Nodes: []int32{int32(word.Below(n + 1))}, At: 1 + int64(word.Below(180*ms)), Down: int64(word.Below(10 * ms))}
				if p := sim.PhaseBeforeTrigger + sim.Phase(word.Below(int(sim.PhaseReplaying))); word.Below(2) == 0 && (int(f.Nodes[0]) < n || p.OfCoordinator()) {
					f.At, f.Phase, f.Occurrence = 0, p, 1+word.Below(3)
				}
				cfg.Faults = append(cfg.Faults, f)
			}
			e, err := sim.New(cfg)
			if err != nil {
				t.Fatal(err)
			}
			h := e.Run()
			goOn(t, cfg, h, int64(word.Below(int(h.Steps))))
			run := invariants.Of(cfg, h)
			run.Aligned = true
			report := invariants.Check(run, nil)
			for _, v := range report.Violations {
				t.Errorf("%v seed %d: %v", spec.Kind, seed, v)
			}
			for _, s := range h.Snapshots {
				if s.Status == sim.Complete {
					complete++
				}
			}
			restores += len(h.Restores)
			if h.End != sim.Quiescent {
				t.Fatalf("ended %d", h.End)
			}
		}
		if complete < 200 || restores < 30 {
			t.Errorf("%s: only %d complete checkpoints and %d restores", spec.Kind, complete, restores)
		}
	}
}

// goOn saves a run in the middle and lets another engine carry it to its end.
func goOn(t *testing.T, cfg *sim.Config, want *sim.History, after int64) {
	t.Helper()
	var engines [2]*sim.Engine
	for i := range engines {
		e, err := sim.New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		engines[i] = e
	}
	engines[0].Step(after)
	if err := engines[1].Load(engines[0].Save(nil)); err != nil {
		t.Fatal(err)
	}
	got := engines[1].Run()
	if got.Digest != want.Digest || !slices.Equal(got.Facts, want.Facts) {
		t.Errorf("saved after %d steps, loaded and gone on: digest %016x and %d facts, want %016x and %d",
			after, got.Digest, len(got.Facts), want.Digest, len(want.Facts))
	}
}
