package invariants

import (
	"slices"
	"testing"

	"simrun/sim"
)

// TestReplayServesEachInvariant: the replay runs for any of the invariants that it
// decides about, also if the others are switched off.
func TestReplayServesEachInvariant(t *testing.T) {
	replayed := []string{"channel-state", "state-truth", "fifo", "recovery"}
	for invariant, do := range map[string]func(p *play){
		"channel-state": content(ab, func(m []sim.Recorded) []sim.Recorded { m[0].Message.Value++; return m }),
		"state-truth":   func(p *play) { p.h.Snapshots[1].Recordings[0].Offset++ },
		"fifo":          func(p *play) { p.change(sim.RowProcess, 0, wrongHash) },
		"recovery":      func(p *play) { p.change(sim.RowSend, -1, wrongHash) },
	} {
		off := slices.DeleteFunc(slices.Clone(replayed), func(name string) bool { return name == invariant })
		for _, off := range [][]string{off, off[:1], off[1:2], off[2:]} {
			p := sample(t)
			do(p)
			if report := Check(p.run, off); !slices.ContainsFunc(report.Violations, func(v Violation) bool { return v.Invariant == invariant }) {
				t.Errorf("%v are off: no violation of %s in %v", off, invariant, report.Violations)
			}
		}
	}
}
