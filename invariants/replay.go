package invariants

import (
	"math"

	"simrun/sim"
)

// replay executes a run again on fresh Apps, from nothing but its rows, and finds
// out whether the stitched run is a legal run without failures: every number
// processed is the next and was sent, every payload is the one that the sender's
// App produces, and the states at each recording and at the end are equal. It is
// one pass.
//
// The stitched run is, for each node, the rows up to the cut to which the next
// restore goes back, and then what follows that restore. These rows run on the
// main cursor, which starts with fresh Apps and never loads a state: what it says
// does not depend on App.Load. The rows in between, which the restore takes back,
// run on a branch, a copy of the node (see rollback.go). They happened, so they
// must be legal too, and a complete snapshot that crosses the restored one can
// have recorded there.
//
// What an App produces and what leaves the node are two things: outputs can be
// held back, even across a restore, so rows are compared with what was produced in
// order, per channel, and not next to the step that produced it.
type replay struct {
	c        *Checker
	rows     []sim.Row
	at       int           // the row that is being executed
	failed   bool          // the run is not legal; what follows means nothing
	muted    bool          // and the invariant that says so is switched off
	cause    string        // what made it illegal, for verdicts that follow from it
	restores int           // so far
	doubled  *sim.Snapshot // what that one goes back to, if it has orphans and may
	limited  bool          // the restore that comes next is one that can be followed

	incarnation uint8
	nodes       []node
	channels    []channel
	outStart    []int32 // by node, where its channels begin in outs; one more at the end
	outs        []int32
	inStart     []int32
	ins         []int32
	queues      queues
	loose       []loose // unreliable channels; the first is none
	echoes      []echo  // what comes once more; the first is nothing

	refusals []*sim.Fact // tasks that say that they have not caught up
	refused  int         // so many of them were looked at

	root   lineage // of the step that is being executed
	staged bool    // messages are compared with the snapshots that have their roots
	stages []stage // by node, if so
	strays strays
	ledger ledger

	watches  []watch // the first is no watch
	watching int     // watches that wait for a message

	over int // the next restore that starts over; -1: none

	recorded   []int32 // by snapshot: recordings compared
	windows    windows
	debt       debt  // what must leave in the rows that come next
	recovering int32 // the node that may still be in Recover; -1: none
	heldIn     []heldOutputs
	current    *node // whose App is stepping
	fx         sim.Effects
	arm        func(id uint32, after int64)
	buf        []byte
}

// node is the replay's record of one node.
type node struct {
	app    sim.App
	source sim.Source
	limit  int // the last row that the coming restore of it leaves; afterwards it runs on a branch
	by     int // and that restore; -1: there is none

	position
	emitted  uint32 // emissions that have left; nothing takes them back
	down     bool
	branched bool

	main sim.App  // the main cursor's, while on a branch
	kept position // likewise
}

// position is where a node stands, next to its App's state and its channels.
type position struct {
	offset uint64  // External records processed
	timers []armed // by id
	emits  []emission
}

// copyTo makes a copy that shares nothing.
func (p *position) copyTo(q *position) {
	q.offset = p.offset
	q.timers = append(q.timers[:0], p.timers...)
	q.emits = append(q.emits[:0], p.emits...)
}

// play replays the whole history.
func (r *replay) play(c *Checker) {
	r.prepare(c)
	r.limits()
	for i := range r.rows {
		r.at = i
		r.unready()
		c.position = int64(i)
		r.row(r.rows[i])
		if r.failed {
			r.unrecorded()
			r.reportStrays()
			r.condemn()
			return
		}
	}
	r.at = len(r.rows)
	r.unready()
	c.position = atEnd
	if r.restores < len(c.h.Restores) {
		where := nowhere
		where.Restore = r.restores
		c.report(recovery, where, "the history is damaged: it lists %d restores and has rows of %d", len(c.h.Restores), r.restores)
	}
	r.unseen()
	r.unrecorded()
	r.unreached()
	if c.h.End != sim.Misbehaved {
		r.ends()
	}
	r.unstaged()
	r.reportStrays()
	r.account()
}

// ends looks at what the last handler has left. One that did not return is cut as by a
// crash, and what it left nobody knows.
func (r *replay) ends() {
	if r.debt.node >= 0 {
		r.unpaid("the history ends")
	}
	if r.recovering >= 0 {
		r.recovered()
	}
	r.final()
}

