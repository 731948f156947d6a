package scenarios

import (
	"testing"

	"simrun/scenarios/units"
	"simrun/sim"
)

// lastRecord remembers when a record from outside was last read.
type lastRecord struct{ at int64 }

// Observe implements sim.Observer.
func (l *lastRecord) Observe(ev *sim.Event) {
	if ev.Kind == sim.EventExternal {
		l.at = ev.At
	}
}

// TestSourcesOutlastTheSnapshots: in every scenario file records are still read
// when the last node has recorded the last snapshot. Without that, messages that
// run ahead of a barrier would go unseen.
func TestSourcesOutlastTheSnapshots(t *testing.T) {
	for _, l := range lessons() {
		if l.spent {
			continue
		}
		for _, algorithm := range l.algorithms {
			runner := mustLoad(t, l.file, algorithm).NewRunner()
			for seed := uint64(1); seed <= 50; seed++ {
				last := &lastRecord{}
				x := runner.execute(seed, last)
				for _, s := range x.history.Snapshots {
					for v := range s.Recordings {
						if at := s.Recordings[v].At; at > last.at {
							t.Fatalf("%s under %s, seed %d: node %d records snapshot %d at %s, the last record is read at %s",
								l.file, algorithm, seed, v, s.ID, units.Duration(at).Brief(), units.Duration(last.at).Brief())
						}
					}
				}
			}
		}
	}
}
