package sim

import (
	"fmt"
	"slices"
)

// restore takes the whole graph back to the newest complete snapshot, or to the
// initial state, in a new incarnation. Nothing of the old one is left. A coordinator can
// have a part of it restored, see scope.
func (e *Engine) restore() {
	if !e.recovering || !e.chosen && e.now < e.restoreAt {
		return // an appointment that a later crash put off
	}
	if len(e.history.Restores) == MaxRecoveries {
		e.end(RecoveryLimit)
		return
	}
	if m := e.management; m != nil && !m.ordered {
		return
	}
	e.took(StepRestore, 0, 0)
	from := e.newest
	if m := e.management; m != nil {
		var ok bool
		m.ordered = false
		if from, ok = e.stored(m.restoring); !ok {
			e.unreadable()
			return
		}
	}
	s := e.extent()
	r := Restore{
		At: e.now, Row: len(e.history.Rows), Incarnation: e.incarnation + 1, Snapshot: from,
		CrashedAt: e.firstCrash, Crashed: e.down, Partial: s.nodes(),
	}
	e.abortOpen(&r)
	e.measureLoss(&r, s)
	if s == nil {
		e.clear()
	} else {
		e.clearPart(s)
	}
	e.incarnation++
	e.restoredAt = e.now
	e.streams()
	e.populate(s)
	for _, d := range e.doomed {
		if int(d.node) < len(e.nodes) {
			e.nodes[d.node].flags |= doomedNode
		}
	}
	e.load(from, s)
	e.noteControl(RowRestore, 0, idOf(from))
	e.requeue(from, s)
	e.readBack(&r, s)
	e.history.Restores = append(e.history.Restores, r)
	if e.observer != nil {
		e.observe(Event{Kind: EventRestore, Node: -1, Snapshot: SnapshotID(idOf(from)), Restore: &r})
	}
	e.wake(from, s)
	e.awaitSources()
	e.offer()
	if m := e.management; m != nil && !m.down {
		m.upAgain = 0
		m.coordinator.Restored(e.incarnation, m.restoring, true, &m.decisions)
		e.decide()
	}
	e.settle()
}

// wake lets the nodes that are restarted recover, and their sources read on, and tells the
// others.
func (e *Engine) wake(from *Snapshot, s scope) {
	for v := range e.nodes {
		// A crash inside another node's Recover may have taken this one down.
		switch {
		case e.nodes[v].flags&down != 0:
		case s.has(int32(v)):
			e.recover(int32(v), from)
		default:
			e.rejoin(int32(v), from, s)
		}
	}
	for v := range e.sources {
		if s.has(int32(v)) {
			e.fileExternal(int32(v))
		}
	}
}

// resume puts the engine where restore k of another run has left that.
func (e *Engine) resume(h *History, k int) {
	r := &h.Restores[k]
	e.now, e.incarnation, e.newest = r.At, r.Incarnation-1, r.Snapshot
	e.history.Restores = append(e.history.Restores, h.Restores[:k]...) // who sent what is in the cut, see inherited
	for v := range e.sources {
		e.sources[v].offset = uint32(r.Offsets[v])
	}
	e.emitted = make([]uint32, len(e.nodes))
	for _, row := range h.Rows[:r.Row] {
		if row.Kind() == RowEmit {
			e.emitted[row.Entity()]++
		}
	}
	e.recall(h, r.Row)
	e.recovering, e.restoreAt = true, r.At
	e.restore()
}

// unreadable tells the coordinator that what it wants to restore cannot be read.
func (e *Engine) unreadable() {
	m := e.management
	e.fact(Fact{Kind: FactUnreadable, Task: -1, ID: m.restoring})
	if !m.down {
		m.coordinator.Restored(e.incarnation, m.restoring, false, &m.decisions)
		e.decide()
	}
}

func idOf(s *Snapshot) uint32 {
	if s == nil {
		return 0
	}
	return uint32(s.ID)
}

