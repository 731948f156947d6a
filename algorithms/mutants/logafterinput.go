package mutants

import (
	"slices"

	"simrun/sim"
)

// logAfterInput does not replay its backup log when it recovers but puts it aside
// until the loop brings something, which it processes first: a later record of
// the same channel before the earlier ones.
type logAfterInput struct {
	barriers
	log []sim.Logged
}

func newLogAfterInput(info sim.NodeInfo) sim.Node {
	return node{&logAfterInput{barriers: newBarriers(info)}}
}

func (n *logAfterInput) Recover(_ []byte, log []sim.Logged, _ *sim.Out) {
	n.log = slices.Clone(log)
}

func (n *logAfterInput) Receive(i sim.Input, m sim.Message, out *sim.Out) {
	n.barriers.Receive(i, m, out)
	if len(n.log) > 0 && m.Kind() == sim.Data && n.backEdge(i) {
		log := n.log
		n.log = nil
		n.barriers.Recover(nil, log, out)
	}
}

func (n *logAfterInput) state(c *codec) {
	n.barriers.state(c)
	list(c, &n.log, logged)
}
