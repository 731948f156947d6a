package cases

import (
	"testing"
	"time"

	"simrun/algorithms/coordinator"
	"simrun/sim"
)

// TestBarriersAndCancelsInterleaved: B never hears of checkpoint 1, so C sees b1 and
// behind it b2 from A, and from B b2 alone. The cancellation reaches C before B's b2, or
// after it. Checkpoint 2 completes, 1 is aborted, and no time is negative.
func TestBarriersAndCancelsInterleaved(t *testing.T) {
	for _, timeout := range []int64{12, 25, 50} {
		w := &world{
			links: []link{{"A", "C", 1}, {"B", "C", 8}}, initiators: []string{"A", "B"},
			sends: append(ticking("A", "C", 3, 90), ticking("B", "C", 3, 90)...),
		}
		w.tune = managedBy(coordinator.Settings{Interval: 10 * ms, Timeout: timeout * ms, MaxConcurrent: 2})
		o := w.run(t, deafAt(w.node("B"), 1), true).right().status(1, sim.Aborted).status(2, sim.Complete)
		for _, s := range o.h.Snapshots {
			if s.BlockedFor < 0 || s.StartedAt > s.CompletedAt && s.CompletedAt >= 0 {
				t.Errorf("timeout %d: checkpoint %d blocks for %v, from %d to %d", timeout, s.ID, time.Duration(s.BlockedFor), s.StartedAt, s.CompletedAt)
			}
			for v := range int32(3) {
				if n := cancels(o.h, v, s.ID); n > 1 {
					t.Errorf("timeout %d: task %d is told %d times to cancel checkpoint %d", timeout, v, n, s.ID)
				}
			}
		}
		if b := o.h.Snapshots[0].BlockedFor; b < ms {
			t.Errorf("timeout %d: A is blocked for checkpoint 1 for %v only", timeout, time.Duration(b))
		}
	}
}

// TestCancelsAlternate: a task is told to cancel 1, 2, 1, 2, 1, 2 while it aligns 1 and
// holds a barrier of 2. Each is cancelled once; it forwards nothing, and what comes of
// them later is ignored. No cancellation travels on a data channel: the coordinator
// tells every task itself.
func TestCancelsAlternate(t *testing.T) {
	for _, cyclic := range []bool{false, true} {
		info := sim.NodeInfo{Inputs: 3, Outputs: 1, Cyclic: cyclic}
		if cyclic {
			info.BackEdge = make([]bool, 3)
		}
		n, out := task(info).(sim.Task), sim.NewOut(new(keeper))
		n.Receive(0, sim.NewMarker(1), out)
		n.Receive(1, sim.NewMarker(1), out)
		kinds := map[sim.OpKind]int{}
		for range 3 {
			for id := sim.SnapshotID(1); id <= 2; id++ {
				n.Told(sim.Control{Kind: sim.Cancel, ID: id}, out)
			}
		}
		n.Receive(2, sim.NewMarker(1), out)
		for i := range sim.Input(3) {
			n.Receive(i, sim.NewMarker(2), out)
		}
		for _, op := range out.Ops() {
			kinds[op.Kind]++
		}
		if len(out.Ops()) != 10 || kinds[sim.OpBlock] != 2 || kinds[sim.OpUnblock] != 2 || kinds[sim.OpTell] != 6 {
			t.Errorf("cyclic %t: the task does %v, want two inputs blocked and unblocked, and six orders confirmed", cyclic, out.Ops())
		}
	}
}

// TestOlderBarrierBehindANewerOne: 2 is skipped on one input, and 3 begins with it. The
// barrier of 2 that still comes on the other input is in front of that of 3: a task that
// kept it until 3 is done would wait for ever.
func TestOlderBarrierBehindANewerOne(t *testing.T) {
	for _, cyclic := range []bool{false, true} {
		info := sim.NodeInfo{Inputs: 2, Outputs: 1, Cyclic: cyclic}
		if cyclic {
			info.BackEdge = make([]bool, 2)
		}
		n, out := task(info), sim.NewOut(new(keeper))
		n.Receive(0, sim.NewMarker(3), out)
		n.Receive(1, sim.NewMarker(2), out)
		for _, op := range out.Ops() {
			if op.Kind == sim.OpBlock && op.Channel == 1 {
				t.Fatalf("cyclic %t: the barrier of 2 blocks that of 3", cyclic)
			}
		}
		n.Receive(1, sim.NewMarker(3), out)
		saved := false
		for _, op := range out.Ops() {
			saved = saved || op.Kind == sim.OpSaveState && op.Snapshot == 3
		}
		if !saved {
			t.Errorf("cyclic %t: checkpoint 3 is not taken: %v", cyclic, out.Ops())
		}
	}
}
