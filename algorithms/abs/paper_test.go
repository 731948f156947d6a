package abs

import (
	"testing"

	"simrun/sim"
)

// Section 4.2: a source that is told to inject a barrier takes its snapshot and
// broadcasts the barrier. It has no other input, so it blocks nothing.
func TestSourceInjects(t *testing.T) {
	k := newInjector(t, 0, 2)
	k.record(sim.External, 10)
	k.wants(takes(sim.External, 10))
	k.initiate(1)
	k.wants(broadcasts(1, 2), copies(1), ends(1))
}

// Section 4.2: a task blocks the input that a barrier came on until the barrier
// has come on all.
func TestBlocksUntilAligned(t *testing.T) {
	k := newTask(t, 3, 1)
	k.barrier(1, 1)
	k.wants(blocks(1, 1))
	k.record(0, 10) // the others go on
	k.barrier(0, 1)
	k.record(2, 20)
	k.wants(takes(0, 10), blocks(1, 0), takes(2, 20))
}

// Section 4.2, Algorithm 1: when every input is blocked the task broadcasts the
// barrier, takes its snapshot and unblocks its inputs, in one atomic step. There
// is nothing to log.
func TestAligned(t *testing.T) {
	k := newTask(t, 2, 2)
	k.barrier(1, 1)
	k.wants(blocks(1, 1))
	k.barrier(0, 1)
	k.wants(blocks(1, 0), broadcasts(1, 2), copies(1), unblocks(0, 1), ends(1))
	k.record(0, 10)
	k.wants(takes(0, 10))
}

// Section 4.2: the snapshot holds what came before the barriers, and only that.
func TestStateIsThatOfTheAlignment(t *testing.T) {
	k := newTask(t, 2, 1)
	k.record(0, 1)
	k.barrier(0, 1)
	k.record(1, 2)
	k.barrier(1, 1)
	k.record(0, 4)
	for _, op := range k.out.Ops() {
		if op.Kind != sim.OpSaveState {
			continue
		}
		recorded := sum{}
		if err := recorded.Load(k.out.Saved(op)); err != nil {
			t.Fatal(err)
		}
		if recorded.total != 3 {
			t.Errorf("copied a total of %d, want 3", recorded.total)
		}
		return
	}
	t.Error("no state was saved")
}

// Section 4.3, Algorithm 2: the state is copied, and the barrier passed on, when
// the barrier has come on every regular input; back-edges are not waited for.
func TestCopiesWhenRegularInputsAreMarked(t *testing.T) {
	k := newTask(t, 3, 2, 2)
	k.barrier(0, 1)
	k.wants(blocks(1, 0))
	k.barrier(1, 1)
	k.wants(blocks(1, 1), copies(1), broadcasts(1, 2), unblocks(0, 1))
}

// Section 4.3, Algorithm 2: what a back-edge brings between the copy and its own
// barrier goes into the backup log, and is processed as usual.
func TestLogsBackEdge(t *testing.T) {
	k := newTask(t, 2, 1, 1)
	k.record(1, 10) // before the copy
	k.wants(takes(1, 10))
	k.barrier(0, 1)
	k.wants(blocks(1, 0), copies(1), broadcasts(1, 1), unblocks(0))
	k.record(1, 20)
	k.record(0, 30) // a regular input is never logged
	k.wants(logs(1, 1, 20), takes(1, 20), takes(0, 30))
	k.barrier(1, 1)
	k.wants(ends(1))
	k.record(1, 40)
	k.wants(takes(1, 40))
}

// Section 4.3, Algorithm 2: a task without a back-edge in a graph that has some
// is done with its copy.
func TestRegularTaskOfCyclicGraph(t *testing.T) {
	i := info(1, 1, nil)
	i.Cyclic = true
	k := &task{t, New(i), sim.NewOut(&sum{})}
	k.barrier(0, 1)
	k.wants(blocks(1, 0), copies(1), broadcasts(1, 1), unblocks(0), ends(1))
}

// Section 4.3, Algorithm 2, at a source: Nil is marked and blocks nothing.
func TestSourceOfCyclicGraph(t *testing.T) {
	k := newInjector(t, 1, 1, 0)
	k.initiate(1)
	k.wants(copies(1), broadcasts(1, 1))
	k.record(sim.External, 5)
	k.record(0, 10)
	k.wants(takes(sim.External, 5), logs(1, 0, 10), takes(0, 10))
	k.barrier(0, 1)
	k.wants(ends(1))
}

// Section 4.4: a recovering task processes its backup log before anything else
// comes in, and sends what follows from it.
func TestRecovery(t *testing.T) {
	k := newTask(t, 2, 1, 1)
	k.node.Recover(nil, []sim.Logged{{Input: 1, Message: message(10)}, {Input: 1, Message: message(20)}}, k.out)
	k.wants(takes(1, 10), takes(1, 20))
}

// Section 4.4: without loops there is no log, and recovery is loading the state.
func TestRecoveryWithoutLoops(t *testing.T) {
	k := newTask(t, 2, 1)
	k.node.Recover(nil, nil, k.out)
	k.wants(nothing())
}
