package mutants

import "simrun/sim"

// lateSnapshot aligns and passes the barrier on as it should, but saves its state
// after the next step, as if broadcast and snapshot were not one atomic step.
// What that step processes is an orphan, what it sends is missing below.
type lateSnapshot struct {
	aligning
	owed []sim.SnapshotID // the barrier has left, the state is not saved
}

func newLateSnapshot(info sim.NodeInfo) sim.Node {
	return node{&lateSnapshot{aligning: newAligning(info)}}
}

func (n *lateSnapshot) Initiate(id sim.SnapshotID, out *sim.Out) {
	defer n.pay(n.owed, out)
	n.owed = nil
	n.onBarrier(sim.Nil, id, out)
}

func (n *lateSnapshot) Receive(i sim.Input, m sim.Message, out *sim.Out) {
	defer n.pay(n.owed, out)
	n.owed = nil
	if m.Kind() == sim.Marker {
		n.onBarrier(i, m.Snapshot(), out)
		return
	}
	forward(i, m, out)
}

func (n *lateSnapshot) onBarrier(i sim.Input, id sim.SnapshotID, out *sim.Out) {
	missing, ok := n.arrive(i, id)
	if !ok {
		return
	}
	n.block(i, id, out)
	if missing == 0 {
		broadcast(id, n.info.Outputs, out)
		n.unblockAll(out)
		n.owed = append(n.owed, id)
	}
}

func (n *lateSnapshot) pay(owed []sim.SnapshotID, out *sim.Out) {
	for _, id := range owed {
		out.SaveState(id)
		n.end(id, out)
	}
}

func (n *lateSnapshot) state(c *codec) {
	n.aligning.state(c)
	ids(c, &n.owed)
}
