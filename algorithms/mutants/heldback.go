package mutants

import (
	"slices"

	"simrun/sim"
)

// heldBack saves what comes on a channel that it records, as it should, and lets the
// App have it only when the channel's marker has come. The snapshot is right in
// every detail, and is one of a run that it has changed.
type heldBack struct {
	marking
	held []sim.Logged
}

func newHeldBack(info sim.NodeInfo) sim.Node {
	return node{&heldBack{marking: newMarking(info)}}
}

func (n *heldBack) Initiate(id sim.SnapshotID, out *sim.Out) {
	if !n.recorded(id) {
		n.record(id, out)
		n.endIfClosed(id, out)
	}
}

func (n *heldBack) Receive(in sim.Input, m sim.Message, out *sim.Out) {
	switch {
	case m.Kind() == sim.Marker:
		if !n.recorded(m.Snapshot()) {
			n.record(m.Snapshot(), out)
		}
		n.close(in, m.Snapshot(), out)
		n.release(in, out)
	case n.recording(in):
		n.saveOpen(in, m, out)
		n.held = append(n.held, sim.Logged{Input: in, Message: m})
	default:
		forward(in, m, out)
	}
}

// record takes what is held for in flight: the App has not seen it.
func (n *heldBack) record(id sim.SnapshotID, out *sim.Out) {
	n.marking.record(id, out)
	for _, h := range n.held {
		out.SaveChannel(id, h.Input, h.Message)
	}
}

// recording says whether a channel is recorded for any snapshot.
func (n *heldBack) recording(in sim.Input) bool {
	return in >= 0 && slices.ContainsFunc(n.recordings, func(r recording) bool { return r.open[in] })
}

// release gives the App what was held of a channel, if that is recorded no more.
func (n *heldBack) release(in sim.Input, out *sim.Out) {
	if n.recording(in) {
		return
	}
	kept := n.held
	n.held = nil
	for _, h := range kept {
		if h.Input == in {
			forward(in, h.Message, out)
		} else {
			n.held = append(n.held, h)
		}
	}
}

func (n *heldBack) state(c *codec) {
	n.marking.state(c)
	list(c, &n.held, logged)
}
