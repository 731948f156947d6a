package cases

import (
	"testing"

	"simrun/algorithms/coordinator"
	"simrun/sim"
)

// five is a source of the records 1 to 5, 10 ms apart.
func five(to string) (sends []send) {
	for id := int64(1); id <= 5; id++ {
		sends = append(sends, send{at: 10 * id, from: "S", to: to, id: uint64(id)})
	}
	return sends
}

// TestPositionOffByOne: a source that takes up its input one record too late loses one,
// one record too early has one twice. S has sent 1 to 3 at the checkpoint, and W crashes
// afterwards.
func TestPositionOffByOne(t *testing.T) {
	w := &world{links: []link{{"S", "W", 1}}, sends: five("W"), initiators: []string{"S"}}
	w.tune = func(cfg *sim.Config) {
		managedBy(coordinator.Settings{Interval: 35 * ms})(cfg)
		cfg.Faults = []sim.Fault{{Nodes: []int32{w.node("W")}, At: 45 * ms, Down: ms}}
	}
	o := w.run(t, task, true).right().kept(1, "W", 1, 2, 3).ends("W", 1, 2, 3, 4, 5)
	if r := o.h.Restores[0]; r.Offsets[0] != 3 || o.h.Snapshots[0].Recordings[0].Offset != 3 {
		t.Errorf("the recorded position is %d, the applied one %d", o.h.Snapshots[0].Recordings[0].Offset, r.Offsets[0])
	}
	w.run(t, wrongTask("skipped-record"), true).ends("W", 1, 2, 3, 5).accused("recovery", "")        // LOSS
	w.run(t, wrongTask("repeated-record"), true).ends("W", 1, 2, 3, 3, 4, 5).accused("recovery", "") // DUPLICATE
}

// TestPositionBehindAnUnfinishedRecord: two workers, of which one has finished 2 to 5
// when 1 is still on its way to the other. The position that a checkpoint commits covers
// nothing unfinished: the checkpoint waits for record 1, and a crash before it is
// complete reads all five again.
func TestPositionBehindAnUnfinishedRecord(t *testing.T) {
	w := &world{links: []link{{"S", "W1", 40}, {"S", "W2", 1}, {"W1", "K", 1}, {"W2", "K", 1}}, initiators: []string{"S"}}
	for id := int64(1); id <= 5; id++ {
		w.sends = append(w.sends, send{at: id, from: "S", to: []string{"W1", "W2", "W2", "W2", "W2"}[id-1], id: uint64(id), hops: 1})
	}
	for _, crash := range []int64{20, 60} {
		w.tune = func(cfg *sim.Config) {
			managedBy(coordinator.Settings{Interval: 10 * ms})(cfg)
			cfg.Faults = []sim.Fault{{Nodes: []int32{w.node("K")}, At: crash * ms, Down: ms}}
		}
		o := w.run(t, task, true).right().ends("K", 1, 2, 3, 4, 5)
		r := o.h.Restores[0]
		if crash == 20 && (r.Snapshot != nil || r.Offsets[0] != 0) {
			t.Errorf("crash at 20 ms: back to %+v", r)
		}
		if crash == 60 && r.Offsets[0] != 5 {
			t.Errorf("crash at 60 ms: back to position %d", r.Offsets[0])
		}
	}
}

// TestCrashDuringRecovery: W crashes, and S while the graph is being read back; then S
// as soon as it runs again. Every position that is gone back to is one that was
// recorded, and nothing is lost or doubled.
func TestCrashDuringRecovery(t *testing.T) {
	w := &world{links: []link{{"S", "W", 1}}, sends: five("W"), initiators: []string{"S"}}
	w.tune = func(cfg *sim.Config) {
		managedBy(coordinator.Settings{Interval: 15 * ms})(cfg)
		cfg.Management.Read = sim.Dist{Low: 5 * ms}
		cfg.Faults = []sim.Fault{
			{Nodes: []int32{w.node("W")}, At: 32 * ms, Down: ms},
			{Nodes: []int32{w.node("S")}, At: 35 * ms, Down: 2 * ms},
			{Nodes: []int32{w.node("S")}, At: 39 * ms, Down: ms},
		}
	}
	o := w.run(t, task, true).right().ends("W", 1, 2, 3, 4, 5)
	if len(o.h.Crashes) != 3 || len(o.h.Restores) != 2 {
		t.Fatalf("%d crashes, %d restores", len(o.h.Crashes), len(o.h.Restores))
	}
	for _, r := range o.h.Restores {
		if want := r.Snapshot.Recordings[0].Offset; r.Offsets[0] != want {
			t.Errorf("back to position %d, recorded is %d", r.Offsets[0], want)
		}
	}
}
