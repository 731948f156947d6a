package invariants

import "simrun/sim"

// checkMonotone is the invariant monotone-cuts: if every initiator of snapshot n
// had recorded m < n before it recorded n, the cut of m lies inside that of n.
// Snapshots that were started at different nodes may cross, and are not accused.
//
// Containment is transitive, so n is compared with the newest such m only, and
// with the few that m is not known to contain (crossing): those that overlap it in
// time. The cost is a comparison per snapshot, not per pair. Where one does not
// contain an older one, it is accused, and those after it are held to it alone.
//
// A restore takes away what followed its cut, cuts that cross it included. The
// first snapshots after it are therefore compared with the restored one, whose cut
// is where they begin.
func (c *Checker) checkMonotone() {
	if c.off[monotoneCuts] {
		return
	}
	var crossing [][]*sim.Snapshot // by position in this incarnation; the smaller ids not known to be contained
	first := 0                     // position in complete of this incarnation's first
	for i, n := range c.complete {
		if i > 0 && n.Incarnation != c.complete[i-1].Incarnation {
			first, crossing = i, crossing[:0]
		}
		newest := i - 1
		for newest >= first && !precedes(c.complete[newest], n) {
			newest--
		}
		var open []*sim.Snapshot
		if newest >= first {
			c.contained(c.complete[newest], n)
			for _, m := range crossing[newest-first] {
				if precedes(m, n) {
					c.contained(m, n)
				} else {
					open = append(open, m)
				}
			}
		} else if base := c.base(n); base != nil {
			c.contained(base, n)
		}
		for j := max(newest+1, first); j < i; j++ {
			open = append(open, c.complete[j])
		}
		crossing = append(crossing, open)
	}
}

// precedes says whether every initiator of n had recorded m before n.
func precedes(m, n *sim.Snapshot) bool {
	for _, v := range n.Initiators {
		if v < 0 || int(v) >= len(n.Recordings) {
			return false
		}
		if seq := m.Recordings[v].Seq; seq == 0 || seq >= n.Recordings[v].Seq {
			return false
		}
	}
	return len(n.Initiators) > 0
}

// base is the snapshot from which the incarnation that triggered n was restored,
// nil for none.
func (c *Checker) base(n *sim.Snapshot) *sim.Snapshot {
	k := int(n.Incarnation) - 1
	if k < 0 || k >= len(c.h.Restores) {
		return nil
	}
	r := c.h.Restores[k].Snapshot
	if r == nil || !c.whole(r) {
		return nil
	}
	return r
}

// whole says whether s is one of the complete snapshots that checks may look at.
func (c *Checker) whole(s *sim.Snapshot) bool {
	low, high := 0, len(c.complete)
	for low < high {
		if mid := (low + high) / 2; c.complete[mid].ID < s.ID {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low < len(c.complete) && c.complete[low] == s
}

// contained reports where the cut of m is not inside the cut of n.
func (c *Checker) contained(m, n *sim.Snapshot) {
	c.standsAtCut(n)
	where := nowhere
	where.Snapshot = n.ID
	for v := range n.Recordings {
		a, b := &m.Recordings[v], &n.Recordings[v]
		where.Node = int32(v)
		if b.Seq != 0 && a.Seq >= b.Seq {
			c.report(monotoneCuts, where, "%s recorded snapshot %d before snapshot %d, although %d was started by nodes that had recorded %d",
				c.run.node(int32(v)), n.ID, m.ID, n.ID, m.ID)
		} else if a.Offset > b.Offset {
			c.report(monotoneCuts, where, "the cut of snapshot %d goes back behind that of snapshot %d: %s had read %d External records in the older one, %d in the newer",
				n.ID, m.ID, c.run.node(int32(v)), a.Offset, b.Offset)
		}
	}
	where.Node = -1
	for i := range n.Sent {
		ch := int32(i)
		where.Channel = ch
		if m.Sent[i] > n.Sent[i] {
			where.Numbers = between(n.Sent[i]+1, m.Sent[i])
			c.report(monotoneCuts, where, "the cut of snapshot %d goes back behind that of snapshot %d: on %s %s %s sent in the older one only",
				n.ID, m.ID, c.run.channel(ch), span(n.Sent[i]+1, m.Sent[i]), are(n.Sent[i]+1, m.Sent[i]))
		} else if kept := c.run.keptOn(m, i); kept > n.Processed[i] {
			where.Numbers = between(n.Processed[i]+1, kept)
			c.report(monotoneCuts, where, "the cut of snapshot %d goes back behind that of snapshot %d: on %s %s %s processed in the older one only",
				n.ID, m.ID, c.run.channel(ch), span(n.Processed[i]+1, kept), are(n.Processed[i]+1, kept))
		}
	}
}
