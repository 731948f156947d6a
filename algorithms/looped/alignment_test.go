package looped

import (
	"testing"

	"simrun/sim"
)

// each runs a test of what the three have in common.
func each(t *testing.T, test func(t *testing.T, algorithm sim.NewNode)) {
	for name, algorithm := range all {
		t.Run(name, func(t *testing.T) { test(t, algorithm) })
	}
}

func TestSourceInjects(t *testing.T) {
	each(t, func(t *testing.T, algorithm sim.NewNode) {
		k := newInjector(t, algorithm, 0, 2)
		k.record(sim.External, 10)
		k.initiate(1)
		k.record(sim.External, 20)
		k.wants(takes(sim.External, 10), broadcasts(1, 2), records(1), ends(1), takes(sim.External, 20))
	})
}

func TestWithoutBackEdges(t *testing.T) {
	// There is no window: Algorithm 1 of the paper.
	each(t, func(t *testing.T, algorithm sim.NewNode) {
		k := newTask(t, algorithm, 2, 1)
		k.barrier(1, 1)
		k.record(0, 10)
		k.barrier(0, 1)
		k.wants(blocks(1, 1), takes(0, 10), blocks(1, 0), broadcasts(1, 1), records(1), ends(1), unblocks(0, 1))
	})
}

func TestForwardsBeforeItWaits(t *testing.T) {
	each(t, func(t *testing.T, algorithm sim.NewNode) {
		k := newTask(t, algorithm, 4, 2, 1, 3)
		k.barrier(0, 1)
		k.wants(blocks(1, 0))
		k.barrier(2, 1)
		k.wants(blocks(1, 2), broadcasts(1, 2)) // and they stay blocked
		k.barrier(3, 1)
		k.wants(blocks(1, 3)) // a back-edge waits behind its own barrier
		k.barrier(1, 1)
		k.wants(blocks(1, 1), records(1), ends(1), unblocks(0, 1, 2, 3))
	})
}

func TestBackEdgeBeforeTheBroadcast(t *testing.T) {
	// An L larger than needed: the barrier comes on a back-edge first. What the
	// other inputs bring then is before the cut.
	each(t, func(t *testing.T, algorithm sim.NewNode) {
		k := newTask(t, algorithm, 2, 1, 1)
		k.barrier(1, 1)
		k.record(0, 10)
		k.barrier(0, 1)
		k.wants(blocks(1, 1), takes(0, 10), blocks(1, 0), broadcasts(1, 1), records(1), ends(1), unblocks(0, 1))
	})
}

func TestOrdersToInitiateQueue(t *testing.T) {
	// Nil cannot be blocked: 2 and 3 wait for 1, and for each other.
	each(t, func(t *testing.T, algorithm sim.NewNode) {
		k := newInjector(t, algorithm, 1, 1, 0)
		k.initiate(1)
		k.wants(broadcasts(1, 1))
		k.initiate(3)
		k.initiate(2)
		k.initiate(3)
		k.initiate(1)
		k.wants(nothing())
		k.barrier(0, 1)
		k.wants(blocks(1, 0), records(1), ends(1), unblocks(0), broadcasts(2, 1))
		k.barrier(0, 2)
		k.wants(blocks(2, 0), records(2), ends(2), unblocks(0), broadcasts(3, 1))
		k.barrier(0, 3)
		k.wants(blocks(3, 0), records(3), ends(3), unblocks(0))
		k.initiate(3)
		k.wants(nothing())
	})
}

func TestInitiateWithoutNil(t *testing.T) {
	each(t, func(t *testing.T, algorithm sim.NewNode) {
		i := info(2, 1, []int{1})
		i.ID = 5
		k := &task{t, algorithm(i), sim.NewOut(&sum{})}
		defer func() {
			want := "looped: node 5 is ordered to initiate snapshot 7 and has no Nil input"
			if got := recover(); got != want {
				t.Errorf("an order to a task without Nil: %v, want %s", got, want)
			}
		}()
		k.initiate(7)
	})
}
