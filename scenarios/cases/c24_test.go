package cases

import (
	"testing"

	"simrun/algorithms/coordinator"
	"simrun/sim"
)

// stale calls back for every message that the coordinator is given of an attempt that is
// over, with the facts that follow it up to the next that something else causes.
func stale(h *sim.History, each func(c sim.Control, follow []sim.Fact)) {
	attempt := uint8(0)
	restores := h.Restores
	for i, f := range h.Facts {
		for len(restores) > 0 && restores[0].At <= f.At {
			attempt, restores = restores[0].Incarnation, restores[1:]
		}
		if f.Kind != sim.FactReceived || f.Control.Attempt >= attempt {
			continue
		}
		follow := h.Facts[i+1:]
		for k, g := range follow {
			if g.At > f.At || g.Kind == sim.FactReceived || g.Kind == sim.FactHeard || g.Kind == sim.FactStored || g.Kind == sim.FactPublished {
				follow = follow[:k]
				break
			}
		}
		each(f.Control, follow)
	}
}

// TestDeclineOfAnOldAttempt: a task declines, the graph is restarted for another reason,
// and the decline is delivered in the new attempt. It is ignored: one crash is one
// restart.
func TestDeclineOfAnOldAttempt(t *testing.T) {
	declines := 0
	for seed := range uint64(60) {
		s := managedStage(t, seed, coordinator.Settings{Interval: 20 * ms, Timeout: 150 * ms, MaxConcurrent: 4, Tolerable: 1000})
		s.Management.Unwritten.PerMillion = 200_000
		s.Faults = []sim.Fault{{Nodes: []int32{int32(seed) % 3}, At: 100*ms + int64(seed)*ms, Down: ms}}
		h := s.playRight()
		if len(h.Restores) != 1 {
			t.Fatalf("seed %d: %d restores", seed, len(h.Restores))
		}
		stale(h, func(c sim.Control, follow []sim.Fact) {
			if c.Kind != sim.Decline {
				return
			}
			declines++
			for _, f := range follow {
				if f.Kind == sim.FactRestore || f.Kind == sim.FactAborted {
					t.Errorf("seed %d: a decline of attempt %d leads to %+v", seed, c.Attempt, f)
				}
			}
		})
	}
	if declines < 10 {
		t.Errorf("%d declines came late", declines)
	}
}

// TestNoRecoveryStorm: ten checkpoints are in flight when a task crashes, and the answers
// of the old attempt come one after the other when the graph runs again. One crash is
// one recovery.
func TestNoRecoveryStorm(t *testing.T) {
	late, most := 0, 0
	for seed := range uint64(40) {
		s := managedStage(t, seed, coordinator.Settings{Interval: 2 * ms, Timeout: 150 * ms, MaxConcurrent: 10, Tolerable: 1000})
		s.Faults = []sim.Fault{{Nodes: []int32{int32(seed) % 3}, At: 100 * ms, Down: ms}}
		h := s.playRight()
		if len(h.Restores) != 1 || len(h.Crashes) != 1 {
			t.Errorf("seed %d: %d crashes and %d recoveries", seed, len(h.Crashes), len(h.Restores))
		}
		pending := 0
		for _, f := range h.Facts {
			switch f.Kind {
			case sim.FactBegan:
				pending++
			case sim.FactAborted, sim.FactPublished:
				pending--
			case sim.FactNoticed:
				most = max(most, pending)
			}
		}
		stale(h, func(_ sim.Control, follow []sim.Fact) {
			late++
			for _, f := range follow {
				if f.Kind == sim.FactRestore {
					t.Errorf("seed %d: a late answer leads to %+v", seed, f)
				}
			}
		})
	}
	if late < 100 || most < 10 {
		t.Errorf("%d answers came late, and at most %d checkpoints were in flight", late, most)
	}
}
