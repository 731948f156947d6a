package invariants

import "simrun/sim"

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
