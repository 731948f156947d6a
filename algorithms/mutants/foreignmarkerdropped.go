package mutants

import "simrun/sim"

// foreignMarkerDropped has one slot for the snapshot that is under way. While it is
// taken, the order to initiate another snapshot and the markers of another are
// dropped: that snapshot is never recorded here, or waits for a marker that has
// come.
type foreignMarkerDropped struct{ marking }

func newForeignMarkerDropped(info sim.NodeInfo) sim.Node {
	return node{&foreignMarkerDropped{newMarking(info)}}
}

func (n *foreignMarkerDropped) Initiate(id sim.SnapshotID, out *sim.Out) {
	if len(n.recordings) == 0 {
		n.marking.Initiate(id, out)
	}
}

func (n *foreignMarkerDropped) Receive(in sim.Input, m sim.Message, out *sim.Out) {
	if m.Kind() == sim.Marker && len(n.recordings) > 0 && n.recordings[0].id != m.Snapshot() {
		return
	}
	n.marking.Receive(in, m, out)
}
