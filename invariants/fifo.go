package invariants

// checkFIFO is the invariant fifo, as the engine saw it at each delivery: every
// message processed is the next of its channel's stitched history, and none comes
// from an incarnation that was rolled back. The replay finds the same from the
// rows, and payloads that changed on the way too.
func (c *Checker) checkFIFO() {
	c.checkBehind()
	for i := range c.h.Breaches {
		b := &c.h.Breaches[i]
		c.standsAt(b.Row, b.At)
		where := nowhere
		where.Channel, where.Numbers, where.Restore = b.Channel, []uint32{b.Number}, int(b.Incarnation)-1
		switch {
		case b.Dropped && b.Next == 0:
			c.report(fifo, where, "on %s message %d was dropped as one that had come before, and it had not been processed before its sender was restarted",
				c.run.channel(b.Channel), b.Number)
		case b.Dropped:
			c.report(fifo, where, "on %s message %d was dropped, which had been processed before its sender was restarted, where message %d was due",
				c.run.channel(b.Channel), b.Number, b.Next)
		case b.Number == 0:
			c.report(fifo, where, "on %s a message was processed that no channel ever carried; message %d was due",
				c.run.channel(b.Channel), b.Next)
		case b.Number == b.Next:
			c.report(fifo, where, "on %s message %d was processed in incarnation %d although incarnation %d sent it after the cut to which the system has gone back",
				c.run.channel(b.Channel), b.Number, b.Incarnation, b.SentIncarnation)
		default:
			c.report(fifo, where, "on %s message %d was processed where message %d was due (sent in incarnation %d, processed in %d)",
				c.run.channel(b.Channel), b.Number, b.Next, b.SentIncarnation, b.Incarnation)
		}
	}
}

// breached says whether the engine itself noted a breach at this row.
func (c *Checker) breached(row int) bool {
	for i := range c.h.Breaches {
		if c.h.Breaches[i].Row == row {
			return true
		}
	}
	return false
}
