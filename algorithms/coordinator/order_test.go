package coordinator_test

import (
	"slices"
	"testing"

	"simrun/algorithms/coordinator"
	"simrun/sim"
)

// TestPublishedOutOfOrder: the metadata of checkpoint 3 is written faster than that of 1.
// Checkpoint 2, which nobody is writing, is subsumed; 1 becomes complete, and stays the
// older one: it is retired, and 3 restored.
func TestPublishedOutOfOrder(t *testing.T) {
	c, out := coordinator.New(coordinator.Settings{Interval: 10, MaxConcurrent: 3, Retained: 1})(), new(sim.Decisions)
	c.Start(sim.Standing{Tasks: 1, Sources: []int32{0}}, out)
	for range 3 {
		c.Alarm(0, out)
	}
	for _, id := range []sim.SnapshotID{1, 3} {
		c.Receive(0, sim.Control{Kind: sim.Acknowledge, ID: id, Handle: sim.Handle(id)}, out)
	}
	out.Reset()
	decided := func(kind sim.DecisionKind) (ids []sim.SnapshotID) {
		for _, d := range out.List() {
			if d.Kind == kind {
				ids = append(ids, d.ID)
			}
		}
		return ids
	}
	c.Published(3, true, out)
	if got := decided(sim.DecideAbort); !slices.Equal(got, []sim.SnapshotID{2}) {
		t.Errorf("3 is complete: %v are aborted, want 2", got)
	}
	c.Published(1, true, out)
	c.Failed(0, out)
	if got := decided(sim.DecideRetire); !slices.Equal(got, []sim.SnapshotID{1}) {
		t.Errorf("%v are retired, want 1", got)
	}
	if got := decided(sim.DecideRestore); !slices.Equal(got, []sim.SnapshotID{3}) {
		t.Errorf("%v are restored, want 3", got)
	}
}
