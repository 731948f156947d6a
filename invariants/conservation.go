package invariants

import "simrun/sim"

// checkConservation is the invariant conservation: what the recorded states hold
// and the recorded channel states carry is what the Apps held at the start, in
// amount and in weight. Alone it is weak, as two errors can cancel. It says
// whether the Apps are Conserving at all.
func (c *Checker) checkConservation() bool {
	var amount int64
	var weight uint64
	for _, app := range c.apps {
		holder, ok := app.(sim.Conserving)
		if !ok {
			return false
		}
		a, w := holder.Holding()
		amount, weight = amount+a, weight+w
	}
	if c.off[conservation] {
		return true
	}
	for _, s := range c.complete {
		c.standsAtCut(s)
		c.conserved(s, amount, weight)
	}
	return true
}

// conserved compares one snapshot with the sums at the start.
func (c *Checker) conserved(s *sim.Snapshot, amount int64, weight uint64) {
	where := nowhere
	where.Snapshot = s.ID
	var held, carried int64
	var weighed uint64
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
	case total != amount:
		c.report(conservation, where, "snapshot %d holds %d in its states and %d in its channels, together %d; there was %d at the start (%+d)",
			s.ID, held, carried, total, amount, total-amount)
	case weighed != weight:
		c.report(conservation, where, "snapshot %d holds %d as at the start, but not the same pieces: the weights add up to %016x, they were %016x",
			s.ID, total, weighed, weight)
	}
}
