package sim

// begin prepares the recorder for a handler at a node.
func (e *Engine) begin(v int32) {
	e.out.at = v
	e.sendFrom = e.now
	e.steps += e.stepOfHandler
}

// balance looks whether the handler gives the App what it was handed, and sends what
// comes of it.
func (e *Engine) balance(handed int) {
	processed, sent := 0, 0
	ops := e.out.Ops()
	for i := range ops {
		switch op := &ops[i]; {
		case op.Kind == OpProcess:
			processed++
		case op.Kind == OpEmit || op.Kind == OpSend && op.Message.Kind() == Data:
			sent++
		}
	}
	if processed != handed || sent != e.out.effects.n {
		e.heldBack()
	}
}

// heldBack notes that an algorithm has not given its App, in the handler that got it,
// each input that it was handed, and that one alone, or has not let go what came of it.
func (e *Engine) heldBack() {
	switch k := len(e.history.Restores); {
	case e.recovering: // what follows a crash is not looked at
	case k > 0:
		e.history.Restores[k-1].HeldBack = true
	default:
		e.history.HeldBack = true
	}
}

// arriveAt hands a channel's due head to its receiver, unless that is down, busy
// or has the channel blocked.
func (e *Engine) arriveAt(c int32) {
	ch := &e.channels[c]
	v := ch.to
	if ch.flags&(blocked|dead|guarded) != 0 && e.shut(ch) {
		ch.flags |= parked
		return
	}
	n := &e.nodes[v]
	if n.busyUntil > e.now {
		e.wait(v, waiter{due: e.pool.slots[ch.head].due(), class: StepDeliver, entity: c})
		return
	}
	e.begin(v)
	m, handed := e.pop(c, ch), 1
	if m.Kind() != Data {
		handed = 0
		if e.signal(c, v, m) {
			e.tookFrom(c)
			return
		}
	} else {
		e.dataInFlight--
		if !e.noService {
			e.startService(v, n)
		}
	}
	e.current, e.currentInput = c, ch.input
	n.algorithm.Receive(Input(ch.input), m, &e.out)
	e.carryOut(v, n, handed)
	e.currentInput = noInput
}

// fileExternal puts the next record of a source on the agenda.
func (e *Engine) fileExternal(v int32) {
	if e.nodes[v].flags&down != 0 {
		return
	}
	s := &e.sources[v]
	at, ok := e.nextRelease(s)
	if !ok {
		e.seeDrained(v)
		return
	}
	if e.chosen {
		e.ready.add(e, v)
		return
	}
	s.at = max(at, e.restoredAt)
	if s.at > MaxTime {
		e.end(TimeLimit)
		return
	}
	if s.at >= e.now {
		e.wheel.insert(e, v, s.at)
	} else {
		e.wait(v, waiter{due: s.at, class: StepExternal, entity: v})
	}
}

// nextRelease is when the next record of a source is released; false if there is none,
// or none before the stop.
func (e *Engine) nextRelease(s *source) (at int64, ok bool) {
	if s.source == nil || s.read >= s.limit {
		return 0, false
	}
	_, at, ok = s.source.Record(uint64(s.read))
	return at, ok && (e.chosen || e.cfg.Stop.At == 0 || at < e.cfg.Stop.At)
}

// external hands the next record of a source to its node.
func (e *Engine) external(v int32) {
	n, s := &e.nodes[v], &e.sources[v]
	if n.flags&down != 0 || s.read >= s.limit {
		return
	}
	if n.busyUntil > e.now {
		e.wait(v, waiter{due: s.at, class: StepExternal, entity: v})
		return
	}
	e.took(StepExternal, v, 0)
	m, _, _ := s.source.Record(uint64(s.read))
	s.read++
	m = Message{Key: m.Key, Value: m.Value, Aux: m.Aux}.identified(s.read, e.incarnation)
	e.fileExternal(v)
	e.begin(v)
	if !e.noService {
		e.startService(v, n)
	}
	n.algorithm.Receive(External, m, &e.out)
	e.carryOut(v, n, 1)
}

