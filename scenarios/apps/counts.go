package apps

import "encoding/binary"

// counts is a count for each of the keys 0..size-1. The slots are made when the
// first key is counted, because in a large graph many nodes never count.
type counts struct {
	size  int
	slots []uint64
}

// add counts one more of a key and returns how many there are now.
func (c *counts) add(key uint64) uint64 {
	if c.slots == nil {
		c.slots = make([]uint64, c.size)
	}
	c.slots[key]++
	return c.slots[key]
}

// save appends the keys that were counted, ascending, each with its count: the
// same bytes whether the slots were never made or are all 0.
func (c *counts) save(buf []byte) []byte {
	counted := uint64(0)
	for _, n := range c.slots {
		if n > 0 {
			counted++
		}
	}
	buf = binary.AppendUvarint(buf, counted)
	next := 0 // keys are written as the distance from the one that could have followed
	for key, n := range c.slots {
		if n > 0 {
			buf = binary.AppendUvarint(buf, uint64(key-next))
			buf = binary.AppendUvarint(buf, n)
			next = key + 1
		}
	}
	return buf
}

// load replaces the counts with those that save wrote.
func (c *counts) load(r *stateReader) {
	clear(c.slots)
	counted := r.uvarint()
	if counted > 0 && c.slots == nil {
		c.slots = make([]uint64, c.size)
	}
	next := uint64(0)
	for ; counted > 0 && !r.failed; counted-- {
		gap, n := r.uvarint(), r.uvarint()
		key := next + gap
		if key < next || key >= uint64(c.size) || n == 0 {
			r.fail()
			return
		}
		c.slots[key] = n
		next = key + 1
	}
}

// Counted is one count, as people see it.
type Counted struct {
	Key   string `json:"key"`
	Count uint64 `json:"count"`
}

// describe lists what was counted in the order of the keys.
func (c *counts) describe(name func(key int) string) []Counted {
	list := []Counted{}
	for key, n := range c.slots {
		if n > 0 {
			list = append(list, Counted{name(key), n})
		}
	}
	return list
}
