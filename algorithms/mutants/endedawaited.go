package mutants

import (
	"slices"

	"simrun/sim"
)

// endedAwaited waits for the barriers of inputs that have ended. They never come, and what
// is blocked for the snapshot stays so. Deadlock.
type endedAwaited struct {
	finishing
	gone []bool // by channel: it has ended
}

func newEndedAwaited(info sim.NodeInfo) sim.Node {
	return newFinisher(&endedAwaited{newFinishing(info), make([]bool, info.Inputs)})
}

func (n *endedAwaited) Receive(i sim.Input, m sim.Message, out *sim.Out) {
	if m.Kind() != sim.EndOfStream {
		n.finishing.Receive(i, m, out)
		return
	}
	n.gone[i] = true
	if !slices.Contains(n.gone, false) {
		out.Drain()
	}
}

func (n *endedAwaited) state(c *codec) {
	n.finishing.state(c)
	bits(c, &n.gone)
}