// initiate orders a node to initiate a snapshot.
func (e *Engine) initiate(v int32, id SnapshotID, due int64) {
	n := &e.nodes[v]
	if n.flags&down != 0 {
		return
	}
	if n.busyUntil > e.now {
		e.wait(v, waiter{due: due, class: StepInitiate, entity: v, index: uint32(id)})
		return
	}
	e.took(StepInitiate, v, uint32(id))
	e.foldControl(EventInitiate, v, uint64(id))
	if e.observer != nil {
		e.observe(Event{Kind: EventInitiate, Node: v, Snapshot: id})
	}
	if e.phaseWatch && e.crashBeforeRecord(v, id) {
		return
	}
	e.begin(v)
	n.algorithm.Initiate(id, &e.out)
	e.carryOut(v, n, 0)
}

// fire hands a timer that is still armed to its node.
func (e *Engine) fire(v int32, id uint32, due int64) {
	n := &e.nodes[v]
	i, armed := e.armed(v, id)
	if n.flags&down != 0 || !armed || !e.chosen && e.timers[v][i].Due != due {
		return
	}
	if n.busyUntil > e.now {
		e.wait(v, waiter{due: due, class: StepTimer, entity: v, index: id})
		return
	}
	e.took(StepTimer, v, id)
	e.begin(v)
	if !e.noService {
		e.startService(v, n)
	}
	e.goesOff(v, id)
	n.algorithm.Receive(Timer, Message{Key: uint64(id)}.identified(0, e.incarnation), &e.out)
	e.carryOut(v, n, 1)
}

// carryOut does what the handler at node v asked for, in order; a crash may fall
// between two entries.
func (e *Engine) carryOut(v int32, n *node, handed int) {
	ops, fault := e.out.Ops(), -1
	if e.out.n != handed+e.out.effects.n { // something else, or nothing of what should be
		e.balance(handed)
	}
	special := e.phaseWatch || n.flags&(doomedNode|choosy|chronicled) != 0
	if special {
		if e.chronicler != nil && e.currentInput != noInput {
			e.tookFrom(e.current)
		}
		var limit int
		limit, fault = e.crashInside(v)
		ops = ops[:limit]
	}
	for i := range ops {
		switch op := &ops[i]; op.Kind {
		case OpSend:
			e.send(v, n, op)
		case OpProcess:
			e.process(v, op)
		default:
			e.carryOutRare(v, op)
		}
	}
	e.out.Reset()
	if !special {
		return
	}
	if n.flags&choosy != 0 {
		e.reconsider(v)
	}
	if fault >= 0 {
		e.crash(fault, e.cfg.Faults[fault].Nodes)
	}
}

func (e *Engine) carryOutRare(v int32, op *Op) {
	switch op.Kind {
	case OpEmit:
		e.emit(v, &op.Message)
	case OpCommit:
		e.commit(v, op)
	case OpDrop:
		e.drop(v, op)
	case opTimer:
		e.arm(v, uint32(op.Message.Key), e.sendFrom+op.Message.Value)
	case OpSaveState:
		e.recordState(v, op.Snapshot, e.out.Saved(*op))
	case OpSaveReference:
		e.recordReference(v, op.Snapshot)
	case OpSaveChannel, OpSaveLog:
		e.recordMessage(v, op)
	case OpAttach:
		e.pendingPart(v, op.Snapshot).Attached[v] = append([]byte(nil), e.out.Saved(*op)...)
	case OpBlock:
		e.block(v, op)
	case OpUnblock:
		e.unblock(v, op)
	case OpDone:
		e.partDone(v, op.Snapshot)
	case OpDrain:
		e.awaitDrained(v)
	case OpTell:
		if e.management != nil {
			e.post(2*v+1, op.Told())
		}
	}
}

// send puts a message on an output channel. A marker, or the end of the stream, takes
// the delay of the next application message, so that it never pushes one back.
func (e *Engine) send(v int32, n *node, op *Op) {
	if uint32(op.Channel) >= uint32(n.outs) {
		e.blameOutput(v, op.Channel)
	}
	c := at(e.outputs, n.firstOut+op.Channel)
	ch := &e.channels[c]
	due := int64(0)
	if !e.chosen {
		due = e.sendFrom + e.delays[ch.dist].Draw(e.delayStream.Draw(c, uint64(ch.sent)+1))
		if ch.head != 0 {
			due = max(due, e.pool.slots[ch.tail].due())
		}
		if due > MaxTime {
			due = MaxTime
			e.end(TimeLimit)
		}
	}
	number := uint32(0)
	if op.Message.Kind() == Data {
		e.dataInFlight++
		ch.sent++
		number = ch.sent
		e.note(RowSend.head()|uint32(c), number, op.Message.Hash())
		if e.observer != nil {
			e.observe(Event{Kind: EventSend, Node: v, Channel: c, Number: number, Message: op.Message, Due: due})
		}
	} else {
		e.signalSent(c, v, &op.Message, due)
	}
	if ch.flags&(unreliable|closed) != 0 && e.sentOddly(c, &op.Message, number, due) {
		return
	}
	e.put(c, ch, &op.Message, number, due, e.incarnation)
}

