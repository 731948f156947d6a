package mutants

import "simrun/sim"

// firstChannelOpen records its state at the first marker and forgets that this
// marker also ends the recording of its channel. It waits for another one there,
// which never comes.
type firstChannelOpen struct{ marking }

func newFirstChannelOpen(info sim.NodeInfo) sim.Node {
	return node{&firstChannelOpen{newMarking(info)}}
}

func (n *firstChannelOpen) Receive(in sim.Input, m sim.Message, out *sim.Out) {
	if m.Kind() == sim.Marker && !n.recorded(m.Snapshot()) {
		n.record(m.Snapshot(), out)
		return
	}
	n.marking.Receive(in, m, out)
}
