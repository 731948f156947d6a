package chandylamport

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simrun/sim"
)

func TestSeveralInitiatorsOfOneSnapshot(t *testing.T) {
	// The order to initiate reaches p after a marker of the same snapshot.
	p := newProcess(t, 2, 1)
	p.marker(0, 4)
	p.wants(saves(4), marks(4, 0))
	p.initiate(4)
	p.wants(nothing())
	p.marker(1, 4)
	p.wants(ends(4))
}

func TestInitiateTwice(t *testing.T) {
	p := newProcess(t, 1, 1)
	p.initiate(1)
	p.wants(saves(1), marks(1, 0))
	p.initiate(1)
	p.wants(nothing())
}

func TestInitiateFinished(t *testing.T) {
	p := newProcess(t, 1, 1)
	p.marker(0, 1)
	p.wants(saves(1), marks(1, 0), ends(1))
	p.initiate(1)
	p.wants(nothing())
	p.message(0, 10) // nothing has been reopened
	p.wants(takes(0, 10))
}

func TestOverlappingSnapshots(t *testing.T) {
	// Snapshot 3 is begun while 2 is under way, and ends before it.
	p := newProcess(t, 2, 1)
	p.initiate(3)
	p.initiate(2)
	p.wants(saves(3), marks(3, 0), saves(2), marks(2, 0))
	p.message(0, 10)
	p.wants(logs(2, 0, 10), logs(3, 0, 10), takes(0, 10))
	p.marker(0, 3)
	p.message(0, 20)
	p.wants(logs(2, 0, 20), takes(0, 20))
	p.message(1, 30)
	p.wants(logs(2, 1, 30), logs(3, 1, 30), takes(1, 30))
	p.marker(1, 3)
	p.wants(ends(3))
	p.message(1, 40)
	p.wants(logs(2, 1, 40), takes(1, 40))
	p.marker(0, 2)
	p.marker(1, 2)
	p.wants(ends(2))
}

func TestMarkerOfAnotherSnapshotClosesNothing(t *testing.T) {
	p := newProcess(t, 2, 1)
	p.initiate(1)
	p.marker(0, 2)
	p.wants(saves(1), marks(1, 0), saves(2), marks(2, 0))
	p.message(0, 10)
	p.wants(logs(1, 0, 10), takes(0, 10))
}

func TestParallelChannels(t *testing.T) {
	// Two channels from the same process: each has its own marker and state.
	p := newProcess(t, 2, 1)
	p.marker(0, 1)
	p.message(1, 10)
	p.message(0, 20)
	p.wants(saves(1), marks(1, 0), logs(1, 1, 10), takes(1, 10), takes(0, 20))
	p.marker(1, 1)
	p.wants(ends(1))
}

func TestSelfLoop(t *testing.T) {
	// Output 0 is input 0: what is on it when p records comes before the marker.
	p := newProcess(t, 1, 1)
	p.message(0, 10)
	p.initiate(1)
	p.wants(takes(0, 10), saves(1), marks(1, 0))
	p.message(0, 11)
	p.wants(logs(1, 0, 11), takes(0, 11))
	p.marker(0, 1)
	p.wants(ends(1))
	p.message(0, 12)
	p.wants(takes(0, 12))
}

func TestExternalRecordsAndTimersAreNeverChannelState(t *testing.T) {
	p := newProcess(t, 1, 1)
	p.initiate(1)
	p.wants(saves(1), marks(1, 0))
	p.message(sim.External, 10)
	p.message(sim.Timer, 20)
	p.wants(takes(sim.External, 10), takes(sim.Timer, 20))
}

func TestSaveLoadInTheMiddle(t *testing.T) {
	p := newProcess(t, 3, 1)
	p.initiate(1)
	p.marker(0, 1)
	p.marker(1, 2)
	for c := range sim.Input(3) {
		p.marker(c, 5)
	}
	p.out.Reset()
	saved := p.node.Save([]byte("before"))
	if string(saved[:6]) != "before" {
		t.Fatal("Save does not append")
	}

	q := newProcess(t, 3, 1)
	state := slices.Clone(saved[6:])
	if err := q.node.Load(state); err != nil {
		t.Fatal(err)
	}
	clear(state) // Load must not keep it
	if diff := cmp.Diff(saved[6:], q.node.Save(nil)); diff != "" {
		t.Errorf("saved again (-first +second):\n%s", diff)
	}
	for _, each := range []*process{p, q} {
		each.message(2, 10)
		each.initiate(5)
		each.marker(1, 1)
		each.marker(2, 1)
		each.marker(0, 2)
		each.marker(2, 2)
		each.wants(logs(1, 2, 10), logs(2, 2, 10), takes(2, 10), ends(1), ends(2))
	}
}

func TestLoadRefusesWhatSaveDidNotWrite(t *testing.T) {
	p := newProcess(t, 2, 1)
	p.initiate(1)
	p.initiate(300)
	state := p.node.Save(nil)
	for cut := range len(state) {
		if err := newProcess(t, 2, 1).node.Load(state[:cut]); err == nil {
			t.Errorf("loaded %d of %d bytes", cut, len(state))
		}
	}
	if err := newProcess(t, 2, 1).node.Load(append(state, 0)); err == nil {
		t.Error("loaded a state with a byte too many")
	}
	huge := []byte{255, 255, 255, 255, 255, 255, 255, 255, 255, 1}
	if err := newProcess(t, 2, 1).node.Load(huge); err == nil {
		t.Error("loaded a list that is longer than its state")
	}
}

func TestNoAllocationPerMessage(t *testing.T) {
	p := newProcess(t, 1, 1)
	p.marker(0, 1) // ended at once: a finished snapshot costs nothing afterwards
	step := func() {
		p.out.Reset()
		p.message(0, 10)
	}
	step()
	if n := testing.AllocsPerRun(100, step); n != 0 {
		t.Errorf("%v allocations per message, want none", n)
	}
}

func TestIDSetAgainstAList(t *testing.T) {
	// Every order of six ids, half of them next to each other.
	ids := []sim.SnapshotID{1, 2, 3, 5, 6, 9}
	var permute func(k int)
	permute = func(k int) {
		if k < len(ids) {
			for i := k; i < len(ids); i++ {
				ids[k], ids[i] = ids[i], ids[k]
				permute(k + 1)
				ids[k], ids[i] = ids[i], ids[k]
			}
			return
		}
		var set idSet
		for added, id := range ids {
			set.add(id)
			for probe := range sim.SnapshotID(12) {
				if got, want := set.has(probe), slices.Contains(ids[:added+1], probe); got != want {
					t.Fatalf("after %v: has(%d) is %t, want %t", ids[:added+1], probe, got, want)
				}
			}
		}
		if diff := cmp.Diff(idSet{{1, 3}, {5, 6}, {9, 9}}, set, cmp.AllowUnexported(span{})); diff != "" {
			t.Fatalf("after %v (-want +got):\n%s", ids, diff)
		}
	}
	permute(0)
}
