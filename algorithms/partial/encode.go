package partial

import (
	"encoding/binary"
	"errors"

	"simrun/sim"
)

// codec walks over a value in one order, writing or reading.
type codec struct {
	data    []byte
	loading bool
	failed  bool
}

func (c *codec) number(v uint64) uint64 {
	if !c.loading {
		c.data = binary.AppendUvarint(c.data, v)
		return v
	}
	v, size := binary.Uvarint(c.data)
	if size <= 0 {
		c.data, c.failed = nil, true
		return 0
	}
	c.data = c.data[size:]
	return v
}

// list walks over a list, no entry of which takes less than a byte.
func list[T any](c *codec, l *[]T, each func(*T)) {
	n := c.number(uint64(len(*l)))
	if c.loading {
		if n > uint64(len(c.data)) {
			n, c.failed = 0, true
		}
		*l = make([]T, n)
	}
	for i := range *l {
		each(&(*l)[i])
	}
}

func (c *codec) numbers(l *[]uint64) { list(c, l, func(v *uint64) { *v = c.number(*v) }) }

func (c *codec) inputs(l *[]input) {
	list(c, l, func(i *input) {
		list(c, &i.epochs, func(e *epoch) {
			e.id = sim.SnapshotID(c.number(uint64(e.id)))
			c.numbers(&e.seen)
		})
		c.numbers(&i.again)
	})
}

// Save appends what is kept of the inputs, and the algorithm's state.
func (s *survivor) Save(buf []byte) []byte {
	c := &codec{data: append(buf, s.attempt)}
	c.inputs(&s.inputs)
	return s.algorithm.Save(c.data)
}

// Load replaces the state with one that Save wrote on the same task.
func (s *survivor) Load(state []byte) error {
	if len(state) == 0 {
		return errNoState
	}
	c := &codec{data: state[1:], loading: true}
	loaded := survivor{algorithm: s.algorithm, attempt: state[0]}
	c.inputs(&loaded.inputs)
	for i := range loaded.inputs {
		c.failed = c.failed || len(loaded.inputs[i].epochs) == 0
	}
	if c.failed || len(loaded.inputs) != len(s.inputs) {
		return errNoState
	}
	*s = loaded
	return s.algorithm.Load(c.data)
}

var errNoState = errors.New("partial: not a state of this task")
