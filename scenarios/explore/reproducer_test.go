package explore

import (
	"bytes"
	"context"
	"math/rand/v2"
	"testing"

	"simrun/scenarios"
	"simrun/scenarios/reproducer"
)

// TestEveryViolationIsKept: the run of a violation that a search finds is a reproducer,
// written and read, that violates the same.
func TestEveryViolationIsKept(t *testing.T) {
	r, kept, several := rand.New(rand.NewPCG(3, 3)), 0, 0
	for range 120 {
		text, algorithm := drawScenario(r)
		plan := resolve(t, text, algorithm)
		if plan == nil {
			continue
		}
		res, err := Run(context.Background(), plan, Options{Seed: plan.Seed, MaxStates: 20_000})
		if err != nil {
			t.Fatal(err)
		}
		found, err := res.Reproducer(scenarios.Default(), "test")
		if err != nil {
			t.Errorf("%s\n%s: %v", text, algorithm, err)
			continue
		}
		if (found == nil) != (res.Violation == nil) {
			t.Fatalf("%s: %v, and the violation is %v", text, found, res.Violation)
		}
		if found == nil {
			continue
		}
		kept++
		if len(plan.Scenario.Snapshots.At)+plan.Scenario.Snapshots.Any > 1 {
			several++
		}
		var file bytes.Buffer
		if err := found.Write(&file); err != nil {
			t.Fatal(err)
		}
		again, err := reproducer.Parse(scenarios.Default(), "kept.yaml", file.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		if o := again.Replay(false); o.Outcome != reproducer.Reproduced || o.ExitCode() != 1 {
			t.Errorf("%s: %s, exit code %d", text, o.Outcome, o.ExitCode())
		}
	}
	if kept < 20 || several < 5 {
		t.Errorf("%d violations were kept, %d of runs with several snapshots", kept, several)
	}
}
