package invariants

import "simrun/sim"

// checkCut is the invariant consistent-cut: on no channel were more messages
// processed before the receiver recorded than were sent before the sender did. A
// message that was is an orphan: its receipt is inside the cut, its sending is not.
func (c *Checker) checkCut(s *sim.Snapshot) {
	where := nowhere
	where.Snapshot = s.ID
	for v := range s.Recordings {
		if s.Recordings[v].Seq == 0 {
			where.Node = int32(v)
			c.report(consistentCut, where, "snapshot %d is complete although %s never recorded its state", s.ID, c.run.node(int32(v)))
		}
	}
	where.Node = -1
	for i := range s.Sent {
		sent, processed := s.Sent[i], s.Processed[i]
		if processed <= sent || c.run.duplicates() {
			continue
		}
		ch := int32(i)
		where.Channel = ch
		where.Numbers = c.processedBetween(s, ch, sent+1, processed)
		from, to := c.run.node(c.run.Graph.From[ch]), c.run.node(c.run.Graph.To[ch])
		c.report(consistentCut, where,
			"snapshot %d has orphans on %s: %s processed %s before it recorded, but %s sent %s only after it recorded (S_c = %d, R_c = %d)",
			s.ID, c.run.channel(ch), to, messages(where.Numbers), from, them(where.Numbers[0], processed), sent, processed)
	}
}

// checkTwice reports nodes that recorded a snapshot more than once, be it complete
// or not: a snapshot with two cuts at one node has none.
func (c *Checker) checkTwice(s *sim.Snapshot) {
	where := nowhere
	where.Snapshot = s.ID
	for _, v := range s.Twice {
		where.Node = v
		c.report(consistentCut, where, "%s recorded snapshot %d more than once", c.run.node(v), s.ID)
	}
}
