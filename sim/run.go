package sim

import "math"

// Run carries the run out to its end and returns what happened.
func (e *Engine) Run() *History {
	e.takeUp()
	for !e.ended {
		e.attend()
		if e.chosen {
			e.runChosen()
		} else {
			e.runTimed()
		}
	}
	return e.finish()
}

// arrange files what is known before the run begins.
func (e *Engine) arrange() {
	for v := range int32(len(e.sources)) {
		e.fileExternal(v)
	}
	e.awaitSources()
	e.alarm = 0 // attend first
	e.countPhaseFaults()
	if e.management != nil && e.cfg.From == nil {
		e.startCoordinator()
	}
	e.nextEvery = e.cfg.Snapshots.Every
	if e.chosen {
		e.ready.engine = e
		e.leaveOpen()
		return
	}
	for i, f := range e.cfg.Faults {
		if f.At > 0 {
			e.diary.add(appointment{at: f.At, class: StepFault, entity: int32(i), index: uint32(i)})
		}
	}
	if e.cfg.Stop.At > 0 {
		e.diary.add(appointment{at: e.cfg.Stop.At, class: stopInput})
	}
	e.planTrigger()
}

// attend sees to what is due by the number of steps, and sets the next alarm.
func (e *Engine) attend() {
	if e.ended {
		return
	}
	e.alarm = e.cfg.MaxSteps
	if e.steps >= e.cfg.MaxSteps {
		e.end(StepLimit)
		return
	}
	for i := range e.cfg.Faults {
		switch f := &e.cfg.Faults[i]; {
		case f.Step == 0 || e.faults[i].fired || e.faults[i].armed || e.stopped:
		case f.Step <= e.steps:
			e.tick()
			e.fireFault(i)
		default:
			e.alarm = min(e.alarm, f.Step)
		}
	}
	if !e.chosen || e.stopped {
		return
	}
	if at := e.cfg.Stop.At; at > 0 {
		if at <= e.steps {
			e.tick()
			e.stop()
			return
		}
		e.alarm = min(e.alarm, at)
	}
	for e.nextTrigger() <= e.steps {
		e.trigger()
	}
	e.alarm = min(e.alarm, e.nextTrigger())
}

// tick sets the clock of chosen order, where time is the number of steps, for what
// happens between two of them.
func (e *Engine) tick() {
	if e.chosen {
		e.now = e.steps
	}
}

// nextTrigger is when the next snapshot is due, never if none is.
func (e *Engine) nextTrigger() int64 {
	next := int64(math.MaxInt64)
	if e.nextEvery > 0 {
		next = e.nextEvery
	}
	if at := e.cfg.Snapshots.At; e.triggered < len(at) {
		next = min(next, at[e.triggered])
	}
	return next
}

// planTrigger makes the appointment for the next snapshot of timed order.
func (e *Engine) planTrigger() {
	if next := e.nextTrigger(); next != math.MaxInt64 {
		e.diary.add(appointment{at: next, class: trigger})
	}
}

// runTimed runs the earliest event, again and again, until the alarm.
func (e *Engine) runTimed() {
	for e.steps < e.alarm {
		limit := int64(math.MaxInt64)
		if len(e.diary.heap) > 0 {
			limit = e.diary.heap[0].at
		}
		entity, due, ok := e.wheel.peek(e, limit)
		if len(e.diary.heap) > 0 {
			a := &e.diary.heap[0]
			if !ok || a.at < due || a.at == due && e.first(a, entity) {
				e.keepAppointment(e.diary.take())
				continue
			}
		} else if !ok {
			e.rested()
			if e.ended {
				return
			}
			continue
		}
		e.wheel.next++
		if entity >= e.externals {
			e.now = due
			e.arriveAt(entity - e.externals)
		} else if s := &e.sources[entity]; s.read < s.limit { // else the stop came before it
			e.now = due
			e.external(entity)
		}
	}
}

// first says whether an appointment comes before what the wheel has at the same
// instant.
func (e *Engine) first(a *appointment, entity int32) bool {
	if entity < e.externals {
		return a.class.rank() < StepExternal.rank()
	}
	return a.class != StepDeliver || a.entity < entity-e.externals
}

// keepAppointment carries out an event of the diary.
func (e *Engine) keepAppointment(a appointment) {
	if e.lapses(&a) {
		e.lapse(a)
		return
	}
	if a.class == StepAlarm && !e.recovering && e.idle() && e.undisturbed() {
		return // nothing is left that it could be for
	}
	if a.class == StepTimer && e.outdated(&a) {
		return
	}
	if a.at > MaxTime {
		e.end(TimeLimit)
		return
	}
	e.now = max(e.now, a.at)
	switch a.class {
	case stopInput:
		e.stop()
	case trigger:
		if !e.stopped {
			e.trigger()
			e.planTrigger()
		}
	case freeNode:
		e.serveWaiting(a.entity)
	default:
		e.perform(Step{a.class, a.entity, a.index}, a.at)
	}
}

