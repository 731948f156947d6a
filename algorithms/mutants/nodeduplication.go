package mutants

import "simrun/sim"

// noDeduplication is a task that goes on when what is upstream of it is restarted, gives
// up what is under way, and takes what is sent to it once more for something new. But it
// has processed some of it before. A duplicate.
type noDeduplication struct{ attending }

func newNoDeduplication(info sim.NodeInfo) sim.Node {
	n := &noDeduplication{newAttending(info)}
	return surviving{newTask(n).(task), n}
}

// surviving is a task that can go on.
type surviving struct {
	task
	n *noDeduplication
}

// Rejoin takes part in the new attempt, and cancels what is given up.
func (s surviving) Rejoin(r sim.Rejoin, out *sim.Out) {
	s.n.attempt = r.Attempt
	for id := r.From + 1; id <= r.Last; id++ {
		s.n.cancel(id, out)
	}
}
