package looped

import (
	"testing"

	"simrun/sim"
)

// total is what the recorded state has added up.
func (k *task) total() int64 {
	k.t.Helper()
	recorded := sum{}
	if err := recorded.Load(k.saved(sim.OpSaveState)); err != nil {
		k.t.Fatal(err)
	}
	return recorded.total
}

// The smallest loop, S -> H and H -> H: what H sends in its window is behind the
// barrier, its cause is in the state, and nobody saves it.
func TestNoLogLosesWhatItSendsInTheWindow(t *testing.T) {
	k := newTask(t, NewNoLog, 2, 1, 1)
	k.record(0, 10)
	k.barrier(0, 1)
	k.wants(takes(0, 10), blocks(1, 0), broadcasts(1, 1)) // 11 is in the loop
	k.record(1, 11)
	k.wants(takes(1, 11))
	k.barrier(1, 1)
	if got := k.total(); got != 21 {
		t.Errorf("recorded a total of %d, want 21", got)
	}
	k.wants(blocks(1, 1), records(1), ends(1), unblocks(0, 1))
	k.node.Recover(nil, nil, k.out)
	k.wants(nothing())
}
