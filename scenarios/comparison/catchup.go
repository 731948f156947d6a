package comparison

import "simrun/sim"

// catchUp measures how long a run needs after a crash until it is again as far as it had
// come. A crash before that puts the aim further, and the span goes on.
type catchUp struct {
	sources  span // until every source has again been read as far
	messages span // until as many messages have again been processed

	read      []uint64 // by node: records processed, less those that restores have undone
	aim       []uint64 // by node: what read was at the crash
	behind    int      // nodes that are not where they were
	processed int64    // messages, likewise
	target    int64
	waiting   bool // for the restore
}

// span is the time from a crash to a moment.
type span struct {
	since   int64
	on      bool
	longest *int64 // of those that are over
}

func (s *span) begin(at int64) {
	if !s.on {
		s.on, s.since = true, at
	}
}

func (s *span) end(at int64) {
	if !s.on {
		return
	}
	s.on = false
	if took := at - s.since; s.longest == nil || took > *s.longest {
		s.longest = &took
	}
}

func newCatchUp(nodes int) *catchUp {
	return &catchUp{read: make([]uint64, nodes), aim: make([]uint64, nodes)}
}

// Observe implements sim.Observer.
func (c *catchUp) Observe(ev *sim.Event) {
	switch ev.Kind {
	case sim.EventExternal:
		v := ev.Node
		c.read[v]++
		if !c.waiting && c.sources.on && c.read[v] == c.aim[v] {
			if c.behind--; c.behind == 0 {
				c.sources.end(ev.At)
			}
		}
	case sim.EventProcess:
		c.processed++
		c.look(ev.At)
	case sim.EventCrash:
		c.setBack(ev.At)
	case sim.EventRestore:
		if !c.waiting { // a coordinator has ordered it without a crash
			c.setBack(ev.Restore.CrashedAt)
		}
		c.restored(ev.At, ev.Restore)
	}
}

// look ends the span of the messages when it is over.
func (c *catchUp) look(at int64) {
	if !c.waiting && c.messages.on && c.processed >= c.target {
		c.messages.end(at)
	}
}

// setBack aims at what has been done now. Where nothing has, there is nothing to catch up
// with.
func (c *catchUp) setBack(at int64) {
	if !c.sources.on {
		clear(c.aim)
	}
	for v, read := range c.read {
		if c.aim[v] = max(c.aim[v], read); c.aim[v] > 0 {
			c.sources.begin(at)
		}
	}
	if !c.messages.on {
		c.target = 0
	}
	if c.target = max(c.target, c.processed); c.target > 0 {
		c.messages.begin(at)
	}
	c.waiting = true
}

// restored goes back to where the run goes on.
func (c *catchUp) restored(at int64, r *sim.Restore) {
	c.waiting, c.behind = false, 0
	for v := range c.read {
		if r.Restarted(int32(v)) {
			c.read[v] = r.Offsets[v]
		}
		if c.read[v] < c.aim[v] {
			c.behind++
		}
	}
	if c.behind == 0 {
		c.sources.end(at)
	}
	c.processed -= r.LostProcessed
	c.look(at)
}
