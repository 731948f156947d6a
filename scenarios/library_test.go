package scenarios

import (
	"testing"

	"simrun/invariants"
	"simrun/sim"
)

// TestPlanAsLibrary: a plan's configuration, run and judged by hand, is the run of
// the Runner.
func TestPlanAsLibrary(t *testing.T) {
	for _, algorithm := range []string{"abs", "no-backup-log"} {
		plan := mustLoad(t, "loop-crash.yaml", algorithm)
		want := plan.NewRunner().Run(7)
		cfg := plan.Config(7)
		engine, err := sim.New(&cfg)
		if err != nil {
			t.Fatal(err)
		}
		run := invariants.Of(&cfg, engine.Run())
		run.Aligned = plan.Algorithm.Aligned
		report := invariants.Check(run, nil)
		if got := digest(run.History.Digest); got != want.Digest {
			t.Errorf("%s: digest %s, the Runner has %s", algorithm, got, want.Digest)
		}
		if len(report.Checks) != len(want.Checks) || len(report.Violations) != len(want.Violations) || len(report.Violations) == 0 != report.Holds() {
			t.Errorf("%s: %d checks and %d violations, the Runner has %d and %d", algorithm,
				len(report.Checks), len(report.Violations), len(want.Checks), len(want.Violations))
		}
	}
}
