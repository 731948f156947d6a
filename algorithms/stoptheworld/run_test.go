package stoptheworld_test

import (
	"testing"

	"simrun/algorithms/coordinator"
	"simrun/algorithms/stoptheworld"
	"simrun/invariants"
	"simrun/scenarios/apps"
	"simrun/sim"
	"simrun/topology"
)

const ms = 1_000_000

// config is a run under a coordinator.
func config(t *testing.T, seed uint64, spec topology.Spec, app string) *sim.Config {
	g, err := topology.Generate(spec)
	if err != nil {
		t.Fatal(err)
	}
	roots := topology.DefaultInitiators(g)
	cfg := &sim.Config{
		Graph: g.Sim(), Seed: seed, Rows: true, NewNode: coordinator.Task(stoptheworld.New),
		Delays: []sim.Dist{{Kind: sim.Uniform, Low: ms, High: 5 * ms}},
		Write:  sim.Dist{Kind: sim.Uniform, Low: ms, High: 3 * ms},
		Stop:   sim.Stop{At: 200 * ms}, MaxSteps: 1_000_000,
	}
	for _, k := range apps.Kinds() {
		if k.Name == app {
			w, err := k.New().Build(&apps.Env{Graph: g})
			if err != nil {
				t.Fatal(err)
			}
			w.Into(cfg)
		}
	}
	cfg.Snapshots.Initiators = roots
	settings := coordinator.Settings{Interval: 20 * ms, Timeout: 60 * ms, Tolerable: 3, Restart: coordinator.Restart{Delay: 3 * ms}, MaxConcurrent: 1 + int(seed%2)}
	cfg.Management = sim.ManagementPlan{
		New: coordinator.New(settings), Sources: roots,
		Delay: sim.Dist{Kind: sim.Uniform, Low: ms, High: 3 * ms}, Read: sim.Dist{Low: ms},
	}
	return cfg
}

// TestRunsHold: whatever crashes, nothing is in flight across a cut, every record counts
// once, no input is ever blocked, and the run comes to its end. App timers halt, too.
func TestRunsHold(t *testing.T) {
	for _, spec := range []topology.Spec{
		{Kind: "dataflow", Parallelism: 3, Layers: 3, Degree: 2, Seed: 8},
		{Kind: "diamond", Width: 4},
	} {
		for _, app := range []string{"dataflow", "windows"} {
			complete, restores, held := 0, 0, 0
			for seed := range uint64(40) {
				cfg := config(t, seed, spec, app)
				word := sim.Word(seed)
				for range word.Below(4) {
					cfg.Faults = append(cfg.Faults, sim.Fault{Nodes: []int32{int32(word.Below(cfg.Graph.Nodes + 1))}, At: 1 + int64(word.Below(180*ms)), Down: int64(word.Below(10 * ms))})
				}
				e, err := sim.New(cfg)
				if err != nil {
					t.Fatal(err)
				}
				h := e.Run()
				run := invariants.Of(cfg, h)
				run.Aligned = true
				report := invariants.Check(run, nil)
				for _, v := range report.Violations {
					t.Errorf("%s, %s, seed %d: %v", spec.Kind, app, seed, v)
				}
				if l := report.Ledger; len(h.Restores) > 0 && (l == nil || l.Effects != invariants.ExactlyOnce) {
					t.Errorf("%s, %s, seed %d: the ledger is %+v", spec.Kind, app, seed, l)
				}
				for _, s := range h.Snapshots {
					if s.Status == sim.Complete {
						complete++
					}
					if s.BlockedFor > 0 {
						t.Errorf("seed %d: snapshot %d blocked for %d", seed, s.ID, s.BlockedFor)
					}
				}
				restores += len(h.Restores)
				if h.HeldBack {
					held++
				}
				if h.End != sim.Quiescent {
					t.Fatalf("seed %d: ended %d", seed, h.End)
				}
			}
			if complete < 100 || restores < 20 || held < 20 {
				t.Errorf("%s, %s: only %d complete checkpoints, %d restores, and something held in %d runs", spec.Kind, app, complete, restores, held)
			}
		}
	}
}
