package mutants

import "simrun/sim"

// recordsFirstChannel records the channel that the first marker came on together with
// the others, until the last of them is closed. What it saves there was sent after
// the sender recorded: extra. It shows only if messages follow right behind the
// marker and another input's marker is still to come.
type recordsFirstChannel struct {
	marking
	first []passedOn // snapshots under way, and the channel of their first marker
}

func newRecordsFirstChannel(info sim.NodeInfo) sim.Node {
	return node{&recordsFirstChannel{marking: newMarking(info)}}
}

func (n *recordsFirstChannel) Receive(in sim.Input, m sim.Message, out *sim.Out) {
	if m.Kind() == sim.Marker {
		if id := m.Snapshot(); !n.recorded(id) {
			n.first = append(n.first, passedOn{id, in})
		}
		n.onMarker(in, m.Snapshot(), out)
		return
	}
	for _, f := range n.first {
		if f.first == in && n.find(f.id) != nil {
			out.SaveChannel(f.id, in, m)
		}
	}
	n.onMessage(in, m, out)
}

func (n *recordsFirstChannel) state(c *codec) {
	n.marking.state(c)
	list(c, &n.first, passedOnState)
}
