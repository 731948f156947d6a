package audit

import "simrun/sim"

// node is a Node that is watched.
type node struct {
	sim.Node
	w       *Watch
	v       int32
	attempt uint8
	audited bool
}

// These are what a watched Node can be besides: a Task, a Drainer, a Rejoiner.
type (
	talks   struct{ n *node }
	ends    struct{ n *node }
	rejoins struct{ n *node }
)

// like is the watched Node as what the Node is, and no more.
func (n *node) like(inner sim.Node) sim.Node {
	_, task := inner.(sim.Task)
	_, drainer := inner.(sim.Drainer)
	_, rejoiner := inner.(sim.Rejoiner)
	t, d, r := talks{n}, ends{n}, rejoins{n}
	switch [3]bool{task, drainer, rejoiner} {
	case [3]bool{true, false, false}:
		return struct {
			*node
			talks
		}{n, t}
	case [3]bool{false, true, false}:
		return struct {
			*node
			ends
		}{n, d}
	case [3]bool{false, false, true}:
		return struct {
			*node
			rejoins
		}{n, r}
	case [3]bool{true, true, false}:
		return struct {
			*node
			talks
			ends
		}{n, t, d}
	case [3]bool{true, false, true}:
		return struct {
			*node
			talks
			rejoins
		}{n, t, r}
	case [3]bool{false, true, true}:
		return struct {
			*node
			ends
			rejoins
		}{n, d, r}
	case [3]bool{true, true, true}:
		return struct {
			*node
			talks
			ends
			rejoins
		}{n, t, d, r}
	}
	return n
}

// node makes the Node of a node.
func (w *Watch) node(info sim.NodeInfo) sim.Node {
	w.enter(theAlgorithm, call{kind: making, node: info.ID})
	inner := w.newNode(info)
	w.leave()
	if w.settings.Again > 0 {
		w.parts[info.ID] = part{info: info, node: inner}
	}
	n := &node{inner, w, info.ID, info.Attempt, w.settings.Again > 0}
	return n.like(inner)
}

// Receive implements sim.Node.
func (n *node) Receive(in sim.Input, m sim.Message, out *sim.Out) {
	w := n.w
	w.enter(theAlgorithm, call{kind: receiving, node: n.v, in: in, message: m})
	if n.audited {
		w.audit(n.v, out, func(x sim.Node, out *sim.Out) { x.Receive(in, m, out) })
	} else {
		n.Node.Receive(in, m, out)
	}
	w.leave()
}

// handle is a call of one of the other handlers.
func (n *node) handle(c call, out *sim.Out, do func(sim.Node, *sim.Out)) {
	c.node = n.v
	n.w.enter(theAlgorithm, c)
	if n.audited {
		n.w.audit(n.v, out, do)
	} else {
		do(n.Node, out)
	}
	n.w.leave()
}

// Initiate implements sim.Node.
func (n *node) Initiate(id sim.SnapshotID, out *sim.Out) {
	n.handle(call{kind: initiating, number: uint32(id)}, out, func(x sim.Node, out *sim.Out) { x.Initiate(id, out) })
}

// Recover implements sim.Node. Everybody is given lists of their own.
func (n *node) Recover(attached []byte, log []sim.Logged, out *sim.Out) {
	n.handle(call{kind: recovering, number: uint32(n.attempt)}, out, func(x sim.Node, out *sim.Out) {
		x.Recover(append([]byte(nil), attached...), append([]sim.Logged(nil), log...), out)
	})
}

// Told implements sim.Task.
func (t talks) Told(c sim.Control, out *sim.Out) {
	t.n.handle(call{kind: told, control: c}, out, func(x sim.Node, out *sim.Out) { x.(sim.Task).Told(c, out) })
}

// Written implements sim.Task.
func (t talks) Written(id sim.SnapshotID, h sim.Handle, out *sim.Out) {
	t.n.handle(call{kind: written, number: uint32(id)}, out, func(x sim.Node, out *sim.Out) { x.(sim.Task).Written(id, h, out) })
}

// Drained implements sim.Drainer.
func (d ends) Drained(out *sim.Out) {
	d.n.handle(call{kind: draining}, out, func(x sim.Node, out *sim.Out) { x.(sim.Drainer).Drained(out) })
}

// Rejoin implements sim.Rejoiner. Everybody is given a list of their own.
func (r rejoins) Rejoin(what sim.Rejoin, out *sim.Out) {
	r.n.handle(call{kind: rejoining, number: uint32(what.Attempt)}, out, func(x sim.Node, out *sim.Out) {
		own := what
		own.Restarted = append([]sim.Input(nil), what.Restarted...)
		x.(sim.Rejoiner).Rejoin(own, out)
	})
}
