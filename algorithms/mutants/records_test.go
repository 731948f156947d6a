package mutants

import (
	"slices"
	"strings"
	"testing"

	"simrun/sim"
)

// TestRecordsAreNamed: where barriers are not aligned, abs-staged names the source
// records whose effects a snapshot lacks, or has and should not, and they are such: a
// record is in the cut of a snapshot if and only if its number is at most the offset
// that the engine noted for its source.
func TestRecordsAreNamed(t *testing.T) {
	for _, test := range []struct {
		name        string
		lacks, many bool // which of the two must be seen
	}{
		{"no-blocking", false, true},
		{"first-barrier", true, false},
		{"early-broadcast", true, false},
		{"early-unblock", false, true},
		{"late-snapshot", true, false},
	} {
		all := All()
		m := all[slices.IndexFunc(all, func(m Mutant) bool { return m.Name == test.name })]
		var lacks, many, derived int
		for _, w := range worlds() {
			for seed := range uint64(seeds) {
				h, report := w.run(seed, sim.Timed, m.New, true)
				for _, v := range report.Violations {
					if v.Invariant != "abs-staged" || len(v.Records) == 0 {
						continue
					}
					has := strings.Contains(v.Detail, " has in the state of ") || strings.Contains(v.Detail, "so it has ")
					if has == strings.Contains(v.Detail, " lacks the effect") {
						continue // both, on the same channel
					}
					if !strings.Contains(v.Detail, "record") {
						t.Errorf("%s: %v names no record", test.name, v)
					}
					for _, id := range v.Records {
						if inside := id.Number <= h.Snapshots[v.Snapshot-1].Recordings[id.Node].Offset; inside == has {
							t.Fatalf("%s on %v, seed %d: %v, and record %v is inside the cut: %v", test.name, w, seed, v, id, inside)
						}
					}
					if has {
						many++
					} else {
						lacks++
					}
					if strings.HasPrefix(v.Detail, "snapshot") && !strings.Contains(v.Detail, "is not aligned") {
						derived++ // on a channel that is aligned, of which the sender is wrong
					}
				}
			}
		}
		t.Logf("%s: %d channels with too few effects, %d with too many, %d of them only follow", test.name, lacks, many, derived)
		if test.lacks && lacks < 20 || test.many && many < 20 {
			t.Errorf("%s: only %d channels with too few effects and %d with too many", test.name, lacks, many)
		}
	}
}
