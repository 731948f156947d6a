package twophase

import (
	"slices"

	"simrun/sim"
)

// sink is a node that lets records leave in transactions only.
type sink struct {
	algorithm sim.Node
	open      []sim.Send
	closed    []transaction  // in the order in which the node recorded: not known to be committed
	committed sim.SnapshotID // the highest id of those that are
}

// transaction is what was produced before a node recorded its state for a checkpoint,
// and after it did so for the one before.
type transaction struct {
	id      sim.SnapshotID
	records []sim.Send
}

func (t *transaction) commit(out *sim.Out) {
	if len(t.records) > 0 {
		out.Commit(t.id, t.records...)
	}
}

// Sink is an algorithm with transactional sinks. It must attach what it attaches when
// it records the state, or later.
func Sink(algorithm sim.NewNode) sim.NewNode {
	return func(info sim.NodeInfo) sim.Node { return &sink{algorithm: algorithm(info)} }
}

// Initiate lets the algorithm do so.
func (s *sink) Initiate(id sim.SnapshotID, out *sim.Out) {
	from := len(out.Ops())
	s.algorithm.Initiate(id, out)
	s.take(from, out)
}

// Receive lets the algorithm do so.
func (s *sink) Receive(in sim.Input, m sim.Message, out *sim.Out) {
	from := len(out.Ops())
	s.algorithm.Receive(in, m, out)
	s.take(from, out)
}

// Cancel lets an algorithm give a checkpoint up that can. Its transaction stays.
func (s *sink) Cancel(id sim.SnapshotID, out *sim.Out) {
	if a, ok := s.algorithm.(interface {
		Cancel(sim.SnapshotID, *sim.Out)
	}); ok {
		from := len(out.Ops())
		a.Cancel(id, out)
		s.take(from, out)
	}
}

// Complete commits what is inside the checkpoint and inside every later one: it goes by
// the order in which the node recorded them, and stops behind one with this id or a
// higher one. It passes the notice on to an algorithm that waits for it.
func (s *sink) Complete(id sim.SnapshotID, out *sim.Out) {
	n := 0
	for n < len(s.closed) && s.closed[n].id <= id && s.committed < id {
		s.closed[n].commit(out)
		s.committed = max(s.committed, s.closed[n].id)
		n++
	}
	s.closed = slices.Delete(s.closed, 0, n)
	if a, ok := s.algorithm.(interface {
		Complete(sim.SnapshotID, *sim.Out)
	}); ok {
		from := len(out.Ops())
		a.Complete(id, out)
		s.take(from, out)
	}
}

// Recover commits what the restored part has, and lets the algorithm go on from its own.
func (s *sink) Recover(attached []byte, log []sim.Logged, out *sim.Out) {
	var own []byte
	if attached != nil {
		d := &codec{data: attached, loading: true}
		var committed []transaction
		d.part(&committed, &own)
		if d.err() != nil {
			panic(d.err()) // snapshots do not change in the store
		}
		for i := range committed {
			committed[i].commit(out)
		}
	}
	from := len(out.Ops())
	s.algorithm.Recover(own, log, out)
	s.take(from, out)
}

// take looks through what the algorithm has written: it keeps what would leave, closes
// the transaction where the state is recorded, and adds to what is attached.
func (s *sink) take(from int, out *sim.Out) {
	if !slices.ContainsFunc(out.Ops()[from:], concerns) {
		return
	}
	out.Rewrite(from, func(op sim.Op) {
		switch op.Kind {
		case sim.OpEmit:
			s.open = append(s.open, sim.Send{Message: op.Message, Output: sim.Sink})
		case sim.OpSaveState, sim.OpSaveReference:
			out.Again(op)
			s.preCommit(op.Snapshot)
			s.attach(op.Snapshot, nil, out)
		case sim.OpAttach:
			s.attach(op.Snapshot, slices.Clone(out.Saved(op)), out)
		default:
			out.Again(op)
		}
	})
}

// concerns says whether an entry is one that a sink cannot leave as it is.
func concerns(op sim.Op) bool {
	return op.Kind == sim.OpEmit || op.Kind == sim.OpSaveState || op.Kind == sim.OpSaveReference || op.Kind == sim.OpAttach
}

// preCommit makes the open transaction that of a checkpoint.
func (s *sink) preCommit(id sim.SnapshotID) {
	s.closed = append(s.closed, transaction{id, s.open})
	s.open = nil
}

// covered is the transactions that are inside a checkpoint. What was closed for a later
// one, which the node recorded first, is part of this one's transaction.
func (s *sink) covered(id sim.SnapshotID) (list []transaction) {
	end := 1 + slices.IndexFunc(s.closed, func(t transaction) bool { return t.id == id })
	overtaken := false
	for _, t := range s.closed[:end] {
		switch {
		case overtaken:
			last := &list[len(list)-1]
			last.records = slices.Concat(last.records, t.records)
		case len(t.records) > 0:
			overtaken = t.id > id
			list = append(list, transaction{min(t.id, id), t.records})
		}
	}
	return list
}

// attach adds the transactions that are inside a checkpoint to what the algorithm attaches.
func (s *sink) attach(id sim.SnapshotID, own []byte, out *sim.Out) {
	c, covered := &codec{}, s.covered(id)
	if own == nil && len(covered) == 0 {
		return
	}
	c.part(&covered, &own)
	out.Attach(id, c.data)
}
