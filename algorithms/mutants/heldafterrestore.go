package mutants

import "simrun/sim"

// heldAfterRestore is right until the system is restored for the first time. Then it
// lets a record from outside wait for the next thing that comes, and changes the run.
type heldAfterRestore struct {
	marking
	restored bool
	held     []sim.Logged
}

func newHeldAfterRestore(info sim.NodeInfo) sim.Node {
	return node{&heldAfterRestore{marking: newMarking(info)}}
}

func (n *heldAfterRestore) Receive(in sim.Input, m sim.Message, out *sim.Out) {
	held := n.held
	n.held = nil
	for _, h := range held {
		forward(h.Input, h.Message, out)
	}
	if in == sim.External && n.restored {
		n.held = append(n.held, sim.Logged{Input: in, Message: m})
		return
	}
	n.marking.Receive(in, m, out)
}

func (n *heldAfterRestore) Recover([]byte, []sim.Logged, *sim.Out) { n.restored = true }

func (n *heldAfterRestore) state(c *codec) {
	n.marking.state(c)
	bit(c, &n.restored)
	list(c, &n.held, logged)
}
