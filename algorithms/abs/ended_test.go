package abs

import (
	"testing"

	"simrun/sim"
)

func (k *task) end(i sim.Input)             { k.node.Receive(i, sim.NewEndOfStream(), k.out) }
func (k *task) ordered(id sim.SnapshotID)   { k.node.(finisher).Ordered(id, k.out) }
func (k *task) drained()                    { k.node.(finisher).Drained(k.out) }
func (k *task) cancelled(id sim.SnapshotID) { k.node.(canceller).Cancel(id, k.out) }

type finisher interface {
	Ordered(id sim.SnapshotID, out *sim.Out)
	Drained(out *sim.Out)
}

type canceller interface {
	Cancel(id sim.SnapshotID, out *sim.Out)
}

func drains() []sim.Op { return []sim.Op{{Kind: sim.OpDrain}} }

func endsAll(outputs int32) (ops []sim.Op) {
	for c := range outputs {
		ops = append(ops, sim.Op{Kind: sim.OpSend, Channel: c, Message: sim.NewEndOfStream()})
	}
	return ops
}

// An input that ends in the middle of an alignment is the last that was waited for.
func TestEndCountsAsAligned(t *testing.T) {
	k := newTask(t, 3, 2)
	k.barrier(0, 1)
	k.barrier(1, 1)
	k.wants(blocks(1, 0, 1))
	k.end(2)
	k.wants(broadcasts(1, 2), copies(1), unblocks(0, 1), ends(1))
	k.end(2) // once more, which says nothing
	k.barrier(0, 2)
	k.wants(blocks(2, 0))
	k.barrier(1, 2)
	k.wants(blocks(2, 1), broadcasts(2, 2), copies(2), unblocks(0, 1), ends(2))
}

// A barrier that has waited for an earlier snapshot needs only the inputs that are left.
func TestEndWithOverlap(t *testing.T) {
	k := newTask(t, 2, 1)
	k.barrier(0, 1)
	k.end(1)
	k.wants(blocks(1, 0), broadcasts(1, 1), copies(1), unblocks(0), ends(1))
	k.barrier(0, 2)
	k.wants(blocks(2, 0), broadcasts(2, 1), copies(2), unblocks(0), ends(2))
	k.cancelled(3)
	k.end(0)
	k.wants(drains())
	k.ordered(3) // which is given up
	k.ordered(2) // which is done
	k.wants(nothing())
	k.ordered(4)
	k.wants(broadcasts(4, 1), copies(4), ends(4))
}

// What is ordered before the ends have come is done when they have, in the order of the
// ids, and a barrier of it that was in front of an end counts.
func TestOrderedBeforeTheEnd(t *testing.T) {
	k := newTask(t, 2, 1)
	k.ordered(2)
	k.ordered(1)
	k.end(0)
	k.wants(nothing())
	k.barrier(1, 1)
	k.wants(blocks(1, 1), broadcasts(1, 1), copies(1), unblocks(1), ends(1))
	k.end(1)
	k.wants(broadcasts(2, 1), copies(2), ends(2), drains())
	k.drained()
	k.wants(endsAll(1))
	k.ordered(3) // its last state, and no barrier
	k.wants(copies(3), ends(3))
}

// A source that has finished takes part with its last state.
func TestFinishedSource(t *testing.T) {
	for _, backEdges := range [][]int{nil, {0}} {
		k := newInjector(t, len(backEdges), 2, backEdges...)
		for i := range backEdges {
			k.end(sim.Input(i)) // a back-edge that closes no loop
			k.wants(drains())
		}
		k.drained()
		k.wants(endsAll(2))
		k.initiate(1)
		k.wants(copies(1), ends(1))
	}
}

// A task in a loop whose other inputs have ended is as good as a source: it copies its
// state when it is told of a snapshot, and logs the loop. It does not ask to finish.
func TestLoopWithoutSources(t *testing.T) {
	k := newTask(t, 2, 1, 1)
	k.end(0)
	k.wants(nothing())
	k.ordered(1)
	k.wants(copies(1), broadcasts(1, 1))
	k.ordered(2) // when 1 is done
	k.record(1, 10)
	k.wants(logs(1, 1, 10), takes(1, 10))
	k.barrier(1, 1)
	k.wants(ends(1), copies(2), broadcasts(2, 1))
	k.barrier(1, 2)
	k.wants(ends(2))
}

// An input that ends while the back-edges are logged has brought its barrier already.
func TestEndWhileLogging(t *testing.T) {
	k := newTask(t, 2, 1, 1)
	k.barrier(0, 1)
	k.wants(blocks(1, 0), copies(1), broadcasts(1, 1), unblocks(0))
	k.end(0)
	k.record(1, 10)
	k.wants(logs(1, 1, 10), takes(1, 10))
	k.barrier(1, 1)
	k.wants(ends(1))
	k.ordered(2)
	k.wants(copies(2), broadcasts(2, 1))
}

// A back-edge that closes no loop can end, too: what was logged up to there is all.
func TestEndOfBackEdge(t *testing.T) {
	k := newTask(t, 2, 1, 1)
	k.barrier(0, 1)
	k.record(1, 10)
	k.wants(blocks(1, 0), copies(1), broadcasts(1, 1), unblocks(0), logs(1, 1, 10), takes(1, 10))
	k.end(1)
	k.wants(ends(1))
	k.end(0)
	k.wants(drains())
}

// What has ended is part of the state.
func TestEndsAreSaved(t *testing.T) {
	for _, backEdges := range [][]int{nil, {1}} {
		k := newTask(t, 3, 1, backEdges...)
		k.barrier(0, 1)
		k.end(2)
		k.ordered(5)
		again := newTask(t, 3, 1, backEdges...)
		state := k.node.Save(nil)
		if err := again.node.Load(state); err != nil {
			t.Fatal(err)
		}
		for _, x := range []*task{k, again} {
			x.out.Reset()
			x.end(0)
			x.end(1)
		}
		want := append([]sim.Op{}, k.out.Ops()...)
		for i := range want {
			if want[i].Kind == sim.OpSaveState {
				want[i].Message = sim.Message{}
			}
		}
		again.wants(want)
		if err := again.node.Load(state[:len(state)-1]); err == nil {
			t.Error("loaded a state without its last byte")
		}
	}
}
