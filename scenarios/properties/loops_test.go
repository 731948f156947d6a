package properties_test

import (
	"slices"
	"testing"

	"simrun/algorithms/looped"
	"simrun/invariants"
	"simrun/sim"
)

// TestLoopRepairsHold: on the runs with loops that ABS is tried on, both ways to
// wait for the loops keep every promise of ABS, and holding nothing does not. In
// every other run the app has timers, and every node records from outside, which
// nothing can block.
func TestLoopRepairsHold(t *testing.T) {
	const runs, least = 400, 20
	seen := map[string]int{}
	for i, tried := 1, 0; tried < runs; i++ {
		r := trials.Example(i)
		if !r.aligned() || !slices.Contains(r.config.BackEdge, true) {
			continue
		}
		if tried++; tried%2 == 0 {
			r.app, r.parameters = "ticker", nil
			r.config.NewSource = func(v int32) sim.Source { return batons{v} }
			r.config.NewApp = func(v int32) sim.App { return &ticker{newRelay(&r.config, v)} }
		}
		for name, algorithm := range map[string]sim.NewNode{"hold outputs": looped.NewHoldOutputs, "hold inputs": looped.NewHoldInputs} {
			r.config.NewNode = algorithm
			report, h := loopRun(t, r, name == "hold outputs")
			if !report.Holds() {
				t.Errorf("%s, example %d: %v\nof the run\n%s", name, i, report.Violations, r)
			}
			if wrong := resumedHalfWay(t, r, h); wrong != "" {
				t.Errorf("%s, example %d: %s\nthe run:\n%s", name, i, wrong, r)
			}
			for _, what := range loopSights(&r.config, h) {
				seen[name+": "+what]++
			}
		}
		r.config.NewNode = looped.NewNoLog
		if report, _ := loopRun(t, r, false); slices.ContainsFunc(report.Violations, func(v invariants.Violation) bool { return v.Invariant == "channel-state" }) {
			seen["hold nothing: loss"]++
		}
	}
	for _, what := range []string{
		"hold outputs: outputs in a snapshot", "hold outputs: outputs restored",
		"hold inputs: records in a snapshot", "hold inputs: records restored",
		"hold outputs: overlapping snapshots", "hold inputs: overlapping snapshots",
		"hold outputs: chosen order", "hold inputs: chosen order", "hold outputs: timed order", "hold inputs: timed order",
		"hold inputs: a timer that has gone off and is saved", "hold nothing: loss",
	} {
		t.Logf("%4d of %d runs, %s", seen[what], runs, what)
		if seen[what] < least {
			t.Errorf("only %d of %d runs, %s", seen[what], runs, what)
		}
	}
}

func loopRun(t *testing.T, r *trial, holds bool) (*invariants.Report, *sim.History) {
	h := engineOf(t, &r.config).Run()
	run := r.checked(h)
	run.HoldsOutputs = holds
	return invariants.Check(run, nil), h
}

// resumedHalfWay goes on with half of a run in another engine, and says what came
// out differently.
func resumedHalfWay(t *testing.T, r *trial, want *sim.History) string {
	first, second := engineOf(t, &r.config), engineOf(t, &r.config)
	first.Step(want.Steps / 2)
	if err := second.Load(first.Save(nil)); err != nil {
		return err.Error()
	}
	if got := second.Run(); got.Digest != want.Digest || got.Steps != want.Steps {
		return "saved, loaded, and gone on, it is another run"
	}
	return ""
}

// loopSights is what a run has to offer.
func loopSights(cfg *sim.Config, h *sim.History) (sights []string) {
	see := func(what string, is bool) {
		if is {
			sights = append(sights, what)
		}
	}
	see("timed order", cfg.Order == sim.Timed)
	see("chosen order", cfg.Order == sim.Chosen)
	see("outputs in a snapshot", slices.ContainsFunc(h.Snapshots, func(s *sim.Snapshot) bool { return s.Status == sim.Complete && some(s.Attached) }))
	see("records in a snapshot", slices.ContainsFunc(h.Snapshots, func(s *sim.Snapshot) bool { return s.Status == sim.Complete && some(s.Logs) }))
	see("outputs restored", slices.ContainsFunc(h.Restores, func(r sim.Restore) bool { return r.Snapshot != nil && some(r.Snapshot.Attached) }))
	see("records restored", slices.ContainsFunc(h.Restores, func(r sim.Restore) bool { return r.Snapshot != nil && some(r.Snapshot.Logs) }))
	var overlap, overdue bool
	var before *sim.Snapshot // the complete one before
	for _, s := range h.Snapshots {
		if s.Status != sim.Complete {
			continue
		}
		overlap = overlap || before != nil && before.Incarnation == s.Incarnation && s.StartedAt < before.CompletedAt
		before = s
		for _, part := range s.Recordings {
			overdue = overdue || slices.ContainsFunc(part.Timers, func(timer sim.ArmedTimer) bool { return timer.Due < part.At })
		}
	}
	see("overlapping snapshots", overlap)
	see("a timer that has gone off and is saved", overdue && cfg.Order == sim.Timed)
	return sights
}

// ticker is a relay that sends a baton on its own some time after every third that
// it was given. The batons of timers are few enough to die out.
type ticker struct{ relay }

func (a *ticker) Step(in sim.Input, m sim.Message, fx *sim.Effects) {
	if in == sim.Timer {
		m.Value = 1
	} else if a.count%3 == 0 {
		fx.SetTimer(uint32(a.count%2), 700)
	}
	a.relay.Step(in, m, fx)
}
