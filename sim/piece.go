package sim

import (
	"bytes"
	"math/bits"
	"slices"
)

// piece is a chunk of a task's state in the store. The parts of one task that have the
// same one in the same place share it.
type piece struct {
	data  []byte // as the store was given it
	left  int    // so many bytes of it are there; a checksum tells if that is not all
	parts int    // that refer to it
	owner Handle // of the part that it was written with
	gone  bool   // deleted, or found to be damaged: no later part refers to it
}

// cutUp cuts a state up as the store writes it.
func (e *Engine) cutUp(state []byte) [][]byte {
	size := e.cfg.Management.Chunk
	if size == 0 || int64(len(state)) <= size {
		return [][]byte{state}
	}
	return slices.Collect(slices.Chunk(state, int(size)))
}

// base is the newest part of a task that the store has, if a snapshot shares chunks with
// it; or nil. A savepoint does not, and nobody does with a savepoint.
func (e *Engine) base(v int32, s *Snapshot) *part {
	m := e.management
	if s.Savepoint || e.cfg.Management.Chunk == 0 || m.newest == nil {
		return nil
	}
	for h := m.newest[v]; h != 0; h = m.parts[h-1].before {
		if p := &m.parts[h-1]; !p.deleted {
			return p
		}
	}
	return nil
}

// shared is the chunk of an earlier part that holds the same as chunk i of a new one.
// That it may be damaged the store does not know.
func (m *management) shared(base *part, i int, data []byte) (at uint32, ok bool) {
	if base == nil || i >= len(base.chunks) {
		return 0, false
	}
	at = base.chunks[i]
	c := &m.chunks[at]
	return at, !c.gone && bytes.Equal(c.data, data)
}

// toWrite is how many bytes the store writes for a node's part, by what it has now.
func (e *Engine) toWrite(v int32, s *Snapshot) int64 {
	size, base := e.restOf(v, s), e.base(v, s)
	for i, data := range e.cutUp(s.States[v]) {
		if _, ok := e.management.shared(base, i, data); !ok {
			size += int64(len(data))
		}
	}
	return size
}

// restOf is how many bytes a part has beside the state: what is attached, the messages,
// and a word for the position of the source.
func (e *Engine) restOf(v int32, s *Snapshot) int64 {
	size := 8 + int64(len(s.Attached[v]))
	for i := range e.nodes[v].inputs {
		size += MessageBytes * int64(len(s.Channels[e.input(v, i)]))
	}
	return size
}

// storeState keeps the state of a part that is stored under h, and returns how many
// bytes of it had to be written.
func (e *Engine) storeState(p *part, h Handle, s *Snapshot) (written int64) {
	m, base := e.management, e.base(p.node, s)
	var owners []Handle
	for i, data := range e.cutUp(s.States[p.node]) {
		at, ok := m.shared(base, i, data)
		if !ok {
			at, written = uint32(len(m.chunks)), written+int64(len(data))
			m.chunks = append(m.chunks, piece{data: data, left: len(data), owner: h})
		} else if owner := m.chunks[at].owner; !slices.Contains(owners, owner) {
			owners = append(owners, owner)
		}
		m.chunks[at].parts++
		p.chunks = append(p.chunks, at)
	}
	for _, owner := range owners {
		e.fact(Fact{Kind: FactShared, Task: p.node, Number: uint32(owner), ID: p.id, Control: Control{Handle: h}})
	}
	return written
}

// damage leaves, of what was written for a part, only the beginning or nothing: the
// chunks come first, in their order, and then the rest.
func (e *Engine) damage(p *part, h Handle, written int64) {
	plan, left, mark := &e.cfg.Management, int64(0), NewMarker(p.id)
	switch {
	case plan.Lost.strikes(e.lostStream, p.node, &mark, 0):
	case plan.Torn.strikes(e.tornStream, p.node, &mark, 0):
		left = int64(Scale(e.tornStream.Draw(p.node, 2<<32|uint64(p.id)), uint64(written)))
	default:
		return
	}
	e.fact(Fact{Kind: FactDamaged, Task: p.node, Number: uint32(left), ID: p.id, Control: Control{Handle: h}})
	for _, at := range p.chunks {
		if c := &e.management.chunks[at]; c.owner == h {
			c.left = int(min(left, int64(len(c.data))))
			left -= int64(c.left)
		}
	}
	p.cut = true
}

// read is the state of a part, or ok is false if the checksums of the part say that
// something of it is not there. What is found to be damaged is not shared any more.
func (m *management) read(p *part) (state []byte, ok bool) {
	ok = !p.cut
	for _, at := range p.chunks {
		c := &m.chunks[at]
		c.gone = c.gone || c.left < len(c.data)
		ok = ok && !c.gone
		if len(p.chunks) == 1 {
			return c.data, ok
		}
		state = append(state, c.data...)
	}
	return state, ok
}

// release frees the chunks to which nobody refers when a part is deleted.
func (m *management) release(p *part) {
	for _, at := range p.chunks {
		c := &m.chunks[at]
		if c.parts--; c.parts == 0 {
			c.data, c.left, c.gone = nil, 0, true
		}
	}
}

// purge deletes a part, and every chunk that was written with it.
func (e *Engine) purge(h Handle) {
	m := e.management
	if h == 0 || int(h) > len(m.parts) {
		return
	}
	e.discard(h)
	p := &m.parts[h-1]
	e.fact(Fact{Kind: FactPurged, Task: p.node, ID: p.id, Control: Control{Handle: h}})
	for i := range m.chunks {
		if c := &m.chunks[i]; c.owner == h {
			c.gone = true
		}
	}
}

// toRead is how many bytes a restore of a checkpoint reads.
func (e *Engine) toRead(id SnapshotID, s scope) (size int64) {
	m := e.management
	x := m.stored(id)
	if x == nil {
		return 0
	}
	for v, h := range x.Handles {
		if h == 0 || int(h) > len(m.parts) || !s.has(int32(v)) {
			continue
		}
		p := &m.parts[h-1]
		size += p.rest
		for _, at := range p.chunks {
			size += int64(len(m.chunks[at].data))
		}
	}
	return size
}

// transfer is how long so many bytes take at the bandwidth of the store.
func (e *Engine) transfer(size int64) int64 {
	bandwidth := uint64(e.cfg.Management.Bandwidth)
	if bandwidth == 0 {
		return 0
	}
	high, low := bits.Mul64(uint64(size), 1e9)
	if high >= bandwidth {
		return MaxTime
	}
	ns, _ := bits.Div64(high, low, bandwidth)
	return int64(min(ns, MaxTime))
}
