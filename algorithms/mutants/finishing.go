package mutants

import (
	"slices"

	"simrun/sim"
)

// finishing is attending whose inputs can end, and which then finishes itself, as it
// should be: an input that has ended has every mark.
type finishing struct {
	attending
	ended   []bool           // by channel
	ordered []sim.SnapshotID // under way, in the order in which it was told
	over    bool             // it has finished: it has no outputs any more
	last    []sim.SnapshotID // recorded since
}

func newFinishing(info sim.NodeInfo) finishing {
	return finishing{attending: newAttending(info), ended: make([]bool, info.Inputs)}
}

func (n *finishing) Receive(i sim.Input, m sim.Message, out *sim.Out) {
	if m.Kind() == sim.EndOfStream {
		n.ended[i] = true
		n.drain(out)
	} else {
		n.attending.Receive(i, m, out)
	}
	n.goOn(out)
}

// drain asks to be told when nothing comes any more, once every input has ended.
func (n *finishing) drain(out *sim.Out) {
	if !slices.Contains(n.ended, false) {
		out.Drain()
	}
}

// goOn marks the inputs that have ended, and does what that allows.
func (n *finishing) goOn(out *sim.Out) {
	n.markEnded()
	for n.current == 0 && n.regularMarked() && len(n.ordered) > 0 {
		id := n.ordered[0]
		n.ordered = n.ordered[1:]
		if id > n.done && !slices.Contains(n.cancelled, id) {
			n.begin(id, out)
		}
	}
	for id := n.current; id != 0; id = n.current {
		n.settle(out)
		n.takeWaiting(out)
		n.markEnded()
		if n.current == id {
			return
		}
	}
}

func (n *finishing) markEnded() {
	for i, ended := range n.ended {
		n.marked[i] = n.marked[i] || ended
	}
}

// begin begins a snapshot of which no barrier has come.
func (n *finishing) begin(id sim.SnapshotID, out *sim.Out) {
	n.current = id
	n.settle(out)
	n.markEnded()
	if n.over {
		n.last = append(n.last, id)
	}
}

// Drained ends every output.
func (n *finishing) Drained(out *sim.Out) {
	n.end(out)
	n.over, n.info.Outputs = true, 0
	n.tellFinished(out)
}

func (n *finishing) end(out *sim.Out) {
	for c := range n.info.Outputs {
		out.SendEnd(c)
	}
}

func (n *finishing) tellFinished(out *sim.Out) {
	if n.over {
		out.Tell(sim.Control{Kind: sim.Finished, Attempt: n.attempt})
	}
}

func (n *finishing) Told(c sim.Control, out *sim.Out) {
	switch own := c.Attempt == n.attempt; {
	case own && c.Kind == sim.Trigger && !n.info.Initiator:
		n.ordered = append(n.ordered, c.ID)
	case own && c.Kind == sim.Trigger && n.over && c.ID > n.done:
		n.last = append(n.last, c.ID)
		n.attending.Told(c, out)
	default:
		n.attending.Told(c, out)
	}
	n.goOn(out)
	if c.Kind == sim.Cancel {
		n.tellFinished(out)
	}
}

func (n *finishing) Written(id sim.SnapshotID, handle sim.Handle, out *sim.Out) {
	kind := sim.Acknowledge
	if handle == 0 {
		kind = sim.Decline
	}
	out.Tell(sim.Control{Kind: kind, Attempt: n.attempt, ID: id, Handle: handle, Finished: slices.Contains(n.last, id)})
}

func (n *finishing) state(c *codec) {
	n.attending.state(c)
	bits(c, &n.ended)
	ids(c, &n.ordered)
	bit(c, &n.over)
	ids(c, &n.last)
	if n.over {
		n.info.Outputs = 0
	}
}

// finisher is a task that can finish.
type finisher struct {
	task
	drained
}

type drained interface{ Drained(out *sim.Out) }

func newFinisher(p interface {
	protocol
	ordered
	drained
}) sim.Node {
	return finisher{task{node{p}, p}, p}
}
