package sim

// block stops deliveries from an input.
func (e *Engine) block(v int32, op *Op) {
	c := e.inputOf(v, op.Channel)
	ch := &e.channels[c]
	if ch.flags&blocked != 0 {
		return
	}
	if e.blockedSince == nil {
		e.blockedSince = make([]int64, len(e.channels))
		e.blockedBy = make([]SnapshotID, len(e.channels))
	}
	e.snapshot(v, op.Snapshot)
	e.heldBack()
	ch.flags |= blocked
	e.blockedChannels++
	e.blockedSince[c], e.blockedBy[c] = e.now, op.Snapshot
	e.foldControl(EventBlock, c, uint64(op.Snapshot))
	if e.observer != nil {
		e.observe(Event{Kind: EventBlock, Node: v, Channel: c, Snapshot: op.Snapshot})
	}
	if e.chosen {
		e.park(c)
	}
}

// park takes a channel's head out of the ready set. In timed order it is parked
// when it surfaces.
func (e *Engine) park(c int32) {
	if l := e.looseAt(c); l != nil {
		e.parkLoose(c, l)
		return
	}
	if ch := &e.channels[c]; ch.head != 0 && ch.flags&parked == 0 {
		ch.flags |= parked
		e.ready.remove(e, int(ch.position))
	}
}

// unblock lets deliveries from an input go on.
func (e *Engine) unblock(v int32, op *Op) {
	c := e.inputOf(v, op.Channel)
	ch := &e.channels[c]
	if ch.flags&blocked == 0 {
		return
	}
	e.release(c)
	e.unpark(c)
}

// unpark makes a parked head a candidate again.
func (e *Engine) unpark(c int32) {
	if l := e.looseAt(c); l != nil {
		e.unparkLoose(c, l)
		return
	}
	if ch := &e.channels[c]; ch.flags&parked != 0 {
		ch.flags &^= parked
		e.expose(c, ch, e.pool.slots[ch.head].due())
	}
}

// release ends the blocking of a channel, by its node or by a crash or restore, and
// puts its time down to the snapshot that blocked it.
func (e *Engine) release(c int32) {
	ch := &e.channels[c]
	if ch.flags&blocked == 0 {
		return
	}
	e.foldControl(EventUnblock, c, uint64(e.blockedBy[c]))
	if e.observer != nil {
		e.observe(Event{Kind: EventUnblock, Node: ch.to, Channel: c, Snapshot: e.blockedBy[c]})
	}
	ch.flags &^= blocked
	e.blockedChannels--
	e.history.Snapshots[e.blockedBy[c]-1].BlockedFor += e.now - e.blockedSince[c]
	e.blockedBy[c] = 0
}
