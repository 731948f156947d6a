package tracking

import (
	"encoding/binary"
	"errors"

	"simrun/sim"
)

// Save appends the whole state: the last snapshot saved, and each one under way, with a
// byte for every input.
func (t *task) Save(buf []byte) []byte {
	buf = binary.AppendUvarint(buf, uint64(t.done))
	for _, e := range t.under {
		buf = binary.AppendUvarint(buf, uint64(e.id))
		for _, b := range append([]bool{e.saved}, e.marked...) {
			if b {
				buf = append(buf, 1)
			} else {
				buf = append(buf, 0)
			}
		}
	}
	return buf
}

var errState = errors.New("tracking: not a state of this task")

// Load replaces the state with one that Save wrote on the same task.
func (t *task) Load(state []byte) error {
	loaded := task{info: t.info}
	done, state, ok := id(state)
	if !ok {
		return errState
	}
	for len(state) > 0 {
		var of sim.SnapshotID
		if of, state, ok = id(state); !ok || of == 0 {
			return errState
		}
		e := loaded.epoch(of)
		if len(state) < 1+len(e.marked) {
			return errState
		}
		e.saved = state[0] == 1
		for i := range e.marked {
			e.marked[i] = state[1+i] == 1
		}
		state = state[1+len(e.marked):]
	}
	loaded.done = done // now, as epoch begins none that is over
	*t = loaded
	return nil
}

func id(data []byte) (sim.SnapshotID, []byte, bool) {
	v, size := binary.Uvarint(data)
	if size <= 0 {
		return 0, nil, false
	}
	return sim.SnapshotID(v), data[size:], true
}
