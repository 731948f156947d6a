package mutants

import "simrun/sim"

// unanswered acknowledges its first part only. Each later checkpoint waits for it until the
// timeout.
type unanswered struct {
	attending
	answered bool
}

func newUnanswered(info sim.NodeInfo) sim.Node {
	return newTask(&unanswered{attending: newAttending(info)})
}

func (n *unanswered) Written(id sim.SnapshotID, handle sim.Handle, out *sim.Out) {
	if !n.answered {
		n.answered = true
		n.attending.Written(id, handle, out)
	}
}

func (n *unanswered) state(c *codec) {
	n.attending.state(c)
	bit(c, &n.answered)
}
