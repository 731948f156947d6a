package properties_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"simrun/invariants"
	"simrun/sim"
)

// TestRightAlgorithmsHold: whatever the run, both algorithms keep every promise,
// and the run is the same a second time and when it goes on in another engine.
func TestRightAlgorithmsHold(t *testing.T) {
	var checker invariants.Checker
	seen := newSights()
	rapid.Check(t, func(t *rapid.T) {
		r := drawTrial(t)
		t.Logf("the run:\n%s", r)
		watch := new(watcher)
		h := r.watched(t, watch)
		run := r.checked(h)
		run.Bare = alone(t, r)
		report := checker.Check(run, nil)
		for _, v := range report.Violations {
			t.Errorf("%s", v)
		}
		wantChecks(t, r, h, report)
		if got := sim.ApplicationDigest(h.Rows); got != h.ApplicationDigest {
			t.Errorf("the rows give the application digest %016x, the engine %016x", got, h.ApplicationDigest)
		}
		wantSame(t, "the same run again", h, engineOf(t, &r.config).Run())
		resumed(t, r, h, rapid.Float64Range(0, 1).Draw(t, "saved at"))
		seen.look(r, h, report, watch)
	})
	seen.judge(t)
}

// engineOf is an engine at the beginning of a run.
func engineOf(t interface{ Fatal(...any) }, cfg *sim.Config) *sim.Engine {
	e, err := sim.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// wantChecks: a check that did not run says nothing.
func wantChecks(t *rapid.T, r *trial, h *sim.History, report *invariants.Report) {
	want := []string{"consistent-cut", "channel-state", "state-truth"}
	if r.aligned() {
		want = append(want, "abs-staged")
	}
	want = append(want, "fifo", "monotone-cuts", "reachability")
	if r.app == "bank" || r.app == "activity" {
		want = append(want, "conservation")
	}
	want = append(want, "recovery")
	if h.End == sim.Quiescent || h.End == sim.Settled {
		want = append(want, "termination")
	}
	want = append(want, "coordinator", "non-interference")
	if !slices.Equal(report.Checks, want) || len(report.Partial) > 0 {
		t.Errorf("the checks %q ran, want %q", report.Checks, want)
	}
}

// wantSame: the digests say that two runs were the same, and so do the rows.
func wantSame(t *rapid.T, what string, want, got *sim.History) {
	if got.Digest != want.Digest || got.ApplicationDigest != want.ApplicationDigest {
		t.Errorf("%s: digests %016x and %016x, want %016x and %016x", what,
			got.Digest, got.ApplicationDigest, want.Digest, want.ApplicationDigest)
	}
	if !slices.Equal(got.Rows, want.Rows) || got.Steps != want.Steps || got.EndedAt != want.EndedAt {
		t.Errorf("%s: %d rows, %d steps, ended at %d; want %d, %d, %d", what,
			len(got.Rows), got.Steps, got.EndedAt, len(want.Rows), want.Steps, want.EndedAt)
	}
}

// resumed saves the engine somewhere in the run, loads another one from it, and
// lets that one go on. The first one begins anew.
func resumed(t *rapid.T, r *trial, want *sim.History, part float64) {
	first, second := engineOf(t, &r.config), engineOf(t, &r.config)
	first.Step(int64(part * float64(want.Steps)))
	if err := second.Load(first.Save(nil)); err != nil {
		t.Fatal(err)
	}
	wantSame(t, "saved, loaded, and gone on", want, second.Run())
	if err := first.Reset(&r.config); err != nil {
		t.Fatal(err)
	}
	wantSame(t, "broken off, and begun again", want, first.Run())
}

// alone runs the application without snapshots: Chandy and Lamport's algorithm
// changes no application event in timed order, which Check holds it to. Nil for the
// others.
func alone(t *rapid.T, r *trial) *sim.History {
	if r.aligned() || r.config.Order != sim.Timed {
		return nil
	}
	cfg := r.config
	cfg.Snapshots, cfg.Faults, cfg.Observer = sim.SnapshotPlan{}, nil, nil
	return engineOf(t, &cfg).Run()
}
