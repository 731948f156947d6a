package looped

import (
	"encoding/binary"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simrun/sim"
)

// sum is an App that adds up the values it gets and passes each on, one more, to
// its first output; what a timer gives leaves the system.
type sum struct{ total int64 }

func (s *sum) Step(i sim.Input, m sim.Message, fx *sim.Effects) {
	s.total += m.Value
	if i == sim.Timer {
		fx.Emit(m.Key, m.Value+1, 0)
		return
	}
	fx.Send(0, m.Key, m.Value+1, 0)
}

func (s *sum) Save(buf []byte) []byte { return binary.AppendVarint(buf, s.total) }

func (s *sum) Load(state []byte) error {
	v, size := binary.Varint(state)
	if size <= 0 {
		return errors.New("sum: not a state")
	}
	s.total = v
	return nil
}

// task is a Node under test, and what it has asked for.
type task struct {
	t    *testing.T
	node sim.Node
	out  *sim.Out
}

// newTask is a task whose inputs are numbered from 0; backEdges are the numbers of
// those in L.
func newTask(t *testing.T, algorithm sim.NewNode, inputs, outputs int, backEdges ...int) *task {
	return &task{t, algorithm(info(inputs, outputs, backEdges)), sim.NewOut(&sum{})}
}

// newInjector is a task that also has the Nil input.
func newInjector(t *testing.T, algorithm sim.NewNode, inputs, outputs int, backEdges ...int) *task {
	i := info(inputs, outputs, backEdges)
	i.Initiator = true
	return &task{t, algorithm(i), sim.NewOut(&sum{})}
}

func info(inputs, outputs int, backEdges []int) sim.NodeInfo {
	i := sim.NodeInfo{Inputs: inputs, Outputs: outputs}
	if len(backEdges) > 0 {
		i.Cyclic = true
		i.BackEdge = make([]bool, inputs)
		for _, e := range backEdges {
			i.BackEdge[e] = true
		}
	}
	return i
}

// all is the three of them, where they do the same.
var all = map[string]sim.NewNode{"no log": NewNoLog, "hold outputs": NewHoldOutputs, "hold inputs": NewHoldInputs}

func (k *task) initiate(id sim.SnapshotID)             { k.node.Initiate(id, k.out) }
func (k *task) barrier(i sim.Input, id sim.SnapshotID) { k.node.Receive(i, sim.NewMarker(id), k.out) }
func (k *task) record(i sim.Input, value int64)        { k.node.Receive(i, message(value), k.out) }

// wants compares everything asked for since the last time.
func (k *task) wants(want ...[]sim.Op) {
	k.t.Helper()
	got := append([]sim.Op{}, k.out.Ops()...)
	for i := range got {
		if got[i].Kind == sim.OpSaveState || got[i].Kind == sim.OpAttach {
			got[i].Message = sim.Message{} // where the bytes are is of no interest
		}
	}
	every := []sim.Op{}
	for _, ops := range want {
		every = append(every, ops...)
	}
	if diff := cmp.Diff(every, got); diff != "" {
		k.t.Fatalf("asked for (-want +got):\n%s", diff)
	}
	k.out.Reset()
}

// saved is the bytes of the first entry of a kind.
func (k *task) saved(kind sim.OpKind) []byte {
	k.t.Helper()
	for _, op := range k.out.Ops() {
		if op.Kind == kind {
			return append([]byte{}, k.out.Saved(op)...)
		}
	}
	k.t.Fatal("nothing of the kind is saved")
	return nil
}

func message(value int64) sim.Message { return sim.Message{Key: 7, Value: value} }

// The steps as a reader of the listings would name them.

func nothing() []sim.Op { return nil }

func blocks(id sim.SnapshotID, inputs ...int32) (ops []sim.Op) {
	for _, i := range inputs {
		ops = append(ops, sim.Op{Kind: sim.OpBlock, Channel: i, Snapshot: id})
	}
	return ops
}

func unblocks(inputs ...int32) (ops []sim.Op) {
	for _, i := range inputs {
		ops = append(ops, sim.Op{Kind: sim.OpUnblock, Channel: i})
	}
	return ops
}

func broadcasts(id sim.SnapshotID, outputs int32) (ops []sim.Op) {
	for c := range outputs {
		ops = append(ops, sim.Op{Kind: sim.OpSend, Channel: c, Message: sim.NewMarker(id)})
	}
	return ops
}

func records(id sim.SnapshotID) []sim.Op {
	return []sim.Op{{Kind: sim.OpSaveState, Snapshot: id}}
}

func attaches(id sim.SnapshotID) []sim.Op {
	return []sim.Op{{Kind: sim.OpAttach, Snapshot: id}}
}

func logs(id sim.SnapshotID, i int32, value int64) []sim.Op {
	return []sim.Op{{Kind: sim.OpSaveLog, Snapshot: id, Channel: i, Message: message(value)}}
}

func ends(id sim.SnapshotID) []sim.Op {
	return []sim.Op{{Kind: sim.OpDone, Snapshot: id}}
}

func processes(i sim.Input, value int64) []sim.Op {
	return []sim.Op{{Kind: sim.OpProcess, Channel: int32(i), Message: message(value)}}
}

func sends(value int64) []sim.Op {
	return []sim.Op{{Kind: sim.OpSend, Channel: 0, Message: message(value)}}
}

func emits(value int64) []sim.Op {
	return []sim.Op{{Kind: sim.OpEmit, Channel: sim.Sink, Message: message(value)}}
}

// takes is a record that the udf gets, and what it sends.
func takes(i sim.Input, value int64) []sim.Op {
	return append(processes(i, value), sends(value+1)...)
}
