package stoptheworld

import (
	"encoding/binary"
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simrun/sim"
)

// relay is an App that passes on what it gets.
type relay struct{ seen int64 }

func (a *relay) Step(_ sim.Input, m sim.Message, fx *sim.Effects) {
	a.seen++
	fx.Send(0, m.Key, m.Value, 0)
}
func (a *relay) Save(buf []byte) []byte { return binary.AppendVarint(buf, a.seen) }
func (a *relay) Load(state []byte) error {
	seen, size := binary.Varint(state)
	if size <= 0 {
		return errors.New("relay: not a state")
	}
	a.seen = seen
	return nil
}

// under is a task under test, and what it has asked for.
type under struct {
	t *testing.T
	*task
	out *sim.Out
}

func newTask(t *testing.T, info sim.NodeInfo) *under {
	return &under{t, New(info).(*task), sim.NewOut(new(relay))}
}

func (u *under) marker(i sim.Input, id sim.SnapshotID) { u.Receive(i, sim.NewMarker(id), u.out) }
func (u *under) record(i sim.Input, key uint64)        { u.Receive(i, sim.Message{Key: key}, u.out) }

// wants compares what was asked for since the last time.
func (u *under) wants(want ...[]sim.Op) {
	u.t.Helper()
	got := append([]sim.Op(nil), u.out.Ops()...)
	for i := range got {
		if got[i].Kind == sim.OpSaveState {
			got[i].Message = sim.Message{} // where the bytes are
		}
	}
	if diff := cmp.Diff(slices.Concat(want...), got); diff != "" {
		u.t.Fatalf("asked for (-want +got):\n%s", diff)
	}
	u.out.Reset()
}

func passes(i sim.Input, key uint64) []sim.Op {
	m := sim.Message{Key: key}
	return []sim.Op{{Kind: sim.OpProcess, Channel: int32(i), Message: m}, {Kind: sim.OpSend, Message: m}}
}

func saves(id sim.SnapshotID) []sim.Op {
	return []sim.Op{{Kind: sim.OpSaveState, Snapshot: id}, {Kind: sim.OpSend, Message: sim.NewMarker(id)}, {Kind: sim.OpDone, Snapshot: id}}
}

// TestHaltsUntilComplete: a source saves, and holds what comes from outside until it is
// told that the snapshot is complete.
func TestHaltsUntilComplete(t *testing.T) {
	u := newTask(t, sim.NodeInfo{Outputs: 1, Initiator: true})
	u.record(sim.External, 1)
	u.Initiate(1, u.out)
	u.Initiate(1, u.out) // twice
	u.record(sim.External, 2)
	u.record(sim.Timer, 3)
	u.wants(passes(sim.External, 1), saves(1))
	u.Complete(1, u.out)
	u.record(sim.External, 4)
	u.wants(passes(sim.External, 2), passes(sim.Timer, 3), passes(sim.External, 4))
}

// TestDrains: a task saves when the marker is there on every input; what comes before is
// in its state.
func TestDrains(t *testing.T) {
	u := newTask(t, sim.NodeInfo{Inputs: 2, Outputs: 1})
	u.marker(0, 1)
	u.record(1, 1)
	u.record(sim.Timer, 2)
	u.wants(passes(1, 1), passes(sim.Timer, 2))
	u.marker(1, 1)
	u.record(sim.Timer, 3)
	u.wants(saves(1))
	u.Cancel(1, u.out)
	u.wants(passes(sim.Timer, 3))
}

// TestHaltsForEach: who is halted for two snapshots goes on when both are over; a notice
// that is lost is made good by the next.
func TestHaltsForEach(t *testing.T) {
	u := newTask(t, sim.NodeInfo{Outputs: 1, Initiator: true})
	u.Initiate(1, u.out)
	u.Initiate(2, u.out)
	u.record(sim.External, 1)
	u.Complete(1, u.out)
	u.wants(saves(1), saves(2))
	u.Cancel(2, u.out)
	u.wants(passes(sim.External, 1))
	u.Initiate(3, u.out)
	u.record(sim.External, 2)
	u.Initiate(4, u.out)
	u.Complete(4, u.out)
	u.wants(saves(3), saves(4), passes(sim.External, 2))
	u.Initiate(4, u.out)
	u.wants()
}

// TestCancelledFirst: nobody halts for a snapshot that was given up before it came.
func TestCancelledFirst(t *testing.T) {
	u := newTask(t, sim.NodeInfo{Inputs: 1, Outputs: 1})
	u.Cancel(2, u.out)
	u.marker(0, 2)
	u.wants()
	u.marker(0, 3)
	u.wants(saves(3))
	if len(u.cancelled) > 0 {
		t.Errorf("still known as given up: %v", u.cancelled)
	}
}

// TestRefusals: no cycle, and no order to a task that does not wait for one.
func TestRefusals(t *testing.T) {
	for name, do := range map[string]func(){
		"a cycle":  func() { New(sim.NodeInfo{Cyclic: true}) },
		"an order": func() { New(sim.NodeInfo{}).Initiate(1, sim.NewOut(new(relay))) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s is taken", name)
				}
			}()
			do()
		}()
	}
}

// TestSaveLoad: a task goes on as the one that was saved, and refuses what none has saved.
func TestSaveLoad(t *testing.T) {
	info := sim.NodeInfo{Inputs: 2, Outputs: 1, Initiator: true}
	u := newTask(t, info)
	u.marker(0, 1)
	u.Initiate(1, u.out)
	u.marker(1, 1)
	u.record(sim.External, 9)
	u.marker(0, 300)
	u.Initiate(300, u.out)
	u.Cancel(301, u.out)
	u.out.Reset()
	saved := u.Save([]byte("before"))
	if string(saved[:6]) != "before" {
		t.Fatal("Save does not append")
	}
	state := slices.Clone(saved[6:])
	loaded := newTask(t, info)
	loaded.marker(0, 7)
	if err := loaded.Load(state); err != nil {
		t.Fatal(err)
	}
	clear(state) // Load must not keep it
	if diff := cmp.Diff(saved[6:], loaded.Save(nil)); diff != "" {
		t.Errorf("saved again (-first +second):\n%s", diff)
	}
	for _, u := range []*under{u, loaded} {
		u.Complete(1, u.out)
		u.marker(1, 300)
		u.wants(passes(sim.External, 9), saves(300))
		u.marker(0, 302)
		u.Initiate(301, u.out)
		u.marker(0, 301)
		u.marker(1, 301)
		u.wants()
	}
	for cut := range len(saved) - 6 {
		if err := loaded.Load(saved[6 : 6+cut]); err == nil {
			t.Errorf("%d bytes of %d are taken for a state", cut, len(saved)-6)
		}
	}
	if err := loaded.Load(append(slices.Clone(saved[6:]), 9)); err == nil {
		t.Error("a byte too many is taken for a state")
	}
}
