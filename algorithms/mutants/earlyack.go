package mutants

import "simrun/sim"

// earlyAck acknowledges when it has saved its state, under the handle that the part is
// going to have. It may never be written: the metadata names what does not exist.
type earlyAck struct{ attending }

func newEarlyAck(info sim.NodeInfo) sim.Node { return newTask(&earlyAck{newAttending(info)}) }

func (n *earlyAck) Receive(i sim.Input, m sim.Message, out *sim.Out) {
	done := n.done
	n.attending.Receive(i, m, out)
	n.acknowledge(done, out)
}

func (n *earlyAck) Told(c sim.Control, out *sim.Out) {
	done := n.done
	n.attending.Told(c, out)
	n.acknowledge(done, out)
}

func (n *earlyAck) acknowledge(before sim.SnapshotID, out *sim.Out) {
	if n.done > before {
		name := sim.Handle(n.done)<<16 | sim.Handle(n.info.ID+1)
		out.Tell(sim.Control{Kind: sim.Acknowledge, Attempt: n.attempt, ID: n.done, Handle: name})
	}
}

func (n *earlyAck) Written(sim.SnapshotID, sim.Handle, *sim.Out) {}
