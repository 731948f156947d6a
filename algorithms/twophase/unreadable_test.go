package twophase_test

import (
	"fmt"
	"strings"
	"testing"

	"simrun/algorithms/twophase"
	"simrun/sim"
)

// TestUnreadableCheckpoint: what was committed with a checkpoint that later cannot be read
// leaves again. A transactional sink has no remedy, and recovery says so.
func TestUnreadableCheckpoint(t *testing.T) {
	j := &jobs[1]
	again, behind, whole := 0, 0, 0
	for seed := range uint64(60) {
		cfg := j.config(t, seed, twophase.Sink)
		cfg.Management.Torn.Markers = []sim.SnapshotID{4, 6}
		cfg.Faults = []sim.Fault{{Nodes: []int32{1}, At: 100 * ms}}
		if seed%2 == 0 { // and an earlier restore is gone behind
			cfg.Faults = append(cfg.Faults, sim.Fault{Nodes: []int32{2}, At: 55 * ms})
		}
		h := run(t, cfg)
		left := false
		for _, v := range j.judge(cfg, h).Violations {
			if v.Invariant != "recovery" || !strings.Contains(v.Detail, fmt.Sprintf("left the system, and restore %d takes back the step", len(h.Restores))) {
				t.Errorf("seed %d: %v", seed, v)
			}
			left = true
		}
		switch unreadable := count(h, sim.FactUnreadable) > 0; {
		case left && !unreadable:
			t.Errorf("seed %d: outputs left again, and every checkpoint could be read", seed)
		case left:
			again++
			if len(h.Restores) == 2 && h.Restores[0].Snapshot != nil && h.Restores[1].Snapshot == nil {
				behind++
			}
		case !unreadable:
			whole++
		}
	}
	if again < 5 || behind < 3 || whole < 3 {
		t.Errorf("outputs left again in %d runs, in %d of what was before an earlier restore; in %d every checkpoint could be read", again, behind, whole)
	}
}
