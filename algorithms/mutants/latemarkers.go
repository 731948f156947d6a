package mutants

import "simrun/sim"

// lateMarkers saves its state at the right time, but its markers leave in the
// next step, behind what that step sends. A receiver takes those messages into a
// state that it records when the marker comes, and they were sent after the
// sender's state: orphans.
type lateMarkers struct {
	marking
	owed []sim.SnapshotID // their markers have not left
}

func newLateMarkers(info sim.NodeInfo) sim.Node {
	return node{&lateMarkers{marking: newMarking(info)}}
}

func (n *lateMarkers) Initiate(id sim.SnapshotID, out *sim.Out) {
	defer n.pay(n.owed, out)
	n.owed = nil
	if !n.recorded(id) {
		n.record(id, out)
		n.endIfClosed(id, out)
	}
}

func (n *lateMarkers) Receive(in sim.Input, m sim.Message, out *sim.Out) {
	defer n.pay(n.owed, out)
	n.owed = nil
	if m.Kind() != sim.Marker {
		n.onMessage(in, m, out)
		return
	}
	if !n.recorded(m.Snapshot()) {
		n.record(m.Snapshot(), out)
	}
	n.close(in, m.Snapshot(), out)
}

func (n *lateMarkers) record(id sim.SnapshotID, out *sim.Out) {
	out.SaveState(id)
	n.begin(id)
	n.owed = append(n.owed, id)
}

func (n *lateMarkers) pay(owed []sim.SnapshotID, out *sim.Out) {
	for _, id := range owed {
		broadcast(id, n.outputs, out)
	}
}

func (n *lateMarkers) state(c *codec) {
	n.marking.state(c)
	ids(c, &n.owed)
}
