package mutants

import "simrun/sim"

// heldAfterRestore is right until the system is restored for the first time. Then it
// holds back what comes from outside while it records, and changes the run.
type heldAfterRestore struct {
	marking
	restored bool
	held     []sim.Logged
}

func newHeldAfterRestore(info sim.NodeInfo) sim.Node {
	return node{&heldAfterRestore{marking: newMarking(info)}}
}

func (n *heldAfterRestore) Receive(in sim.Input, m sim.Message, out *sim.Out) {
	if in == sim.External && n.restored && len(n.recordings) > 0 {
		n.held = append(n.held, sim.Logged{Input: in, Message: m})
		return
	}
	n.marking.Receive(in, m, out)
	if len(n.recordings) > 0 {
		return
	}
	for _, h := range n.held {
		forward(h.Input, h.Message, out)
	}
	n.held = nil
}

func (n *heldAfterRestore) Recover([]byte, []sim.Logged, *sim.Out) { n.restored = true }

func (n *heldAfterRestore) state(c *codec) {
	n.marking.state(c)
	bit(c, &n.restored)
	list(c, &n.held, logged)
}
