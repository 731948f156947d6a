package crashmatrix_test

import (
	"context"
	"os"
	"runtime"
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

// TestEveryCrashIsSurvived: in the word count, the loop and the Flink plan every node,
// and the coordinator, comes to every phase that it has, and every recovery is right.
func TestEveryCrashIsSurvived(t *testing.T) {
	for _, name := range []string{"wordcount-crash", "loop-crash", "flink-plan"} {
		t.Run(name, func(t *testing.T) {
			m := crashmatrix.Of(context.Background(), coordinated(plan(t, name)), 1, crashmatrix.Options{Workers: runtime.GOMAXPROCS(0)})
			m.WriteText(os.Stderr)
			if n := m.Count(); n.Reached != n.Possible || n.Holds != n.Possible || n.Violated > 0 {
				t.Errorf("%+v", n)
			}
		})
	}
}
