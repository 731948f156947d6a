package tracking

import (
	"testing"

	"simrun/sim"
)

func (u *under) end(i sim.Input) { u.Receive(i, sim.NewEndOfStream(), u.out) }

func drains() []sim.Op { return []sim.Op{{Kind: sim.OpDrain}} }

// TestEndCountsForEverySnapshot: an input that ends is the last that two snapshots under
// way have waited for; the earlier one is saved first.
func TestEndCountsForEverySnapshot(t *testing.T) {
	u := newTask(t, sim.NodeInfo{Inputs: 2, Outputs: 1})
	u.barrier(0, 1)
	u.barrier(0, 2)
	u.wants()
	u.end(1)
	u.wants(saves(1), ends(1), saves(2), ends(2))
	u.barrier(0, 3)
	u.wants(saves(3), ends(3))
	u.Ordered(4, u.out)
	u.wants()
	u.end(0)
	u.wants(saves(4), ends(4), drains())
	u.Drained(u.out)
	u.wants([]sim.Op{{Kind: sim.OpSend, Message: sim.NewEndOfStream()}})
	u.Ordered(5, u.out)
	u.wants(saves(5)[:1], ends(5))
	u.Ordered(5, u.out)
	u.wants()
}

// TestEndInALoop: where the other inputs have ended a snapshot is saved when it is ordered,
// and the back-edge logged.
func TestEndInALoop(t *testing.T) {
	u := newTask(t, sim.NodeInfo{Inputs: 2, Outputs: 1, BackEdge: []bool{false, true}})
	u.end(0)
	u.wants()
	u.Ordered(1, u.out)
	u.wants(saves(1))
	u.record(1, 7)
	u.wants(logs(1, 1, 7), passes(1, 7))
	u.barrier(1, 1)
	u.wants(ends(1))
}

// TestEndsAreSaved: what has ended is part of the state.
func TestEndsAreSaved(t *testing.T) {
	info := sim.NodeInfo{Inputs: 2, Outputs: 1}
	u, again := newTask(t, info), newTask(t, info)
	u.barrier(0, 1)
	u.end(1)
	u.wants(saves(1), ends(1))
	state := u.Save(nil)
	if err := again.Load(state); err != nil {
		t.Fatal(err)
	}
	again.barrier(0, 2)
	again.wants(saves(2), ends(2))
	for n := range state {
		if err := again.Load(state[:n]); err == nil {
			t.Errorf("loaded %d bytes of %d", n, len(state))
		}
	}
}
