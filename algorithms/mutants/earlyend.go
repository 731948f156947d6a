package mutants

import "simrun/sim"

// earlyEnd ends its outputs when the first of its inputs has ended. What comes of the
// others is sent behind the end.
type earlyEnd struct {
	finishing
	early bool // it has
}

func newEarlyEnd(info sim.NodeInfo) sim.Node {
	return newFinisher(&earlyEnd{finishing: newFinishing(info)})
}

func (n *earlyEnd) Receive(i sim.Input, m sim.Message, out *sim.Out) {
	n.finishing.Receive(i, m, out)
	if m.Kind() == sim.EndOfStream && !n.early {
		n.early = true
		n.end(out)
	}
}

func (n *earlyEnd) Drained(out *sim.Out) {
	if n.early {
		n.info.Outputs = 0
	}
	n.finishing.Drained(out)
}

func (n *earlyEnd) state(c *codec) {
	n.finishing.state(c)
	bit(c, &n.early)
}
