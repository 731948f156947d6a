package mutants

import "simrun/sim"

// noChannelState records states and sends markers, and takes every channel to be
// empty. What was in flight at the cut is missing.
type noChannelState struct{ marking }

func newNoChannelState(info sim.NodeInfo) sim.Node {
	return node{&noChannelState{newMarking(info)}}
}

func (n *noChannelState) Receive(in sim.Input, m sim.Message, out *sim.Out) {
	if m.Kind() == sim.Marker {
		n.onMarker(in, m.Snapshot(), out)
		return
	}
	forward(in, m, out)
}
