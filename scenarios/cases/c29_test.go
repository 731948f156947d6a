package cases

import (
	"testing"

	"simrun/algorithms/coordinator"
	"simrun/sim"
)

// TestRollbackDuringAlignment: T has the barrier of 1 from S1 and waits for that of S2,
// when S2 crashes. The rollback waits for no barrier: it gives the checkpoint up, opens
// what was blocked for it, and the next one completes. T crashing as well while the
// graph is being restored changes nothing.
func TestRollbackDuringAlignment(t *testing.T) {
	for _, again := range []bool{false, true} {
		w := &world{
			links: []link{{"S1", "T", 1}, {"S2", "T", 20}}, initiators: []string{"S1", "S2"},
			sends: append(ticking("S1", "T", 3, 95), ticking("S2", "T", 3, 95)...),
		}
		w.tune = func(cfg *sim.Config) {
			managedBy(coordinator.Settings{Interval: 30 * ms, Retained: 1})(cfg)
			cfg.Management.Read = sim.Dist{Low: 6 * ms}
			cfg.Faults = []sim.Fault{{Nodes: []int32{w.node("S2")}, At: 40 * ms, Down: 2 * ms}}
			if again {
				cfg.Faults = append(cfg.Faults, sim.Fault{Nodes: []int32{w.node("T")}, At: 44 * ms, Down: 3 * ms})
			}
		}
		o := w.run(t, task, true).right().status(1, sim.Aborted).status(2, sim.Complete)
		if b := o.h.Snapshots[0].BlockedFor; b == 0 {
			t.Error("T was not aligning when S2 crashed")
		}
		if len(o.h.Restores) != 1 || again && len(o.h.Restores[0].Crashed) != 2 {
			t.Errorf("restores %+v", o.h.Restores)
		}
		want := []uint64{}
		for at := uint64(3); at < 95; at += 3 {
			want = append(want, at, at)
		}
		o.ends("T", want...)
	}
}
