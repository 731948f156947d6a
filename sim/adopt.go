package sim

import "slices"

// This file is Config.From where there is a coordinator: what a complete checkpoint says
// for a later process, and how that one takes it up. The store has this checkpoint and no
// other, under handles of its own; the coordinator starts as it does at the beginning of
// a run, but finds that something is stored.

// Coordinated is what is durable when a checkpoint of a coordinator's is complete, and is
// no part of a task.
type Coordinated struct {
	Last      SnapshotID // the highest id that a checkpoint had been given
	Savepoint bool       // as in Metadata
	// Restorable says that the graph can be restored from the checkpoint: it is no savepoint,
	// the store has all of it, as it is here, and nothing newer was complete.
	Restorable bool
	// Committed is, by node, the transactions that had left, ascending: what the outside
	// world had got. Nil if none had.
	Committed [][]SnapshotID
}

// Restorable says whether a run can begin with a complete snapshot: under a coordinator
// one can be complete and of no use.
func (s *Snapshot) Restorable() bool { return s.Coordinated == nil || s.Coordinated.Restorable }

// noteCoordinated is noteProgress for the coordinator's side.
func (e *Engine) noteCoordinated(s *Snapshot) {
	m := e.management
	if m == nil {
		return
	}
	s.Coordinated = &Coordinated{Last: m.last, Restorable: !s.Savepoint && (e.newest == nil || e.newest.ID < s.ID) && e.has(s), Committed: slices.Clone(e.committed)}
	if x := m.stored(s.ID); x != nil {
		s.Coordinated.Savepoint = x.Savepoint
	}
}

// has says whether what the store would give for a snapshot is the snapshot.
func (e *Engine) has(s *Snapshot) bool {
	m := e.management
	x := m.stored(s.ID)
	if x == nil || len(x.Handles) != len(e.nodes) {
		return false
	}
	for v, h := range x.Handles {
		if h == 0 || int(h) > len(m.parts) {
			return false
		}
		p := &m.parts[h-1]
		if p.deleted || p.cut || p.node != int32(v) || p.id != s.ID || p.recording.Seq != s.Recordings[v].Seq {
			return false
		}
		damaged := func(at uint32) bool { c := &m.chunks[at]; return c.gone || c.left < len(c.data) }
		if slices.ContainsFunc(p.chunks, damaged) {
			return false
		}
	}
	return true
}

// adopt puts the snapshot that the run begins with into the store, as if it had been
// written there, and orders that the graph is restored from it.
func (e *Engine) adopt(from *Snapshot) {
	m := e.management
	if m == nil {
		return
	}
	m.newest = make([]Handle, len(e.nodes))
	x := Metadata{ID: from.ID, Savepoint: from.Coordinated.Savepoint}
	for v := range int32(len(e.nodes)) {
		h := Handle(len(m.parts) + 1)
		p := e.partOf(v, from)
		e.fact(Fact{Kind: FactAdopted, Task: v, ID: from.ID, Control: Control{Handle: h}})
		e.storeState(&p, h, from)
		m.newest[v], m.parts, x.Handles = h, append(m.parts, p), append(x.Handles, h)
	}
	m.metadata, e.history.Published = []Metadata{x}, append(e.history.Published, x)
	e.fact(Fact{Kind: FactAdopted, Task: -1, ID: from.ID})
	m.last = from.Coordinated.Last
	e.recallBefore(from)
	m.ordered, m.restoring = true, from.ID
}

// recallBefore is what the outside world had got before the run began.
func (e *Engine) recallBefore(from *Snapshot) {
	if from == nil || from.Coordinated == nil || from.Coordinated.Committed == nil {
		return
	}
	e.committed = make([][]SnapshotID, len(e.nodes))
	for v, ids := range from.Coordinated.Committed {
		e.committed[v] = slices.Clone(ids)
	}
}
