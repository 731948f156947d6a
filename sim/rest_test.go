package sim_test

import (
	"testing"

	"simrun/algorithms/abs"
	"simrun/algorithms/chandylamport"
	"simrun/sim"
)

// Periodic snapshots whose period is shorter than a snapshot takes end all the
// same when the application rests, in both orders.
func TestPeriodicSnapshotsEndThoughTheyOverlap(t *testing.T) {
	for _, order := range []sim.Order{sim.Timed, sim.Chosen} {
		for name, algorithm := range map[string]sim.NewNode{"chandylamport": chandylamport.New, "abs": abs.New} {
			cfg := tokenRun(sim.Graph{Nodes: 2, From: []int32{0}, To: []int32{1}}, sim.Dist{Low: 1000})
			cfg.Order, cfg.NewNode, cfg.Restless, cfg.MaxSteps = order, algorithm, false, 20_000
			cfg.NewSource = func(v int32) sim.Source {
				if v == 0 {
					return drip{1, 0, 20, 300}
				}
				return nil
			}
			cfg.Snapshots = sim.SnapshotPlan{Every: 500, Initiators: []int32{0}}
			if order == sim.Chosen {
				cfg.Snapshots.Every = 2
			}
			h := runOf(t, cfg)
			if h.End != sim.Quiescent || len(h.Snapshots) < 2 {
				t.Errorf("%s, order %d: end %d after %d snapshots", name, order, h.End, len(h.Snapshots))
			}
			for _, s := range h.Snapshots {
				if s.Status != sim.Complete {
					t.Errorf("%s, order %d: snapshot %d has status %d", name, order, s.ID, s.Status)
				}
			}
		}
	}
}
