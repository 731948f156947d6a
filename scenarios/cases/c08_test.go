package cases

import (
	"testing"

	"simrun/invariants"
	"simrun/scenarios/apps"
	"simrun/sim"
)

// TestSelectiveReceive: C takes from A and B in turn. When A has ended, B's third
// message is in the channel for good: the run is at rest, and is said to be, with the
// message and the reason. Periodic snapshots do not keep it going.
func TestSelectiveReceive(t *testing.T) {
	for _, order := range []struct {
		order   sim.Order
		periods []int64
	}{{sim.Timed, []int64{0, 100_000, 5_000_000}}, {sim.Chosen, []int64{0, 1, 7}}} {
		for _, every := range order.periods {
			for seed := range uint64(50) {
				s := stageFile(t, "selective-receive.yaml", "")
				s.Order, s.Seed, s.Snapshots.Every = order.order, seed, every
				run := s.play()
				final := &run.History.Final
				if run.History.End != sim.Quiescent {
					t.Fatalf("order %d, every %d: the run ends as %d", s.Order, every, run.History.End)
				}
				if got := state[apps.ZipState](s, "C", final.States[s.node("C")]); got.Made != 2 || len(final.InFlight[0]) != 0 || len(final.InFlight[1]) != 1 {
					t.Fatalf("C ends as %+v, with %d and %d messages waiting", got, len(final.InFlight[0]), len(final.InFlight[1]))
				}
				violates(t, "B has one more", run, "termination", "stranded on channel B->C#1: the App of C does not accept message 3")
			}
		}
	}
}

// TestGuardsAndAlignedBarriers: ABS blocks the input that has its barrier, and an app
// that wants its next message from there accepts nothing from the other one, whose
// barrier is behind such messages. Chandy and Lamport's algorithm blocks nothing.
func TestGuardsAndAlignedBarriers(t *testing.T) {
	const text = `
graph: {nodes: [A, B, C], channels: [[A, C], [B, C]]}
app: {kind: zip, records: 20}
order: chosen
snapshots: {at: [12]}
`
	stuck := 0
	for seed := range uint64(100) {
		right, aligned := stage(t, text, "chandy-lamport"), stage(t, text, "abs")
		right.Seed, aligned.Seed = seed, seed
		holds(t, "Chandy-Lamport", right.play())
		run := aligned.play()
		if report := invariants.Check(run, nil); report.Holds() {
			continue
		}
		stuck++
		refused := run.History.Final.Refused
		if len(refused) != 1 {
			t.Fatalf("seed %d: C refuses what is on %v", seed, refused)
		}
		violates(t, "ABS", run, "termination", "C still blocks channel")
		violates(t, "ABS", run, "termination", "the App of C does not accept message")
	}
	if stuck == 0 || stuck == 100 {
		t.Errorf("ABS waits for ever in %d of 100 runs, want some", stuck)
	}
}
