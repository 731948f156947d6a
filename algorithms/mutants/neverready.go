package mutants

import (
	"slices"

	"simrun/sim"
)

// neverReady is a task that goes on when what is upstream of it is restarted, and drops
// what it has processed before. But it never notices that it has caught up: it refuses
// every checkpoint from then on, and none is taken any more.
type neverReady struct {
	attending
	inputs  []repeated
	refuses bool
}

// repeated is what is known of an input, by the sequence numbers that messages carry.
type repeated struct {
	seen  []uint64         // processed, since the checkpoint before this one or earlier
	marks []sim.SnapshotID // whose barriers have come, and
	at    []int            // behind how many of seen
	again []uint64         // will come once more
}

func newNeverReady(info sim.NodeInfo) sim.Node {
	n := &neverReady{attending: newAttending(info), inputs: make([]repeated, info.Inputs)}
	return rejoiner{newTask(n).(task), n}
}

// rejoiner is a task that can go on.
type rejoiner struct {
	task
	n *neverReady
}

func (r rejoiner) Rejoin(j sim.Rejoin, out *sim.Out) { r.n.rejoin(j, out) }

func (n *neverReady) Receive(i sim.Input, m sim.Message, out *sim.Out) {
	if i < 0 {
		n.attending.Receive(i, m, out)
		return
	}
	in := &n.inputs[i]
	if m.Kind() == sim.Marker {
		in.marks, in.at = append(in.marks, m.Snapshot()), append(in.at, len(in.seen))
		if n.refuses {
			n.cancel(m.Snapshot(), out)
			out.Tell(sim.Control{Kind: sim.NotReady, Attempt: n.attempt, ID: m.Snapshot()})
			return
		}
	} else if k := slices.Index(in.again, m.Aux); k >= 0 {
		in.again = slices.Delete(in.again, k, k+1)
		out.Drop(i, m)
		return
	} else {
		in.seen = append(in.seen, m.Aux)
	}
	n.attending.Receive(i, m, out)
}

// rejoin expects what was processed behind the barrier of what is restored.
func (n *neverReady) rejoin(j sim.Rejoin, out *sim.Out) {
	n.attempt, n.refuses = j.Attempt, true
	for id := j.From + 1; id <= j.Last; id++ {
		n.cancel(id, out)
	}
	for _, i := range j.Restarted {
		in, from := &n.inputs[i], 0
		if k := slices.Index(in.marks, j.From); k >= 0 {
			from = in.at[k]
		}
		in.again = slices.Clone(in.seen[from:])
	}
}

func (n *neverReady) state(c *codec) {
	n.attending.state(c)
	list(c, &n.inputs, func(c *codec, in *repeated) {
		list(c, &in.seen, number[uint64])
		ids(c, &in.marks)
		list(c, &in.at, number[int])
		list(c, &in.again, number[uint64])
	})
	bit(c, &n.refuses)
}
