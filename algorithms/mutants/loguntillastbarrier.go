package mutants

import "simrun/sim"

// logUntilLastBarrier logs what any back-edge brings as long as the snapshot is
// under way here. Behind the edge's own barrier that is too much: it was sent
// after the sender saved its state.
type logUntilLastBarrier struct{ barriers }

func newLogUntilLastBarrier(info sim.NodeInfo) sim.Node {
	return node{&logUntilLastBarrier{newBarriers(info)}}
}

func (n *logUntilLastBarrier) Receive(i sim.Input, m sim.Message, out *sim.Out) {
	if m.Kind() == sim.Marker {
		n.onBarrier(i, m.Snapshot(), out)
		return
	}
	if n.logging && n.backEdge(i) {
		out.SaveLog(n.current, i, m)
	}
	forward(i, m, out)
}