// idle says that nothing is left but what comes by the clock alone.
func (e *Engine) idle() bool {
	if e.wheel.count > 0 || e.wheel.next < len(e.wheel.batch) {
		return false
	}
	for i := range e.diary.heap {
		a := &e.diary.heap[i]
		if a.class != trigger && a.class != stopInput && !(a.class == StepTimer && e.outdated(a)) && !(a.class == StepAlarm && e.undisturbed()) {
			return false
		}
	}
	return true
}

// lapses says whether an appointment comes when the system is at rest, and nothing comes of
// it. Where nodes finish something comes of the end of the input.
func (e *Engine) lapses(a *appointment) bool {
	return (a.class == trigger || a.class == stopInput && !e.cfg.Management.Finish) && e.idle()
}

// lapse deals with an appointment that comes when the system is at rest:
// periodic snapshots end, the others are still taken.
func (e *Engine) lapse(a appointment) {
	if a.class == stopInput || e.stopped {
		e.stopped = true
		return
	}
	e.nextEvery = 0
	if next := e.nextTrigger(); next != math.MaxInt64 {
		if next <= a.at {
			e.now = max(e.now, a.at)
			e.trigger()
		}
		e.planTrigger()
	}
}

// runChosen lets the scheduler pick, again and again, until the alarm.
func (e *Engine) runChosen() {
	for e.steps < e.alarm {
		entities := e.ready.entities
		if e.management != nil && len(entities) == 0 && !e.recovering && e.undisturbed() {
			e.dropAlarms()
		}
		among := len(entities) + len(e.ready.others)
		if among == 0 {
			e.nextEvery = 0
			if e.stopped || e.nextTrigger() == math.MaxInt64 {
				e.rested()
				if e.ended {
					return
				}
				continue
			}
			e.trigger() // nothing else can happen until its step comes
			continue
		}
		i := 0
		if e.scheduler != nil {
			i = e.scheduler.Pick(e.steps, &e.ready)
		} else {
			i = e.random.pick(e.steps, among)
		}
		e.now = e.steps
		e.steps++
		if i >= len(entities) {
			e.runRare(i - len(entities))
			continue
		}
		entity := entities[i]
		e.ready.remove(e, i)
		if entity >= e.externals {
			e.arriveAt(entity - e.externals)
		} else {
			e.external(entity)
		}
	}
}

// runRare runs a step that stands behind the entities in the ready set.
func (e *Engine) runRare(i int) {
	others := e.ready.others
	if i >= len(others) {
		e.runOpen(e.ready.open[i-len(others)])
		return
	}
	s := others[i]
	e.ready.others = append(others[:i], others[i+1:]...)
	e.perform(s, 0)
}

// perform carries out one of the rarer steps.
func (e *Engine) perform(s Step, due int64) {
	switch s.Kind {
	case StepFault:
		e.steps += e.stepOfHandler
		e.fireFault(int(s.Index))
	case StepRestore:
		e.steps += e.stepOfHandler
		e.restore()
	case StepWrite:
		e.steps += e.stepOfHandler
		e.durable(s.Entity, SnapshotID(s.Index))
	case StepTimer:
		e.fire(s.Entity, s.Index, due)
	case StepInitiate:
		if e.chosen {
			e.ready.orderNext(s.Entity)
		}
		e.initiate(s.Entity, SnapshotID(s.Index), due)
	case StepDrained:
		e.tellDrained(s.Entity, due)
	case StepDeliver:
		e.arriveLoose(s.Entity, s.Index)
	default:
		e.steps += e.stepOfHandler
		e.performManaged(s, due)
	}
}

// performManaged carries out a step of the coordinator's.
func (e *Engine) performManaged(s Step, due int64) {
	if s.Kind != StepControl && s.Kind != StepAlarm {
		e.took(s.Kind, s.Entity, s.Index) // the others may be put off, or off
	}
	switch s.Kind {
	case StepControl:
		e.hand(s.Entity, s.Index)
	case StepAlarm:
		e.goOff(s.Index, due)
	case StepPublish:
		e.published(SnapshotID(s.Index))
	case StepNotice:
		e.notice(s.Entity)
	case StepStart:
		e.startCoordinator()
	}
}

// stop ends the input.
func (e *Engine) stop() {
	if e.stopped {
		return
	}
	e.stopped = true
	e.took(StepStop, 0, 0)
	if e.cfg.Stop.At == 0 || e.chosen || e.now < e.cfg.Stop.At {
		for v := range e.sources {
			x := &e.sources[v]
			if x.limit = max(x.read, x.reached); x.limit == x.read {
				e.withdrawExternal(int32(v))
			}
		}
	}
	e.diary.keep(func(a *appointment) bool {
		return a.class != trigger && a.class != StepFault && a.class != stopInput
	})
	e.phaseWatch, e.doomed = false, nil
	for v := range e.nodes {
		e.seeDrained(int32(v))
	}
	e.offer()
	if m := e.management; m != nil && !m.down {
		m.coordinator.Stop(&m.decisions)
		e.decide()
	}
	e.settle()
	e.alarm = 0
}

// settle ends the run of an App that never rests once nothing is open.
func (e *Engine) settle() {
	if e.cfg.Restless && e.stopped && len(e.open) == 0 && !e.recovering {
		e.end(Settled)
	}
}

func (e *Engine) end(how End) {
	if !e.ended {
		e.ended, e.alarm = true, 0
		e.history.End = how
	}
}
