package invariants

import (
	"bytes"
	"fmt"
	"slices"

	"simrun/sim"
)

// The invariant non-interference says that taking a snapshot changes nothing of the
// computation that the algorithm has promised to leave alone. Three things are looked
// at. The events of the computation, which the replay carries out without any
// algorithm, give the application digest that the engine has counted. What an App
// produces leaves in the handler that let it step, unless the algorithm says that it
// holds outputs back. And if the run without snapshots is at hand, this run is the
// same.

// debt is what the App of one node has produced in its last step and what has not
// left: entries of replay.fx from next on.
type debt struct {
	node int32 // -1: none
	next int
	row  int // of the step
}

// owe notes what a step of node v has produced, which the next rows must let go.
func (r *replay) owe(v int32) {
	if len(r.fx.Sends()) > 0 && !r.c.run.HoldsOutputs && !r.c.off[nonInterference] {
		r.debt = debt{node: v, row: r.at}
	}
}

// pay is called at a row while something is owed. The rows of a handler stand together,
// so this one is what is owed, or a recording in between; or the handler was cut by a
// crash of its node, and what it did not come to is lost.
func (r *replay) pay(row sim.Row) {
	d := &r.debt
	owed := r.fx.Sends()[d.next]
	outs := r.outs[r.outStart[d.node]:r.outStart[d.node+1]]
	paid := false
	switch kind := row.Kind(); {
	case kind == sim.RowEmit:
		paid = owed.Output == sim.Sink && row.Entity() == d.node
	case kind == sim.RowSend && owed.Output != sim.Sink:
		paid = row.Entity() == outs[owed.Output]
	case kind == sim.RowLose, kind == sim.RowDuplicate:
		return // the channel does that, not the node
	case row.Entity() == d.node && kind == sim.RowRecord:
		return
	case row.Entity() == d.node && kind == sim.RowCrash:
		d.node = -1
		return
	}
	if !paid {
		r.unpaid(r.c.run.event(row) + " first")
		return
	}
	if d.next++; d.next == len(r.fx.Sends()) {
		d.node = -1
	}
}

// unpaid reports an output that did not leave at once.
func (r *replay) unpaid(instead string) {
	d := r.debt
	r.debt.node = -1
	if r.replayed(d.row) {
		r.recovering = d.node
		return
	}
	owed, run := r.fx.Sends()[d.next], r.c.run
	where, what := atNode(d.node), "an emission"
	if owed.Output != sim.Sink {
		where.Channel = r.outs[r.outStart[d.node]:][owed.Output]
		what = "a message for " + run.channel(where.Channel)
	}
	r.c.report(nonInterference, where, "the algorithm holds back what the App of %s has produced: when %s (row %d), it produced %s, which has not left when that was over; in row %d %s",
		run.node(d.node), run.event(r.rows[d.row]), d.row, what, r.at, instead)
}

// recovers is called at a row while a node is in Recover, where it may process its
// backup log first and let go afterwards what came of it: but there, and not later.
func (r *replay) recovers(row sim.Row) {
	v := r.recovering
	switch at := r.c.run.eventAt(row); {
	case at == v && row.Kind() != sim.RowExternal && row.Kind() != sim.RowTimer && (row.Kind() != sim.RowProcess || r.replayed(r.at)):
		return
	case row.Kind() == sim.RowLose, row.Kind() == sim.RowDuplicate, row.Entity() == v && row.Kind() == sim.RowRecord:
		return
	case row.Entity() == v && row.Kind() == sim.RowCrash:
		r.recovering = -1
		return
	}
	r.recovered()
}

// recovered reports what a node that was in Recover has not let go.
func (r *replay) recovered() {
	v := r.recovering
	r.recovering = -1
	for _, id := range r.outs[r.outStart[v]:r.outStart[v+1]] {
		if ch := &r.channels[id]; ch.produced > ch.sent {
			where := inChannel(id, between(ch.sent+1, ch.produced)...)
			where.Node, where.Restore = v, r.restores-1
			r.c.report(nonInterference, where, "%s has processed its backup log, and has not let go %s, which its App produced for %s then (row %d)",
				r.c.run.node(v), span(ch.sent+1, ch.produced), r.c.run.channel(id), r.at)
		}
	}
	if n := &r.nodes[v]; len(n.emits) > 0 {
		where := atNode(v)
		where.Restore = r.restores - 1
		r.c.report(nonInterference, where, "%s has processed its backup log, and has not let go %s that its App produced then (row %d)",
			r.c.run.node(v), counted(len(n.emits), "emission"), r.at)
	}
}

// accepted checks that an App that chooses what it reads is given what it would take
// next. What comes from a backup log it took when its state was another one.
func (r *replay) accepted(id int32, n *node, number uint32) {
	ch := &r.channels[id]
	app, chooses := n.app.(sim.Guarded)
	if !chooses || app.Accepts(sim.Input(ch.input)) || r.replayed(r.at) {
		return
	}
	r.c.report(nonInterference, inChannel(id, number), "the App of %s was made to process message %d on %s, which it did not accept then",
		r.c.run.node(ch.to), number, r.c.run.channel(id))
}

// replayed says whether the step in a row is on a message of a backup log: when it
// lets go what such a step produces is for Recover to decide.
func (r *replay) replayed(i int) bool {
	row := r.rows[i]
	if r.restores == 0 || row.Kind() != sim.RowProcess {
		return false
	}
	s := r.c.h.Restores[r.restores-1].Snapshot
	if s == nil {
		return false
	}
	id := row.Entity()
	return slices.ContainsFunc(at(s.Channels, id), func(m sim.Recorded) bool { return m.Logged && m.Number == row.Number })
}

