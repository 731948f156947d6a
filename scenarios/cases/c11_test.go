package cases

import (
	"slices"
	"testing"

	"simrun/sim"
)

// TestPendingTimer: W opens a window at 0 ms, the snapshot comes at 4 ms, the crash at
// 6 ms, the restore at 7 ms. The window closes at 10 ms, and what leaves is what would
// have left without the crash.
func TestPendingTimer(t *testing.T) {
	for _, algorithm := range []string{"abs", "chandy-lamport"} {
		s := stageFile(t, "pending-timer.yaml", algorithm)
		run := s.play()
		holds(t, algorithm, run)
		h := run.History
		saved := h.Snapshots[0].Recordings[0]
		if saved.At != 4_000_000 || saved.Offset != 1 || len(saved.Timers) != 1 || saved.Timers[0].Due != 10_000_000 {
			t.Errorf("%s: the snapshot has %+v", algorithm, saved)
		}
		r := h.Restores[0]
		if r.CrashedAt != 6_000_000 || r.At != 7_000_000 || r.Snapshot != h.Snapshots[0] || !slices.Equal(r.Timers[0], saved.Timers) || h.EndedAt != 10_000_000 {
			t.Errorf("%s: the restore is %+v, the end at %d", algorithm, r, h.EndedAt)
		}
		s.Faults = nil
		calm := s.play()
		holds(t, algorithm+" without the crash", calm)
		if got, want := emissions(h), emissions(calm.History); len(want) != 1 || !slices.Equal(got, want) {
			t.Errorf("%s: what leaves is %v, without the crash %v", algorithm, got, want)
		}
	}
}

// TestForgottenTimer: what becomes of the same run when the timer is not in the
// snapshot, is not armed by the restore, or never goes off.
func TestForgottenTimer(t *testing.T) {
	unsaved := func(h *sim.History) { h.Snapshots[0].Recordings[0].Timers = nil }
	unarmed := func(h *sim.History) { h.Restores[0].Timers[0] = nil }
	// never leaves the window open: its last two rows are not there.
	never := func(h *sim.History, left []sim.ArmedTimer) {
		end := len(h.Rows) - 2
		if h.Rows[end].Kind() != sim.RowTimer || h.Rows[end+1].Kind() != sim.RowEmit {
			t.Fatal("the run does not end with a window that closes")
		}
		h.Rows = h.Rows[:end]
		h.Final.States[0], h.Final.Timers[0] = h.Snapshots[0].States[0], left
	}
	for _, forgotten := range []struct {
		what, invariant, text string
		damage                func(h *sim.History)
	}{
		{"not saved", "state-truth", "with no timer, but its App had armed timer", unsaved},
		{"not armed again", "recovery", "W has no timer, in snapshot 1 it has timer", unarmed},
		{"not armed again and lost", "recovery", "at the end W has no timer, but its App has armed timer", func(h *sim.History) {
			unarmed(h)
			never(h, nil)
		}},
		{"not saved, so not armed again, and lost", "state-truth", "with no timer, but its App had armed timer", func(h *sim.History) {
			unsaved(h)
			unarmed(h)
			never(h, nil)
		}},
		{"armed and never let off", "termination", "W never let its App process timer", func(h *sim.History) {
			never(h, h.Restores[0].Timers[0])
		}},
	} {
		run := stageFile(t, "pending-timer.yaml", "").play()
		forgotten.damage(run.History)
		violates(t, forgotten.what, run, forgotten.invariant, forgotten.text)
	}
}
