package invariants

import "simrun/sim"

// worth is what is conserved, see sim.Conserving.
type worth struct {
	amount int64
	weight uint64
}

func (w *worth) add(amount int64, weight uint64) {
	w.amount += amount
	w.weight += weight
}

// atStart sums up what the Apps hold before the run; false if they are not
// Conserving, or channels lose and double what they carry.
func (c *Checker) atStart() (all worth, conserving bool) {
	if c.run.leaky() {
		return worth{}, false
	}
	for _, app := range c.apps {
		holder, ok := app.(sim.Conserving)
		if !ok {
			return worth{}, false
		}
		all.add(holder.Holding())
	}
	if s := c.from(); s != nil {
		for ch, recorded := range s.Channels {
			for i := range recorded {
				all.add(c.apps[c.run.Graph.To[ch]].(sim.Conserving).Carried(recorded[i].Message))
			}
		}
	}
	return all, true
}

// checkConservation is the invariant conservation: what the recorded states hold,
// the recorded channel states carry and the Nodes held back and attached is what
// the Apps held at the start, in amount and in weight. Alone it is weak, as two
// errors can cancel.
func (c *Checker) checkConservation(start worth) {
	if c.off[conservation] {
		return
	}
	doubled := 0 // incarnations up to the first that began with orphans
	for doubled < len(c.h.Restores) && !c.run.spared(c.h.Restores[doubled].Snapshot) {
		doubled++
	}
	for _, s := range c.complete {
		if int(s.Incarnation) > doubled || c.run.spared(s) {
			continue // what an orphan carries is there twice, and stays so
		}
		held, known := c.replay.heldWorth(s)
		if !known {
			continue
		}
		c.standsAtCut(s)
		c.conserved(s, start, held)
	}
}

// conserved compares one snapshot, with the outputs that Nodes held back in it, with
// the sums at the start.
func (c *Checker) conserved(s *sim.Snapshot, start, back worth) {
	where := nowhere
	where.Snapshot = s.ID
	held, carried, weighed := int64(0), back.amount, back.weight
	for v := range int32(len(s.States)) {
		app := c.spareApp(v)
		if err := app.Load(s.States[v]); err != nil {
			where.Node = v
			c.report(conservation, where, "the state of %s in snapshot %d cannot be loaded: %v", c.run.node(v), s.ID, err)
			return
		}
		a, w := app.(sim.Conserving).Holding()
		held, weighed = held+a, weighed+w
	}
	for ch, recorded := range s.Channels {
		for i := range recorded {
			a, w := c.spareApp(c.run.Graph.To[ch]).(sim.Conserving).Carried(recorded[i].Message)
			carried, weighed = carried+a, weighed+w
		}
	}
	switch total := held + carried; {
	case total != start.amount:
		c.report(conservation, where, "snapshot %d holds %d in its states and %d in its channels, together %d; there was %d at the start (%+d)",
			s.ID, held, carried, total, start.amount, total-start.amount)
	case weighed != start.weight:
		c.report(conservation, where, "snapshot %d holds %d as at the start, but not the same pieces: the weights add up to %016x, they were %016x",
			s.ID, total, weighed, start.weight)
	}
}