// checkInterference is the part of non-interference that needs no replay.
func (c *Checker) checkInterference() {
	if c.off[nonInterference] {
		return
	}
	c.position = atEnd
	if c.h.Rows != nil {
		if digest := sim.ApplicationDigest(c.h.Rows); digest != c.h.ApplicationDigest {
			c.report(nonInterference, nowhere, "the history is damaged: the application digest of the run is %016x, that of its rows %016x",
				c.h.ApplicationDigest, digest)
		}
	}
	if c.run.Bare != nil {
		c.compareBare()
	}
	for k, bare := range c.run.BareAfter {
		if bare != nil && bare.Rows != nil && c.h.Rows != nil && k < len(c.h.Restores) {
			if row := c.h.Restores[k].Row; row >= 0 && row < len(c.h.Rows) {
				c.compareRows(bare, row+1, fmt.Sprintf("after restore %d ", k+1))
			}
		}
	}
}

// compareBare compares the run with the one without snapshots, up to the first crash,
// and as far as both went if one was cut short.
func (c *Checker) compareBare() {
	bare := c.run.Bare
	whole := len(c.h.Crashes) == 0 && len(c.h.Restores) == 0 && c.h.End == sim.Quiescent && bare.End == sim.Quiescent
	if whole && c.h.ApplicationDigest == bare.ApplicationDigest {
		c.compareEnds()
		return
	}
	if c.h.Rows == nil || bare.Rows == nil {
		if whole {
			c.report(nonInterference, nowhere, "the application digest of the run is %016x, without snapshots %016x",
				c.h.ApplicationDigest, bare.ApplicationDigest)
		}
		return
	}
	c.compareRows(bare, 0, "")
}

// compareRows compares the events from a row on, up to the next crash or restore, with
// those of a run without snapshots. When says since when these are counted.
func (c *Checker) compareRows(bare *sim.History, i int, when string) {
	k, crashed := 0, false
	i, k = behindRestore(c.h.Rows, i), behindRestore(bare.Rows, k)
	for n := 1; ; n++ {
		i, crashed = nextEvent(c.h.Rows, i)
		k, _ = nextEvent(bare.Rows, k)
		if i < len(c.h.Rows) && k < len(bare.Rows) {
			if c.h.Rows[i] != bare.Rows[k] {
				c.differs(n, i, bare.Rows[k], when)
				return
			}
			i, k = i+1, k+1
			continue
		}
		switch {
		case i < len(c.h.Rows) && bare.End == sim.Quiescent:
			c.standsAt(i, 0)
			c.report(nonInterference, nowhere, "without snapshots the computation %scomes to rest after %s; here it goes on: %s (row %d)",
				when, counted(n-1, "event"), c.run.event(c.h.Rows[i]), i)
		case k < len(bare.Rows) && !crashed && c.h.End == sim.Quiescent:
			c.report(nonInterference, nowhere, "the computation %scomes to rest after %s; without snapshots it goes on: %s",
				when, counted(n-1, "event"), c.run.event(bare.Rows[k]))
		}
		return
	}
}

// behindRestore is row i, or the next one if that is a restore.
func behindRestore(rows []sim.Row, i int) int {
	if i < len(rows) && rows[i].Kind() == sim.RowRestore {
		i++
	}
	return i
}

// nextEvent is the first event of the computation from row i on; their number if there
// is none, or none before a crash or a restore.
func nextEvent(rows []sim.Row, i int) (next int, crashed bool) {
	for ; i < len(rows); i++ {
		switch kind := rows[i].Kind(); {
		case isEvent(kind):
			return i, false
		case kind == sim.RowCrash, kind == sim.RowRestore: // a coordinator can order one without a crash
			return len(rows), true
		}
	}
	return i, false
}

// differs reports the first event that is another one than without snapshots.
func (c *Checker) differs(n, i int, bare sim.Row, when string) {
	row := c.h.Rows[i]
	c.standsAt(i, 0)
	where := nowhere
	if v := c.run.eventAt(row); v >= 0 {
		where.Node = v
	}
	if kind := row.Kind(); kind == sim.RowSend || kind == sim.RowProcess {
		where.Channel, where.Numbers = row.Entity(), []uint32{row.Number}
	}
	here, there := c.run.event(row), c.run.event(bare)
	if here == there {
		here, there = "here "+here, "with another content"
	} else {
		here = "here " + here
	}
	c.report(nonInterference, where, "event %d of the computation %sis not what it is without snapshots: %s (row %d), without snapshots %s", n, when, here, i, there)
}

// compareEnds compares where the run and the one without snapshots have ended.
func (c *Checker) compareEnds() {
	f, bare := &c.h.Final, &c.run.Bare.Final
	for v := range int32(c.run.Graph.Nodes) {
		if !bytes.Equal(at(f.States, v), at(bare.States, v)) || at(f.Offsets, v) != at(bare.Offsets, v) {
			c.report(nonInterference, atNode(v), "at the end the state of %s is not what it is without snapshots", c.run.node(v))
		}
	}
	for ch := range int32(len(c.run.Graph.From)) {
		if at(f.Sent, ch) != at(bare.Sent, ch) || at(f.Processed, ch) != at(bare.Processed, ch) {
			c.report(nonInterference, inChannel(ch), "at the end %s has carried other numbers of messages than without snapshots", c.run.channel(ch))
		}
	}
}
