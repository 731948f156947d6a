package mutants

import "simrun/sim"

// barriersCounted counts barriers and does not look at their ids. When a checkpoint is
// aborted whose barrier has come on some inputs only, those count for the next one: its
// snapshot is taken before every barrier of its own has come, and what is in flight
// behind the missing ones is in nobody's state.
type barriersCounted struct {
	attending
	count int
}

func newBarriersCounted(info sim.NodeInfo) sim.Node {
	return newTask(&barriersCounted{attending: newAttending(info)})
}

func (n *barriersCounted) Initiate(id sim.SnapshotID, out *sim.Out) { n.onBarrier(sim.Nil, id, out) }

func (n *barriersCounted) Receive(i sim.Input, m sim.Message, out *sim.Out) {
	if m.Kind() == sim.Marker {
		n.onBarrier(i, m.Snapshot(), out)
		return
	}
	forward(i, m, out)
}

func (n *barriersCounted) onBarrier(i sim.Input, id sim.SnapshotID, out *sim.Out) {
	n.block(i, id, out)
	if n.count++; n.count < slots(n.info) {
		return
	}
	n.count = 0
	broadcast(id, n.info.Outputs, out)
	out.SaveState(id)
	n.unblockAll(out)
	out.Done(id)
}

func (n *barriersCounted) Told(c sim.Control, out *sim.Out) {
	switch {
	case c.Attempt != n.attempt:
	case c.Kind == sim.Trigger:
		n.onBarrier(sim.Nil, c.ID, out)
	case c.Kind == sim.Cancel:
		n.unblockAll(out)
	}
}

func (n *barriersCounted) unblockAll(out *sim.Out) {
	for c := range n.info.Inputs {
		n.unblock(sim.Input(c), out)
	}
}

func (n *barriersCounted) state(c *codec) {
	n.attending.state(c)
	number(c, &n.count)
}
