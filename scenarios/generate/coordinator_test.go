package generate

import (
	"errors"
	"testing"

	"simrun/scenarios"
)

// TestCoordinated: every run of a right algorithm under a coordinator holds, unless the
// restart strategy ends it; what is printed runs alike; and what can go wrong does.
func TestCoordinated(t *testing.T) {
	seeds := uint64(400)
	if testing.Short() {
		seeds = 150
	}
	for _, algorithm := range []string{"chandy-lamport", "abs", "tracking"} {
		var sum scenarios.Exercised
		gaveUp, complete, unsuited := 0, int64(0), 0
		for seed := range seeds {
			plan, err := Coordinated(seed).Resolve(scenarios.Default(), scenarios.Overrides{Algorithm: algorithm})
			if e := new(scenarios.Error); algorithm != "abs" && errors.As(err, &e) && e.Unsuited {
				unsuited++
				continue // its tasks cannot finish, or go on when others are restarted
			}
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			out := plan.NewRunner().Outcome(seed)
			if out.GaveUp {
				gaveUp++
			}
			if out.Verdict != scenarios.Holds && !(out.Verdict == scenarios.Inconclusive && out.GaveUp) {
				t.Errorf("%s, seed %d: %s %v", algorithm, seed, out.Verdict, out.Broken)
			}
			if out.Ledger != nil && out.Ledger.OutputsWaiting > 0 && !out.GaveUp {
				t.Errorf("%s, seed %d: not everything has left: %+v", algorithm, seed, out.Ledger)
			}
			complete += out.Completed
			sum.Add(&out.Exercised)
			if seed > 50 {
				continue
			}
			again, err := scenarios.Parse(scenarios.Default(), CoordinatedName(seed), []byte(text(t, plan)))
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if plan, err = again.Resolve(scenarios.Default(), scenarios.Overrides{}); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if got := plan.NewRunner().Outcome(seed); got.Digest != out.Digest {
				t.Errorf("%s, seed %d runs differently when read again", algorithm, seed)
			}
		}
		if partial := algorithm == "abs"; partial && sum.PartialRestores < 25 || partial && sum.Drops < 100 || partial && sum.NotReady < 5 || partial != (unsuited == 0) || unsuited > int(seeds)/2 {
			t.Errorf("%s: partial recovery in %d runs: %v", algorithm, unsuited, sum)
		}
		t.Log(algorithm, complete, "complete;", gaveUp, "gave up;", sum)
		for what, n := range map[string]int64{
			"complete": complete, "gave up": int64(gaveUp), "timeouts": sum.Timeouts, "declines": sum.Declines, "late acknowledgements": sum.LateAcknowledgements,
			"subsumed": sum.Subsumed, "savepoints": sum.Savepoints, "coordinator crashes": sum.CoordinatorCrashes, "restores": sum.SnapshotRestores, "crashes in a recovery": sum.CrashesWhileRecovering,
		} {
			if n == 0 {
				t.Errorf("%s: never: %s", algorithm, what)
			}
		}
		if finishes := algorithm != "chandy-lamport"; finishes != (sum.Finished > 0) {
			t.Errorf("%s: %d checkpoints with finished tasks", algorithm, sum.Finished)
		}
	}
}

// TestRunnableAsPrinted: what simrun generate prints can be run as it is.
func TestRunnableAsPrinted(t *testing.T) {
	own := 0
	for seed := uint64(1); seed <= 300; seed++ {
		for _, family := range []Family{Plain, Managed, Open} {
			s := family.Scenario(seed)
			if _, err := s.Resolve(scenarios.Default(), scenarios.Overrides{}); err != nil {
				t.Errorf("seed %d%s: %v", seed, family.Flags, err)
			}
			if s.Algorithm != "" {
				own++
			}
		}
	}
	if own < 50 {
		t.Errorf("only %d scenarios need an algorithm of their own", own)
	}
}
