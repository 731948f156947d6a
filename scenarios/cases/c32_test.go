package cases

import (
	"slices"
	"testing"

	"simrun/algorithms/abs"
	"simrun/algorithms/coordinator"
	"simrun/algorithms/partial"
	"simrun/sim"
)

// restartsPart has what crashes restored with what is upstream, and nothing else.
func restartsPart(cfg *sim.Config) {
	managedBy(coordinator.Settings{Interval: 20 * ms, Partial: true})(cfg)
	cfg.NewNode = coordinator.Task(partial.Survivor(abs.New))
}

// twoWays is S->M1->K and S->M2->K, M2 being far away.
func twoWays() (w *world, ids []uint64) {
	w = &world{
		links: []link{{"S", "M1", 1}, {"S", "M2", 15}, {"M1", "K", 1}, {"M2", "K", 1}}, initiators: []string{"S"},
	}
	for at := int64(2); at < 95; at += 3 {
		w.sends = append(w.sends, send{at: at, from: "S", to: []string{"M1", "M2"}[at%2], id: uint64(at), hops: 1})
		ids = append(ids, uint64(at))
	}
	return w, ids
}

// TestRestartOfAPart: M2 crashes during checkpoint 2, for which K has the barrier of M1 and
// waits for that of M2. S and M2 are restored; M1 and K, which are not, give checkpoint 2
// up and wait for nobody; the next one begins with the new attempt, and not in its turn,
// and completes; and what S sends once more to M1 has no effect.
func TestRestartOfAPart(t *testing.T) {
	w, ids := twoWays()
	w.tune = func(cfg *sim.Config) {
		restartsPart(cfg)
		cfg.Faults = []sim.Fault{{Nodes: []int32{w.node("M2")}, At: 45 * ms, Down: 3 * ms}}
	}
	o := w.run(t, nil, true).right().status(1, sim.Complete).status(2, sim.Aborted).status(3, sim.Complete)
	r := &o.h.Restores[0]
	if !slices.Equal(r.Partial, []int32{w.node("S"), w.node("M2")}) || r.Snapshot != o.h.Snapshots[0] || r.Dropped == 0 {
		t.Errorf("restarted %v from %v, %d dropped", r.Partial, r.Snapshot, r.Dropped)
	}
	if two, three := o.h.Snapshots[1], o.h.Snapshots[2]; two.BlockedFor == 0 || two.Recordings[w.node("M1")].Seq == 0 || three.TriggeredAt != r.At {
		t.Errorf("K was not aligning at the crash, or checkpoint 3 began at %d and the attempt at %d", three.TriggeredAt, r.At)
	}
	o.ends("K", ids...)
}

// TestRestartOfTheSink: with the sink goes everything, as everything is upstream of it.
func TestRestartOfTheSink(t *testing.T) {
	w, ids := twoWays()
	w.tune = func(cfg *sim.Config) {
		restartsPart(cfg)
		cfg.Faults = []sim.Fault{{Nodes: []int32{w.node("M1"), w.node("K")}, At: 45 * ms, Down: 3 * ms}}
	}
	o := w.run(t, nil, true).right().status(1, sim.Complete).status(2, sim.Aborted).status(3, sim.Complete)
	if r := &o.h.Restores[0]; r.Partial != nil || r.Dropped != 0 {
		t.Errorf("only %v was restarted, %d dropped", r.Partial, r.Dropped)
	}
	o.ends("K", ids...)
}

// TestRestartOfSomeTasks: S->M1->K and S->M2->K, and M1 and K crash during checkpoint 2.
// The whole graph is restored: checkpoint 2 is given up, the next one completes, and K
// waits for nobody that went on.
func TestRestartOfSomeTasks(t *testing.T) {
	w, ids := twoWays()
	w.tune = func(cfg *sim.Config) {
		managedBy(coordinator.Settings{Interval: 20 * ms})(cfg)
		cfg.Faults = []sim.Fault{{Nodes: []int32{w.node("M1"), w.node("K")}, At: 45 * ms, Down: 3 * ms}}
	}
	o := w.run(t, task, true).right().status(1, sim.Complete).status(2, sim.Aborted).status(3, sim.Complete)
	if o.h.Snapshots[1].BlockedFor == 0 || len(o.h.Restores) != 1 || o.h.Restores[0].Snapshot != o.h.Snapshots[0] {
		t.Errorf("K was not aligning at the crash, or the restore is not to checkpoint 1: %+v", o.h.Restores)
	}
	o.ends("K", ids...)
}
