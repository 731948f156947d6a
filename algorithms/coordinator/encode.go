package coordinator

import (
	"encoding/binary"
	"errors"

	"simrun/sim"
)

// codec walks over the coordinator's state in one order, writing or reading.
type codec struct {
	data    []byte
	loading bool
	failed  bool
}

func (x *codec) uint(v uint64) uint64 {
	if !x.loading {
		x.data = binary.AppendUvarint(x.data, v)
		return v
	}
	v, n := binary.Uvarint(x.data)
	if n <= 0 {
		x.data, x.failed = nil, true
		return 0
	}
	x.data = x.data[n:]
	return v
}

func (x *codec) bool(p *bool) {
	v := uint64(0)
	if *p {
		v = 1
	}
	*p = x.uint(v) == 1
}

// length codes how long a list is; none is longer than the data.
func (x *codec) length(n int) int {
	v := x.uint(uint64(n))
	if x.loading && v > uint64(len(x.data)) {
		x.failed = true
		return 0
	}
	return int(v)
}

func (x *codec) handles(p *[]sim.Handle) {
	n := x.length(len(*p))
	if x.loading {
		*p = make([]sim.Handle, n)
	}
	for i := range *p {
		(*p)[i] = sim.Handle(x.uint(uint64((*p)[i])))
	}
}

func (c *Coordinator) code(x *codec) {
	c.tasks = int(x.uint(uint64(c.tasks)))
	c.sources = x.tasks(c.sources)
	c.attempt = uint8(x.uint(uint64(c.attempt)))
	c.last = sim.SnapshotID(x.uint(uint64(c.last)))
	n := x.length(len(c.pending))
	if x.loading {
		c.pending = make([]*pending, n)
	}
	for i := range c.pending {
		if x.loading {
			c.pending[i] = new(pending)
		}
		p := c.pending[i]
		p.id = sim.SnapshotID(x.uint(uint64(p.id)))
		x.handles(&p.handles)
		p.left = int(x.uint(uint64(p.left)))
		x.flags(&p.finished)
		x.bool(&p.publishing)
		x.bool(&p.savepoint)
	}
	n = x.length(len(c.stored))
	if x.loading {
		c.stored = make([]sim.Metadata, n)
	}
	for i := range c.stored {
		m := &c.stored[i]
		m.ID = sim.SnapshotID(x.uint(uint64(m.ID)))
		m.Attempt = uint8(x.uint(uint64(m.Attempt)))
		x.bool(&m.Savepoint)
		x.handles(&m.Handles)
		x.flags(&m.Finished)
	}
	n = x.length(len(c.cancelled))
	if x.loading {
		c.cancelled = make([]cancel, n)
	}
	for i := range c.cancelled {
		c.cancelled[i].code(x)
	}
	c.finishing.code(x)
	c.reminder.code(x)
	for _, p := range []*bool{&c.running, &c.partial, &c.stopped, &c.pausing, &c.due, &c.finished} {
		x.bool(p)
	}
	c.final = sim.SnapshotID(x.uint(uint64(c.final)))
	c.failures = int(x.uint(uint64(c.failures)))
	c.restarts = int(x.uint(uint64(c.restarts)))
	c.counted = int(x.uint(uint64(c.counted)))
}

// Save appends the whole state.
func (c *Coordinator) Save(buf []byte) []byte {
	x := &codec{data: buf}
	c.code(x)
	return x.data
}

// Load replaces the state with one that Save wrote.
func (c *Coordinator) Load(state []byte) error {
	x := &codec{data: state, loading: true}
	loaded := &Coordinator{settings: c.settings}
	loaded.code(x)
	if x.failed || len(x.data) > 0 {
		return errors.New("coordinator: not a state of a coordinator")
	}
	*c = *loaded
	return nil
}
