package cases

import (
	"slices"
	"testing"

	"simrun/algorithms/coordinator"
	"simrun/invariants"
	"simrun/sim"
)

// TestLostTriggerIsAborted: W1 and W2 send to X, and the order to begin checkpoint 1 does
// not reach W2. X waits for its barrier until the checkpoint has taken too long; then 1
// is aborted, and 2 completes: ids skip.
func TestLostTriggerIsAborted(t *testing.T) {
	w := &world{
		links: []link{{"W1", "X", 1}, {"W2", "X", 1}}, initiators: []string{"W1", "W2"},
		sends: append(ticking("W1", "X", 3, 90), ticking("W2", "X", 3, 90)...),
	}
	w.tune = managedBy(coordinator.Settings{Interval: 10 * ms, Timeout: 25 * ms})
	o := w.run(t, deafAt(w.node("W2"), 1), true).right().status(1, sim.Aborted).status(2, sim.Complete)
	if b := o.h.Snapshots[0].BlockedFor; b < 20*ms || b > 26*ms {
		t.Errorf("X waits %d ns for the barrier", b)
	}

	// Without a timeout X waits for ever, and the report says for whom.
	w.tune = managedBy(coordinator.Settings{Interval: 10 * ms})
	w.run(t, deafAt(w.node("W2"), 1), true).pends(1, "waits for its barrier on channel W2->X")
}

// TestLostControlMessages: any control message may be lost: triggers, acknowledgements,
// cancellations. Every checkpoint is decided within its timeout, and nothing wrong is
// restored. A task that has missed a cancellation may keep an input blocked, if no later
// barrier tells it better; the report names it.
func TestLostControlMessages(t *testing.T) {
	const timeout = 60 * ms
	var lost [sim.Decline + 1]int
	complete, aborted := 0, 0
	for seed := range uint64(40) {
		s := managedStage(t, seed, coordinator.Settings{Interval: 20 * ms, Timeout: timeout, MaxConcurrent: 2, Tolerable: 1000})
		s.Management.Delay.High, s.Management.Fails.Lose.PerMillion = 10*ms, 20_000
		run := s.play()
		h := run.History
		for _, v := range invariants.Check(run, nil).Violations {
			if v.Invariant != "termination" || v.Channel < 0 {
				t.Errorf("seed %d: %v", seed, v)
			}
		}
		for i, f := range h.Facts {
			switch f.Kind {
			case sim.FactDropped:
				lost[f.Control.Kind]++
			case sim.FactBegan:
				end := slices.IndexFunc(h.Facts[i:], func(g sim.Fact) bool {
					return g.ID == f.ID && (g.Kind == sim.FactAborted || g.Kind == sim.FactPublished)
				})
				if end < 0 || h.Facts[i+end].At > f.At+timeout+10*ms {
					t.Errorf("seed %d: checkpoint %d is not decided in time", seed, f.ID)
				}
			}
		}
		for _, snapshot := range h.Snapshots {
			switch snapshot.Status {
			case sim.Complete:
				complete++
			case sim.Aborted:
				aborted++
			}
		}
	}
	if complete < 100 || aborted < 20 || lost[sim.Trigger] == 0 || lost[sim.Acknowledge] == 0 || lost[sim.Cancel] == 0 {
		t.Errorf("%d complete, %d aborted, lost %v", complete, aborted, lost)
	}
}

// TestLostDataMustBeDeclared: a channel of data that loses messages is outside of the
// papers' model. Where it is declared, what it lost is told by name.
func TestLostDataMustBeDeclared(t *testing.T) {
	w := &world{links: []link{{"W", "X", 1}}, initiators: []string{"W"}, sends: ticking("W", "X", 3, 90)}
	w.tune = func(cfg *sim.Config) {
		managedBy(coordinator.Settings{Interval: 10 * ms})(cfg)
		cfg.Unreliable = make([]sim.Unreliable, 1)
		cfg.Unreliable[0].Lose.Markers = []sim.SnapshotID{1}
	}
	w.run(t, task, true).pends(1, "and the channel has lost it")
}
