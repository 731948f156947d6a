package mutants

import (
	"slices"

	"simrun/sim"
)

// savedBackwards keeps what comes on the channels that it records until the snapshot
// ends, and saves it then, the last message first.
type savedBackwards struct {
	marking
	kept []kept
}

// kept is a message that belongs to a snapshot.
type kept struct {
	id sim.SnapshotID
	sim.Logged
}

func newSavedBackwards(info sim.NodeInfo) sim.Node {
	return node{&savedBackwards{marking: newMarking(info)}}
}

func (n *savedBackwards) Receive(in sim.Input, m sim.Message, out *sim.Out) {
	if m.Kind() == sim.Marker {
		n.onMarker(in, m.Snapshot(), out)
		return
	}
	for _, r := range n.recordings {
		if in >= 0 && r.open[in] {
			n.kept = append(n.kept, kept{r.id, sim.Logged{Input: in, Message: m}})
		}
	}
	forward(in, m, out)
}

// onMarker saves what was kept before the last channel closes.
func (n *savedBackwards) onMarker(c sim.Input, id sim.SnapshotID, out *sim.Out) {
	if !n.recorded(id) {
		n.record(id, out)
	}
	if r := n.find(id); r != nil && r.open[c] && r.left == 1 {
		for _, k := range slices.Backward(n.kept) {
			if k.id == id {
				out.SaveChannel(id, k.Input, k.Message)
			}
		}
		n.kept = slices.DeleteFunc(n.kept, func(k kept) bool { return k.id == id })
	}
	n.close(c, id, out)
}

func (n *savedBackwards) state(c *codec) {
	n.marking.state(c)
	list(c, &n.kept, func(c *codec, k *kept) {
		number(c, &k.id)
		logged(c, &k.Logged)
	})
}
