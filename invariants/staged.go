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
		if c.run.backEdge(ch) {
			continue
		}
		where := nowhere
		where.Snapshot, where.Channel = s.ID, ch
		where.Numbers = between(min(sent, processed)+1, max(sent, processed))
		if sent == processed {
			c.report(absStaged, where, "snapshot %d stores %s of %s, which is no back-edge: aligned barriers leave nothing there",
				s.ID, counted(recorded, "message"), c.run.channel(ch))
			continue
		}
		c.report(absStaged, where, "the barriers of snapshot %d were not aligned on %s, which is no back-edge: between the cuts of its two ends: %s (S_c = %d, R_c = %d)",
			s.ID, c.run.channel(ch), span(min(sent, processed)+1, max(sent, processed)), sent, processed)
	}
}
