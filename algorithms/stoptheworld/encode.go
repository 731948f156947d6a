package stoptheworld

import (
	"encoding/binary"
	"errors"

	"simrun/sim"
)

// Save appends the whole state: lists with their lengths, and a byte for every input.
func (t *task) Save(buf []byte) []byte {
	buf = binary.AppendUvarint(buf, uint64(t.over))
	buf = binary.AppendUvarint(buf, uint64(len(t.coming)))
	for _, h := range t.coming {
		buf = binary.AppendUvarint(buf, uint64(h.id))
		for _, b := range h.marked {
			if b {
				buf = append(buf, 1)
			} else {
				buf = append(buf, 0)
			}
		}
	}
	for _, ids := range [][]sim.SnapshotID{t.halted, t.cancelled} {
		buf = binary.AppendUvarint(buf, uint64(len(ids)))
		for _, id := range ids {
			buf = binary.AppendUvarint(buf, uint64(id))
		}
	}
	buf = binary.AppendUvarint(buf, uint64(len(t.held)))
	for _, l := range t.held {
		buf = sim.AppendMessage(binary.AppendVarint(buf, int64(l.Input)), l.Message)
	}
	return buf
}

// Load replaces the state with one that Save wrote on the same task.
func (t *task) Load(state []byte) error {
	d := decoder{data: state}
	loaded := task{info: t.info, over: sim.SnapshotID(d.uint())}
	for range d.length() {
		h := loaded.halt(sim.SnapshotID(d.uint()))
		for i := range h.marked {
			h.marked[i] = d.uint() == 1
		}
	}
	for _, ids := range []*[]sim.SnapshotID{&loaded.halted, &loaded.cancelled} {
		for range d.length() {
			*ids = append(*ids, sim.SnapshotID(d.uint()))
		}
	}
	for range d.length() {
		loaded.held = append(loaded.held, d.logged())
	}
	if d.failed || len(d.data) > 0 {
		return errors.New("stoptheworld: not a state of this task")
	}
	*t = loaded
	return nil
}

// decoder reads what Save wrote. Once the data has ended too early it reads zeros and has
// failed.
type decoder struct {
	data   []byte
	failed bool
}

func (d *decoder) uint() uint64 {
	v, size := binary.Uvarint(d.data)
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

// length is that of a list, of which every entry takes a byte at least.
func (d *decoder) length() uint64 {
	n := d.uint()
	if n > uint64(len(d.data)) {
		d.failed = true
		return 0
	}
	return n
}

func (d *decoder) logged() (l sim.Logged) {
	in, size := binary.Varint(d.data)
	d.skip(size)
	m, rest, ok := sim.ReadMessage(d.data)
	if !ok {
		d.data, d.failed = nil, true
		return l
	}
	d.data = rest
	return sim.Logged{Input: sim.Input(in), Message: m}
}