// abortOpen gives up the snapshots that are not complete.
func (e *Engine) abortOpen(r *Restore) {
	for _, s := range e.open {
		r.Aborted = append(r.Aborted, s.ID)
		e.abort(s)
	}
	e.open = e.open[:0]
}

// abort gives up a snapshot.
func (e *Engine) abort(s *Snapshot) {
	s.Status = Aborted
	e.foldControl(EventAbort, -1, uint64(s.ID))
	if e.observer != nil {
		e.observe(Event{Kind: EventAbort, Node: -1, Snapshot: s.ID})
	}
}

// measureLoss counts what happened after the cut that is returned to.
func (e *Engine) measureLoss(r *Restore, s scope) {
	for c := range e.channels {
		if !s.has(e.channels[c].to) {
			continue
		}
		r.LostProcessed += int64(e.channels[c].processed)
		if l := e.looseAt(int32(c)); l != nil {
			r.LostProcessed -= int64(len(l.gaps))
		}
		if r.Snapshot != nil {
			r.LostProcessed -= int64(e.keptOn(r.Snapshot, c))
			r.Replayed += int64(len(r.Snapshot.Channels[c]))
		}
	}
	for v := range e.sources {
		if !s.has(int32(v)) {
			continue
		}
		r.LostExternal += int64(e.sources[v].offset)
		if r.Snapshot != nil {
			r.LostExternal -= int64(r.Snapshot.Recordings[v].Offset)
		}
	}
}

// clear is the fence between incarnations: every message in flight, every timer,
// every write and every order of the old one is gone.
func (e *Engine) clear() {
	e.pool.reset(len(e.channels))
	e.dataInFlight = 0
	for c := range e.channels {
		e.release(int32(c))
		ch := &e.channels[c]
		ch.head, ch.tail, ch.flags = 0, 0, ch.flags&unreliable
	}
	e.waiting, e.timers, e.gone = nil, nil, nil
	e.wheel.reset(e.now)
	e.diary.keep(func(a *appointment) bool {
		return a.class == StepFault || a.class == trigger || a.class == stopInput || a.class.managed()
	})
	e.ready.clear()
	e.recovering, e.down = false, nil
}

// load puts states, counters, offsets and timers of the cut in place.
func (e *Engine) load(from *Snapshot, s scope) {
	e.records = 0
	for v := range e.nodes {
		if !s.has(int32(v)) {
			e.records += int64(e.offset(int32(v)))
			continue
		}
		if from != nil {
			if err := e.nodes[v].app.Load(from.States[v]); err != nil {
				panic(&Misconduct{Node: int32(v), App: true, Does: fmt.Sprintf("cannot load its state of snapshot %d: %v", from.ID, err)})
			}
		}
		if e.sources != nil && e.cfg.Replay == FromOffset {
			e.sources[v].offset = 0
			if from != nil {
				e.sources[v].offset = uint32(from.Recordings[v].Offset)
			}
		}
		if e.sources != nil {
			e.sources[v].mustReach(s)
			e.sources[v].read = e.sources[v].offset
			e.records += int64(e.sources[v].offset)
		}
	}
	e.goBack(from, s)
	if from == nil {
		return
	}
	for v := range e.nodes {
		if !s.has(int32(v)) {
			continue
		}
		for _, t := range from.Recordings[v].Timers {
			e.arm(int32(v), t.ID, max(t.Due, e.now))
		}
	}
}

// goBack puts the counters of the channels out of what is restarted back to the cut.
func (e *Engine) goBack(from *Snapshot, s scope) {
	if s != nil {
		e.goBackPart(from, s)
		return
	}
	e.again = nil
	for c := range e.channels {
		ch := &e.channels[c]
		ch.sent, ch.processed = 0, 0
		if from != nil {
			ch.sent, ch.processed = from.Sent[c], from.Processed[c]
		}
		if l := e.looseAt(int32(c)); l != nil {
			l.goBack(from, c)
		}
		if e.cfg.Duplicates {
			e.sendAgain(int32(c))
		}
	}
}

