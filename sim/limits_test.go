package sim_test

import (
	"testing"

	"simrun/algorithms/chandylamport"
	"simrun/sim"
)

// Snapshots that are triggered faster than they complete end the run at a limit
// instead of filling the memory.
func TestTooManySnapshotsUnderWay(t *testing.T) {
	cfg := tokenRun(sim.Graph{Nodes: 2, From: []int32{0, 1}, To: []int32{1, 0}}, sim.Dist{Low: 1_000_000})
	cfg.NewNode = chandylamport.New
	cfg.Snapshots = sim.SnapshotPlan{Every: 1, Initiators: []int32{0}}
	h := runOf(t, cfg)
	if h.End != sim.OpenLimit || len(h.Snapshots) != sim.MaxOpen {
		t.Errorf("end %d with %d snapshots; want end %d with %d", h.End, len(h.Snapshots), sim.OpenLimit, sim.MaxOpen)
	}
}
