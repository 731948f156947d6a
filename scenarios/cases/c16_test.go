package cases

import (
	"strings"
	"testing"

	"simrun/algorithms/coordinator"
	"simrun/invariants"
	"simrun/sim"
)

// dataFirst is an unfair order: as long as there is a record or a message to process,
// that is what happens, and whatever the coordinator does waits.
type dataFirst struct{ fair *sim.RandomScheduler }

// Pick implements sim.Scheduler.
func (d dataFirst) Pick(n int64, enabled sim.Enabled) int {
	for i := range enabled.Len() {
		if k := enabled.At(i).Kind; k == sim.StepExternal || k == sim.StepDeliver {
			return i
		}
	}
	return d.fair.Pick(n, enabled)
}

// TestUnfairOrderStarvesTheCheckpoint: S->A, with a source that always has a record. If
// data always win, no checkpoint even begins before the input ends, and a run that is
// cut short says of a pending one that this depends on the order. A fair order completes
// it.
func TestUnfairOrderStarvesTheCheckpoint(t *testing.T) {
	const text = `
graph: {nodes: [S, A], channels: [[S, A]]}
app: {kind: dataflow, records: 1000}
order: chosen
`
	play := func(scheduler sim.Scheduler, limit int64, managed bool) *invariants.Run {
		s := stage(t, text, "abs")
		s.Scheduler, s.MaxSteps, s.Snapshots.Every = scheduler, limit, 0
		if managed {
			s.NewNode = task
			s.Management = sim.ManagementPlan{New: coordinator.New(coordinator.Settings{Interval: 1}), Sources: s.Snapshots.Initiators}
		} else {
			s.Snapshots.At = []int64{5}
		}
		return s.play()
	}
	fair := sim.NewRandomScheduler(1)
	run := play(fair, 300, true)
	if h := run.History; h.End != sim.StepLimit || h.Snapshots[0].Status != sim.Complete {
		t.Errorf("a fair order: the run ends as %d, %+v", h.End, h.Snapshots[0])
	}
	run = play(dataFirst{fair}, 300, true)
	if len(run.History.Snapshots) != 0 || run.History.End != sim.StepLimit {
		t.Errorf("data first: %d checkpoints have begun in %d steps", len(run.History.Snapshots), run.History.Steps)
	}
	run = play(dataFirst{fair}, 300, false)
	report := invariants.Check(run, nil)
	if s := run.History.Snapshots[0]; s.Status != sim.Pending || !strings.Contains(report.SnapshotBecause[0], "fair") {
		t.Errorf("data first: the snapshot has status %d, %q", s.Status, report.SnapshotBecause[0])
	}
	for _, name := range report.Checks {
		if name == "termination" {
			t.Error("termination is judged in a run that was cut short")
		}
	}
	run = play(dataFirst{fair}, 100_000, false)
	h := run.History
	if s := h.Snapshots[0]; s.Status != sim.Complete || s.StartedAt < 1000 {
		t.Errorf("data first, to the end: the snapshot has status %d and was first recorded at step %d", s.Status, s.StartedAt)
	}
}
