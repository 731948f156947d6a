package cases

import (
	"testing"

	"simrun/sim"
)

// diamond is S->A->C and S->B->C, with B far away.
func diamond() []link {
	return []link{{"S", "A", 1}, {"S", "B", 10}, {"A", "C", 1}, {"B", "C", 1}}
}

// A join that takes its snapshot at the first barrier and neither blocks nor logs the
// other input loses what comes there: S goes on behind r1 after the crash.
func TestSnapshotAtTheFirstBarrier(t *testing.T) {
	const r1 = 1
	w := &world{
		links: diamond(), sends: []send{{at: 9, from: "S", to: "B", id: r1, hops: 1}},
		snapshots: []int64{10, 80}, initiators: []string{"S"}, crash: "C",
	}
	w.run(t, als, true).holds().kept(1, "C", r1).kept(2, "C", r1)
	o := w.run(t, wrong("first-barrier"), true).violates("channel-state", "B", "C", 1).kept(1, "C")
	o.kept(2, "C") // LOSS: r1 is in no state and comes from nowhere
}

// To wait for the last barrier is not enough if the inputs run on: what A sends behind
// its barrier is in C's state, and S sends it once more after the crash.
func TestSnapshotAtTheLastBarrierWithoutBlocking(t *testing.T) {
	const r1, r2 = 1, 2
	w := &world{
		links:     diamond(),
		sends:     []send{{at: 9, from: "S", to: "B", id: r1, hops: 1}, {at: 11, from: "S", to: "A", id: r2, hops: 1}},
		snapshots: []int64{10, 80}, initiators: []string{"S"}, crash: "C",
	}
	w.run(t, als, true).holds().kept(1, "C", r1).kept(2, "C", r1, r2)
	o := w.run(t, wrong("no-blocking"), true).violates("consistent-cut", "A", "C", 1).kept(1, "C", r2, r1)
	o.kept(2, "C", r2, r1, r2) // DUPLICATE
}

// A task queues the action that takes its snapshot and reads on: one record from
// behind the barrier is processed first. X sends it again after the crash.
func TestReadingPastTheBarrier(t *testing.T) {
	const r, last = 1, 2
	w := &world{
		links: []link{{"X", "T", 1}}, sends: []send{{at: 11, from: "X", to: "T", id: r}, {at: 85, from: "X", to: "T", id: last}},
		snapshots: []int64{10, 80}, initiators: []string{"X"}, crash: "T",
	}
	w.run(t, als, true).holds().kept(1, "T").kept(2, "T", r)

	late, target := wrong("late-snapshot"), w.node("T")
	onlyT := func(info sim.NodeInfo) sim.Node {
		if info.ID == target {
			return late(info)
		}
		return als(info)
	}
	o := w.run(t, onlyT, true).violates("consistent-cut", "X", "T", 1).kept(1, "T", r)
	o.kept(2, "T", r, r, last) // DUPLICATE; the last one is the next record past a barrier
}
