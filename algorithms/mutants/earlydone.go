package mutants

import "simrun/sim"

// earlyDone says Done when it has saved its state and sent its markers, although it
// goes on recording its channels. Its part is written without them: what was in
// flight is missing.
type earlyDone struct{ marking }

func newEarlyDone(info sim.NodeInfo) sim.Node {
	return node{&earlyDone{newMarking(info)}}
}

func (n *earlyDone) Initiate(id sim.SnapshotID, out *sim.Out) {
	if !n.recorded(id) {
		n.record(id, out)
		out.Done(id)
		n.endIfClosed(id, out)
	}
}

func (n *earlyDone) Receive(in sim.Input, m sim.Message, out *sim.Out) {
	if m.Kind() != sim.Marker {
		n.onMessage(in, m, out)
		return
	}
	if !n.recorded(m.Snapshot()) {
		n.record(m.Snapshot(), out)
		out.Done(m.Snapshot())
	}
	n.close(in, m.Snapshot(), out)
}
