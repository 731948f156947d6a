package sim

// Guarded is an App that chooses which of its input channels it reads: a merge that
// takes from its inputs in turn, a coordinator that waits for one answer. A message
// that the App does not accept stays at the head of its channel, and what is behind
// it too. Markers are not the App's to refuse, and neither are External records and
// timers.
type Guarded interface {
	App
	// Accepts says whether the App would take a message from this input channel
	// next. The answer depends on the App's state alone.
	Accepts(in Input) bool
}

// guard notes which nodes have an App that chooses.
func (e *Engine) guard(v int32) {
	app, ok := e.nodes[v].app.(Guarded)
	if !ok {
		return
	}
	if e.guards == nil {
		e.guards = make([]Guarded, len(e.nodes))
	}
	e.guards[v] = app
	e.nodes[v].flags |= choosy
	for i := range e.nodes[v].inputs {
		e.channels[e.input(v, i)].flags |= guarded
	}
}

// shut says whether a channel's head cannot be handed over now.
func (e *Engine) shut(ch *channel) bool { return ch.flags&(blocked|dead) != 0 || e.refused(ch) }

// refused says whether the receiver's App does not accept a channel's head. What it has
// processed before and comes again is not the App's to refuse: it will be dropped.
func (e *Engine) refused(ch *channel) bool {
	if ch.flags&guarded == 0 || ch.head == 0 {
		return false
	}
	head := &e.pool.slots[ch.head]
	return head.kind() == Data && head.number > ch.processed && !e.guards[ch.to].Accepts(Input(ch.input))
}

// reconsider asks an App that has just run what it accepts now.
func (e *Engine) reconsider(v int32) {
	for i := range e.nodes[v].inputs {
		c := e.input(v, i)
		ch := &e.channels[c]
		if l := e.looseAt(c); l != nil {
			e.reconsiderLoose(c, l)
			continue
		}
		switch isShut := e.shut(ch); {
		case ch.flags&parked != 0 && !isShut:
			e.unpark(c)
		case e.chosen && isShut:
			e.park(c)
		}
	}
}
