package invariants

import "simrun/sim"

// checkStaged is the invariant abs-staged: aligning the barriers leaves nothing in
// flight off the back-edges, so S_c = R_c there and nothing is recorded. What is
// on the back-edges is for channel-state to judge.
func (c *Checker) checkStaged(s *sim.Snapshot) {
	for i := range s.Sent {
		sent, processed, recorded := s.Sent[i], s.Processed[i], len(s.Channels[i])
		if sent == processed && recorded == 0 {
			continue
		}
		ch := int32(i)
		if c.run.backEdge(ch) || c.run.unreliable(ch) != nil {
			continue // what an unreliable channel brings in the wrong place, other invariants say
		}
		where := nowhere
		where.Snapshot, where.Channel = s.ID, ch
		where.Numbers = between(min(sent, processed)+1, max(sent, processed))
		if sent == processed {
			c.report(absStaged, where, "snapshot %d stores %s of %s, which is no back-edge: aligned barriers leave nothing there",
				s.ID, counted(recorded, "message"), c.run.channel(ch))
			continue
		}
		from, to := c.run.node(c.run.Graph.From[ch]), c.run.node(c.run.Graph.To[ch])
		what := span(where.Numbers[0], max(sent, processed))
		if sent > processed {
			c.report(absStaged, where, "snapshot %d is not aligned on %s, which is no back-edge: %s sent %s before it recorded, %s did not process %s before it did (S_c = %d, R_c = %d)",
				s.ID, c.run.channel(ch), from, what, to, them(processed+1, sent), sent, processed)
			continue
		}
		c.report(absStaged, where, "snapshot %d is not aligned on %s, which is no back-edge: %s processed %s before it recorded, %s sent %s only after it did (S_c = %d, R_c = %d)",
			s.ID, c.run.channel(ch), to, what, from, them(sent+1, processed), sent, processed)
	}
}
