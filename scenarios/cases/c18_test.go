package cases

import (
	"testing"

	"simrun/algorithms/coordinator"
	"simrun/sim"
)

// loop is S->H, H->B and back, with a side channel that keeps the run going.
func loop() *world {
	return &world{
		links: []link{{"S", "H", 1}, {"H", "B", 1}, {"B", "H", 1}}, initiators: []string{"S"},
	}
}

// TestIdleLoopServesTheTrigger: no record has been in the loop when the checkpoint is
// triggered at 5 ms. It completes.
func TestIdleLoopServesTheTrigger(t *testing.T) {
	w := loop()
	w.sends = []send{{at: 80, from: "S", to: "H", id: 1, hops: 3}}
	w.tune = managedBy(coordinator.Settings{Interval: 5 * ms})
	o := w.run(t, task, true).right().status(1, sim.Complete)
	if s := o.h.Snapshots[0]; s.TriggeredAt != 5*ms || s.CompletedAt > 20*ms {
		t.Errorf("triggered at %d and complete at %d", s.TriggeredAt, s.CompletedAt)
	}
}

// TestEndedLoopServesTheTrigger: the last record leaves the loop before 20 ms, and the
// checkpoint is triggered at 21 ms. Nothing is finished in this model: the tasks of an
// ended loop still answer, and the checkpoint completes. The run is kept going by a
// second source.
func TestEndedLoopServesTheTrigger(t *testing.T) {
	w := loop()
	w.links = append(w.links, link{"Z", "K", 1})
	w.initiators = append(w.initiators, "Z")
	w.sends = append([]send{{at: 10, from: "S", to: "H", id: 1, hops: 4}}, ticking("Z", "K", 10, 90)...)
	w.tune = managedBy(coordinator.Settings{Interval: 21 * ms})
	o := w.run(t, task, true).right().status(1, sim.Complete)
	if s := o.h.Snapshots[0]; s.TriggeredAt != 21*ms {
		t.Errorf("triggered at %d", s.TriggeredAt)
	}
	for _, f := range o.h.Facts {
		if f.Kind == sim.FactRestore || f.Kind == sim.FactAborted {
			t.Errorf("the job fails: %+v", f)
		}
	}
}
