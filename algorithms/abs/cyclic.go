package abs

import "simrun/sim"

// Cyclic is Algorithm 2, for graphs with loops; L is the back-edges:
//
//	at the start:
//	    marked = {}; logging = false; stateCopy, backupLog = nothing
//	when a barrier comes on input i:
//	    marked += i
//	    if i is neither Nil nor in L:
//	        block i
//	    if not logging and every input that is not in L is marked:
//	        stateCopy = state; logging = true
//	        broadcast the barrier; unblock every input that is not in L
//	    if every input is marked:
//	        snapshot (stateCopy, backupLog)
//	        marked = {}; logging = false; stateCopy, backupLog = nothing
//	when a record m comes on input i:
//	    if logging and i is in L and i is not marked:
//	        backupLog += (i, m)
//	    state, outputs = udf(m, state); send the outputs
//
// The copy and the log go to the snapshot as they are made. The listing lets a
// back-edge run on behind its barrier before the copy, where only an L that is
// larger than needed can bring it; what comes then belongs after the cut, so
// here that edge is blocked until the copy like any other.
type Cyclic struct {
	info        sim.NodeInfo
	marked      []bool           // by input, Nil last
	blocked     []sim.SnapshotID // by channel: the snapshot that it is blocked for; 0: open
	logging     bool             // the state is copied, and marks are missing
	left        int              // inputs that are not marked and have not ended
	regularLeft int              // those of them that are not in L
	current     sim.SnapshotID   // the snapshot under way here; 0: none
	done        sim.SnapshotID   // the last one that is done here
	waiting     waiting
	cancelled   cancelled
	ends        ended
}

func newCyclic(info sim.NodeInfo) *Cyclic {
	c := &Cyclic{info: info, marked: make([]bool, inputs(&info)), blocked: make([]sim.SnapshotID, info.Inputs), ends: newEnded(&info)}
	c.reset()
	return c
}

// Initiate is a barrier on Nil.
func (c *Cyclic) Initiate(id sim.SnapshotID, out *sim.Out) {
	mustHaveNil(&c.info, id)
	c.onBarrier(sim.Nil, id, out)
}

// Receive takes what came in: a record, a barrier, or the end of an input.
func (c *Cyclic) Receive(i sim.Input, m sim.Message, out *sim.Out) {
	switch m.Kind() {
	case sim.Data:
		c.onRecord(i, m, out)
	case sim.Marker:
		c.onBarrier(i, m.Snapshot(), out)
	case sim.EndOfStream:
		c.onEnd(i, out)
	}
}

// onBarrier handles a barrier now or, if an earlier snapshot is under way, when
// that is done. A back-edge waits like any other input: what is behind such a
// barrier comes after a cut that has not been made here.
func (c *Cyclic) onBarrier(i sim.Input, id sim.SnapshotID, out *sim.Out) {
	if c.had(i, id) {
		return // it is over, or the order to initiate came twice
	}
	for c.current != 0 && c.current < id && !c.marked[slot(&c.info, i)] {
		c.Cancel(c.current, out) // its barrier was skipped on this input and will not come
	}
	if c.had(i, id) {
		return // the order came before, and had waited until now
	}
	if id < c.current {
		c.cancelled.add(id, c.done) // skipped on the input that the current one's came on
		return
	}
	if c.current != 0 && c.current != id {
		c.block(i, id, out)
		c.waiting.add(barrier{id, i})
		return
	}
	c.take(i, id, out)
	c.takeWaiting(out)
}

// had says whether the barrier of a snapshot changes nothing on this input.
func (c *Cyclic) had(i sim.Input, id sim.SnapshotID) bool {
	return id <= c.done || c.cancelled.has(id) || id == c.current && c.marked[slot(&c.info, i)]
}

// Cancel gives a snapshot up: what is blocked for it goes on, its log ends, and its
// barriers that are still to come are ignored.
func (c *Cyclic) Cancel(id sim.SnapshotID, out *sim.Out) {
	if id <= c.done || c.cancelled.has(id) {
		return
	}
	c.cancelled.add(id, c.done)
	for _, i := range c.waiting.drop(id) {
		c.unblock(i, out)
	}
	if id != c.current {
		return
	}
	for i := range c.blocked {
		if c.blocked[i] == id {
			c.unblock(sim.Input(i), out)
		}
	}
	c.current = 0
	c.reset()
	c.takeWaiting(out)
}

// takeWaiting handles the barriers that have waited for what is now done.
func (c *Cyclic) takeWaiting(out *sim.Out) {
	for b, ok := c.waiting.next(c.current); ok; b, ok = c.waiting.next(c.current) {
		c.take(b.input, b.id, out)
	}
	c.takeOrders(out)
}

