package mutants

import (
	"slices"

	"simrun/sim"
)

// barriers is Asynchronous Barrier Snapshotting as it should be, Algorithm 2 with
// epochs. Its mutants embed it and replace a step.
type barriers struct {
	info          sim.NodeInfo
	marked        []bool           // by input, Nil last
	blocked       []sim.SnapshotID // by channel: what it is blocked for; 0: open
	logging       bool
	current, done sim.SnapshotID
	waiting       []sim.Logged // barriers of later snapshots, by id, then input
}

func newBarriers(info sim.NodeInfo) barriers {
	return barriers{info: info, marked: make([]bool, slots(info)), blocked: make([]sim.SnapshotID, info.Inputs)}
}

// slots is how many inputs there are; Nil, if it is one, has the last place.
func slots(info sim.NodeInfo) int {
	if info.Initiator {
		return info.Inputs + 1
	}
	return info.Inputs
}

func slot(info sim.NodeInfo, i sim.Input) int {
	if i == sim.Nil {
		return info.Inputs
	}
	return int(i)
}

func (n *barriers) Initiate(id sim.SnapshotID, out *sim.Out) { n.onBarrier(sim.Nil, id, out) }

func (n *barriers) Receive(i sim.Input, m sim.Message, out *sim.Out) {
	if m.Kind() == sim.Marker {
		n.onBarrier(i, m.Snapshot(), out)
		return
	}
	n.onRecord(i, m, out)
}

func (n *barriers) onRecord(i sim.Input, m sim.Message, out *sim.Out) {
	if n.logging && n.backEdge(i) && !n.marked[i] {
		out.SaveLog(n.current, i, m)
	}
	forward(i, m, out)
}

func (n *barriers) onBarrier(i sim.Input, id sim.SnapshotID, out *sim.Out) {
	if id <= n.done || id == n.current && n.marked[slot(n.info, i)] {
		return
	}
	if n.current != 0 && id != n.current {
		n.wait(i, id, out)
		return
	}
	n.take(i, id, out)
	n.takeWaiting(out)
}

func (n *barriers) takeWaiting(out *sim.Out) {
	for len(n.waiting) > 0 && (n.current == 0 || n.current == n.waiting[0].Message.Snapshot()) {
		w := n.waiting[0]
		n.waiting = n.waiting[1:]
		n.take(w.Input, w.Message.Snapshot(), out)
	}
}

// wait keeps a barrier until its turn has come.
func (n *barriers) wait(i sim.Input, id sim.SnapshotID, out *sim.Out) {
	n.block(i, id, out)
	at := 0
	for at < len(n.waiting) && (n.waiting[at].Message.Snapshot() < id ||
		n.waiting[at].Message.Snapshot() == id && n.waiting[at].Input < i) {
		at++
	}
	w := sim.Logged{Input: i, Message: sim.NewMarker(id)}
	if at == len(n.waiting) || n.waiting[at] != w {
		n.waiting = slices.Insert(n.waiting, at, w)
	}
}

func (n *barriers) take(i sim.Input, id sim.SnapshotID, out *sim.Out) {
	n.current = id
	n.marked[slot(n.info, i)] = true
	if n.logging {
		n.unblock(i, out)
	} else {
		n.block(i, id, out)
	}
	n.settle(out)
}

// settle does for the current snapshot what its marks allow.
func (n *barriers) settle(out *sim.Out) {
	id := n.current
	if !n.logging && n.regularMarked() {
		n.logging = true
		out.SaveState(id)
		broadcast(id, n.info.Outputs, out)
		for c := range n.blocked {
			if n.blocked[c] == id {
				n.unblock(sim.Input(c), out)
			}
		}
	}
	if !slices.Contains(n.marked, false) {
		out.Done(id)
		clear(n.marked)
		n.logging, n.current, n.done = false, 0, id
	}
}

func (n *barriers) regularMarked() bool {
	for s, m := range n.marked {
		if !m && !n.backEdge(sim.Input(s)) {
			return false
		}
	}
	return true
}

func (n *barriers) backEdge(i sim.Input) bool {
	return i >= 0 && int(i) < len(n.info.BackEdge) && n.info.BackEdge[i]
}

func (n *barriers) block(i sim.Input, id sim.SnapshotID, out *sim.Out) {
	if i != sim.Nil && n.blocked[i] == 0 {
		n.blocked[i] = id
		out.Block(i, id)
	}
}

func (n *barriers) unblock(i sim.Input, out *sim.Out) {
	if i != sim.Nil && n.blocked[i] != 0 {
		n.blocked[i] = 0
		out.Unblock(i)
	}
}

func (n *barriers) Recover(_ []byte, log []sim.Logged, out *sim.Out) {
	for _, l := range log {
		forward(l.Input, l.Message, out)
	}
}

func (n *barriers) state(c *codec) {
	bits(c, &n.marked)
	ids(c, &n.blocked)
	bit(c, &n.logging)
	number(c, &n.current)
	number(c, &n.done)
	list(c, &n.waiting, logged)
}
