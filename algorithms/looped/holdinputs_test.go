package looped

import (
	"testing"

	"simrun/sim"
)

func TestHoldInputsUntilTheSnapshot(t *testing.T) {
	k := window(t, NewHoldInputs)
	k.record(2, 20)
	k.record(1, 10)
	k.barrier(2, 1)
	k.record(1, 30)
	k.wants(blocks(1, 2))
	k.barrier(1, 1)
	if got := k.total(); got != 0 {
		t.Errorf("recorded a total of %d, want 0", got)
	}
	k.wants(blocks(1, 1), records(1), logs(1, 2, 20), logs(1, 1, 10), logs(1, 1, 30), ends(1), unblocks(0, 1, 2),
		takes(2, 20), takes(1, 10), takes(1, 30))
	k.record(1, 40) // the window is over
	k.wants(takes(1, 40))
}

func TestHoldInputsRecovery(t *testing.T) {
	k := newTask(t, NewHoldInputs, 3, 1, 1, 2)
	k.node.Recover(nil, []sim.Logged{{Input: 2, Message: message(20)}, {Input: 1, Message: message(10)}}, k.out)
	k.wants(takes(2, 20), takes(1, 10))
}

func TestHoldInputsThatCannotBeBlocked(t *testing.T) {
	// They are in no channel, so nothing is saved of them.
	k := window(t, NewHoldInputs)
	k.record(sim.External, 10)
	k.record(1, 20)
	k.record(sim.Timer, 30)
	k.record(sim.External, 40)
	k.wants(nothing())
	k.barrier(1, 1)
	k.barrier(2, 1)
	k.wants(blocks(1, 1, 2), records(1), logs(1, 1, 20), ends(1), unblocks(0, 1, 2),
		processes(sim.Timer, 30), emits(31), takes(sim.External, 10), takes(1, 20), takes(sim.External, 40))
}

func TestHoldInputsCatchesUpBeforeTheNextSnapshot(t *testing.T) {
	// The order for 2 has been waiting. What the window of 1 held is before the
	// cut of 2.
	k := newInjector(t, NewHoldInputs, 1, 1, 0)
	k.initiate(1)
	k.initiate(2)
	k.record(sim.External, 5)
	k.record(0, 10)
	k.barrier(0, 1)
	k.wants(broadcasts(1, 1), blocks(1, 0), records(1), logs(1, 0, 10), ends(1), unblocks(0),
		takes(sim.External, 5), takes(0, 10), broadcasts(2, 1))
	k.barrier(0, 2)
	k.wants(blocks(2, 0), records(2), ends(2), unblocks(0))
}
