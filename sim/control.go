package sim

import "slices"

// line is a control channel, between the coordinator and one task.
type line struct {
	sent    uint32
	keys    uint32   // letters so far, copies among them
	last    int64    // when the last message is due
	letters []letter // on the way, in the order in which they were sent
}

// letter is a control message on its way.
type letter struct {
	key     uint32 // which one
	number  uint32
	due     int64
	control Control
}

// post puts a message on a control channel, which may lose, double and reorder.
func (e *Engine) post(l int32, c Control) {
	x := &e.management.lines[l]
	x.sent++
	kind := FactTold
	if l%2 == 1 {
		kind = FactReplied
	}
	f := Fact{Kind: kind, Task: l / 2, Number: x.sent, ID: c.ID, Control: c}
	e.fact(f)
	fails := &e.cfg.Management.Fails
	m := Message{Key: uint64(c.ID)}
	if fails.Lose.strikes(e.controlLossStream, l, &m, x.sent) {
		f.Kind = FactDropped
		e.fact(f)
		return
	}
	e.address(l, x, c, e.controlStream.Draw(l, uint64(x.sent)))
	if fails.Duplicate.strikes(e.controlCopyStream, l, &m, x.sent) {
		e.address(l, x, c, e.controlStream.Draw(l, 1<<32|uint64(x.sent)))
	}
}

// address puts a letter on its way.
func (e *Engine) address(l int32, x *line, c Control, draw uint64) {
	due := int64(0)
	if !e.chosen {
		due = e.now + e.cfg.Management.Delay.Draw(draw)
		if !e.cfg.Management.Fails.Reorder {
			due = max(due, x.last)
		}
		x.last = max(x.last, due)
	}
	x.keys++
	key := x.keys
	x.letters = append(x.letters, letter{key: key, number: x.sent, due: due, control: c})
	switch {
	case !e.chosen:
		e.diary.add(appointment{at: due, class: StepControl, entity: l, index: key})
	case e.cfg.Management.Fails.Reorder || len(x.letters) == 1:
		e.ready.arm(Step{Kind: StepControl, Entity: l, Index: key})
	}
}

// hand gives a letter to whom it is for: nobody, if that one is down.
func (e *Engine) hand(l int32, key uint32) {
	x, v := &e.management.lines[l], l/2
	i := slices.IndexFunc(x.letters, func(a letter) bool { return a.key == key })
	if i < 0 {
		return
	}
	a := x.letters[i]
	toTask := l%2 == 0
	if n := &e.nodes[v]; toTask && n.flags&down == 0 && n.busyUntil > e.now {
		e.wait(v, waiter{due: a.due, class: StepControl, entity: l, index: key})
		return
	}
	e.took(StepControl, l, key)
	x.letters = slices.Delete(x.letters, i, i+1)
	if e.chosen && !e.cfg.Management.Fails.Reorder && len(x.letters) > 0 {
		e.ready.arm(Step{Kind: StepControl, Entity: l, Index: x.letters[0].key})
	}
	f := Fact{Kind: FactDropped, Task: v, Number: a.number, ID: a.control.ID, Control: a.control}
	m := e.management
	switch {
	case toTask && e.nodes[v].flags&down == 0:
		f.Kind = FactHeard
		e.fact(f)
		e.tell(v, a.control)
	case !toTask && !m.down:
		f.Kind = FactReceived
		e.fact(f)
		m.coordinator.Receive(v, a.control, &m.decisions)
		e.decide()
		if a.control.Kind == Acknowledge && a.control.Attempt == e.incarnation {
			e.comesOnce(v, PhaseAcknowledged, a.control.ID)
		}
	default:
		e.fact(f)
	}
}

// tell gives a task what the coordinator has sent to it.
func (e *Engine) tell(v int32, c Control) {
	if c.Kind == Trigger && e.phaseWatch && e.crashBeforeRecord(v, c.ID) {
		return
	}
	n := &e.nodes[v]
	e.begin(v)
	n.algorithm.(Task).Told(c, &e.out)
	if (c.Kind == Notify || c.Kind == Remind) && e.phaseWatch && e.firstTime(v, PhaseNotified, c.ID) {
		e.moment = moment{PhaseNotified, c.ID}
	}
	e.carryOut(v, n, 0)
	e.moment = moment{}
}
