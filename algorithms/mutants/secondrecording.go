package mutants

import "simrun/sim"

// secondRecording does not remember that it has recorded: the next marker of a
// snapshot that is under way here lets it record once more, over what it had saved.
// The cut moves behind the markers that it has sent, and what it processed between
// the two recordings is in the new state and in the channels too.
type secondRecording struct{ marking }

func newSecondRecording(info sim.NodeInfo) sim.Node {
	return node{&secondRecording{newMarking(info)}}
}

func (n *secondRecording) Receive(in sim.Input, m sim.Message, out *sim.Out) {
	if m.Kind() == sim.Marker {
		if r := n.find(m.Snapshot()); r != nil && r.open[in] {
			out.SaveState(m.Snapshot())
		}
		n.onMarker(in, m.Snapshot(), out)
		return
	}
	n.onMessage(in, m, out)
}
