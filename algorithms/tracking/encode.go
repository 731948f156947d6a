package tracking

import (
	"encoding/binary"
	"errors"

	"simrun/sim"
)

// Save appends the whole state: the last snapshot saved, and how many are under way and
// each of them, with a byte for every input; then what has ended, likewise.
func (t *task) Save(buf []byte) []byte {
	buf = binary.AppendUvarint(buf, uint64(t.done))
	buf = binary.AppendUvarint(buf, uint64(len(t.under)))
	for _, e := range t.under {
		buf = binary.AppendUvarint(buf, uint64(e.id))
		buf = flags(buf, e.saved)
		buf = flags(buf, e.marked...)
	}
	buf = flags(buf, t.ended.finished, t.ended.inputs != nil)
	return flags(buf, t.ended.inputs...)
}

func flags(buf []byte, list ...bool) []byte {
	for _, b := range list {
		if b {
			buf = append(buf, 1)
		} else {
			buf = append(buf, 0)
		}
	}
	return buf
}

var errState = errors.New("tracking: not a state of this task")

// Load replaces the state with one that Save wrote on the same task.
func (t *task) Load(state []byte) error {
	loaded := task{info: t.info}
	done, state := number(state)
	left, state := number(state)
	for ; left > 0; left-- {
		var id uint64
		id, state = number(state)
		e := loaded.epoch(sim.SnapshotID(id))
		if e == nil || len(state) < 1+len(e.marked) {
			return errState
		}
		e.saved = state[0] == 1
		for i := range e.marked {
			e.marked[i] = state[1+i] == 1
		}
		state = state[1+len(e.marked):]
	}
	if !loaded.ended.load(state, t.info.Inputs) {
		return errState
	}
	loaded.done = sim.SnapshotID(done) // now, as epoch begins none that is over
	*t = loaded
	return nil
}

// load reads the rest of a state.
func (e *ended) load(state []byte, inputs int) bool {
	if len(state) != 2 && len(state) != 2+inputs {
		return false
	}
	e.finished = state[0] == 1
	if state[1] == 1 {
		e.inputs = make([]bool, inputs)
	}
	if len(state) != 2+len(e.inputs) {
		return false
	}
	for i := range e.inputs {
		e.inputs[i] = state[2+i] == 1
	}
	return true
}

// number reads one, and returns what follows it; nil if there is none.
func number(data []byte) (uint64, []byte) {
	v, size := binary.Uvarint(data)
	if size <= 0 {
		return 0, nil
	}
	return v, data[size:]
}
