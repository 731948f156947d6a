package abs

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// middles are tasks in the middle of a snapshot, and what they do from there.
func middles() map[string]struct {
	make        func(*testing.T) *task
	begin, goOn func(*task)
} {
	type entry = struct {
		make        func(*testing.T) *task
		begin, goOn func(*task)
	}
	return map[string]entry{
		"acyclic": {
			func(t *testing.T) *task { return newInjector(t, 3, 2) },
			func(k *task) { k.barrier(1, 1); k.initiate(1); k.initiate(2); k.initiate(300) },
			func(k *task) {
				k.barrier(0, 1)
				k.barrier(2, 1)
				k.wants(blocks(1, 0), blocks(1, 2), broadcasts(1, 2), copies(1), unblocks(0, 1, 2), ends(1))
				k.initiate(1)
				k.initiate(2)
				k.wants(nothing())
				k.barrier(0, 2)
				k.barrier(1, 2)
				k.barrier(2, 2)
				k.wants(blocks(2, 0), blocks(2, 1), blocks(2, 2), broadcasts(2, 2), copies(2), unblocks(0, 1, 2), ends(2))
			},
		},
		"cyclic, aligning": {
			func(t *testing.T) *task { return newTask(t, 3, 1, 2) },
			func(k *task) { k.barrier(2, 1); k.barrier(1, 1) },
			func(k *task) {
				k.record(0, 10)
				k.barrier(0, 1)
				k.wants(takes(0, 10), blocks(1, 0), copies(1), broadcasts(1, 1), unblocks(0, 1, 2), ends(1))
			},
		},
		"cyclic, logging": {
			func(t *testing.T) *task { return newTask(t, 3, 1, 1, 2) },
			func(k *task) { k.barrier(0, 1); k.barrier(1, 1); k.barrier(1, 2); k.barrier(0, 2) },
			func(k *task) {
				k.record(2, 10)
				k.wants(logs(1, 2, 10), takes(2, 10))
				k.barrier(2, 1)
				k.wants(ends(1), copies(2), broadcasts(2, 1), unblocks(0), unblocks(1))
				k.barrier(2, 2)
				k.wants(ends(2))
			},
		},
	}
}

func TestSaveLoadInTheMiddle(t *testing.T) {
	for name, m := range middles() {
		t.Run(name, func(t *testing.T) {
			k := m.make(t)
			m.begin(k)
			k.out.Reset()
			saved := k.node.Save([]byte("before"))
			if string(saved[:6]) != "before" {
				t.Fatal("Save does not append")
			}
			state := slices.Clone(saved[6:])
			loaded := m.make(t)
			if err := loaded.node.Load(state); err != nil {
				t.Fatal(err)
			}
			clear(state) // Load must not keep it
			if diff := cmp.Diff(saved[6:], loaded.node.Save(nil)); diff != "" {
				t.Errorf("saved again (-first +second):\n%s", diff)
			}
			m.goOn(k)
			m.goOn(loaded)
		})
	}
}

func TestLoadRefusesWhatSaveDidNotWrite(t *testing.T) {
	for name, m := range middles() {
		t.Run(name, func(t *testing.T) {
			k := m.make(t)
			m.begin(k)
			state := k.node.Save(nil)
			for cut := range len(state) {
				if err := m.make(t).node.Load(state[:cut]); err == nil {
					t.Errorf("loaded %d of %d bytes", cut, len(state))
				}
			}
			if err := m.make(t).node.Load(append(state, 0)); err == nil {
				t.Error("loaded a state with a byte too many")
			}
		})
	}
}
