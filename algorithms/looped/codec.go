package looped

import (
	"encoding/binary"
	"errors"

	"simrun/sim"
)

// codec appends values to data or, when loading, takes them from its front. Once
// the data has ended too early it gives zeros and has failed.
type codec struct {
	data            []byte
	loading, failed bool
}

// save appends what a walk over a state comes by.
func save(buf []byte, state func(*codec)) []byte {
	c := codec{data: buf}
	state(&c)
	return c.data
}

// load lets a walk over a new state fill it in. There must be no more data and no
// less.
func load(data []byte, state func(*codec)) error {
	c := codec{data: data, loading: true}
	state(&c)
	if c.failed || len(c.data) > 0 {
		return errors.New("looped: not a state of this task")
	}
	return nil
}

func (c *codec) number(v *int64) {
	if !c.loading {
		c.data = binary.AppendVarint(c.data, *v)
		return
	}
	n, size := binary.Varint(c.data)
	if size <= 0 {
		c.fail()
		n, size = 0, 0
	}
	*v, c.data = n, c.data[size:]
}

func (c *codec) fail() { c.data, c.failed = nil, true }

func (c *codec) bit(b *bool) {
	n := int64(0)
	if *b {
		n = 1
	}
	c.number(&n)
	*b = n == 1
}

func (c *codec) id(id *sim.SnapshotID) {
	n := int64(*id)
	c.number(&n)
	*id = sim.SnapshotID(n)
}

func (c *codec) input(i *sim.Input) {
	n := int64(*i)
	c.number(&n)
	*i = sim.Input(n)
}

func (c *codec) message(m *sim.Message) {
	if !c.loading {
		c.data = sim.AppendMessage(c.data, *m)
		return
	}
	var ok bool
	if *m, c.data, ok = sim.ReadMessage(c.data); !ok {
		c.fail()
	}
}

func (c *codec) logged(l *sim.Logged) {
	c.input(&l.Input)
	c.message(&l.Message)
}

func (c *codec) send(s *sim.Send) {
	n := int64(s.Output)
	c.number(&n)
	s.Output = int32(n)
	c.message(&s.Message)
}

// list walks over a list of any length.
func list[T any](c *codec, l *[]T, each func(*T)) {
	n := int64(len(*l))
	c.number(&n)
	if c.loading {
		if n < 0 || n > int64(len(c.data)) { // every entry takes a byte at least
			c.fail()
			return
		}
		*l = make([]T, n)
	}
	for i := range *l {
		each(&(*l)[i])
	}
}
