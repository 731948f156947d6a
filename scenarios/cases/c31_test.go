package cases

import (
	"testing"

	"simrun/algorithms/coordinator"
	"simrun/sim"
)

// TestFirstCheckpointAfterARecovery: several checkpoints are in flight at a crash. The
// graph goes back to the last complete one; the next has an id that was never used; and
// no task is given a barrier of those that were given up.
func TestFirstCheckpointAfterARecovery(t *testing.T) {
	inFlight := 0
	for seed := range uint64(40) {
		s, watch := managedStage(t, seed, coordinator.Settings{Interval: 10 * ms, Timeout: 150 * ms, MaxConcurrent: 3, Tolerable: 1000}), new(markers)
		s.Observer = watch
		s.Faults = []sim.Fault{{Nodes: []int32{int32(seed) % int32(s.Graph.Nodes+1)}, At: 150 * ms, Down: 5 * ms}}
		h := s.playRight()
		if len(h.Restores) != 1 {
			t.Fatalf("seed %d: %d restores", seed, len(h.Restores))
		}
		r := h.Restores[0]
		inFlight = max(inFlight, len(r.Aborted))
		last, complete, first := sim.SnapshotID(0), sim.SnapshotID(0), sim.SnapshotID(0)
		for _, snapshot := range h.Snapshots {
			switch {
			case snapshot.Incarnation > 0 && first == 0:
				first = snapshot.ID
			case snapshot.Incarnation == 0:
				last = snapshot.ID
				if snapshot.Status == sim.Complete {
					complete = snapshot.ID
				}
			}
		}
		if first != last+1 || r.Snapshot == nil || r.Snapshot.ID != complete {
			t.Errorf("seed %d: back to %v, %d was complete; the first checkpoint afterwards is %d, and %d was the last before", seed, r.Snapshot, complete, first, last)
		}
		for _, e := range watch.seen {
			if e.Incarnation > 0 && e.Snapshot <= last {
				t.Errorf("seed %d: barrier %d of the old attempt comes after the recovery", seed, e.Snapshot)
			}
		}
		began := map[sim.SnapshotID]bool{}
		for _, f := range h.Facts {
			if f.Kind == sim.FactBegan {
				if began[f.ID] {
					t.Errorf("seed %d: id %d is used again", seed, f.ID)
				}
				began[f.ID] = true
			}
		}
	}
	if inFlight < 2 {
		t.Errorf("at most %d checkpoints were in flight at a crash", inFlight)
	}
}