// take is "when a barrier comes" of the listing.
func (c *Cyclic) take(i sim.Input, id sim.SnapshotID, out *sim.Out) {
	c.current = id
	c.mark(slot(&c.info, i))
	if !c.logging { // else it is a back-edge, and open since the copy
		c.block(i, id, out)
	}
	c.advance(out)
}

// advance does what the marks allow. An ended input needs none.
func (c *Cyclic) advance(out *sim.Out) {
	id := c.current
	if !c.logging && c.regularLeft == 0 {
		c.copyState(out)
	}
	if c.left == 0 {
		out.Done(id)
		c.current, c.done = 0, id
		c.cancelled.forget(id)
		c.reset()
		for _, i := range c.waiting.dropOver(id) {
			c.unblock(i, out)
		}
	}
}

// onRecord logs what belongs to the snapshot, and processes it as usual.
func (c *Cyclic) onRecord(i sim.Input, m sim.Message, out *sim.Out) {
	if c.logging && i >= 0 && c.inL(int(i)) && !c.marked[i] {
		out.SaveLog(c.current, i, m)
	}
	c.udf(i, m, out)
}

// copyState makes stateCopy and passes the barrier on. One atomic step. What is
// blocked for a later snapshot stays blocked.
func (c *Cyclic) copyState(out *sim.Out) {
	out.SaveState(c.current)
	c.logging = true
	if !c.ends.finished {
		broadcast(&c.info, c.current, out)
	}
	for i := range c.blocked {
		if c.blocked[i] == c.current {
			c.unblock(sim.Input(i), out)
		}
	}
}

// udf lets the user-defined function process a record, and sends what it gives.
func (c *Cyclic) udf(i sim.Input, m sim.Message, out *sim.Out) {
	out.Send(out.Process(i, m)...)
}

// mark notes that the current snapshot's barrier has come on an input.
func (c *Cyclic) mark(slot int) {
	c.marked[slot] = true
	c.satisfy(slot)
}

// satisfy notes that an input need not bring anything more for the current snapshot.
func (c *Cyclic) satisfy(slot int) {
	c.left--
	if !c.inL(slot) {
		c.regularLeft--
	}
}

// reset makes the task ready for its next snapshot.
func (c *Cyclic) reset() {
	clear(c.marked)
	c.logging = false
	c.left, c.regularLeft = 0, 0
	for s := range c.marked {
		if c.ends.at(s) {
			continue
		}
		c.left++
		if !c.inL(s) {
			c.regularLeft++
		}
	}
}

// inL tells whether the input in this place is a back-edge.
func (c *Cyclic) inL(slot int) bool {
	return slot < len(c.info.BackEdge) && c.info.BackEdge[slot]
}

// block stops a channel for a snapshot. If its barrier has been waiting it is
// stopped already.
func (c *Cyclic) block(i sim.Input, id sim.SnapshotID, out *sim.Out) {
	if i == sim.Nil || c.blocked[i] != 0 {
		return
	}
	c.blocked[i] = id
	out.Block(i, id)
}

// unblock opens a channel if it is blocked.
func (c *Cyclic) unblock(i sim.Input, out *sim.Out) {
	if i == sim.Nil || c.blocked[i] == 0 {
		return
	}
	c.blocked[i] = 0
	out.Unblock(i)
}

// Recover replays the backup log before anything else comes in: those records
// were sent before the cut, and the state in the snapshot has not seen them
// (paper, section 4.4).
func (c *Cyclic) Recover(_ []byte, log []sim.Logged, out *sim.Out) {
	for _, l := range log {
		c.udf(l.Input, l.Message, out)
	}
}

// Save appends the whole state.
func (c *Cyclic) Save(buf []byte) []byte {
	e := encoder(buf)
	e.bools(c.marked)
	e.ids(c.blocked)
	e.bools([]bool{c.logging})
	e.uint(uint64(c.current))
	e.uint(uint64(c.done))
	e.barriers(c.waiting)
	e.list(c.cancelled)
	e.ends(&c.ends)
	return e
}

// Load replaces the state with one that Save wrote on the same task.
func (c *Cyclic) Load(state []byte) error {
	d := decoder{data: state}
	loaded := newCyclic(c.info)
	marked := d.bools(len(c.marked))
	loaded.blocked = d.ids(len(c.blocked))
	logging := d.bools(1)[0]
	loaded.current = d.id()
	loaded.done = d.id()
	loaded.waiting = d.barriers()
	loaded.cancelled = d.list()
	loaded.ends = d.ends(&c.info)
	loaded.reset()
	loaded.marked, loaded.logging = marked, logging
	for s, m := range marked {
		if m && !loaded.ends.at(s) {
			loaded.satisfy(s)
		}
	}
	if err := d.end(); err != nil {
		return err
	}
	*c = *loaded
	return nil
}
