package sim

import "slices"

// loose is what the engine keeps of an unreliable channel in place of the list in
// the pool: what is on the way, and what the receiver's App has processed.
type loose struct {
	Unreliable
	mayLose int      // how many more the Scheduler may lose
	losing  bool     // it has said so of the next
	keys    uint32   // parcels put on so far
	last    int64    // when the last one is due
	parcels []parcel // on the way, in the order in which they were put on

	// Numbers, ascending, of the stitched history.
	gaps   []uint32 // below channel.processed, and not processed
	lost   []uint32 // dropped on the way
	copied []uint32 // put on twice
}

// parcel is a message or marker on its way.
type parcel struct {
	key     uint32 // which one, in the order in which they were put on
	due     int64
	message Message
	parked  bool // it is due, and in no queue: the channel is blocked, dead or refused
}

// loosen prepares the unreliable channels.
func (e *Engine) loosen() {
	e.loose = nil
	for c := range e.cfg.Unreliable {
		if e.cfg.Unreliable[c].Reliable() {
			continue
		}
		if e.loose == nil {
			e.loose = make([]*loose, len(e.channels))
		}
		e.loose[c] = &loose{Unreliable: e.cfg.Unreliable[c], mayLose: e.cfg.Unreliable[c].MayLose}
		e.channels[c].flags |= unreliable
	}
}

// looseAt is what is kept of an unreliable channel, nil for another.
func (e *Engine) looseAt(c int32) *loose {
	if e.loose == nil {
		return nil
	}
	return e.loose[c]
}

// dispatch puts a message or marker that was sent on an unreliable channel, twice,
// or not at all.
func (e *Engine) dispatch(c int32, m *Message, number uint32, due int64) {
	l := e.loose[c]
	identified := m.identified(number, e.incarnation)
	ev := Event{Node: e.out.at, Channel: c, Number: number, Message: *m}
	if m.Kind() == Marker {
		ev.Snapshot = m.Snapshot()
	}
	if l.losing || l.Lose.strikes(e.lossStream, c, m, number) {
		if l.losing {
			l.losing = false
			e.offer()
		}
		if m.Kind() == Data && !l.Reorder {
			// It keeps its place in the order: a marker in front of it, which has its
			// delay, would else push back what comes next.
			l.last = max(l.last, due)
		}
		e.lose(l, &ev)
		return
	}
	e.putLoose(c, l, identified, due)
	if !l.Duplicate.strikes(e.copyStream, c, m, number) {
		return
	}
	ev.Kind, ev.Due = EventDuplicate, due // a marker's copy pushes no message back
	if m.Kind() == Data {
		e.dataInFlight++
		if !e.chosen {
			delay := e.delays[e.channels[c].dist].Draw(e.copyDelayStream.Draw(c, uint64(number)))
			ev.Due = min(e.sendFrom+delay, MaxTime)
		}
		l.copied = append(l.copied, number)
		e.noteControl(RowDuplicate, c, number)
	} else {
		e.foldControl(EventDuplicate, c, m.Key)
	}
	if e.observer != nil {
		e.observe(ev)
	}
	e.putLoose(c, l, identified, ev.Due)
}

// lose drops what was sent.
func (e *Engine) lose(l *loose, ev *Event) {
	ev.Kind = EventLose
	if c := ev.Channel; ev.Message.Kind() == Data {
		e.dataInFlight--
		l.lost = append(l.lost, ev.Number)
		e.noteControl(RowLose, c, ev.Number)
	} else {
		s := e.snapshot(ev.Node, ev.Snapshot)
		s.LostOn = append(s.LostOn, c)
		e.foldControl(EventLose, c, ev.Message.Key)
	}
	if e.observer != nil {
		e.observe(*ev)
	}
}

// putLoose puts a parcel on the channel. Without Reorder only the first one is a
// candidate for delivery, and none is due before the one in front.
func (e *Engine) putLoose(c int32, l *loose, m Message, due int64) {
	if l.keys++; !l.Reorder {
		due = max(due, l.last)
	}
	l.last = due
	l.parcels = append(l.parcels, parcel{key: l.keys, due: due, message: m})
	if l.Reorder || len(l.parcels) == 1 {
		e.exposeLoose(c, &l.parcels[len(l.parcels)-1])
	}
}

// exposeLoose makes a parcel a candidate for delivery.
func (e *Engine) exposeLoose(c int32, p *parcel) {
	ch := &e.channels[c]
	switch {
	case e.shutLoose(ch, p):
		p.parked = true
	case e.chosen:
		e.ready.arm(Step{Kind: StepDeliver, Entity: c, Index: p.key})
	case p.due >= e.now:
		e.diary.add(appointment{at: p.due, class: StepDeliver, entity: c, index: p.key})
	default:
		e.wait(ch.to, waiter{due: p.due, class: StepDeliver, entity: c, index: p.key})
	}
}