// prepare lays out the graph and puts every node at its beginning.
func (r *replay) prepare(c *Checker) {
	r.c, r.rows = c, c.h.Rows
	r.at, r.failed, r.restores, r.limited, r.incarnation = 0, false, 0, true, 0
	r.over = -1
	r.ledger.reset(len(c.h.Restores) > 0 || c.run.Transactional, c.run.Graph.Nodes)
	r.align()
	g := &c.run.Graph
	r.outStart, r.outs = group(r.outStart, r.outs, g.Nodes, g.From)
	r.inStart, r.ins = group(r.inStart, r.ins, g.Nodes, g.To)
	r.channels = resize(r.channels, len(g.From))
	for v := range g.Nodes {
		for i, ch := range r.ins[r.inStart[v]:r.inStart[v+1]] {
			r.channels[ch] = channel{from: g.From[ch], to: int32(v), input: int32(i), back: c.run.backEdge(ch)}
		}
	}
	r.loosen()
	r.echoes = append(r.echoes[:0], echo{})
	r.refuse()
	r.nodes = resize(r.nodes, g.Nodes)
	for v := range r.nodes {
		n := &r.nodes[v]
		*n = node{app: c.apps[v], position: n.position, kept: n.kept}
		n.offset, n.timers, n.emits = 0, n.timers[:0], n.emits[:0]
		if c.run.NewSource != nil {
			n.source = c.run.NewSource(int32(v))
		}
	}
	r.queues.reset()
	r.begin()
	r.watches, r.watching = append(r.watches[:0], watch{}), 0
	r.recorded = resize(r.recorded, len(c.h.Snapshots))
	clear(r.recorded)
	r.windows.reset(g.Nodes, len(g.From))
	r.debt.node, r.recovering = -1, -1
	if r.arm == nil {
		r.arm = func(id uint32, _ int64) {
			r.current.timers = withTimer(r.current.timers, armed{id, r.root})
		}
	}
}

// forget drops what belongs to the run and keeps the memory.
func (r *replay) forget() {
	r.c, r.rows, r.current = nil, nil, nil
	for v := range r.nodes {
		n := &r.nodes[v]
		n.app, n.main, n.source = nil, nil, nil
	}
	clear(r.watches)
	r.windows.reset(0, 0)
	clear(r.stages)
	r.strays.reset()
	clear(r.refusals)
	r.at, r.heldIn, r.refusals = 0, r.heldIn[:0], r.refusals[:0]
}

// resize returns a slice of that length, in the same memory if there is enough.
func resize[T any](s []T, length int) []T {
	if cap(s) < length {
		return make([]T, length)
	}
	return s[:length]
}

// group lists channels by one of their ends: those of node v, in the order of their
// ids, are ids[start[v]:start[v+1]].
func group(start, ids []int32, nodes int, ends []int32) ([]int32, []int32) {
	start, ids = resize(start, nodes+1), resize(ids, len(ends))
	clear(start)
	for _, v := range ends {
		start[v]++
	}
	total := int32(0)
	for v := range start {
		total += start[v]
		start[v] = total
	}
	for ch := len(ends) - 1; ch >= 0; ch-- {
		v := ends[ch]
		start[v]--
		ids[start[v]] = int32(ch)
	}
	return start, ids
}

// enter makes a node ready for a row of its own, and says whether it can have one.
func (r *replay) enter(v int32) (*node, bool) {
	n := &r.nodes[v]
	if r.at <= n.limit {
		return n, true
	}
	return n, r.pass(v, n)
}

// never is the limit of a node that no coming restore takes back.
const never = math.MaxInt

// step runs a node's App on one input and collects what it wants.
func (r *replay) step(v int32, n *node, in sim.Input, m sim.Message) {
	r.fx.Reset()
	n.app.Step(in, m, &r.fx)
	sends := r.fx.Sends()
	outs := r.outs[r.outStart[v]:r.outStart[v+1]]
	for i := range sends {
		s := &sends[i]
		switch {
		case uint32(s.Output) < uint32(len(outs)):
			ch := &r.channels[outs[s.Output]]
			r.queues.push(ch, &s.Message, r.root, r.incarnation)
			if ch.loose > 0 {
				r.loose[ch.loose].entries = append(r.loose[ch.loose].entries, ch.tail)
			}
		case s.Output == sim.Sink:
			n.emits = append(n.emits, emission{hash: s.Hash(), root: r.root, row: r.at})
		case r.c.h.End == sim.Misbehaved: // this is what the run was ended for
		default:
			r.fail(r.blame(), atNode(v), "the App of %s sends on its output %d; it has %d", r.c.run.node(v), s.Output, len(outs))
		}
	}
	r.current = n
	r.fx.Timers(r.arm)
	r.owe(v)
}
