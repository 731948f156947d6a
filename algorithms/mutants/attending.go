package mutants

import (
	"slices"

	"simrun/sim"
)

// attending is a task of a coordinator as it should be: barriers of which some are
// cancelled, and an acknowledgement when a part is durable. Its mutants embed it and
// replace a step.
type attending struct {
	barriers
	attempt   uint8
	cancelled []sim.SnapshotID
}

func newAttending(info sim.NodeInfo) attending {
	return attending{barriers: newBarriers(info), attempt: info.Attempt}
}

func (n *attending) Initiate(id sim.SnapshotID, out *sim.Out) { n.onBarrier(sim.Nil, id, out) }

func (n *attending) Receive(i sim.Input, m sim.Message, out *sim.Out) {
	if m.Kind() == sim.Marker {
		n.onBarrier(i, m.Snapshot(), out)
		return
	}
	n.onRecord(i, m, out)
}

func (n *attending) onBarrier(i sim.Input, id sim.SnapshotID, out *sim.Out) {
	if id <= n.done || id < n.current || slices.Contains(n.cancelled, id) {
		return
	}
	for n.current != 0 && n.current < id && !n.marked[slot(n.info, i)] {
		n.cancel(n.current, out) // its barrier was skipped on this input
	}
	n.barriers.onBarrier(i, id, out)
}

// cancel lets what is blocked for a snapshot go on, and forgets its barriers.
func (n *attending) cancel(id sim.SnapshotID, out *sim.Out) {
	if id <= n.done || slices.Contains(n.cancelled, id) {
		return
	}
	n.cancelled = append(n.cancelled, id)
	n.waiting = slices.DeleteFunc(n.waiting, func(w sim.Logged) bool { return w.Message.Snapshot() == id })
	for c := range n.blocked {
		if n.blocked[c] == id {
			n.unblock(sim.Input(c), out)
		}
	}
	if n.current == id {
		clear(n.marked)
		n.logging, n.current = false, 0
		n.takeWaiting(out)
	}
}

func (n *attending) Told(c sim.Control, out *sim.Out) {
	if c.Attempt != n.attempt {
		return
	}
	switch c.Kind {
	case sim.Trigger:
		n.onBarrier(sim.Nil, c.ID, out)
	case sim.Cancel:
		n.cancel(c.ID, out)
		n.confirm(c.ID, out)
	}
}

// confirm says that the order to cancel has come.
func (n *attending) confirm(id sim.SnapshotID, out *sim.Out) {
	out.Tell(sim.Control{Kind: sim.Decline, Attempt: n.attempt, ID: id})
}

func (n *attending) Written(id sim.SnapshotID, handle sim.Handle, out *sim.Out) {
	kind := sim.Acknowledge
	if handle == 0 {
		kind = sim.Decline
	}
	out.Tell(sim.Control{Kind: kind, Attempt: n.attempt, ID: id, Handle: handle})
}

func (n *attending) state(c *codec) {
	n.barriers.state(c)
	number(c, &n.attempt)
	ids(c, &n.cancelled)
}

// task makes a sim.Task of a protocol that works with a coordinator.
type task struct {
	node
	ordered
}

func newTask(p interface {
	protocol
	ordered
}) sim.Node {
	return task{node{p}, p}
}

// ordered is what a coordinator and the store say to a task.
type ordered interface {
	Told(c sim.Control, out *sim.Out)
	Written(id sim.SnapshotID, handle sim.Handle, out *sim.Out)
}
