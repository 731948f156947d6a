package mutants

import "simrun/sim"

// oneMarkerClosesAll takes the first marker that comes after it has recorded for
// the last: it is done then, and what is still in flight on the other channels is
// missing.
type oneMarkerClosesAll struct{ marking }

func newOneMarkerClosesAll(info sim.NodeInfo) sim.Node {
	return node{&oneMarkerClosesAll{newMarking(info)}}
}

func (n *oneMarkerClosesAll) Receive(in sim.Input, m sim.Message, out *sim.Out) {
	if m.Kind() != sim.Marker || !n.recorded(m.Snapshot()) {
		n.marking.Receive(in, m, out)
		return
	}
	for c := range n.inputs {
		n.close(sim.Input(c), m.Snapshot(), out)
	}
}
