package mutants

import (
	"slices"

	"simrun/sim"
)

// recordsBetween does not record when it is ordered to, but inside its next step:
// after the App has processed a message and before what that gave is sent. The
// state has paid for messages that are behind the marker, in no channel: missing,
// although every number and every state is right.
type recordsBetween struct {
	marking
	ordered []sim.SnapshotID // to be recorded inside the next step
}

func newRecordsBetween(info sim.NodeInfo) sim.Node {
	return node{&recordsBetween{marking: newMarking(info)}}
}

func (n *recordsBetween) Initiate(id sim.SnapshotID, _ *sim.Out) {
	if !n.recorded(id) && !slices.Contains(n.ordered, id) {
		n.ordered = append(n.ordered, id)
	}
}

func (n *recordsBetween) Receive(in sim.Input, m sim.Message, out *sim.Out) {
	if m.Kind() == sim.Marker {
		n.onMarker(in, m.Snapshot(), out)
		return
	}
	n.saveOpen(in, m, out)
	sends := out.Process(in, m)
	for _, id := range n.ordered {
		n.marking.Initiate(id, out) // unless a marker came first
	}
	n.ordered = nil
	out.Send(sends...)
}

func (n *recordsBetween) state(c *codec) {
	n.marking.state(c)
	ids(c, &n.ordered)
}
