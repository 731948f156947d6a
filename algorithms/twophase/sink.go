package twophase

import (
	"slices"

	"simrun/sim"
)

// sink is a node that lets records leave in transactions only.
type sink struct {
	algorithm sim.Node
	open      []sim.Send
	closed    []transaction    // in the order in which the node recorded: not committed
	complete  sim.SnapshotID   // the newest checkpoint that is known to be
	cancelled []sim.SnapshotID // checkpoints of closed transactions that are given up
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

// Cancel lets an algorithm give a checkpoint up that can. Its transaction stays, and
// nothing waits for it any more.
func (s *sink) Cancel(id sim.SnapshotID, out *sim.Out) {
	if s.position(id) >= 0 && !slices.Contains(s.cancelled, id) {
		s.cancelled = append(s.cancelled, id)
		s.release(out)
	}
	if a, ok := s.algorithm.(interface {
		Cancel(sim.SnapshotID, *sim.Out)
	}); ok {
		from := len(out.Ops())
		a.Cancel(id, out)
		s.take(from, out)
	}
}

// Complete commits, and passes the notice on to an algorithm that waits for it.
func (s *sink) Complete(id sim.SnapshotID, out *sim.Out) {
	s.complete = max(s.complete, id)
	s.release(out)
	if a, ok := s.algorithm.(interface {
		Complete(sim.SnapshotID, *sim.Out)
	}); ok {
		from := len(out.Ops())
		a.Complete(id, out)
		s.take(from, out)
	}
}

// Drained lets an algorithm finish that can, and Ordered passes on to it that a checkpoint
// is under way.
func (s *sink) Drained(out *sim.Out) {
	if a, ok := s.algorithm.(finisher); ok {
		from := len(out.Ops())
		a.Drained(out)
		s.take(from, out)
	}
}

func (s *sink) Ordered(id sim.SnapshotID, out *sim.Out) {
	if a, ok := s.algorithm.(finisher); ok {
		from := len(out.Ops())
		a.Ordered(id, out)
		s.take(from, out)
	}
}

// finisher is an algorithm that can finish.
type finisher interface {
	Drained(out *sim.Out)
	Ordered(id sim.SnapshotID, out *sim.Out)
}

// release commits what is inside the newest complete checkpoint, up to a later one that
// the node recorded before it: that may become complete, and a restore go there.
func (s *sink) release(out *sim.Out) {
	n := 1 + s.position(s.complete)
	for i, t := range s.closed[:n] {
		if t.id > s.complete && !slices.Contains(s.cancelled, t.id) {
			n = i
			break
		}
		t.commit(out)
	}
	s.closed = slices.Delete(s.closed, 0, n)
	s.cancelled = slices.DeleteFunc(s.cancelled, func(id sim.SnapshotID) bool { return s.position(id) < 0 })
}

// position is where the transaction of a checkpoint is among the closed ones, or -1.
func (s *sink) position(id sim.SnapshotID) int {
	return slices.IndexFunc(s.closed, func(t transaction) bool { return t.id == id })
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

// covered is the transactions that are inside a checkpoint.
func (s *sink) covered(id sim.SnapshotID) (list []transaction) {
	for _, t := range s.closed[:1+s.position(id)] {
		if len(t.records) > 0 {
			list = append(list, t)
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
