package partial

import (
	"slices"

	"simrun/sim"
)

// survivor is a task that can go on.
type survivor struct {
	algorithm sim.Node
	attempt   uint8
	inputs    []input
}

// input is what a task keeps of one input channel.
type input struct {
	epochs []epoch  // in the order in which their barriers came
	again  []uint64 // sequence numbers of what was processed and will come once more; ascending
}

// epoch is what has been processed of an input after the barrier of a checkpoint, or since
// the task was started (0), and before the next barrier: sequence numbers.
type epoch struct {
	id   sim.SnapshotID
	seen []uint64
}

// Survivor is an algorithm whose tasks can go on when others are restarted. It must
// process every message when it is handed it, and not later.
func Survivor(algorithm sim.NewNode) sim.NewNode {
	return func(info sim.NodeInfo) sim.Node {
		s := &survivor{algorithm: algorithm(info), attempt: info.Attempt, inputs: make([]input, info.Inputs)}
		for i := range s.inputs {
			s.inputs[i].epochs = make([]epoch, 1)
		}
		return s
	}
}

// Initiate lets the algorithm do so.
func (s *survivor) Initiate(id sim.SnapshotID, out *sim.Out) { s.algorithm.Initiate(id, out) }

// Receive drops what was processed before, and lets the algorithm take the rest.
func (s *survivor) Receive(in sim.Input, m sim.Message, out *sim.Out) {
	if in < 0 {
		s.algorithm.Receive(in, m, out)
		return
	}
	i := &s.inputs[in]
	if m.Kind() == sim.Marker {
		i.epochs = append(i.epochs, epoch{id: m.Snapshot()})
		if len(i.again) > 0 {
			s.decline(m.Snapshot(), out)
			return
		}
		s.algorithm.Receive(in, m, out)
		return
	}
	if at, found := slices.BinarySearch(i.again, m.Aux); found {
		i.again = slices.Delete(i.again, at, at+1)
		out.Drop(in, m)
		return
	}
	last := &i.epochs[len(i.epochs)-1]
	last.seen = append(last.seen, m.Aux)
	s.algorithm.Receive(in, m, out)
}

// decline gives a checkpoint up for which this task is not ready.
func (s *survivor) decline(id sim.SnapshotID, out *sim.Out) {
	s.Cancel(id, out)
	out.Tell(sim.Control{Kind: sim.NotReady, Attempt: s.attempt, ID: id})
}

// Rejoin expects what the restarted inputs will bring once more, and waits for no barrier
// of a checkpoint that is given up. The one that the others are restored from is complete,
// and a notice of the last attempt that is on its way comes to nobody.
func (s *survivor) Rejoin(r sim.Rejoin, out *sim.Out) {
	s.attempt = r.Attempt
	if r.From > 0 {
		s.Complete(r.From, out)
	}
	for id := r.From + 1; id <= r.Last; id++ {
		s.Cancel(id, out)
	}
	for _, in := range r.Restarted {
		i := &s.inputs[in]
		i.again = nil
		for _, e := range i.epochs {
			i.again = append(i.again, e.seen...)
		}
		slices.Sort(i.again)
	}
}

// forget drops the epochs before that of a checkpoint. A task that was itself restored
// from it has none before.
func (s *survivor) forget(id sim.SnapshotID) {
	for in := range s.inputs {
		i := &s.inputs[in]
		if at := slices.IndexFunc(i.epochs, func(e epoch) bool { return e.id == id }); at > 0 {
			i.epochs = slices.Delete(i.epochs, 0, at)
		}
	}
}

// Cancel lets the algorithm give a checkpoint up.
func (s *survivor) Cancel(id sim.SnapshotID, out *sim.Out) {
	if a, ok := s.algorithm.(interface {
		Cancel(sim.SnapshotID, *sim.Out)
	}); ok {
		a.Cancel(id, out)
	}
}

// Complete forgets what no restore goes back behind, and passes the notice on.
func (s *survivor) Complete(id sim.SnapshotID, out *sim.Out) {
	s.forget(id)
	if a, ok := s.algorithm.(interface {
		Complete(sim.SnapshotID, *sim.Out)
	}); ok {
		a.Complete(id, out)
	}
}

// Recover lets the algorithm do so. What is restored has everything upstream restored with
// it, and so expects nothing once more.
func (s *survivor) Recover(attached []byte, log []sim.Logged, out *sim.Out) {
	s.algorithm.Recover(attached, log, out)
}
