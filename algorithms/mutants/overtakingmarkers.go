package mutants

import "simrun/sim"

// overtakingMarkers has a buffer for what the App sends, which it empties when
// something comes in. Markers do not go through the buffer. So they overtake
// messages that the saved state knows as sent, and those are in no channel.
type overtakingMarkers struct {
	marking
	buffer []sim.Send
}

func newOvertakingMarkers(info sim.NodeInfo) sim.Node {
	return node{&overtakingMarkers{marking: newMarking(info)}}
}

func (n *overtakingMarkers) Initiate(id sim.SnapshotID, out *sim.Out) {
	if !n.recorded(id) {
		n.record(id, out)
		n.endIfClosed(id, out)
	}
}

func (n *overtakingMarkers) Receive(in sim.Input, m sim.Message, out *sim.Out) {
	if m.Kind() == sim.Marker {
		if !n.recorded(m.Snapshot()) {
			n.record(m.Snapshot(), out)
		}
		n.close(in, m.Snapshot(), out)
		return
	}
	n.flush(out)
	for _, r := range n.recordings {
		if in >= 0 && r.open[in] {
			out.SaveChannel(r.id, in, m)
		}
	}
	n.buffer = append(n.buffer, out.Process(in, m)...)
}

func (n *overtakingMarkers) record(id sim.SnapshotID, out *sim.Out) {
	broadcast(id, n.outputs, out)
	n.flush(out)
	out.SaveState(id)
	n.begin(id)
}

func (n *overtakingMarkers) flush(out *sim.Out) {
	out.Send(n.buffer...)
	n.buffer = n.buffer[:0]
}

func (n *overtakingMarkers) state(c *codec) {
	n.marking.state(c)
	list(c, &n.buffer, sent)
}
