package invariants

import (
	"slices"

	"simrun/sim"
)

// checkBehind is the part of fifo that is about ends: what travels behind the end of a
// stream comes to somebody who takes it for whole.
func (c *Checker) checkBehind() {
	for i := range c.h.Behind {
		b := &c.h.Behind[i]
		c.standsAt(b.Row, b.At)
		where := nowhere
		where.Channel, where.Snapshot, where.Restore = b.Channel, b.Marker, int(b.Incarnation)-1
		name := c.run.channel(b.Channel)
		switch {
		case b.Marker != 0:
			c.report(fifo, where, "the %s of snapshot %d is sent on %s, behind the end of the stream", c.markerName(), b.Marker, name)
		case b.Number != 0:
			where.Numbers = []uint32{b.Number}
			c.report(fifo, where, "message %d is sent on %s, behind the end of the stream", b.Number, name)
		default:
			c.report(fifo, where, "the stream of %s is ended a second time", name)
		}
	}
}

// finish is when a task said that it has finished.
type finish struct {
	said    bool
	attempt uint8
	row     int // History.Rows had so many rows
}

// noteFinished notes what a task has said to the coordinator, if that is that it has
// finished. It says so again.
func (c *Checker) noteFinished(f *facts, x *sim.Fact) {
	if x.Control.Kind != sim.Finished || x.Task < 0 || int(x.Task) >= c.run.Graph.Nodes {
		return
	}
	if f.finished == nil {
		f.finished = make([]finish, c.run.Graph.Nodes)
	}
	if e := &f.finished[x.Task]; !e.said || e.attempt != x.Control.Attempt {
		*e = finish{true, x.Control.Attempt, x.Row}
		f.over = append(f.over, over{x.Task, x.Row})
	}
}

// over is a task that has said, when History.Rows had so many rows, that it has finished.
type over struct {
	task int32
	row  int
}

// checkEnded checks that a task that has said that it has finished does nothing more until
// it is restarted, and that in a run that has come to rest it has ended its streams. What a
// transactional sink has kept may still leave.
func (c *Checker) checkEnded(f *facts) {
	if len(f.over) == 0 || c.h.Rows == nil {
		return
	}
	is, list := make([]bool, c.run.Graph.Nodes), f.over
	for i := max(list[0].row, 0); i < len(c.h.Rows); i++ {
		for ; len(list) > 0 && list[0].row <= i; list = list[1:] {
			is[list[0].task] = true
		}
		row := c.h.Rows[i]
		if row.Kind() == sim.RowRestore {
			clear(is) // where tasks finish everything is restored
			continue
		}
		if v := c.actor(row); v >= 0 && is[v] {
			is[v] = false
			c.standsAt(i, 0)
			c.report(coordinator, atNode(v), "%s has said that it has finished, and goes on (row %d)", c.run.node(v), i)
		}
	}
	c.checkStreams(f)
}

// actor is the node that a row of a task at work is of; -1: it is none.
func (c *Checker) actor(row sim.Row) int32 {
	e, g := row.Entity(), &c.run.Graph
	switch kind := row.Kind(); {
	case kind == sim.RowSend && int(e) < len(g.From):
		return g.From[e]
	case kind == sim.RowProcess && int(e) < len(g.To):
		return g.To[e]
	case (kind == sim.RowExternal || kind == sim.RowTimer) && int(e) < g.Nodes:
		return e
	}
	return -1
}

// checkStreams looks for streams that a task has not ended that has said, in the last
// attempt, that it has finished.
func (c *Checker) checkStreams(f *facts) {
	if c.h.End != sim.Quiescent {
		return
	}
	last := uint8(0)
	if k := len(c.h.Restores); k > 0 {
		last = c.h.Restores[k-1].Incarnation
	}
	c.position = atEnd
	for ch, v := range c.run.Graph.From {
		if e := f.finished[v]; e.said && e.attempt == last && !c.hasEnded(int32(ch)) && !slices.Contains(c.h.Final.Down, v) {
			where := inChannel(int32(ch))
			where.Node = v
			c.report(termination, where, "the run has ended, and %s, which has said that it has finished, has not ended the stream of %s", c.run.node(v), c.run.channel(int32(ch)))
		}
	}
}

// checkFinished holds the metadata of a checkpoint to which tasks had finished when they
// recorded their parts.
func (c *Checker) checkFinished(f *facts, m *sim.Metadata, where Violation) {
	if c.h.Rows == nil {
		return
	}
	s := c.h.Snapshots[m.ID-1]
	for v := range int32(c.run.Graph.Nodes) {
		had := false
		if f.finished != nil && s != nil {
			e := f.finished[v]
			had = e.said && e.attempt == m.Attempt && e.row <= at(s.Recordings, v).Row
		}
		where.Node = v
		switch name := c.run.node(v); {
		case at(m.Finished, v) && !had:
			c.report(coordinator, where, "the metadata of checkpoint %d says that %s had finished when it recorded, and it had not", m.ID, name)
		case had && !at(m.Finished, v):
			c.report(coordinator, where, "the metadata of checkpoint %d does not say that %s had finished when it recorded", m.ID, name)
		}
	}
}
