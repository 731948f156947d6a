package sim

import (
	"bytes"
	"cmp"
	"slices"
)

// part is a node's part of a snapshot in the durable store. What it holds is the
// Snapshot's own, which does not change any more.
type part struct {
	node    int32
	id      SnapshotID
	deleted bool
	cut     bool   // the end of it is not there
	before  Handle // the part of the same node before it
	rest    int64  // bytes beside the state

	chunks          []uint32 // the state: indexes into management.chunks
	attached        []byte
	channels        [][]Recorded // by input
	log             []LogEntry
	recording       Recording
	sent, processed []uint32   // by output; by input
	gaps            [][]uint32 // by input
}

// storePart keeps a node's part of a snapshot, and says under which handle.
func (e *Engine) storePart(v int32, s *Snapshot) Handle {
	m := e.management
	h := Handle(len(m.parts) + 1)
	p := e.partOf(v, s)
	if m.newest == nil {
		m.newest = make([]Handle, len(e.nodes))
	}
	e.fact(Fact{Kind: FactStored, Task: v, ID: s.ID, Control: Control{Handle: h}})
	written := p.rest + e.storeState(&p, h, s)
	e.history.Written += written
	e.damage(&p, h, written)
	if !s.Savepoint {
		p.before, m.newest[v] = m.newest[v], h
	}
	m.parts = append(m.parts, p)
	return h
}

// partOf is a node's part of a snapshot, but for the state.
func (e *Engine) partOf(v int32, s *Snapshot) part {
	n := &e.nodes[v]
	p := part{node: v, id: s.ID, rest: e.restOf(v, s), attached: s.Attached[v], log: s.Logs[v], recording: s.Recordings[v]}
	for i := range n.outs {
		p.sent = append(p.sent, s.Sent[e.output(v, i)])
	}
	for i := range n.inputs {
		c := e.input(v, i)
		p.channels = append(p.channels, s.Channels[c])
		p.processed = append(p.processed, s.Processed[c])
		if s.Gaps != nil {
			p.gaps = append(p.gaps, s.Gaps[c])
		}
	}
	return p
}

// discard deletes a part, and the chunks of it to which no other part refers.
func (e *Engine) discard(h Handle) {
	m := e.management
	if h == 0 || int(h) > len(m.parts) || m.parts[h-1].deleted {
		return
	}
	p := &m.parts[h-1]
	m.release(p)
	*p = part{node: p.node, id: p.id, before: p.before, deleted: true}
	e.fact(Fact{Kind: FactDiscarded, Task: p.node, ID: p.id, Control: Control{Handle: h}})
}

// sweep deletes every part but these.
func (e *Engine) sweep(keep []Handle) {
	for i := range e.management.parts {
		if h := Handle(i + 1); !slices.Contains(keep, h) {
			e.discard(h)
		}
	}
}

// metadataOf is the place of a checkpoint in the list of metadata, and whether it is there.
func (m *management) metadataOf(id SnapshotID) (at int, found bool) {
	return slices.BinarySearchFunc(m.metadata, id, func(x Metadata, id SnapshotID) int { return cmp.Compare(x.ID, id) })
}

// retire deletes the metadata of a checkpoint, and then its parts.
func (e *Engine) retire(id SnapshotID) {
	m := e.management
	i, found := m.metadataOf(id)
	if !found {
		return
	}
	x := m.metadata[i]
	m.metadata = slices.Delete(m.metadata, i, i+1)
	e.fact(Fact{Kind: FactRetired, Task: -1, ID: id})
	for _, h := range x.Handles {
		e.discard(h)
	}
}

// stored is the metadata of a checkpoint, or nil.
func (m *management) stored(id SnapshotID) *Metadata {
	i, found := m.metadataOf(id)
	if !found {
		return nil
	}
	return &m.metadata[i]
}

// stored is what a restore goes back to: the parts that the metadata of a checkpoint
// names, or nil for the initial state. It is the Snapshot itself if these are its
// parts, and else whatever they make together. ok is false if some cannot be read.
func (e *Engine) stored(id SnapshotID) (from *Snapshot, ok bool) {
	if id == 0 {
		return nil, true
	}
	m := e.management
	x := m.stored(id)
	if x == nil || len(x.Handles) != len(e.nodes) {
		return nil, false
	}
	same, whole, states := true, true, make([][]byte, len(e.nodes))
	for v, h := range x.Handles {
		if h == 0 || int(h) > len(m.parts) || m.parts[h-1].deleted || m.parts[h-1].node != int32(v) {
			return nil, false
		}
		p := &m.parts[h-1]
		if states[v], ok = m.read(p); !ok {
			whole = false // and what else is damaged is found, too
			continue
		}
		same = same && p.id == id && uint64(id) <= uint64(len(e.history.Snapshots)) && e.history.Snapshots[id-1].Recordings[v].Seq == p.recording.Seq &&
			bytes.Equal(states[v], e.history.Snapshots[id-1].States[v])
	}
	if !whole {
		return nil, false
	}
	if same {
		return e.history.Snapshots[id-1], true
	}
	return e.compose(x, states), true
}

// compose puts parts together that are not those of one snapshot.
func (e *Engine) compose(x *Metadata, states [][]byte) *Snapshot {
	s := &Snapshot{ID: x.ID, Status: Complete, Incarnation: e.incarnation, CompletedAt: e.now}
	e.allocate(s)
	for v, h := range x.Handles {
		p := &e.management.parts[h-1]
		s.States[v], s.Attached[v], s.Logs[v], s.Recordings[v] = states[v], p.attached, p.log, p.recording
		s.DoneAt[v], s.Durable[v] = e.now, true
		for i, sent := range p.sent {
			s.Sent[e.output(int32(v), int32(i))] = sent
		}
		for i, processed := range p.processed {
			c := e.input(int32(v), int32(i))
			s.Processed[c], s.Channels[c] = processed, p.channels[i]
			if p.gaps != nil {
				s.Gaps[c] = p.gaps[i]
			}
		}
	}
	return s
}

// written ends the write of a node's part where there is a coordinator: the task is
// told the handle, or that the store has failed.
func (e *Engine) written(v int32, s *Snapshot) {
	h, m := Handle(0), NewMarker(s.ID)
	if e.cfg.Management.Unwritten.strikes(e.writeFailStream, v, &m, 0) {
		e.fact(Fact{Kind: FactLost, Task: v, ID: s.ID})
	} else {
		e.partStored(v, s)
		h = e.storePart(v, s)
	}
	n := &e.nodes[v]
	e.begin(v)
	n.algorithm.(Task).Written(s.ID, h, &e.out)
	if h != 0 {
		e.moment = moment{PhaseSaved, s.ID}
	}
	e.carryOut(v, n, 0)
	e.moment = moment{}
}
