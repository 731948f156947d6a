package mutants

import (
	"errors"

	"simrun/sim"
)

// Sink is one wrong transactional sink, to be put around an algorithm that works with a
// coordinator.
type Sink struct {
	Name    string
	Number  int // in the list of Mutant
	Doc     string
	Needs   string
	Catches string
	New     func(algorithm sim.NewNode) sim.NewNode
}

// Sinks is every wrong sink, by number.
func Sinks() []Sink {
	return []Sink{
		{"commit-at-snapshot", 41, "a transaction is committed when the node records its state, and not when the checkpoint is complete",
			"outputs; a crash before a checkpoint is complete", "recovery", newCommitAtSnapshot},
		{"subsumed-dropped", 42, "the transaction of a checkpoint that did not become complete is dropped with it",
			"outputs; a checkpoint that is aborted", "recovery", newSubsumedDropped},
		{"no-commit-on-restore", 43, "after a restore nothing is committed",
			"outputs; a crash before the notice that a checkpoint is complete", "recovery", newNoCommitOnRestore},
	}
}

// committing is when a sink commits. Each wrong sink replaces a method of commits.
type committing interface {
	recorded(id sim.SnapshotID, s *sink, out *sim.Out)
	complete(id sim.SnapshotID, s *sink, out *sim.Out)
	restored(part []transaction, out *sim.Out)
}

// commits is as it should be.
type commits struct{}

func (commits) recorded(id sim.SnapshotID, s *sink, _ *sim.Out) { s.close(id) }

func (commits) complete(id sim.SnapshotID, s *sink, out *sim.Out) {
	for len(s.closed) > 0 && s.closed[0].id <= id {
		s.closed[0].commit(out)
		s.closed = s.closed[1:]
	}
}

func (commits) restored(part []transaction, out *sim.Out) {
	for i := range part {
		part[i].commit(out)
	}
}

// sink keeps what would leave the system, in transactions.
type sink struct {
	algorithm sim.Node
	committing
	open   []sim.Send
	closed []transaction // by id
}

type transaction struct {
	id      sim.SnapshotID
	records []sim.Send
}

func (t *transaction) commit(out *sim.Out) { out.Commit(t.id, t.records...) }

// around makes sinks that commit like this.
func around(algorithm sim.NewNode, c committing) sim.NewNode {
	return func(info sim.NodeInfo) sim.Node { return &sink{algorithm: algorithm(info), committing: c} }
}

func (s *sink) Initiate(id sim.SnapshotID, out *sim.Out) {
	s.keep(out, func() { s.algorithm.Initiate(id, out) })
}

func (s *sink) Receive(in sim.Input, m sim.Message, out *sim.Out) {
	s.keep(out, func() { s.algorithm.Receive(in, m, out) })
}

// Cancel lets the algorithm give a checkpoint up, if it can.
func (s *sink) Cancel(id sim.SnapshotID, out *sim.Out) {
	if a, ok := s.algorithm.(interface {
		Cancel(sim.SnapshotID, *sim.Out)
	}); ok {
		s.keep(out, func() { a.Cancel(id, out) })
	}
}

// Complete is told that a checkpoint is.
func (s *sink) Complete(id sim.SnapshotID, out *sim.Out) { s.complete(id, s, out) }

// Recover takes no part that the algorithm has attached: those around which wrong sinks
// are put attach nothing.
func (s *sink) Recover(attached []byte, log []sim.Logged, out *sim.Out) {
	var part []transaction
	if c := (codec{data: attached, loading: true}); attached != nil {
		list(&c, &part, batch)
	}
	s.restored(part, out)
	s.keep(out, func() { s.algorithm.Recover(nil, log, out) })
}

// keep runs a handler of the algorithm's, and keeps what would leave.
func (s *sink) keep(out *sim.Out, handler func()) {
	from := len(out.Ops())
	handler()
	out.Rewrite(from, func(op sim.Op) {
		if op.Kind == sim.OpEmit {
			s.open = append(s.open, sim.Send{Message: op.Message, Output: sim.Sink})
			return
		}
		out.Again(op)
		if op.Kind != sim.OpSaveState {
			return
		}
		s.recorded(op.Snapshot, s, out)
		if len(s.closed) > 0 {
			c := codec{}
			list(&c, &s.closed, batch)
			out.Attach(op.Snapshot, c.data)
		}
	})
}

// close makes the open transaction that of a checkpoint.
func (s *sink) close(id sim.SnapshotID) {
	if len(s.open) > 0 {
		s.closed, s.open = append(s.closed, transaction{id, s.open}), nil
	}
}

func batch(c *codec, t *transaction) {
	number(c, &t.id)
	list(c, &t.records, sent)
}

func (s *sink) Save(buf []byte) []byte {
	c := codec{data: buf}
	list(&c, &s.open, sent)
	list(&c, &s.closed, batch)
	return s.algorithm.Save(c.data)
}

func (s *sink) Load(state []byte) error {
	c := codec{data: state, loading: true}
	list(&c, &s.open, sent)
	list(&c, &s.closed, batch)
	if c.failed {
		return errors.New("mutants: not a state of this sink")
	}
	return s.algorithm.Load(c.data)
}
