package mutants

import "simrun/sim"

// earlyEnd ends its outputs when the first of its inputs has ended. What comes of the
// others is sent behind the end.
type earlyEnd struct{ finishing }

func newEarlyEnd(info sim.NodeInfo) sim.Node { return newFinisher(&earlyEnd{newFinishing(info)}) }

func (n *earlyEnd) Receive(i sim.Input, m sim.Message, out *sim.Out) {
	n.finishing.Receive(i, m, out)
	if m.Kind() == sim.EndOfStream && !n.over {
		n.end(out)
	}
}