// shutLoose is shut for one parcel.
func (e *Engine) shutLoose(ch *channel, p *parcel) bool {
	return ch.flags&(blocked|dead) != 0 ||
		ch.flags&guarded != 0 && p.message.Kind() == Data && !e.guards[ch.to].Accepts(Input(ch.input))
}

// arriveLoose hands a due parcel to its receiver, unless that is down, busy or has
// the channel blocked: it becomes the channel's head, and arrives like any other.
func (e *Engine) arriveLoose(c int32, key uint32) {
	l, ch := e.loose[c], &e.channels[c]
	i := slices.IndexFunc(l.parcels, func(p parcel) bool { return p.key == key })
	p := &l.parcels[i]
	if e.shutLoose(ch, p) {
		p.parked = true
		return
	}
	if e.nodes[ch.to].busyUntil > e.now {
		e.wait(ch.to, waiter{due: p.due, class: StepDeliver, entity: c, index: key})
		return
	}
	e.took(StepDeliver, c, key)
	slot := e.pool.take()
	e.pool.slots[slot].hold(&p.message, p.due)
	ch.head, ch.tail = slot, slot
	l.parcels = slices.Delete(l.parcels, i, i+1)
	if !l.Reorder && len(l.parcels) > 0 {
		e.exposeLoose(c, &l.parcels[0])
	}
	e.arriveAt(c)
}

// unparkLoose makes what is parked a candidate again.
func (e *Engine) unparkLoose(c int32, l *loose) {
	for i := range l.parcels {
		if p := &l.parcels[i]; p.parked {
			p.parked = false
			e.exposeLoose(c, p)
		}
	}
}

// parkLoose takes what cannot be handed over now out of the ready set.
func (e *Engine) parkLoose(c int32, l *loose) {
	for i := range l.parcels {
		p := &l.parcels[i]
		if !p.parked && (l.Reorder || i == 0) && e.shutLoose(&e.channels[c], p) {
			p.parked = true
			e.ready.keep(func(s Step) bool {
				return s != Step{Kind: StepDeliver, Entity: c, Index: p.key}
			})
		}
	}
}

// reconsiderLoose is reconsider for one channel.
func (e *Engine) reconsiderLoose(c int32, l *loose) {
	if e.chosen {
		e.parkLoose(c, l)
	}
	e.unparkLoose(c, l)
}

// refusedAt says whether something waits in a channel because the receiver's App
// does not accept it.
func (e *Engine) refusedAt(c int32) bool {
	ch, l := &e.channels[c], e.looseAt(c)
	if l == nil {
		return e.refused(ch)
	}
	return ch.flags&(blocked|dead) == 0 && slices.ContainsFunc(l.parcels, func(p parcel) bool { return e.shutLoose(ch, &p) })
}

// irregular decides about a message that was processed and is not the next of its
// channel: on an unreliable channel it may be one of those that were overtaken, that
// comes after others were lost, or that comes twice.
func (e *Engine) irregular(c int32, m *Message) (legal bool) {
	l, ch, n := e.looseAt(c), &e.channels[c], m.number()
	if l == nil || n == 0 {
		return false
	}
	if n == ch.processed {
		return true // the next after all; what is wrong with it is its incarnation
	}
	ch.processed-- // which counted it as the next
	gap, late := slices.BinarySearch(l.gaps, n)
	switch {
	case n > ch.processed:
		legal = true
		for k := ch.processed + 1; k < n; k++ {
			_, lost := slices.BinarySearch(l.lost, k)
			legal = legal && (l.Reorder || lost)
			l.gaps = append(l.gaps, k)
		}
		ch.processed = n
	case late:
		l.gaps = slices.Delete(l.gaps, gap, gap+1)
		legal = l.Reorder
	default:
		_, copied := slices.BinarySearch(l.copied, n)
		legal = copied && (l.Reorder || n == ch.processed)
	}
	return legal
}

// goBack takes an unreliable channel back to a snapshot's cut, or to the beginning.
// What was lost or doubled before stays so.
func (l *loose) goBack(from *Snapshot, c int) {
	l.parcels, l.gaps, l.last = l.parcels[:0], l.gaps[:0], 0
	sent := uint32(0)
	if from != nil {
		sent, l.gaps = from.Sent[c], append(l.gaps, from.Gaps[c]...)
	}
	later := func(n uint32) bool { return n > sent }
	l.lost, l.copied = slices.DeleteFunc(l.lost, later), slices.DeleteFunc(l.copied, later)
}

func (l *loose) code(x *codec) {
	word(x, &l.mayLose)
	x.flag(&l.losing)
	word(x, &l.keys)
	word(x, &l.last)
	list(x, &l.parcels, func(x *codec, p *parcel) {
		word(x, &p.key)
		word(x, &p.due)
		codeMessage(x, &p.message)
		x.flag(&p.parked)
	})
	for _, numbers := range []*[]uint32{&l.gaps, &l.lost, &l.copied} {
		codeNumbers(x, numbers)
	}
}
