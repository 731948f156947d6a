package twophase_test

import (
	"fmt"
	"slices"
	"testing"

	"simrun/algorithms/abs"
	"simrun/algorithms/chandylamport"
	"simrun/algorithms/looped"
	"simrun/algorithms/twophase"
	"simrun/sim"
)

// repeater emits what it gets.
type repeater struct{}

func (repeater) Step(_ sim.Input, m sim.Message, fx *sim.Effects) { fx.Emit(m.Key, m.Value, m.Aux) }
func (repeater) Save(buf []byte) []byte                           { return buf }
func (repeater) Load([]byte) error                                { return nil }

// bench is a sink alone, and what it writes.
type bench struct {
	node sim.Node
	out  *sim.Out
	next uint64
	part []byte // attached last
}

func newBench() *bench {
	return &bench{node: twophase.Sink(abs.New)(sim.NodeInfo{Inputs: 1}), out: sim.NewOut(repeater{})}
}

// record lets a record come in.
func (b *bench) record() string {
	b.next++
	b.node.Receive(0, sim.Message{Key: b.next}, b.out)
	return b.written()
}

// barrier lets a barrier come in.
func (b *bench) barrier(id sim.SnapshotID) string {
	b.node.Receive(0, sim.NewMarker(id), b.out)
	return b.written()
}

func (b *bench) complete(id sim.SnapshotID) string {
	b.node.(interface {
		Complete(sim.SnapshotID, *sim.Out)
	}).Complete(id, b.out)
	return b.written()
}

// written is what left and what was committed: "1:[1 2]" is transaction 1 of records 1
// and 2.
func (b *bench) written() (text string) {
	for _, op := range b.out.Ops() {
		switch op.Kind {
		case sim.OpEmit:
			text += fmt.Sprintf("!%d ", op.Message.Key)
		case sim.OpAttach:
			b.part = slices.Clone(b.out.Saved(op))
		case sim.OpCommit:
			var keys []uint64
			for _, m := range b.out.Committed(op) {
				keys = append(keys, m.Key)
			}
			text += fmt.Sprintf("%d:%v ", op.Snapshot, keys)
		}
	}
	b.out.Reset()
	return text
}

// want compares what a handler wrote.
func want(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: written %q, want %q", what, got, want)
	}
}

// TestNoticesOvertake: the notice of checkpoint 2 comes before that of checkpoint 1. It
// commits both transactions, in order; the late one finds nothing to do.
func TestNoticesOvertake(t *testing.T) {
	b := newBench()
	want(t, "records and barriers", b.record()+b.record()+b.barrier(1)+b.record()+b.barrier(2)+b.record(), "")
	want(t, "complete(2)", b.complete(2), "1:[1 2] 2:[3] ")
	want(t, "complete(1)", b.complete(1), "")
	want(t, "complete(2) again", b.complete(2), "")
	b.barrier(3)
	want(t, "complete(3)", b.complete(3), "3:[4] ")
}

// TestEmptyTransaction: a checkpoint before which nothing was emitted has no transaction.
func TestEmptyTransaction(t *testing.T) {
	b := newBench()
	b.barrier(1)
	want(t, "complete(1)", b.complete(1), "")
	if b.part != nil {
		t.Errorf("attached %x", b.part)
	}
}

// TestRecover: what a part holds is committed, whichever checkpoint it was pre-committed
// for; what was open is not in the part.
func TestRecover(t *testing.T) {
	b := newBench()
	b.record()
	b.barrier(1)
	b.record()
	b.barrier(2)
	b.record()
	again := newBench()
	again.node.Recover(b.part, nil, again.out)
	want(t, "recovery", again.written(), "1:[1] 2:[2] ")
	want(t, "complete(2)", again.complete(2), "")
}

// TestRecordingsOvertake: a node of Chandy-Lamport's records snapshot 2 before snapshot 1,
// whose marker was late. What came between the two is inside snapshot 1 only.
func TestRecordingsOvertake(t *testing.T) {
	begin := func() *bench {
		b := &bench{node: twophase.Sink(chandylamport.New)(sim.NodeInfo{Inputs: 1}), out: sim.NewOut(repeater{})}
		want(t, "records and markers", b.record()+b.barrier(2)+b.record()+b.barrier(1), "")
		return b
	}
	b := begin()
	want(t, "complete(2)", b.complete(2), "2:[1] ")
	want(t, "complete(2) again", b.complete(2), "")
	want(t, "a record and a marker", b.record()+b.barrier(3), "")
	want(t, "complete(3)", b.complete(3), "1:[2] 3:[3] ")
	b = begin()
	want(t, "complete(1)", b.complete(1), "") // a restore may still go to snapshot 2
	again := newBench()
	again.node.Recover(b.part, nil, again.out)
	want(t, "recovery from snapshot 1", again.written(), "2:[1] 1:[2] ")
	b.node.(interface {
		Cancel(sim.SnapshotID, *sim.Out)
	}).Cancel(2, b.out)
	want(t, "cancel(2)", b.written(), "2:[1] 1:[2] ")
}

// TestOwnAttachment: what the algorithm attaches itself it is given back.
func TestOwnAttachment(t *testing.T) {
	info := sim.NodeInfo{Inputs: 2, BackEdge: []bool{false, true}, Cyclic: true}
	b := &bench{node: twophase.Sink(looped.NewHoldOutputs)(info), out: sim.NewOut(repeater{})}
	b.record()
	b.barrier(1)
	b.record() // the algorithm holds what comes of it back, in its own attachment
	b.node.Receive(1, sim.NewMarker(1), b.out)
	b.written()
	again := &bench{node: twophase.Sink(looped.NewHoldOutputs)(info), out: sim.NewOut(repeater{})}
	again.node.Recover(b.part, nil, again.out)
	want(t, "recovery", again.written(), "1:[1] ")
	again.barrier(2)
	again.node.Receive(1, sim.NewMarker(2), again.out)
	again.written()
	want(t, "complete(2)", again.complete(2), "2:[2] ")
}

// TestLoad: the state of a sink is its transactions and the algorithm's state; what is
// cut short is refused.
func TestLoad(t *testing.T) {
	b := newBench()
	b.record()
	b.barrier(1)
	b.record()
	state := b.node.Save(nil)
	loaded := newBench()
	if err := loaded.node.Load(state); err != nil {
		t.Fatal(err)
	}
	loaded.barrier(2)
	want(t, "complete(2)", loaded.complete(2), "1:[1] 2:[2] ")
	for n := range state {
		if err := newBench().node.Load(state[:n]); err == nil {
			t.Errorf("%d of %d bytes are taken for a state", n, len(state))
		}
	}
}
