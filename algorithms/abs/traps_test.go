package abs

import (
	"bytes"
	"testing"

	"simrun/sim"
)

func TestTwoBackEdges(t *testing.T) {
	// Each back-edge is logged until its own barrier, not until the last one.
	k := newTask(t, 3, 1, 1, 2)
	k.barrier(0, 1)
	k.wants(blocks(1, 0), copies(1), broadcasts(1, 1), unblocks(0))
	k.record(1, 10)
	k.record(2, 20)
	k.wants(logs(1, 1, 10), takes(1, 10), logs(1, 2, 20), takes(2, 20))
	k.barrier(1, 1)
	k.record(1, 30)
	k.record(2, 40)
	k.wants(takes(1, 30), logs(1, 2, 40), takes(2, 40))
	k.barrier(2, 1)
	k.wants(ends(1))
}

func TestBackEdgeBeforeTheCopy(t *testing.T) {
	// An L larger than needed: the barrier comes on a back-edge first.
	k := newTask(t, 2, 1, 1)
	k.barrier(1, 1)
	k.wants(blocks(1, 1))
	k.record(0, 10)
	k.barrier(0, 1)
	k.wants(takes(0, 10), blocks(1, 0), copies(1), broadcasts(1, 1), unblocks(0, 1), ends(1))
}

func TestNextBarrierOnRegularInputWhileLogging(t *testing.T) {
	k := newTask(t, 2, 1, 1)
	k.barrier(0, 1)
	k.wants(blocks(1, 0), copies(1), broadcasts(1, 1), unblocks(0))
	k.barrier(0, 2)
	k.wants(blocks(2, 0))
	k.record(1, 10)
	k.wants(logs(1, 1, 10), takes(1, 10))
	k.barrier(1, 1) // 1 is done, and the waiting barrier of 2 is all that its copy needs
	k.wants(ends(1), copies(2), broadcasts(2, 1), unblocks(0))
	k.record(1, 20)
	k.wants(logs(2, 1, 20), takes(1, 20))
	k.barrier(1, 2)
	k.wants(ends(2))
}

func TestNextBarrierOnBackEdgeWhileLogging(t *testing.T) {
	// 2 comes on back-edge 1 while back-edge 2 has not brought 1. When 1 is done
	// the edge is marked for 2 and stays blocked until the copy of 2.
	k := newTask(t, 3, 1, 1, 2)
	k.barrier(0, 1)
	k.barrier(1, 1)
	k.wants(blocks(1, 0), copies(1), broadcasts(1, 1), unblocks(0))
	k.barrier(1, 2)
	k.wants(blocks(2, 1))
	k.record(2, 10)
	k.wants(logs(1, 2, 10), takes(2, 10))
	k.barrier(2, 1)
	k.wants(ends(1))
	k.record(0, 20)
	k.record(2, 30)
	k.wants(takes(0, 20), takes(2, 30))
	k.barrier(0, 2)
	k.wants(blocks(2, 0), copies(2), broadcasts(2, 1), unblocks(0, 1))
	k.record(1, 40) // its barrier has come
	k.record(2, 50)
	k.wants(takes(1, 40), logs(2, 2, 50), takes(2, 50))
	k.barrier(2, 2)
	k.wants(ends(2))
}

func TestWaitingBackEdgeIsOpenedByTheCopy(t *testing.T) {
	// 2 waits on the regular input and on a back-edge; both are handled when 1
	// is done, in order of input: the copy comes first and the edge goes on.
	k := newTask(t, 3, 1, 1, 2)
	k.barrier(0, 1)
	k.barrier(1, 1)
	k.barrier(0, 2)
	k.barrier(1, 2)
	k.out.Reset()
	k.barrier(2, 1)
	k.wants(ends(1), copies(2), broadcasts(2, 1), unblocks(0), unblocks(1))
	k.record(2, 10)
	k.record(1, 20)
	k.wants(logs(2, 2, 10), takes(2, 10), takes(1, 20))
	k.barrier(2, 2)
	k.wants(ends(2))
}

func TestWaitingBackEdgeBeforeTheRegularInput(t *testing.T) {
	// The same with the back-edge as input 0: it is marked before the copy, and
	// the copy opens it.
	k := newTask(t, 3, 1, 0, 2)
	k.barrier(1, 1)
	k.barrier(0, 1)
	k.barrier(0, 2)
	k.barrier(1, 2)
	k.out.Reset()
	k.barrier(2, 1)
	k.wants(ends(1), copies(2), broadcasts(2, 1), unblocks(0, 1))
}

func TestOrdersToInitiateQueue(t *testing.T) {
	// Nil cannot be blocked: 2 and 3 wait for 1, and for each other.
	k := newInjector(t, 1, 1, 0)
	k.initiate(1)
	k.wants(copies(1), broadcasts(1, 1))
	k.initiate(3)
	k.initiate(2)
	k.initiate(3)
	k.record(sim.External, 10)
	k.wants(takes(sim.External, 10))
	k.barrier(0, 1)
	k.wants(ends(1), copies(2), broadcasts(2, 1))
	k.barrier(0, 2)
	k.wants(ends(2), copies(3), broadcasts(3, 1))
	k.barrier(0, 3)
	k.wants(ends(3))
}

