package comparison

import (
	"slices"

	"simrun/sim"
)

// catchUp measures how long a run needs after a crash until every source has again been
// read as far as it had been. A crash before that puts the aim further, and the span goes
// on.
type catchUp struct {
	read   []uint64 // by node: records processed, less those that restores have undone
	aim    []uint64 // by node: what read was when it crashed
	since  int64    // when that was
	behind int      // nodes that are not where they were
	state  catchUpState

	longest *int64 // of the spans that are over
	missed  int64  // whether one was not over when the run ended
}

type catchUpState uint8

const (
	level    catchUpState = iota // nothing has crashed, or it is caught up
	waiting                      // for the restore
	catching                     // reading again
)

func newCatchUp(nodes int) *catchUp {
	return &catchUp{read: make([]uint64, nodes), aim: make([]uint64, nodes)}
}

// Observe implements sim.Observer.
func (c *catchUp) Observe(ev *sim.Event) {
	switch ev.Kind {
	case sim.EventExternal:
		v := ev.Node
		c.read[v]++
		if c.state == catching && c.read[v] == c.aim[v] {
			if c.behind--; c.behind == 0 {
				c.reached(ev.At)
			}
		}
	case sim.EventCrash:
		c.setBack(ev.At)
	case sim.EventRestore:
		if c.state != waiting { // a coordinator has ordered it without a crash
			c.setBack(ev.Restore.CrashedAt)
		}
		c.restored(ev.At, ev.Restore)
	}
}

// setBack aims at what has been read now.
func (c *catchUp) setBack(at int64) {
	if c.state == level {
		c.since = at
		clear(c.aim)
	}
	for v := range c.aim {
		c.aim[v] = max(c.aim[v], c.read[v])
	}
	c.state = waiting
}

// restored goes back to where the sources are read again from.
func (c *catchUp) restored(at int64, r *sim.Restore) {
	c.behind = 0
	for v := range c.read {
		if r.Restarted(int32(v)) {
			c.read[v] = r.Offsets[v]
		}
		if c.read[v] < c.aim[v] {
			c.behind++
		}
	}
	if c.state = catching; c.behind == 0 {
		c.reached(at)
	}
}

// reached ends the span. Where nothing had been read there was nothing to catch up with.
func (c *catchUp) reached(at int64) {
	c.state = level
	if slices.Max(c.aim) == 0 {
		return
	}
	span := at - c.since
	if c.longest != nil {
		span = max(span, *c.longest)
	}
	c.longest = &span
}

// ended says that the run is over.
func (c *catchUp) ended() {
	if c.state != level && slices.Max(c.aim) > 0 {
		c.missed = 1
	}
}
