package twophase

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

func (c *codec) number(v *uint64) {
	if !c.loading {
		c.data = binary.AppendUvarint(c.data, *v)
		return
	}
	n, size := binary.Uvarint(c.data)
	if size <= 0 {
		c.data, c.failed = nil, true
		return
	}
	*v, c.data = n, c.data[size:]
}

// list walks over a list, no entry of which takes less than a byte.
func list[T any](c *codec, l *[]T, each func(*T)) {
	n := uint64(len(*l))
	c.number(&n)
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

func (c *codec) records(l *[]sim.Send) {
	list(c, l, func(s *sim.Send) {
		if !c.loading {
			c.data = sim.AppendMessage(c.data, s.Message)
			return
		}
		var ok bool
		if s.Message, c.data, ok = sim.ReadMessage(c.data); !ok {
			c.failed = true
		}
		s.Output = sim.Sink
	})
}

func (c *codec) transactions(l *[]transaction) {
	list(c, l, func(t *transaction) {
		c.id(&t.id)
		c.records(&t.records)
	})
}

func (c *codec) id(id *sim.SnapshotID) {
	v := uint64(*id)
	c.number(&v)
	*id = sim.SnapshotID(v)
}

// part walks over what is attached: transactions, and what the algorithm attaches
// itself, nil for nothing.
func (c *codec) part(l *[]transaction, own *[]byte) {
	c.transactions(l)
	attached := uint64(0)
	if *own != nil {
		attached = 1
	}
	c.number(&attached)
	switch {
	case !c.loading:
		c.data = append(c.data, *own...)
	case attached == 1:
		*own, c.data = append([]byte{}, c.data...), nil
	}
}

func (c *codec) err() error {
	if c.failed || len(c.data) > 0 {
		return errors.New("twophase: not a state of this sink")
	}
	return nil
}

// Save appends the transactions and the algorithm's state.
func (s *sink) Save(buf []byte) []byte {
	c := &codec{data: buf}
	c.records(&s.open)
	c.transactions(&s.closed)
	c.id(&s.complete)
	list(c, &s.cancelled, c.id)
	return s.algorithm.Save(c.data)
}

// Load replaces the state with one that Save wrote.
func (s *sink) Load(state []byte) error {
	c := &codec{data: state, loading: true}
	loaded := &sink{algorithm: s.algorithm}
	c.records(&loaded.open)
	c.transactions(&loaded.closed)
	c.id(&loaded.complete)
	list(c, &loaded.cancelled, c.id)
	if c.failed {
		return errors.New("twophase: not a state of this sink")
	}
	s.open, s.closed, s.complete, s.cancelled = loaded.open, loaded.closed, loaded.complete, loaded.cancelled
	return s.algorithm.Load(c.data)
}
