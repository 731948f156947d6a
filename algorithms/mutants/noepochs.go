package mutants

import "simrun/sim"

// noEpochs is Algorithm 2 to the letter of its listing, which has no ids. A
// barrier of the next snapshot that comes while this one is under way marks an
// input that is marked already, and is forgotten: the next snapshot is not taken
// here, and whoever waits for it waits for ever.
type noEpochs struct{ barriers }

func newNoEpochs(info sim.NodeInfo) sim.Node {
	return node{&noEpochs{newBarriers(info)}}
}

func (n *noEpochs) Initiate(id sim.SnapshotID, out *sim.Out) { n.onBarrier(sim.Nil, id, out) }

func (n *noEpochs) Receive(i sim.Input, m sim.Message, out *sim.Out) {
	if m.Kind() == sim.Marker {
		n.onBarrier(i, m.Snapshot(), out)
		return
	}
	n.onRecord(i, m, out)
}

func (n *noEpochs) onBarrier(i sim.Input, id sim.SnapshotID, out *sim.Out) {
	if n.current != 0 {
		id = n.current
	}
	n.take(i, id, out)
}
