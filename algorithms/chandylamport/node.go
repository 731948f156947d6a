package chandylamport

import (
	"cmp"
	"slices"

	"simrun/sim"
)

// Node is the algorithm's part of one process.
type Node struct {
	inputs, outputs int
	recordings      []recording // under way here, by ascending id
	finished        idSet       // ended here, so that nothing starts them again
}

// recording is one snapshot that this process has begun and not ended.
type recording struct {
	id   sim.SnapshotID
	open []bool // by input: its marker has not come, so what comes is its state
	left int    // how many are open
}

// New makes the algorithm's part of one process.
func New(info sim.NodeInfo) sim.Node {
	return &Node{inputs: info.Inputs, outputs: info.Outputs}
}

// Initiate lets this process record its state of its own accord. If a marker, or
// an earlier order, has already made it record this snapshot, there is nothing
// left to start.
func (n *Node) Initiate(id sim.SnapshotID, out *sim.Out) {
	if n.recorded(id) {
		return
	}
	n.record(id, out)
	n.endIfClosed(id, out) // a process without inputs has no marker to wait for
}

// Receive takes what came in: a marker, or something for the App.
func (n *Node) Receive(in sim.Input, m sim.Message, out *sim.Out) {
	if m.Kind() == sim.Marker {
		n.onMarker(in, m.Snapshot(), out)
		return
	}
	n.onMessage(in, m, out)
}

// record is the marker-sending rule: record the state, then put one marker on
// every outgoing channel before anything else is sent there. One handler is one
// atomic step, so nothing can come in between.
func (n *Node) record(id sim.SnapshotID, out *sim.Out) {
	out.SaveState(id)
	for c := range n.outputs {
		out.SendMarker(c, id)
	}
	r := recording{id: id, open: make([]bool, n.inputs), left: n.inputs}
	for c := range r.open {
		r.open[c] = true
	}
	at, _ := n.find(id)
	n.recordings = slices.Insert(n.recordings, at, r)
}

// onMarker is the marker-receiving rule, for a marker that came along c.
func (n *Node) onMarker(c sim.Input, id sim.SnapshotID, out *sim.Out) {
	if !n.recorded(id) {
		// q has not recorded its state: it does so now, and records the state
		// of c as the empty sequence, by closing c before anything is saved.
		n.record(id, out)
		n.close(c, id, out)
	} else {
		// The state of c is what was saved from it since q recorded.
		n.close(c, id, out)
	}
}

// onMessage saves a message as channel state for every snapshot whose marker has
// not come along its channel. The App gets it in any case and at once: a
// snapshot must not change what it records.
func (n *Node) onMessage(in sim.Input, m sim.Message, out *sim.Out) {
	if in >= 0 {
		for i := range n.recordings {
			if r := &n.recordings[i]; r.open[in] {
				out.SaveChannel(r.id, in, m)
			}
		}
	}
	out.Send(out.Process(in, m)...)
}

// close ends the recording of one channel.
func (n *Node) close(c sim.Input, id sim.SnapshotID, out *sim.Out) {
	i, active := n.find(id)
	if !active || !n.recordings[i].open[c] {
		return
	}
	n.recordings[i].open[c] = false
	n.recordings[i].left--
	n.endIfClosed(id, out)
}

// endIfClosed ends a snapshot here once the state of every channel is known.
func (n *Node) endIfClosed(id sim.SnapshotID, out *sim.Out) {
	i, _ := n.find(id)
	if n.recordings[i].left > 0 {
		return
	}
	out.Done(id)
	if i == 0 { // as a rule the oldest ends first, and nothing needs to move
		n.recordings = n.recordings[1:]
	} else {
		n.recordings = slices.Delete(n.recordings, i, i+1)
	}
	n.finished.add(id)
}

// Cancel gives a snapshot up: nothing more is recorded for it, and what of its markers
// is still to come is ignored.
func (n *Node) Cancel(id sim.SnapshotID, _ *sim.Out) {
	if n.finished.has(id) {
		return // it is done here, or the order has come before
	}
	if i, active := n.find(id); active {
		n.recordings = slices.Delete(n.recordings, i, i+1)
	}
	n.finished.add(id)
}

// recorded tells whether this process has recorded its state for a snapshot.
func (n *Node) recorded(id sim.SnapshotID) bool {
	_, active := n.find(id)
	return active || n.finished.has(id)
}

// find returns where a snapshot is, or belongs, among the recordings.
func (n *Node) find(id sim.SnapshotID) (at int, active bool) {
	return slices.BinarySearchFunc(n.recordings, id, func(r recording, id sim.SnapshotID) int {
		return cmp.Compare(r.id, id)
	})
}

// Recover has nothing to do: the recorded channel states are back in their
// channels, and every snapshot that was under way has been given up.
func (n *Node) Recover([]byte, []sim.Logged, *sim.Out) {}
