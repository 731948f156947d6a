package mutants

import (
	"slices"

	"simrun/sim"
)

// lateReplay processes its backup log when it recovers, and sends what comes of it only
// after the next step.
type lateReplay struct {
	barriers
	owed []sim.Send
}

func newLateReplay(info sim.NodeInfo) sim.Node {
	return node{&lateReplay{barriers: newBarriers(info)}}
}

func (n *lateReplay) Recover(_ []byte, log []sim.Logged, out *sim.Out) {
	for _, l := range log {
		n.owed = append(n.owed, slices.Clone(out.Process(l.Input, l.Message))...)
	}
}

func (n *lateReplay) Initiate(id sim.SnapshotID, out *sim.Out) {
	n.barriers.Initiate(id, out)
	n.pay(out)
}

func (n *lateReplay) Receive(i sim.Input, m sim.Message, out *sim.Out) {
	n.barriers.Receive(i, m, out)
	n.pay(out)
}

func (n *lateReplay) pay(out *sim.Out) {
	out.Send(n.owed...)
	n.owed = nil
}

func (n *lateReplay) state(c *codec) {
	n.barriers.state(c)
	list(c, &n.owed, sent)
}
