package looped

import (
	"testing"

	"simrun/sim"
)

// window is a loop head that has passed the barrier on, with two back-edges that
// have not brought it.
func window(t *testing.T, algorithm sim.NewNode) *task {
	k := newTask(t, algorithm, 3, 1, 1, 2)
	k.barrier(0, 1)
	k.wants(blocks(1, 0), broadcasts(1, 1))
	return k
}

func TestHoldOutputsUntilTheSnapshot(t *testing.T) {
	k := window(t, NewHoldOutputs)
	k.record(2, 20)
	k.record(1, 10)
	k.wants(processes(2, 20), processes(1, 10))
	k.barrier(2, 1)
	k.record(1, 30)
	k.wants(blocks(1, 2), processes(1, 30))
	k.barrier(1, 1)
	if got := k.total(); got != 60 {
		t.Errorf("recorded a total of %d, want 60", got)
	}
	attached := k.saved(sim.OpAttach)
	k.wants(blocks(1, 1), records(1), attaches(1), ends(1), unblocks(0, 1, 2), sends(21), sends(11), sends(31))
	k.record(1, 40) // the window is over
	k.wants(takes(1, 40))

	recovered := newTask(t, NewHoldOutputs, 3, 1, 1, 2)
	recovered.node.Recover(attached, nil, recovered.out)
	recovered.wants(sends(21), sends(11), sends(31))
	recovered.record(0, 50)
	recovered.wants(takes(0, 50))
}

func TestHoldOutputsOfWhatCannotBeBlocked(t *testing.T) {
	// They are in the state, so the snapshot must have what they give; also what
	// leaves the system.
	k := window(t, NewHoldOutputs)
	k.record(sim.External, 10)
	k.record(sim.Timer, 20)
	k.wants(processes(sim.External, 10), processes(sim.Timer, 20))
	k.barrier(1, 1)
	k.barrier(2, 1)
	attached := k.saved(sim.OpAttach)
	k.wants(blocks(1, 1, 2), records(1), attaches(1), ends(1), unblocks(0, 1, 2), sends(11), emits(21))

	recovered := newTask(t, NewHoldOutputs, 3, 1, 1, 2)
	recovered.node.Recover(attached, nil, recovered.out)
	recovered.wants(sends(11), emits(21))
}

func TestHoldOutputsAttachesNothingWithoutNeed(t *testing.T) {
	k := window(t, NewHoldOutputs)
	k.barrier(1, 1)
	k.barrier(2, 1)
	k.wants(blocks(1, 1, 2), records(1), ends(1), unblocks(0, 1, 2))
	k.node.Recover(nil, nil, k.out)
	k.wants(nothing())
}

func TestHoldOutputsPaysBeforeTheNextSnapshot(t *testing.T) {
	// The order for 2 has been waiting. What the window of 1 held goes out before
	// the barrier of 2.
	k := newInjector(t, NewHoldOutputs, 1, 1, 0)
	k.initiate(1)
	k.initiate(2)
	k.record(0, 10)
	k.barrier(0, 1)
	k.wants(broadcasts(1, 1), processes(0, 10), blocks(1, 0),
		records(1), attaches(1), ends(1), unblocks(0), sends(11), broadcasts(2, 1))
	k.record(0, 11)
	k.barrier(0, 2)
	k.wants(processes(0, 11), blocks(2, 0), records(2), attaches(2), ends(2), unblocks(0), sends(12))
}
