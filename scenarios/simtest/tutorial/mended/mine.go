// Package mine is Chandy and Lamport's algorithm, for one snapshot at a time.
package mine

import (
	"encoding/binary"
	"errors"
	"slices"

	"simrun/sim"
)

// node is the algorithm's part of one process.
type node struct {
	outputs int
	id      sim.SnapshotID // the newest snapshot that is recorded here
	open    []bool         // by input: its marker has not come
}

// New is the sim.NewNode of this algorithm.
func New(info sim.NodeInfo) sim.Node {
	return &node{outputs: info.Outputs, open: make([]bool, info.Inputs)}
}

// Initiate is the order to start a snapshot here.
func (n *node) Initiate(id sim.SnapshotID, out *sim.Out) {
	if id > n.id {
		n.record(id, out)
	}
}

// Receive is given whatever arrives. Inputs below 0 are no channels.
func (n *node) Receive(in sim.Input, m sim.Message, out *sim.Out) {
	if m.Kind() == sim.Marker {
		n.onMarker(in, m.Snapshot(), out)
		return
	}
	if in >= 0 && n.open[in] {
		out.SaveChannel(n.id, in, m) // in flight when the snapshot was taken
	}
	out.Send(out.Process(in, m)...)
}

func (n *node) onMarker(in sim.Input, id sim.SnapshotID, out *sim.Out) {
	n.Initiate(id, out)
	n.open[in] = false
	if !slices.Contains(n.open, true) {
		out.Done(id)
	}
}

func (n *node) record(id sim.SnapshotID, out *sim.Out) {
	n.id = id
	out.SaveState(id)
	for o := range n.outputs {
		out.SendMarker(o, id)
	}
	for in := range n.open {
		n.open[in] = true
	}
}

// Recover comes first after a restore, on a fresh node.
func (n *node) Recover([]byte, []sim.Logged, *sim.Out) {}

// Save appends the whole state.
func (n *node) Save(buf []byte) []byte {
	buf = binary.BigEndian.AppendUint32(buf, uint32(n.id))
	for _, open := range n.open {
		if open {
			buf = append(buf, 1)
		} else {
			buf = append(buf, 0)
		}
	}
	return buf
}

// Load reads it back.
func (n *node) Load(state []byte) error {
	if len(state) != 4+len(n.open) {
		return errors.New("mine: not a state of this node")
	}
	n.id = sim.SnapshotID(binary.BigEndian.Uint32(state))
	for in := range n.open {
		n.open[in] = state[4+in] == 1
	}
	return nil
}
