package properties_test

import (
	"testing"

	"simrun/algorithms/tracking"
	"simrun/invariants"
	"simrun/sim"
)

// trackingTrials is how many runs TestTrackingKeepsItsPromise looks at.
const trackingTrials = 12000

// TestTrackingKeepsItsPromise: whatever the run, barrier tracking loses nothing that
// replay does not give up, and every check holds but that cuts have no orphans. The same
// runs, if they are held to exactly-once, are accused wherever a snapshot has orphans;
// if they have none, every record counts once.
func TestTrackingKeepsItsPromise(t *testing.T) {
	var checker invariants.Checker
	var orphans, restored, twice, again, lost, kept, loops int
	for i := 1; i <= trackingTrials; i++ {
		r := trials.Example(i)
		if !r.aligned() {
			continue
		}
		r.config.NewNode, r.config.Duplicates = tracking.New, true
		h := engineOf(t, &r.config).Run()
		run := invariants.Of(&r.config, h)
		report := checker.Check(run, nil)
		for _, v := range report.Violations {
			t.Errorf("example %d: %s\n%s", i, v, r)
		}
		some, at := hasOrphans(h)
		ledger := report.Ledger
		switch {
		case ledger == nil:
		case ledger.EffectsRepeated > 0 && !at:
			t.Errorf("example %d: no restored cut has orphans, and the ledger says %+v", i, ledger)
		case ledger.EffectsLost > 0 && r.config.Replay == sim.FromOffset:
			t.Errorf("example %d: the ledger says %+v", i, ledger)
		case ledger.Records != ledger.EffectsOnce+ledger.EffectsRepeated+ledger.EffectsLost+ledger.EffectsUndone:
			t.Errorf("example %d: the sums of the ledger are wrong: %+v", i, ledger)
		}
		if ledger != nil {
			twice += index(ledger.Effects == invariants.AtLeastOnce)
			lost += index(ledger.Effects == invariants.Unreliable)
			again += index(ledger.OutputsDuplicated > 0)
		}
		orphans, restored = orphans+index(some), restored+index(at)
		kept += index(at && len(h.Restores) > 1)
		for k := range h.Restores {
			for _, log := range h.Restores[k].Logged {
				loops += index(len(log) > 0)
			}
		}
		for _, promise := range []invariants.Guarantee{invariants.ExactlyOnce, invariants.AtMostOnce} {
			run.Promise = promise
			if accused := !checker.Check(run, nil).Holds(); accused != some {
				t.Errorf("example %d: held to %s: accused %t, and orphans in some snapshot: %t\n%s", i, promise, accused, some, r)
			}
		}
		if at {
			goesOn(t, &r.config, h)
		}
		if t.Failed() {
			return
		}
	}
	t.Logf("runs %d restored %d twice %d neither %d outputs again %d restored again %d logs %d", orphans, restored, twice, lost, again, kept, loops)
	for what, n := range map[string]int{"runs with orphans": orphans, "restores from cuts with orphans": restored, "records more than once": twice,
		"records lost and others more than once": lost, "outputs again": again, "further restores": kept, "logs": loops} {
		if n < 3 {
			t.Errorf("%s: only in %d runs", what, n)
		}
	}
}

// hasOrphans says whether some complete snapshot has orphans, and whether one of those
// was restored.
func hasOrphans(h *sim.History) (some, restored bool) {
	orphaned := func(s *sim.Snapshot) bool {
		for ch := range s.Processed {
			if s.Processed[ch] > s.Sent[ch] {
				return true
			}
		}
		return false
	}
	for _, s := range h.Snapshots {
		some = some || s.Status == sim.Complete && orphaned(s)
	}
	for k := range h.Restores {
		restored = restored || h.Restores[k].Snapshot != nil && orphaned(h.Restores[k].Snapshot)
	}
	return some, restored
}

// goesOn saves a run in the middle, and another engine goes on with it to the same end.
func goesOn(t *testing.T, cfg *sim.Config, want *sim.History) {
	first, second := engineOf(t, cfg), engineOf(t, cfg)
	first.Step(want.Steps * 3 / 4)
	if err := second.Load(first.Save(nil)); err != nil {
		t.Fatal(err)
	}
	if got := second.Run(); got.Digest != want.Digest || len(got.Breaches) > 0 {
		t.Errorf("saved, loaded, and gone on: digest %016x and breaches %v, want %016x", got.Digest, got.Breaches, want.Digest)
	}
}
