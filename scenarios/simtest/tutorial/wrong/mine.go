// Package mine is Chandy and Lamport's algorithm, for one snapshot at a time.
package mine

import (
	"encoding/binary"
	"errors"

	"simrun/sim"
)

// node is the algorithm's part of one process.
type node struct {
	inputs, outputs int
	id              sim.SnapshotID // the newest snapshot that is recorded here
	missing         int            // how many of its markers have not come
}

// New is the sim.NewNode of this algorithm.
func New(info sim.NodeInfo) sim.Node { return &node{inputs: info.Inputs, outputs: info.Outputs} }

// Initiate is the order to start a snapshot here.
func (n *node) Initiate(id sim.SnapshotID, out *sim.Out) {
	if id > n.id {
		n.record(id, out)
	}
}

// Receive is given whatever arrives. Inputs below 0 are no channels.
func (n *node) Receive(in sim.Input, m sim.Message, out *sim.Out) {
	if m.Kind() == sim.Marker {
		n.onMarker(m.Snapshot(), out)
		return
	}
	if in >= 0 && n.missing > 0 {
		out.SaveChannel(n.id, in, m) // in flight when the snapshot was taken
	}
	out.Send(out.Process(in, m)...)
}

func (n *node) onMarker(id sim.SnapshotID, out *sim.Out) {
	n.Initiate(id, out)
	if n.missing--; n.missing == 0 {
		out.Done(id)
	}
}

func (n *node) record(id sim.SnapshotID, out *sim.Out) {
	n.id, n.missing = id, n.inputs
	out.SaveState(id)
	for o := range n.outputs {
		out.SendMarker(o, id)
	}
}

// Recover comes first after a restore, on a fresh node.
func (n *node) Recover([]byte, []sim.Logged, *sim.Out) {}

// Save appends the whole state.
func (n *node) Save(buf []byte) []byte {
	return binary.AppendUvarint(binary.AppendUvarint(buf, uint64(n.id)), uint64(n.missing))
}

// Load reads it back.
func (n *node) Load(state []byte) error {
	id, size := binary.Uvarint(state)
	missing, rest := binary.Uvarint(state[max(size, 0):])
	if size <= 0 || rest <= 0 || size+rest != len(state) {
		return errors.New("mine: not a state of this node")
	}
	n.id, n.missing = sim.SnapshotID(id), int(missing)
	return nil
}