// keptOn is how many of the messages that a channel has processed its cut keeps.
func (e *Engine) keptOn(s *Snapshot, c int) int {
	if e.cfg.Duplicates {
		return min(s.processedOn(c), int(s.Sent[c]))
	}
	return s.processedOn(c)
}

// sendAgain makes a channel expect the orphans of the cut, which its sender sends again.
func (e *Engine) sendAgain(c int32) {
	ch := &e.channels[c]
	ch.processed = min(ch.processed, ch.sent)
	l := e.looseAt(c)
	if l == nil {
		return
	}
	l.gaps = slices.DeleteFunc(l.gaps, func(n uint32) bool { return n > ch.sent })
	for k := len(l.gaps); k > 0 && l.gaps[k-1] == ch.processed; k-- {
		l.gaps, ch.processed = l.gaps[:k-1], ch.processed-1
	}
}

// requeue makes recorded channel states the first content of their channels,
// already arrived. A backup log is not among them: Recover is given it.
func (e *Engine) requeue(from *Snapshot, s scope) {
	if from == nil {
		return
	}
	for c, content := range from.Channels {
		if !s.has(e.channels[c].to) {
			continue
		}
		for i := range content {
			m := &content[i]
			if m.Logged {
				continue
			}
			e.dataInFlight++
			if l := e.looseAt(int32(c)); l != nil {
				e.putLoose(int32(c), l, m.Message.identified(m.Number, m.Incarnation), e.now)
			} else {
				e.put(int32(c), &e.channels[c], &m.Message, m.Number, e.now, m.Incarnation)
			}
		}
	}
}

// recover gives a fresh Node what the snapshot holds for it, before any input.
func (e *Engine) recover(v int32, from *Snapshot) {
	n := &e.nodes[v]
	var attached []byte
	var log []Logged
	if from != nil {
		attached = slices.Clone(from.Attached[v])
		for _, l := range from.Logs[v] {
			r := &from.Channels[l.Channel][l.Index]
			log = append(log, Logged{
				Input:   Input(e.channels[l.Channel].input),
				Message: r.Message.identified(r.Number, r.Incarnation),
			})
		}
	}
	e.begin(v)
	e.allow(len(attached) + len(log))
	n.algorithm.Recover(attached, log, &e.out)
	if len(log) > 0 {
		e.moment = moment{PhaseReplaying, from.ID}
	}
	e.carryOut(v, n, 0)
	e.allow(0)
	e.moment = moment{}
}

// readBack notes what the restore put in place, from the parts themselves.
func (e *Engine) readBack(r *Restore, s scope) {
	r.States, r.Timers = make([][]byte, len(e.nodes)), make([][]ArmedTimer, len(e.nodes))
	r.Offsets = make([]uint64, len(e.nodes))
	for v := range int32(len(e.nodes)) {
		if !s.has(v) {
			continue
		}
		r.States[v], r.Offsets[v], r.Timers[v] = e.nodes[v].app.Save(nil), e.offset(v), e.armedTimers(v)
	}
	r.Requeued, r.Logged = make([][]Recorded, len(e.channels)), make([][]Recorded, len(e.channels))
	for c := range e.channels {
		if !s.has(e.channels[c].to) {
			continue
		}
		r.Requeued[c], _ = e.content(int32(c))
		if r.Snapshot == nil {
			continue
		}
		for _, m := range r.Snapshot.Channels[c] {
			if m.Logged {
				r.Logged[c] = append(r.Logged[c], m)
			}
		}
	}
}

// content is the application messages that wait in a channel, and how many markers
// and ends of streams do.
func (e *Engine) content(c int32) (messages []Recorded, markers uint32) {
	add := func(m Message) {
		if m.Kind() != Data {
			markers++
			return
		}
		messages = append(messages, Recorded{Message: m.Payload(), Number: m.number(), Incarnation: m.incarnation()})
	}
	if l := e.looseAt(c); l != nil {
		for i := range l.parcels {
			add(l.parcels[i].message)
		}
		return messages, markers
	}
	for i := e.channels[c].head; i != 0; i = e.pool.slots[i].next() {
		add(e.pool.slots[i].message())
	}
	return messages, markers
}