func TestOrdersToInitiateQueueAcyclic(t *testing.T) {
	// Nil in the middle of a graph without loops is aligned with the channel.
	k := newInjector(t, 1, 1)
	k.initiate(1)
	k.initiate(2)
	k.initiate(3)
	k.wants(nothing())
	k.record(0, 10)
	k.barrier(0, 1)
	k.wants(takes(0, 10), blocks(1, 0), broadcasts(1, 1), copies(1), unblocks(0), ends(1))
	k.barrier(0, 2)
	k.wants(blocks(2, 0), broadcasts(2, 1), copies(2), unblocks(0), ends(2))
	k.barrier(0, 3)
	k.wants(blocks(3, 0), broadcasts(3, 1), copies(3), unblocks(0), ends(3))
}

func TestNilMustBeMarked(t *testing.T) {
	// The barrier overtakes the order to initiate on its way through the graph.
	// An order is never dropped for that: the task waits for it.
	acyclic := newInjector(t, 1, 1)
	acyclic.barrier(0, 1)
	acyclic.wants(blocks(1, 0))
	acyclic.initiate(1)
	acyclic.wants(broadcasts(1, 1), copies(1), unblocks(0), ends(1))

	cyclic := newInjector(t, 2, 1, 1)
	cyclic.barrier(0, 1)
	cyclic.wants(blocks(1, 0))
	cyclic.initiate(1)
	cyclic.wants(copies(1), broadcasts(1, 1), unblocks(0))
	cyclic.barrier(1, 1)
	cyclic.wants(ends(1))
}

func TestInitiateTwiceOrWhenDone(t *testing.T) {
	acyclic := newInjector(t, 1, 1)
	acyclic.initiate(1)
	acyclic.initiate(1)
	acyclic.wants(nothing())
	acyclic.barrier(0, 1)
	acyclic.out.Reset()
	acyclic.initiate(1)
	acyclic.wants(nothing())

	cyclic := newInjector(t, 1, 1, 0)
	cyclic.initiate(1)
	cyclic.wants(copies(1), broadcasts(1, 1))
	cyclic.initiate(1)
	cyclic.wants(nothing())
	cyclic.barrier(0, 1)
	cyclic.out.Reset()
	cyclic.initiate(1)
	cyclic.wants(nothing())
}

func TestOrderForWhatIsDone(t *testing.T) {
	// It leaves no trace, so the next snapshot is taken as if it had not come.
	for inputs, k := range map[sim.Input]*task{1: newInjector(t, 1, 1), 2: newInjector(t, 2, 1, 1)} {
		k.initiate(1)
		for i := range inputs {
			k.barrier(i, 1)
		}
		k.out.Reset()
		before := k.node.Save(nil)
		k.initiate(1)
		k.wants(nothing())
		if after := k.node.Save(nil); !bytes.Equal(before, after) {
			t.Errorf("state %x became %x", before, after)
		}
	}
	k := newInjector(t, 0, 1)
	k.initiate(1)
	k.initiate(1)
	k.wants(broadcasts(1, 1), copies(1), ends(1))
}

func TestInitiateWithoutNil(t *testing.T) {
	for _, i := range []sim.NodeInfo{info(1, 1, nil), info(2, 1, []int{1})} {
		i.ID = 5
		k := &task{t, New(i), sim.NewOut(&sum{})}
		func() {
			defer func() {
				want := "abs: node 5 is ordered to initiate snapshot 7 and has no Nil input"
				if got := recover(); got != want {
					t.Errorf("an order to a task without Nil: %v, want %s", got, want)
				}
			}()
			k.initiate(7)
		}()
	}
}

func TestParallelChannels(t *testing.T) {
	// Two channels from one task are two inputs.
	k := newTask(t, 2, 1)
	k.barrier(0, 1)
	k.record(1, 10)
	k.wants(blocks(1, 0), takes(1, 10))
	k.barrier(1, 1)
	k.wants(blocks(1, 1), broadcasts(1, 1), copies(1), unblocks(0, 1), ends(1))
}

func TestSelfLoop(t *testing.T) {
	// Output 0 is input 1, a back-edge: what is on it at the copy is logged.
	k := newTask(t, 2, 1, 1)
	k.record(0, 10)
	k.barrier(0, 1)
	k.wants(takes(0, 10), blocks(1, 0), copies(1), broadcasts(1, 1), unblocks(0))
	k.record(1, 11)
	k.wants(logs(1, 1, 11), takes(1, 11))
	k.barrier(1, 1)
	k.wants(ends(1))
	k.record(1, 12)
	k.wants(takes(1, 12))
}

func TestExternalRecordsAndTimersAreNotLogged(t *testing.T) {
	k := newTask(t, 2, 1, 1)
	k.barrier(0, 1)
	k.out.Reset()
	k.record(sim.External, 10)
	k.record(sim.Timer, 20)
	k.wants(takes(sim.External, 10), takes(sim.Timer, 20))
}
