package sim_test

import (
	"slices"
	"testing"

	"simrun/sim"
)

// A run that resumes where a restore of another one has left it goes on as that did up
// to its next crash, without its snapshots and faults.
func TestResume(t *testing.T) {
	compared := 0
	for seed := range uint64(40) {
		for _, replay := range []sim.Replay{sim.FromOffset, sim.NoReplay} {
			cfg := busyRun(seed)
			cfg.Rows, cfg.Replay = true, replay
			h := runOf(t, cfg)
			for k := range h.Restores {
				rest := *cfg
				rest.Snapshots, rest.Faults = sim.SnapshotPlan{}, nil
				rest.Resume = &sim.Resume{History: h, Restore: k}
				got := runOf(t, &rest)
				if r := got.Restores[len(got.Restores)-1]; r.At != h.Restores[k].At || r.Incarnation != uint8(k+1) || r.Snapshot != h.Restores[k].Snapshot {
					t.Fatalf("seed %d: restore %d is resumed as %+v", seed, k, r)
				}
				want := h.Rows[h.Restores[k].Row+1:]
				if i := slices.IndexFunc(want, func(r sim.Row) bool { return r.Kind() == sim.RowCrash }); i >= 0 {
					want = want[:i]
				}
				want = slices.DeleteFunc(slices.Clone(want), func(r sim.Row) bool { return r.Kind() == sim.RowRecord })
				if len(got.Rows) < len(want)+1 || !slices.Equal(got.Rows[1:len(want)+1], want) {
					t.Fatalf("seed %d: after restore %d the rows are not what they were", seed, k)
				}
				if h.Restores[k].Snapshot != nil && len(want) > 20 {
					compared++
				}
			}
		}
	}
	if compared < 20 {
		t.Errorf("only %d restores from a snapshot have anything after them", compared)
	}
}
