package mutants

import "simrun/sim"

// firstRegularBarrier runs Algorithm 2 where there are loops, and copies its state and
// passes the barrier on when the first regular barrier comes, instead of the last.
// What its other regular inputs bring before their barriers is in no state and in no
// log: missing. A loop whose nodes have one regular input each does not show it; its
// tail must have two.
type firstRegularBarrier struct {
	barriers
	cyclic bool
}

func newFirstRegularBarrier(info sim.NodeInfo) sim.Node {
	return node{&firstRegularBarrier{newBarriers(info), info.Cyclic}}
}

func (n *firstRegularBarrier) Initiate(id sim.SnapshotID, out *sim.Out) {
	n.onBarrier(sim.Nil, id, out)
}

func (n *firstRegularBarrier) Receive(i sim.Input, m sim.Message, out *sim.Out) {
	if m.Kind() == sim.Marker {
		n.onBarrier(i, m.Snapshot(), out)
		return
	}
	n.onRecord(i, m, out)
}

func (n *firstRegularBarrier) onBarrier(i sim.Input, id sim.SnapshotID, out *sim.Out) {
	if n.cyclic && n.current == 0 && id > n.done && !n.backEdge(i) {
		n.copyState(id, out)
	}
	n.barriers.onBarrier(i, id, out)
}

func (n *firstRegularBarrier) copyState(id sim.SnapshotID, out *sim.Out) {
	n.current, n.logging = id, true
	out.SaveState(id)
	broadcast(id, n.info.Outputs, out)
}
