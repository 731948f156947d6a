package looped

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simrun/sim"
)

// middle is an injection node in its window, with everything held that can be, and
// an order waiting.
func middle(t *testing.T, algorithm sim.NewNode) *task {
	k := newInjector(t, algorithm, 3, 1, 1, 2)
	k.initiate(1)
	k.barrier(0, 1)
	k.initiate(300)
	k.record(1, 10)
	k.barrier(1, 1)
	k.record(2, 20)
	k.record(sim.External, 30)
	k.record(sim.Timer, 40)
	k.out.Reset()
	return k
}

func TestSaveLoadInTheMiddle(t *testing.T) {
	goOn := map[string][]sim.Op{
		"no log":       slices.Concat(records(1), ends(1), unblocks(0, 1, 2)),
		"hold outputs": slices.Concat(records(1), attaches(1), ends(1), unblocks(0, 1, 2), sends(11), sends(21), sends(31), emits(41)),
		"hold inputs": slices.Concat(records(1), logs(1, 1, 10), logs(1, 2, 20), ends(1), unblocks(0, 1, 2),
			processes(sim.Timer, 40), emits(41), takes(1, 10), takes(2, 20), takes(sim.External, 30)),
	}
	for name, algorithm := range all {
		t.Run(name, func(t *testing.T) {
			k := middle(t, algorithm)
			saved := k.node.Save([]byte("before"))
			if string(saved[:6]) != "before" {
				t.Fatal("Save does not append")
			}
			state := slices.Clone(saved[6:])
			loaded := middle(t, algorithm) // Load replaces all of it
			loaded.barrier(2, 1)
			loaded.out.Reset()
			if err := loaded.node.Load(state); err != nil {
				t.Fatal(err)
			}
			clear(state) // Load must not keep it
			if diff := cmp.Diff(saved[6:], loaded.node.Save(nil)); diff != "" {
				t.Errorf("saved again (-first +second):\n%s", diff)
			}
			for _, k := range []*task{k, loaded} {
				k.barrier(2, 1)
				k.wants(blocks(1, 2), goOn[name])
				k.barrier(0, 300)
				k.wants(blocks(300, 0), broadcasts(300, 1))
			}
		})
	}
}

func TestLoadRefusesWhatSaveDidNotWrite(t *testing.T) {
	for name, algorithm := range all {
		t.Run(name, func(t *testing.T) {
			state := middle(t, algorithm).node.Save(nil)
			for cut := range len(state) {
				if err := middle(t, algorithm).node.Load(state[:cut]); err == nil {
					t.Errorf("loaded %d of %d bytes", cut, len(state))
				}
			}
			if err := middle(t, algorithm).node.Load(append(state, 0)); err == nil {
				t.Error("loaded a state with a byte too many")
			}
		})
	}
}
