package tracking

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

func (u *under) barrier(i sim.Input, id sim.SnapshotID) { u.Receive(i, sim.NewMarker(id), u.out) }
func (u *under) record(i sim.Input, key uint64)         { u.Receive(i, sim.Message{Key: key}, u.out) }

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
	return []sim.Op{{Kind: sim.OpSaveState, Snapshot: id}, {Kind: sim.OpSend, Message: sim.NewMarker(id)}}
}

func logs(id sim.SnapshotID, i int32, key uint64) []sim.Op {
	return []sim.Op{{Kind: sim.OpSaveLog, Snapshot: id, Channel: i, Message: sim.Message{Key: key}}}
}

func ends(id sim.SnapshotID) []sim.Op { return []sim.Op{{Kind: sim.OpDone, Snapshot: id}} }

// TestNeverBlocks: a barrier is counted, and what comes behind it is processed at once;
// with the last one the state is saved and the barrier passed on.
func TestNeverBlocks(t *testing.T) {
	u := newTask(t, sim.NodeInfo{Inputs: 3, Outputs: 1})
	u.barrier(0, 1)
	u.barrier(0, 1) // twice, and counted once
	u.record(0, 5)
	u.barrier(1, 1)
	u.wants(passes(0, 5))
	u.barrier(2, 1)
	u.wants(saves(1), ends(1))
	u.barrier(2, 1) // over
	u.wants()
}

// TestSource: an order to initiate is a barrier on Nil.
func TestSource(t *testing.T) {
	u := newTask(t, sim.NodeInfo{Inputs: 1, Outputs: 1, Initiator: true})
	u.Initiate(1, u.out)
	u.wants()
	u.barrier(0, 1)
	u.wants(saves(1), ends(1))
	u.Initiate(1, u.out)
	u.wants()
	defer func() {
		if recover() == nil {
			t.Error("a task without Nil takes an order to initiate")
		}
	}()
	newTask(t, sim.NodeInfo{Inputs: 1}).Initiate(1, u.out)
}

// TestEpochs: snapshots are counted apart, and one that has lost a barrier is given up
// when a later one is saved.
func TestEpochs(t *testing.T) {
	u := newTask(t, sim.NodeInfo{Inputs: 2, Outputs: 1})
	u.barrier(0, 1)
	u.barrier(0, 2)
	u.barrier(1, 2)
	u.wants(saves(2), ends(2))
	if len(u.under) > 0 {
		t.Errorf("still under way: %+v", u.under)
	}
	u.barrier(1, 1)
	u.barrier(0, 3)
	u.barrier(0, 4)
	u.Cancel(3, u.out)
	u.barrier(1, 3)
	u.wants()
	u.barrier(1, 4)
	u.wants(saves(4), ends(4))
}

// TestLogsBackEdges: between the saving and its own barrier a back-edge is logged, for
// each snapshot on its own, and the log is what Recover processes.
func TestLogsBackEdges(t *testing.T) {
	u := newTask(t, sim.NodeInfo{Inputs: 2, Outputs: 1, Cyclic: true, BackEdge: []bool{false, true}})
	u.record(1, 4)
	u.barrier(0, 1)
	u.record(1, 5)
	u.record(0, 6)
	u.barrier(0, 2)
	u.record(1, 7)
	u.barrier(1, 1)
	u.record(1, 8)
	u.barrier(1, 2)
	u.record(1, 9)
	u.wants(passes(1, 4), saves(1), logs(1, 1, 5), passes(1, 5), passes(0, 6), saves(2),
		logs(1, 1, 7), logs(2, 1, 7), passes(1, 7), ends(1), logs(2, 1, 8), passes(1, 8), ends(2), passes(1, 9))
	u.Recover(nil, []sim.Logged{{Input: 1, Message: sim.Message{Key: 5}}}, u.out)
	u.wants(passes(1, 5))
}

// TestSaveLoad: a task goes on as the one that was saved, and refuses what none has saved.
func TestSaveLoad(t *testing.T) {
	info := sim.NodeInfo{Inputs: 3, Outputs: 1, Cyclic: true, BackEdge: []bool{false, false, true}}
	u := newTask(t, info)
	u.barrier(0, 1)
	u.barrier(1, 1)
	u.barrier(0, 300)
	u.out.Reset()
	saved := u.Save([]byte("before"))
	if string(saved[:6]) != "before" {
		t.Fatal("Save does not append")
	}
	state := slices.Clone(saved[6:])
	loaded := newTask(t, info)
	loaded.barrier(0, 7)
	if err := loaded.Load(state); err != nil {
		t.Fatal(err)
	}
	clear(state) // Load must not keep it
	if diff := cmp.Diff(saved[6:], loaded.Save(nil)); diff != "" {
		t.Errorf("saved again (-first +second):\n%s", diff)
	}
	for _, u := range []*under{u, loaded} {
		u.record(2, 8)
		u.barrier(1, 300)
		u.barrier(2, 1)
		u.wants(logs(1, 2, 8), passes(2, 8), saves(300), ends(1))
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
