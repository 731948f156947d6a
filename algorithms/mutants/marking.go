package mutants

import (
	"slices"

	"simrun/sim"
)

// marking is Chandy and Lamport's algorithm as it should be. Its mutants embed it
// and replace a rule.
type marking struct {
	inputs, outputs int
	recordings      []recording // by ascending id
	finished        []sim.SnapshotID
}

func newMarking(info sim.NodeInfo) marking {
	return marking{inputs: info.Inputs, outputs: info.Outputs}
}

func (n *marking) Initiate(id sim.SnapshotID, out *sim.Out) {
	if !n.recorded(id) {
		n.record(id, out)
		n.endIfClosed(id, out)
	}
}

func (n *marking) Receive(in sim.Input, m sim.Message, out *sim.Out) {
	if m.Kind() == sim.Marker {
		n.onMarker(in, m.Snapshot(), out)
		return
	}
	n.onMessage(in, m, out)
}

// record is the marker-sending rule.
func (n *marking) record(id sim.SnapshotID, out *sim.Out) {
	out.SaveState(id)
	broadcast(id, n.outputs, out)
	n.begin(id)
}

// onMarker is the marker-receiving rule.
func (n *marking) onMarker(c sim.Input, id sim.SnapshotID, out *sim.Out) {
	if !n.recorded(id) {
		n.record(id, out)
	}
	n.close(c, id, out)
}

func (n *marking) onMessage(in sim.Input, m sim.Message, out *sim.Out) {
	n.saveOpen(in, m, out)
	forward(in, m, out)
}

// saveOpen saves a message as the state of its channel, where that is recorded.
func (n *marking) saveOpen(in sim.Input, m sim.Message, out *sim.Out) {
	for _, r := range n.recordings {
		if in >= 0 && r.open[in] {
			out.SaveChannel(r.id, in, m)
		}
	}
}

// begin opens the recording of every channel.
func (n *marking) begin(id sim.SnapshotID) {
	at := 0
	for at < len(n.recordings) && n.recordings[at].id < id {
		at++
	}
	n.recordings = slices.Insert(n.recordings, at, newRecording(id, n.inputs))
}

// close ends the recording of one channel.
func (n *marking) close(c sim.Input, id sim.SnapshotID, out *sim.Out) {
	if r := n.find(id); r != nil && r.open[c] {
		r.open[c] = false
		r.left--
		n.endIfClosed(id, out)
	}
}

// endIfClosed ends a snapshot here when nothing is left to wait for.
func (n *marking) endIfClosed(id sim.SnapshotID, out *sim.Out) {
	if n.find(id).left > 0 {
		return
	}
	out.Done(id)
	n.recordings = slices.DeleteFunc(n.recordings, func(r recording) bool { return r.id == id })
	n.finished = append(n.finished, id)
}

// find returns a snapshot under way here, or nil.
func (n *marking) find(id sim.SnapshotID) *recording {
	for i := range n.recordings {
		if n.recordings[i].id == id {
			return &n.recordings[i]
		}
	}
	return nil
}

func (n *marking) recorded(id sim.SnapshotID) bool {
	return n.find(id) != nil || slices.Contains(n.finished, id)
}

func (n *marking) Recover([]byte, []sim.Logged, *sim.Out) {}

func (n *marking) state(c *codec) {
	list(c, &n.recordings, recordingState)
	ids(c, &n.finished)
}
