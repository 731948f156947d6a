package twophase_test

import (
	"testing"

	"simrun/algorithms/mutants"
)

// killSeeds is within how many runs a wrong sink must be noticed.
const killSeeds = 20

// TestWrongSinks: each wrong sink violates the invariant that should notice it, in every
// kind of job. The right one violates nothing in these runs and more, see
// TestExactlyOnce.
func TestWrongSinks(t *testing.T) {
	for _, m := range mutants.Sinks() {
		for _, j := range jobs {
			killed, first := 0, -1
			for seed := range uint64(killSeeds) {
				cfg := j.config(t, seed, m.New)
				for _, v := range j.judge(cfg, run(t, cfg)).Violations {
					if v.Invariant == m.Catches {
						if killed++; first < 0 {
							first = int(seed)
							t.Logf("%s: %v", j.name, v)
						}
						break
					}
				}
			}
			t.Logf("%s, %s: %d of %d runs violate %s, the first with seed %d", m.Name, j.name, killed, killSeeds, m.Catches, first)
			if killed == 0 {
				t.Errorf("%s, %s: not noticed in %d runs", m.Name, j.name, killSeeds)
			}
		}
	}
}
