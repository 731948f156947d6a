package mutants

import "simrun/sim"

// blockedAfterAbort confirms an abort and does nothing about it. An input that is blocked for the
// checkpoint stays so: the barrier that would open it was never sent, and the next one
// stands behind it. Deadlock.
type blockedAfterAbort struct{ attending }

func newBlockedAfterAbort(info sim.NodeInfo) sim.Node {
	return newTask(&blockedAfterAbort{newAttending(info)})
}

func (n *blockedAfterAbort) Initiate(id sim.SnapshotID, out *sim.Out) { n.onBarrier(sim.Nil, id, out) }

func (n *blockedAfterAbort) Receive(i sim.Input, m sim.Message, out *sim.Out) {
	if m.Kind() == sim.Marker {
		n.onBarrier(i, m.Snapshot(), out)
		return
	}
	n.onRecord(i, m, out)
}

func (n *blockedAfterAbort) onBarrier(i sim.Input, id sim.SnapshotID, out *sim.Out) {
	n.barriers.onBarrier(i, id, out)
}

func (n *blockedAfterAbort) Told(c sim.Control, out *sim.Out) {
	if c.Attempt != n.attempt {
		return
	}
	switch c.Kind {
	case sim.Trigger:
		n.onBarrier(sim.Nil, c.ID, out)
	case sim.Cancel:
		n.confirm(c.ID, out)
	}
}
