package spacetime

import (
	"testing"

	"simrun/sim"
)

// TestBlocked: the spans in which inputs were blocked add up to what the engine counts for
// each snapshot; crashes and recoveries have ended some of them.
func TestBlocked(t *testing.T) {
	spans, cutShort := 0, 0
	for _, file := range files(t) {
		p := load(t, file, "")
		d := Of(p, p.Seed, Options{})
		took := map[sim.SnapshotID]int64{}
		for _, s := range d.Blocked {
			until := d.EndedAt
			if s.To != None {
				until = d.Events[s.To].At
				if d.Events[s.To].Kind != Unblock {
					cutShort++
				}
			}
			took[s.Snapshot] += until - d.Events[s.From].At
			spans++
		}
		for _, s := range d.Result.Snapshots {
			if got := took[sim.SnapshotID(s.ID)]; got != s.Blocked && s.Verdict != "pending" {
				t.Errorf("%s: snapshot %d blocked inputs for %d ns, and the spans add up to %d", file, s.ID, s.Blocked, got)
			}
		}
	}
	if spans < 100 || cutShort == 0 {
		t.Errorf("%d spans, %d of them ended by a crash or a recovery", spans, cutShort)
	}
}
