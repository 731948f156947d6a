package mutants

import "simrun/sim"

// everyOpenChannel saves a message as the state of every channel that is open,
// not of the one that it came on.
type everyOpenChannel struct{ marking }

func newEveryOpenChannel(info sim.NodeInfo) sim.Node {
	return node{&everyOpenChannel{newMarking(info)}}
}

func (n *everyOpenChannel) Receive(in sim.Input, m sim.Message, out *sim.Out) {
	if m.Kind() == sim.Marker {
		n.onMarker(in, m.Snapshot(), out)
		return
	}
	for _, r := range n.recordings {
		for c, open := range r.open {
			if in >= 0 && open {
				out.SaveChannel(r.id, sim.Input(c), m)
			}
		}
	}
	forward(in, m, out)
}
