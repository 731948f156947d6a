package cases

import (
	"testing"

	"simrun/algorithms/coordinator"
	"simrun/algorithms/mutants"
	"simrun/sim"
)

// joinXY is X->T and Y->T, with Y far away.
func joinXY() *world {
	return &world{
		links: []link{{"X", "T", 1}, {"Y", "T", 25}}, initiators: []string{"X", "Y"},
		sends: append(ticking("X", "T", 2, 90), ticking("Y", "T", 2, 90)...),
	}
}

// TestBarrierOfTheNextCheckpoint: with at most one checkpoint at once no task is given a
// barrier of n+1 before all its inputs have brought that of n; a barrier that comes
// twice changes nothing, and an acknowledgement that comes twice counts once.
func TestBarrierOfTheNextCheckpoint(t *testing.T) {
	w, watch, doubled := joinXY(), new(markers), 0
	w.tune = func(cfg *sim.Config) {
		managedBy(coordinator.Settings{Interval: 5 * ms, MaxConcurrent: 1})(cfg)
		cfg.Observer = watch
		cfg.Management.Fails.Duplicate.PerMillion = 1_000_000
		cfg.Unreliable = make([]sim.Unreliable, len(w.links))
		cfg.Unreliable[w.channel("X", "T")].Duplicate.Markers = []sim.SnapshotID{1, 2}
	}
	o := w.run(t, task, true).right().status(1, sim.Complete).status(2, sim.Complete)
	last := make([]sim.SnapshotID, len(w.links))
	for _, e := range watch.seen {
		if e.Kind != sim.EventMarker {
			continue
		}
		if e.Snapshot == last[e.Channel] {
			doubled++
		}
		last[e.Channel] = e.Snapshot
		for c, id := range last {
			if id+1 < e.Snapshot {
				t.Errorf("barrier %d comes on channel %d, and channel %d has brought %d", e.Snapshot, e.Channel, c, id)
			}
		}
	}
	if doubled != 2 {
		t.Errorf("%d barriers came twice", doubled)
	}
	for _, m := range o.h.Published {
		for v, h := range m.Handles {
			if h == 0 {
				t.Errorf("checkpoint %d has no part of task %d", m.ID, v)
			}
		}
	}
}

// TestAcknowledgementsCountedByMessage: a coordinator that counts messages takes the
// second copy of one acknowledgement for that of another task.
func TestAcknowledgementsCountedByMessage(t *testing.T) {
	w := joinXY()
	w.tune = func(cfg *sim.Config) {
		managedBy(coordinator.Settings{})(cfg)
		cfg.Management.New = wrongCoordinator("acks-counted", mutants.Timing{Interval: 5 * ms, Timeout: 60 * ms})
		cfg.Management.Fails.Duplicate.PerMillion = 1_000_000
	}
	o := w.run(t, task, true)
	o.accused("coordinator", "its metadata names no durable part of")
}
