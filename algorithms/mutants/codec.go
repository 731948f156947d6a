package mutants

import (
	"encoding/binary"
	"errors"

	"simrun/sim"
)

// protocol is what a mutant has to have; node makes a sim.Node of it.
type protocol interface {
	Initiate(id sim.SnapshotID, out *sim.Out)
	Receive(in sim.Input, m sim.Message, out *sim.Out)
	Recover(attached []byte, log []sim.Logged, out *sim.Out)
	// state walks over all that changes, for saving and loading alike.
	state(c *codec)
}

type node struct{ protocol }

func (n node) Save(buf []byte) []byte {
	c := codec{data: buf}
	n.state(&c)
	return c.data
}

func (n node) Load(state []byte) error {
	c := codec{data: state, loading: true}
	n.state(&c)
	if c.failed || len(c.data) > 0 {
		return errors.New("mutants: not a state of this node")
	}
	return nil
}

// codec appends values to data or, when loading, takes them from its front.
type codec struct {
	data            []byte
	loading, failed bool
}

// number walks over an integer.
func number[T ~int | ~int32 | ~uint32 | ~uint64 | ~uint8](c *codec, v *T) {
	if !c.loading {
		c.data = binary.AppendVarint(c.data, int64(*v))
		return
	}
	n, size := binary.Varint(c.data)
	if size <= 0 {
		c.failed, c.data = true, nil
		return
	}
	*v, c.data = T(n), c.data[size:]
}

// list walks over a list of any length.
func list[T any](c *codec, l *[]T, each func(*codec, *T)) {
	n := len(*l)
	number(c, &n)
	if c.loading {
		if c.failed = c.failed || n < 0 || n > len(c.data); c.failed {
			n = 0
		}
		*l = make([]T, n)
	}
	for i := range *l {
		each(c, &(*l)[i])
	}
}

func bit(c *codec, b *bool) {
	n := 0
	if *b {
		n = 1
	}
	number(c, &n)
	*b = n == 1
}

func message(c *codec, m *sim.Message) {
	if !c.loading {
		c.data = sim.AppendMessage(c.data, *m)
		return
	}
	var ok bool
	if *m, c.data, ok = sim.ReadMessage(c.data); !ok {
		c.failed = true
	}
}

func logged(c *codec, l *sim.Logged) {
	number(c, &l.Input)
	message(c, &l.Message)
}

func sent(c *codec, s *sim.Send) {
	number(c, &s.Output)
	message(c, &s.Message)
}

func ids(c *codec, l *[]sim.SnapshotID) { list(c, l, number[sim.SnapshotID]) }

func bits(c *codec, l *[]bool) { list(c, l, bit) }
