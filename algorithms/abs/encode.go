package abs

import (
	"encoding/binary"
	"errors"

	"simrun/sim"
)

// encoder appends a task's state: unsigned numbers, and lists whose length the
// reader knows or that stands before them.
type encoder []byte

func (e *encoder) uint(v uint64) { *e = binary.AppendUvarint(*e, v) }

func (e *encoder) bools(list []bool) {
	for _, b := range list {
		if b {
			e.uint(1)
		} else {
			e.uint(0)
		}
	}
}

func (e *encoder) ids(list []sim.SnapshotID) {
	for _, id := range list {
		e.uint(uint64(id))
	}
}

func (e *encoder) barriers(w waiting) {
	e.uint(uint64(len(w)))
	for _, b := range w {
		e.uint(uint64(b.id))
		*e = binary.AppendVarint(*e, int64(b.input))
	}
}

func (e *encoder) list(ids []sim.SnapshotID) {
	e.uint(uint64(len(ids)))
	e.ids(ids)
}

// decoder reads what an encoder wrote. Once the data has ended too early it
// reads zeros and has failed.
type decoder struct {
	data   []byte
	failed bool
}

func (d *decoder) uint() uint64 {
	v, size := binary.Uvarint(d.data)
	d.skip(size)
	return v
}

func (d *decoder) int() int64 {
	v, size := binary.Varint(d.data)
	d.skip(size)
	return v
}

func (d *decoder) skip(size int) {
	if size <= 0 {
		d.data, d.failed = nil, true
		return
	}
	d.data = d.data[size:]
}

func (d *decoder) id() sim.SnapshotID { return sim.SnapshotID(d.uint()) }

func (d *decoder) bools(n int) []bool {
	list := make([]bool, n)
	for i := range list {
		list[i] = d.uint() == 1
	}
	return list
}

func (d *decoder) ids(n int) []sim.SnapshotID {
	list := make([]sim.SnapshotID, n)
	for i := range list {
		list[i] = d.id()
	}
	return list
}

func (d *decoder) barriers() (w waiting) {
	n := d.uint()
	if n > uint64(len(d.data)) { // every one takes more than a byte
		d.failed = true
		return nil
	}
	for range n {
		w = append(w, barrier{d.id(), sim.Input(d.int())})
	}
	return w
}

func (d *decoder) list() []sim.SnapshotID {
	n := d.uint()
	if n > uint64(len(d.data)) {
		d.failed = true
		return nil
	}
	if n == 0 {
		return nil
	}
	return d.ids(int(n))
}

// end is called last: there must be no more and no less.
func (d *decoder) end() error {
	if d.failed || len(d.data) > 0 {
		return errors.New("abs: not a state of this task")
	}
	return nil
}
