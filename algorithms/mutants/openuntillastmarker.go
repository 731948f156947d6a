package mutants

import "simrun/sim"

// openUntilLastMarker saves what comes on any channel as long as the snapshot is
// under way here, also behind the channel's own marker: too much.
type openUntilLastMarker struct{ marking }

func newOpenUntilLastMarker(info sim.NodeInfo) sim.Node {
	return node{&openUntilLastMarker{newMarking(info)}}
}

func (n *openUntilLastMarker) Receive(in sim.Input, m sim.Message, out *sim.Out) {
	if m.Kind() == sim.Marker {
		n.onMarker(in, m.Snapshot(), out)
		return
	}
	for _, r := range n.recordings {
		if in >= 0 {
			out.SaveChannel(r.id, in, m)
		}
	}
	forward(in, m, out)
}
