package mutants

import "simrun/sim"

// savesIdle saves a message in flight only if it finds the node idle, that is, if
// the node's last step sent nothing. What arrives while the node is active is
// processed and forgotten: missing.
type savesIdle struct {
	marking
	active bool
}

func newSavesIdle(info sim.NodeInfo) sim.Node {
	return node{&savesIdle{marking: newMarking(info)}}
}

func (n *savesIdle) Receive(in sim.Input, m sim.Message, out *sim.Out) {
	if m.Kind() == sim.Marker {
		n.onMarker(in, m.Snapshot(), out)
		return
	}
	if !n.active {
		n.saveOpen(in, m, out)
	}
	sends := out.Process(in, m)
	out.Send(sends...)
	n.active = len(sends) > 0
}

func (n *savesIdle) state(c *codec) {
	n.marking.state(c)
	bit(c, &n.active)
}