// process counts an input as processed: its App has stepped.
func (e *Engine) process(v int32, op *Op) {
	m := &op.Message
	c := e.current // nearly always the channel of the message that just came
	if op.Channel != e.currentInput {
		switch Input(op.Channel) {
		case External:
			e.processExternal(v, m)
			return
		case Timer:
			e.processTimer(v, m)
			return
		}
		c = e.inputOf(v, op.Channel)
	}
	ch := &e.channels[c]
	ch.processed++
	if m.number() != ch.processed || m.incarnation() != e.incarnation && !e.inherited(c, m) {
		e.question(c, m)
	}
	e.history.Deliveries++
	e.note(RowProcess.head()|uint32(c), m.number(), m.Hash())
	if e.observer != nil {
		e.observe(Event{Kind: EventProcess, Node: v, Channel: c, Number: m.number(), SentIncarnation: m.incarnation(), Message: *m})
	}
}

func (e *Engine) processExternal(v int32, m *Message) {
	if uint32(v) >= uint32(len(e.sources)) {
		e.blame(v, "processes an External record, and no run of it has any")
	}
	s := &e.sources[v]
	s.offset++
	e.note(RowExternal.head()|uint32(v), m.number(), m.Hash())
	if e.observer != nil {
		e.observe(Event{Kind: EventExternal, Node: v, Number: m.number(), Message: *m})
	}
	if e.records++; e.records == e.cfg.Stop.Records && !e.stopped {
		e.stop()
	}
}

// offset is how many External records a node has processed.
func (e *Engine) offset(v int32) uint64 {
	if e.sources == nil {
		return 0
	}
	return uint64(e.sources[v].offset)
}

func (e *Engine) processTimer(v int32, m *Message) {
	id := uint32(m.Key)
	if i, ok := e.armed(v, id); ok {
		e.timers[v] = append(e.timers[v][:i], e.timers[v][i+1:]...)
		e.seeDrained(v)
	}
	forged := uint64(1)
	if e.comesBack(v, id) && *m == (Message{Key: uint64(id)}).identified(0, e.incarnation) {
		forged = 0
	}
	e.note(RowTimer.head()|uint32(v), id, forged)
	if e.observer != nil {
		e.observe(Event{Kind: EventTimer, Node: v, Timer: id})
	}
}

// emit lets a record leave the system. It is never taken back.
func (e *Engine) emit(v int32, m *Message) {
	if e.emitted == nil {
		e.emitted = make([]uint32, len(e.nodes))
	}
	e.emitted[v]++
	e.note(RowEmit.head()|uint32(v), e.emitted[v], m.Hash())
	if e.observer != nil {
		e.observe(Event{Kind: EventEmit, Node: v, Number: e.emitted[v], Message: *m})
	}
}

// inherited says that the current incarnation began with this message as sent:
// one of its ancestors sent it, and every restore since has kept it, as it lies within
// the cut or as its sender was not restarted.
func (e *Engine) inherited(c int32, m *Message) bool {
	for now := e.incarnation; now != m.incarnation(); {
		if now == 0 {
			return false
		}
		r := &e.history.Restores[now-1]
		if r.Partial != nil && !r.Restarted(e.senderOf(c)) {
			now--
			continue
		}
		if r.Snapshot == nil || m.number() > r.Snapshot.Sent[c] {
			return false
		}
		now = r.Snapshot.Incarnation
	}
	return true
}

// question looks closer at a message that was processed and is not the next of its
// channel, or not of this incarnation.
func (e *Engine) question(c int32, m *Message) {
	next := e.channels[c].processed
	if e.irregular(c, m) && (m.incarnation() == e.incarnation || e.inherited(c, m)) {
		return
	}
	e.history.Breaches = append(e.history.Breaches, Breach{
		At: e.now, Row: len(e.history.Rows), Channel: c, Incarnation: e.incarnation,
		Number: m.number(), Next: next, SentIncarnation: m.incarnation(),
	})
}
