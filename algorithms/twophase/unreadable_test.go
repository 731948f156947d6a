package twophase_test

import (
	"strings"
	"testing"

	"simrun/algorithms/twophase"
	"simrun/sim"
)

// TestUnreadableCheckpoint: what was committed with a checkpoint that later cannot be read
// leaves again. A transactional sink has no remedy, and recovery says so.
func TestUnreadableCheckpoint(t *testing.T) {
	j := &jobs[1]
	again, whole := 0, 0
	for seed := range uint64(20) {
		cfg := j.config(t, seed, twophase.Sink)
		cfg.Management.Torn.Markers = []sim.SnapshotID{4}
		cfg.Faults = []sim.Fault{{Nodes: []int32{1}, At: 100 * ms}}
		h := run(t, cfg)
		left := false
		for _, v := range j.judge(cfg, h).Violations {
			if v.Invariant != "recovery" || !strings.Contains(v.Detail, "left the system, and restore 1 takes back the step") {
				t.Errorf("seed %d: %v", seed, v)
			}
			left = true
		}
		switch unreadable := count(h, sim.FactUnreadable) > 0; {
		case left && !unreadable:
			t.Errorf("seed %d: outputs left again, and every checkpoint could be read", seed)
		case left:
			again++
		case !unreadable:
			whole++
		}
	}
	if again < 5 || whole < 5 {
		t.Errorf("outputs left again in %d runs; in %d every checkpoint could be read", again, whole)
	}
}
