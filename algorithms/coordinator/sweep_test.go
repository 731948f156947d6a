package coordinator_test

import (
	"slices"
	"testing"

	"simrun/sim"
)

// TestNothingIsLeft: at the end the store has the parts of the stored checkpoints and
// savepoints, and no others, also where acknowledgements are lost and the coordinator
// crashes with some. A coordinator that only deletes what it knows of is caught.
func TestNothingIsLeft(t *testing.T) {
	unheard := 0
	for seed := range uint64(60) {
		cfg := withSavepoints(t, seed)
		cfg.Management.Fails.Lose.PerMillion = 30_000
		cfg.Faults = append(cfg.Faults, sim.Fault{Nodes: []int32{int32(cfg.Graph.Nodes)}, Phase: sim.PhaseAcknowledged, Occurrence: 2, Down: 5 * ms})
		h := play(t, cfg)
		if report := judge(cfg, h); !report.Holds() || h.End != sim.Quiescent {
			t.Fatalf("seed %d: ended %d, %v", seed, h.End, report.Violations)
		}
		retired := map[sim.SnapshotID]bool{}
		var has, heard, needed []sim.Handle
		for i := range h.Facts {
			switch f := &h.Facts[i]; {
			case f.Kind == sim.FactStored:
				has = append(has, f.Control.Handle)
			case f.Kind == sim.FactReceived && f.Control.Kind == sim.Acknowledge:
				heard = append(heard, f.Control.Handle)
			case f.Kind == sim.FactFailed:
				heard = nil
			case f.Kind == sim.FactRetired:
				retired[f.ID] = true
			case f.Kind == sim.FactDiscarded:
				has = slices.DeleteFunc(has, func(h sim.Handle) bool { return h == f.Control.Handle })
				if !retired[f.ID] && !slices.Contains(heard, f.Control.Handle) {
					unheard++
				}
			}
		}
		for _, m := range h.Published {
			if !retired[m.ID] {
				needed = append(needed, m.Handles...)
			}
		}
		slices.Sort(needed)
		slices.Sort(has)
		if !slices.Equal(has, needed) {
			t.Errorf("seed %d: the store has the parts %d, and needs %d", seed, has, needed)
		}
		last := slices.IndexFunc(h.Facts, func(f sim.Fact) bool { return f.Kind == sim.FactDiscarded && !retired[f.ID] })
		left := *h
		left.Facts = slices.Delete(slices.Clone(h.Facts), last, last+1)
		says(t, judge(cfg, &left), "coordinator", "is in the store at the end, and no stored checkpoint needs it")
	}
	if unheard < 60 {
		t.Errorf("%d parts were deleted of which the coordinator had not heard", unheard)
	}
}
