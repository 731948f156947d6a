package mutants

import (
	"slices"

	"simrun/sim"
)

// reorderedBuffer does not have its channels blocked: it takes what comes behind
// a barrier and keeps it until the snapshot is taken. Then it processes what it
// kept last in, first out, as from a stack: two records of one channel change
// places.
type reorderedBuffer struct {
	aligning
	held   []bool // by channel: its barrier has come
	buffer []sim.Logged
}

func newReorderedBuffer(info sim.NodeInfo) sim.Node {
	return node{&reorderedBuffer{aligning: newAligning(info), held: make([]bool, info.Inputs)}}
}

func (n *reorderedBuffer) Initiate(id sim.SnapshotID, out *sim.Out) { n.onBarrier(sim.Nil, id, out) }

func (n *reorderedBuffer) Receive(i sim.Input, m sim.Message, out *sim.Out) {
	switch {
	case i >= 0 && n.held[i]:
		n.buffer = append(n.buffer, sim.Logged{Input: i, Message: m})
	case m.Kind() == sim.Marker:
		n.held[i] = true
		n.onBarrier(i, m.Snapshot(), out)
	default:
		forward(i, m, out)
	}
}

func (n *reorderedBuffer) onBarrier(i sim.Input, id sim.SnapshotID, out *sim.Out) {
	if missing, ok := n.arrive(i, id); !ok || missing > 0 {
		return
	}
	broadcast(id, n.info.Outputs, out)
	out.SaveState(id)
	n.end(id, out)

	kept := n.buffer
	n.buffer = nil
	clear(n.held)
	for _, l := range slices.Backward(kept) {
		n.Receive(l.Input, l.Message, out)
	}
}

func (n *reorderedBuffer) state(c *codec) {
	n.aligning.state(c)
	bits(c, &n.held)
	list(c, &n.buffer, logged)
}
