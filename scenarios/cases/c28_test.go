package cases

import (
	"slices"
	"testing"

	"simrun/algorithms/coordinator"
	"simrun/sim"
)

// TestRetainedSetIsClosed: with one checkpoint retained, the one that a restore goes back
// to has every part that its metadata names, at any moment: the old one is deleted when
// the new one is durable, and its parts after its metadata. Savepoints and incremental
// checkpoints, which would make others need a part, are not there.
func TestRetainedSetIsClosed(t *testing.T) {
	retired, restores := 0, 0
	for seed := range uint64(40) {
		s := managedStage(t, seed, coordinator.Settings{Interval: 15 * ms, Timeout: 100 * ms, MaxConcurrent: 3, Retained: 1, Tolerable: 1000})
		s.Faults = []sim.Fault{
			{Nodes: []int32{int32(seed) % int32(s.Graph.Nodes+1)}, At: 120 * ms, Down: 5 * ms},
			{Nodes: []int32{int32(seed+1) % int32(s.Graph.Nodes)}, At: 250 * ms, Down: 5 * ms},
		}
		h := s.playRight()
		restores += len(h.Restores)
		deleted := map[sim.Handle]bool{}
		var stored []*sim.Metadata
		next := 0
		for _, f := range h.Facts {
			switch f.Kind {
			case sim.FactPublished:
				stored = append(stored, &h.Published[next])
				next++
			case sim.FactRetired:
				retired++
				stored = slices.DeleteFunc(stored, func(m *sim.Metadata) bool { return m.ID == f.ID })
				if len(stored) != 1 {
					t.Fatalf("seed %d: %d checkpoints are stored when %d has been deleted", seed, len(stored), f.ID)
				}
			case sim.FactDiscarded:
				deleted[f.Control.Handle] = true
			}
			for _, m := range stored {
				if slices.ContainsFunc(m.Handles, func(h sim.Handle) bool { return deleted[h] }) {
					t.Fatalf("seed %d: checkpoint %d is stored, and a part of it is deleted", seed, m.ID)
				}
			}
		}
	}
	if retired < 100 || restores < 60 {
		t.Errorf("%d retired, %d restores", retired, restores)
	}
}
