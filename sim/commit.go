package sim

import "slices"

// Commit lets the records of a transaction leave the system, all of them or, if a
// crash comes first, none. The outside world remembers which transactions of this node
// it has got: committing one again does nothing. The engine's record of that is not
// rolled back.
func (o *Out) Commit(transaction SnapshotID, records ...Send) {
	from := len(o.records)
	for i := range records {
		o.records = append(o.records, records[i].Message)
	}
	o.note(Op{Kind: OpCommit, Snapshot: transaction, Message: Message{Key: uint64(from), Aux: uint64(len(o.records))}})
}

// Committed is the records of an entry that Commit made.
func (o *Out) Committed(op Op) []Message { return o.records[op.Message.Key:op.Message.Aux] }

// Rewrite lets a Node that decorates another one see what that has written: it takes
// back the entries from the from-th on and hands each to f, which writes what is to
// stand there. Again writes one as it was.
func (o *Out) Rewrite(from int, f func(Op)) {
	entries := slices.Clone(o.ops[from:o.n])
	o.n = from
	for _, op := range entries {
		f(op)
	}
}

// Again writes an entry that Rewrite has taken back.
func (o *Out) Again(op Op) { o.note(op) }

// commit lets the records of a transaction leave, unless they have.
func (e *Engine) commit(v int32, op *Op) {
	if e.committed == nil {
		e.committed = make([][]SnapshotID, len(e.nodes))
	}
	i, again := slices.BinarySearch(e.committed[v], op.Snapshot)
	if again {
		e.fact(Fact{Kind: FactRepeated, Task: v, ID: op.Snapshot})
		return
	}
	if i < len(e.committed[v]) {
		e.committed[v] = slices.Clone(e.committed[v]) // snapshots hold on to it as it was
	}
	e.committed[v] = slices.Insert(e.committed[v], i, op.Snapshot)
	records := e.out.Committed(*op)
	e.fact(Fact{Kind: FactCommitted, Task: v, Number: uint32(len(records)), ID: op.Snapshot})
	for i := range records {
		e.emit(v, &records[i])
	}
}

// recall is commit's part of going on from a restore of another run.
func (e *Engine) recall(h *History, row int) {
	e.recallBefore(h.From)
	for i := range h.Facts {
		f := &h.Facts[i]
		if f.Kind != FactCommitted || f.Row > row {
			continue
		}
		if e.committed == nil {
			e.committed = make([][]SnapshotID, len(e.nodes))
		}
		e.committed[f.Task] = append(e.committed[f.Task], f.ID)
		slices.Sort(e.committed[f.Task])
	}
}

// rested ends a run in which nothing is enabled any more, unless its coordinator has
// something left to do.
func (e *Engine) rested() {
	r, ok := Resting(nil), false
	m := e.management
	if m != nil && !m.down && m.restedAt < e.steps {
		r, ok = m.coordinator.(Resting)
	}
	if !ok {
		e.end(Quiescent)
		return
	}
	e.tick()
	m.restedAt = e.steps
	r.Rest(&m.decisions)
	list := m.decisions.List()
	if len(list) == 0 {
		e.end(Quiescent)
		return
	}
	if slices.ContainsFunc(list, func(d Decision) bool { return d.Kind == DecideSend }) {
		e.steps++ // all of it may be lost, and then the next thing is another rest
	}
	e.decide()
}
