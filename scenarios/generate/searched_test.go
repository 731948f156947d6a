package generate

import (
	"testing"

	"simrun/scenarios"
)

// TestSearched: every run of a right algorithm holds, whatever the strategy; what is
// printed runs alike; and what is left open is made use of.
func TestSearched(t *testing.T) {
	seeds := uint64(60)
	if testing.Short() {
		seeds = 20
	}
	for _, algorithm := range []string{"chandy-lamport", "abs"} {
		for _, strategy := range scenarios.SearchStrategies() {
			var sum scenarios.Exercised
			complete := int64(0)
			for seed := range seeds {
				plan, err := Searched(seed).Resolve(scenarios.Default(), scenarios.Overrides{Algorithm: algorithm, Strategy: strategy.Name})
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				out := plan.NewRunner().Outcome(seed)
				if out.Verdict != scenarios.Holds {
					t.Errorf("%s by %s, seed %d: %s %v", algorithm, strategy.Name, seed, out.Verdict, out.Broken)
				}
				complete += out.Completed
				sum.Add(&out.Exercised)
				if seed > 9 {
					continue
				}
				again, err := scenarios.Parse(scenarios.Default(), SearchedName(seed), []byte(text(t, plan)))
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				if plan, err = again.Resolve(scenarios.Default(), scenarios.Overrides{}); err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				if got := plan.NewRunner().Outcome(seed); got.Digest != out.Digest {
					t.Errorf("%s by %s, seed %d runs differently when read again", algorithm, strategy.Name, seed)
				}
			}
			for what, n := range map[string]int64{
				"complete": complete, "overlaps": sum.Overlaps, "crashes in a snapshot": sum.CrashesWhileOpen, "crashes in a recovery": sum.CrashesWhileRecovering,
				"restores from a snapshot": sum.SnapshotRestores,
			} {
				if n == 0 {
					t.Errorf("%s by %s: never: %s", algorithm, strategy.Name, what)
				}
			}
		}
	}
}
