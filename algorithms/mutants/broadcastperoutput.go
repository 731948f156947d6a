package mutants

import "simrun/sim"

// broadcastPerOutput goes through its outputs and broadcasts the marker at each: a
// node with d outputs sends d times d markers. Who counts markers, as this one does,
// and not the channels that they come on, has enough of them when some channel has
// brought none, and ends the snapshot: what is in flight there is missing.
type broadcastPerOutput struct{ marking }

func newBroadcastPerOutput(info sim.NodeInfo) sim.Node {
	return node{&broadcastPerOutput{newMarking(info)}}
}

func (n *broadcastPerOutput) Initiate(id sim.SnapshotID, out *sim.Out) {
	if !n.recorded(id) {
		n.record(id, out)
		n.endIfClosed(id, out)
	}
}

func (n *broadcastPerOutput) Receive(in sim.Input, m sim.Message, out *sim.Out) {
	if m.Kind() != sim.Marker {
		n.onMessage(in, m, out)
		return
	}
	id := m.Snapshot()
	if !n.recorded(id) {
		n.record(id, out)
	}
	if r := n.find(id); r != nil {
		r.open[in] = false
		r.left--
		n.endIfClosed(id, out)
	}
}

func (n *broadcastPerOutput) record(id sim.SnapshotID, out *sim.Out) {
	out.SaveState(id)
	for range n.outputs {
		broadcast(id, n.outputs, out)
	}
	n.begin(id)
}
