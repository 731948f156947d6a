package coordinator

import (
	"errors"

	"simrun/sim"
)

// task lets a snapshot algorithm work with the coordinator: it passes on the trigger,
// acknowledges when the part is durable, and takes back what is cancelled.
type task struct {
	sim.Node
	attempt uint8
	source  bool // it is triggered, and begins checkpoints
	ending  ending
}

// Canceller is a snapshot algorithm that can give a snapshot up: what it has blocked
// for it goes on, and what belongs to it and comes later is ignored.
type Canceller interface {
	Cancel(id sim.SnapshotID, out *sim.Out)
}

// Notified is a snapshot algorithm, or a sink around it, that wants to know when a
// checkpoint is complete.
type Notified interface {
	Complete(id sim.SnapshotID, out *sim.Out)
}

// Task is an algorithm as tasks of a coordinator.
func Task(algorithm sim.NewNode) sim.NewNode {
	return func(info sim.NodeInfo) sim.Node {
		t := &task{Node: algorithm(info), attempt: info.Attempt, source: info.Initiator}
		if r, ok := t.Node.(sim.Rejoiner); ok {
			return &rejoining{t, r}
		}
		return t
	}
}

// Told takes an order of the coordinator's; one of another attempt is not for this task.
func (t *task) Told(c sim.Control, out *sim.Out) {
	if c.Attempt != t.attempt {
		return
	}
	switch c.Kind {
	case sim.Trigger:
		t.trigger(c.ID, out)
	case sim.Cancel:
		if n, ok := t.Node.(Canceller); ok {
			n.Cancel(c.ID, out)
		}
		out.Tell(sim.Control{Kind: sim.Decline, Attempt: t.attempt, ID: c.ID}) // the order has come
		t.tellFinished(out)
	case sim.Notify, sim.Remind:
		if n, ok := t.Node.(Notified); ok {
			n.Complete(c.ID, out)
		}
		if c.Kind == sim.Remind {
			out.Tell(sim.Control{Kind: sim.Confirm, Attempt: t.attempt, ID: c.ID})
		}
	}
}

// Written acknowledges a part that is durable, and declines one that is not.
func (t *task) Written(id sim.SnapshotID, handle sim.Handle, out *sim.Out) {
	kind := sim.Acknowledge
	if handle == 0 {
		kind = sim.Decline
	}
	out.Tell(sim.Control{Kind: kind, Attempt: t.attempt, ID: id, Handle: handle, Finished: t.ending.covers(id)})
}

// Save appends the attempt, what has ended, and the algorithm's state.
func (t *task) Save(buf []byte) []byte { return t.Node.Save(t.ending.save(append(buf, t.attempt))) }

// Load replaces the state with one that Save wrote.
func (t *task) Load(state []byte) error {
	if len(state) < 2 {
		return errors.New("coordinator: not a state of a task")
	}
	t.attempt = state[0]
	rest, ok := t.ending.load(state[1:])
	if !ok {
		return errors.New("coordinator: not a state of a task")
	}
	return t.Node.Load(rest)
}
