package mutants

import "simrun/sim"

// lateState sends its markers at the right time, but saves its state after the
// next step. What that step sends is behind the markers, so it is in the saved
// state and in no channel: missing. What that step processed may be an orphan.
type lateState struct {
	marking
	owed []sim.SnapshotID // their state is not saved
}

func newLateState(info sim.NodeInfo) sim.Node {
	return node{&lateState{marking: newMarking(info)}}
}

func (n *lateState) Initiate(id sim.SnapshotID, out *sim.Out) {
	defer n.pay(n.owed, out)
	n.owed = nil
	if !n.recorded(id) {
		n.record(id, out)
	}
}

func (n *lateState) Receive(in sim.Input, m sim.Message, out *sim.Out) {
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

func (n *lateState) record(id sim.SnapshotID, out *sim.Out) {
	broadcast(id, n.outputs, out)
	n.begin(id)
	n.find(id).left++ // for the state
	n.owed = append(n.owed, id)
}

func (n *lateState) pay(owed []sim.SnapshotID, out *sim.Out) {
	for _, id := range owed {
		out.SaveState(id)
		n.find(id).left--
		n.endIfClosed(id, out)
	}
}

func (n *lateState) state(c *codec) {
	n.marking.state(c)
	ids(c, &n.owed)
}
