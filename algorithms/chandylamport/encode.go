package chandylamport

import (
	"encoding/binary"
	"errors"

	"simrun/sim"
)

// Save appends the whole state: the recordings under way, then the spans of the
// finished ids, each list after its length.
func (n *Node) Save(buf []byte) []byte {
	buf = binary.AppendUvarint(buf, uint64(len(n.recordings)))
	for _, r := range n.recordings {
		buf = binary.AppendUvarint(buf, uint64(r.id))
		for _, open := range r.open {
			buf = append(buf, bit(open))
		}
	}
	buf = binary.AppendUvarint(buf, uint64(len(n.finished)))
	for _, s := range n.finished {
		buf = binary.AppendUvarint(buf, uint64(s.first))
		buf = binary.AppendUvarint(buf, uint64(s.last))
	}
	return buf
}

// Load replaces the state with one that Save wrote on the same process.
func (n *Node) Load(state []byte) error {
	d := decoder{data: state}
	loaded := Node{inputs: n.inputs, outputs: n.outputs}
	for range d.length() {
		r := recording{id: sim.SnapshotID(d.uint()), open: make([]bool, n.inputs)}
		for c := range r.open {
			if r.open[c] = d.uint() == 1; r.open[c] {
				r.left++
			}
		}
		loaded.recordings = append(loaded.recordings, r)
	}
	for range d.length() {
		first, last := d.uint(), d.uint()
		loaded.finished = append(loaded.finished, span{sim.SnapshotID(first), sim.SnapshotID(last)})
	}
	if d.failed || len(d.data) > 0 {
		return errors.New("chandylamport: not a state of this node")
	}
	*n = loaded
	return nil
}

func bit(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// decoder reads unsigned numbers. Once the data has ended too early it reads
// zeros and has failed.
type decoder struct {
	data   []byte
	failed bool
}

func (d *decoder) uint() uint64 {
	v, size := binary.Uvarint(d.data)
	if size <= 0 {
		d.data, d.failed = nil, true
		return 0
	}
	d.data = d.data[size:]
	return v
}

// length reads the length of a list, whose every element takes at least a byte.
func (d *decoder) length() int {
	v := d.uint()
	if v > uint64(len(d.data)) {
		d.data, d.failed = nil, true
		return 0
	}
	return int(v)
}
