package chandylamport

import (
	"encoding/binary"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simrun/sim"
)

// sum is an App that adds up the values it gets and passes each on, one more, to
// its first output if it has one.
type sum struct {
	total   int64
	outputs int
}

func (s *sum) Step(_ sim.Input, m sim.Message, fx *sim.Effects) {
	s.total += m.Value
	if s.outputs > 0 {
		fx.Send(0, m.Key, m.Value+1, 0)
	}
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

// process is a Node under test, its App, and what it has asked for.
type process struct {
	t    *testing.T
	node *Node
	app  *sum
	out  *sim.Out
}

func newProcess(t *testing.T, inputs, outputs int) *process {
	app := &sum{outputs: outputs}
	node := New(sim.NodeInfo{Inputs: inputs, Outputs: outputs}).(*Node)
	return &process{t, node, app, sim.NewOut(app)}
}

func (p *process) initiate(id sim.SnapshotID) { p.node.Initiate(id, p.out) }
func (p *process) marker(in sim.Input, id sim.SnapshotID) {
	p.node.Receive(in, sim.NewMarker(id), p.out)
}
func (p *process) message(in sim.Input, value int64) { p.node.Receive(in, message(value), p.out) }

// wants compares everything asked for since the last time.
func (p *process) wants(want ...[]sim.Op) {
	p.t.Helper()
	got := append([]sim.Op{}, p.out.Ops()...)
	for i := range got {
		if got[i].Kind == sim.OpSaveState {
			got[i].Message = sim.Message{} // where the bytes are is of no interest
		}
	}
	all := []sim.Op{}
	for _, ops := range want {
		all = append(all, ops...)
	}
	if diff := cmp.Diff(all, got); diff != "" {
		p.t.Fatalf("asked for (-want +got):\n%s", diff)
	}
	p.out.Reset()
}

func message(value int64) sim.Message { return sim.Message{Key: 7, Value: value} }

// The steps as a reader of the paper would name them.

func nothing() []sim.Op { return nil }

func saves(id sim.SnapshotID) []sim.Op {
	return []sim.Op{{Kind: sim.OpSaveState, Snapshot: id}}
}

func marks(id sim.SnapshotID, outputs ...int32) (ops []sim.Op) {
	for _, c := range outputs {
		ops = append(ops, sim.Op{Kind: sim.OpSend, Channel: c, Message: sim.NewMarker(id)})
	}
	return ops
}

func logs(id sim.SnapshotID, in int32, value int64) []sim.Op {
	return []sim.Op{{Kind: sim.OpSaveChannel, Snapshot: id, Channel: in, Message: message(value)}}
}

// takes is a message that the App gets and passes on.
func takes(in sim.Input, value int64) []sim.Op {
	return []sim.Op{
		{Kind: sim.OpProcess, Channel: int32(in), Message: message(value)},
		{Kind: sim.OpSend, Channel: 0, Message: message(value + 1)},
	}
}

func ends(id sim.SnapshotID) []sim.Op {
	return []sim.Op{{Kind: sim.OpDone, Snapshot: id}}
}
