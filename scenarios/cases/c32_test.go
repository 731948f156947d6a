package cases

import (
	"testing"

	"simrun/algorithms/coordinator"
	"simrun/sim"
)

// TestRestartOfSomeTasks: S->M1->K and S->M2->K, and M1 and K crash during checkpoint 2.
// The whole graph is restored, there is no partial restart: checkpoint 2 is given up,
// the next one completes, and K waits for nobody that went on.
func TestRestartOfSomeTasks(t *testing.T) {
	w := &world{
		links: []link{{"S", "M1", 1}, {"S", "M2", 15}, {"M1", "K", 1}, {"M2", "K", 1}}, initiators: []string{"S"},
	}
	for at := int64(2); at < 95; at += 3 {
		w.sends = append(w.sends, send{at: at, from: "S", to: []string{"M1", "M2"}[at%2], id: uint64(at), hops: 1})
	}
	w.tune = func(cfg *sim.Config) {
		managedBy(coordinator.Settings{Interval: 20 * ms})(cfg)
		cfg.Faults = []sim.Fault{{Nodes: []int32{w.node("M1"), w.node("K")}, At: 45 * ms, Down: 3 * ms}}
	}
	o := w.run(t, task, true).right().status(1, sim.Complete).status(2, sim.Aborted).status(3, sim.Complete)
	if o.h.Snapshots[1].BlockedFor == 0 || len(o.h.Restores) != 1 || o.h.Restores[0].Snapshot != o.h.Snapshots[0] {
		t.Errorf("K was not aligning at the crash, or the restore is not to checkpoint 1: %+v", o.h.Restores)
	}
	var want []uint64
	for _, s := range w.sends {
		want = append(want, s.id)
	}
	o.ends("K", want...)
}
