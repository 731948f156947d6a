package sim

import (
	"cmp"
	"slices"
)

// management is what the engine keeps for a coordinator: the control channels, its
// alarms, and the durable store.
type management struct {
	coordinator Coordinator
	decisions   Decisions
	lines       []line       // 2v: to task v; 2v+1: from it
	alarms      []ArmedTimer // by id
	parts       []part       // by handle less one
	chunks      []piece      // of the parts
	newest      []Handle     // by node: its last part that is no savepoint's; nil before the first
	metadata    []Metadata   // durable, by id
	publishing  []Metadata   // being written
	last        SnapshotID   // the highest id that has begun
	down, again bool
	restoring   SnapshotID // what the restore under way goes back to
	ordered     bool       // a restore is under way
	partial     bool       // of what has failed, and upstream of it
	upAgain     int64      // when every crashed node can be restored
	restedAt    int64      // the step at which it was last told that everything rests; -1: none
}

// ManagementPlan says how the control channels and the store behave.
type ManagementPlan struct {
	// New makes the coordinator; nil: there is none, and a snapshot is complete when
	// every part of it is durable.
	New       func() Coordinator
	Sources   []int32 // where barriers are injected
	Delay     Dist    // of control messages, and until a crash is noticed
	Fails     Unreliable
	Read      Dist    // how long a restore reads
	Unwritten Failure // parts that the store fails to write: by millions, and Markers by snapshot id
	// Torn and Lost are parts that the store says are durable, and of which later only
	// the beginning is there, or nothing. Checksums tell: what has one of them cannot be
	// restored. By millions and by snapshot id, like Unwritten; Lost goes first.
	Torn, Lost Failure
	// Finish lets nodes finish: a Node that is a Drainer is told when nothing of its node's
	// own comes any more. The channels must be reliable.
	Finish bool
	// Bandwidth is in bytes per second; 0: no limit. A write takes Config.Write and the
	// time for the bytes that the store has to write when it begins, a restore takes
	// Read and the time for all that it reads.
	Bandwidth int64
	// Chunk makes checkpoints incremental: states are written in chunks of so many
	// bytes, and a chunk that the task's last stored part has in the same place is not
	// written again but shared. 0: every part is written as a whole.
	Chunk int64
}

// manage prepares the coordinator.
func (e *Engine) manage() {
	e.management = nil
	if e.cfg.Management.New == nil {
		return
	}
	e.management = &management{lines: make([]line, 2*len(e.nodes)), restedAt: -1, down: e.cfg.From != nil} // see takeUp
}

// startCoordinator lets the coordinator begin, from nothing but what is durable.
func (e *Engine) startCoordinator() {
	m := e.management
	m.coordinator, m.down = e.cfg.Management.New(), false
	e.fact(Fact{Kind: FactStarted, Task: -1})
	m.coordinator.Start(Standing{
		Tasks: len(e.nodes), Sources: slices.Clone(e.cfg.Management.Sources), Attempt: e.incarnation, Again: m.again,
		Last: m.last, Metadata: slices.Clone(m.metadata), Upstream: e.upstream(),
	}, &m.decisions)
	if e.stopped {
		m.coordinator.Stop(&m.decisions)
	}
	e.offer()
	e.decide()
}

// coordinatorNode is the number that faults know the coordinator by.
func (e *Engine) coordinatorNode() int32 { return int32(len(e.nodes)) }

// decide does what the coordinator has decided, in order; a crash of its own may fall
// between two entries.
func (e *Engine) decide() {
	m := e.management
	list := m.decisions.List()
	limit, fault := e.crashBetween(list)
	list = list[:limit]
	for i := range list {
		e.carryOutDecision(&list[i])
	}
	m.decisions.Reset()
	if fault >= 0 {
		e.crash(fault, e.cfg.Faults[fault].Nodes)
	}
}

func (e *Engine) carryOutDecision(d *Decision) {
	switch d.Kind {
	case DecideBegin:
		e.allCome(PhaseBeforeTrigger, d.ID)
		e.beginCheckpoint(d.ID, d.Metadata.Savepoint)
	case DecideSend:
		if uint32(d.Task) < uint32(len(e.nodes)) {
			e.post(2*d.Task, d.Control)
		}
	case DecideAlarm:
		e.setAlarm(uint32(d.ID), e.now+d.After)
	case DecidePublish:
		e.publish(d.Metadata)
		e.allCome(PhasePublishing, d.ID)
	case DecideAbort:
		e.abortCheckpoint(d.ID)
	case DecideDiscard:
		e.discard(d.Control.Handle)
	case DecidePurge:
		e.purge(d.Control.Handle)
	case DecideSweep:
		e.sweep(d.Metadata.Handles)
	case DecideRetire:
		e.retire(d.ID)
	case DecideRestore:
		e.orderRestore(d)
		e.allCome(PhaseRestoring, d.ID)
	case DecideGiveUp:
		e.fact(Fact{Kind: FactGaveUp, Task: -1})
		e.end(GaveUp)
	}
}

// publish begins to write the metadata of a checkpoint.
func (e *Engine) publish(x Metadata) {
	e.management.publishing = append(e.management.publishing, x)
	if e.chosen {
		e.ready.arm(Step{Kind: StepPublish, Index: uint32(x.ID)})
		return
	}
	delay := e.cfg.Write.Draw(e.writeStream.Draw(e.coordinatorNode(), uint64(x.ID)))
	e.diary.add(appointment{at: e.now + delay, class: StepPublish, index: uint32(x.ID)})
}

// beginCheckpoint makes room for a checkpoint. An id that was used before and is not
// complete is opened again: what comes of that is the coordinator's fault.
func (e *Engine) beginCheckpoint(id SnapshotID, savepoint bool) {
	f := Fact{Kind: FactBegan, Task: -1, ID: id}
	if savepoint {
		f.Number = 1
	}
	e.fact(f)
	for id > 0 && uint64(len(e.history.Snapshots)) < uint64(id) && len(e.history.Snapshots) < int(id) {
		s := e.newSnapshot(e.cfg.Management.Sources)
		if s.ID < id {
			s.Status = Aborted
			continue
		}
		e.open = append(e.open, s)
	}
	e.management.last = max(e.management.last, id)
	if id == 0 {
		return
	}
	s := e.history.Snapshots[id-1]
	if s.Savepoint = savepoint; s.Status == Aborted {
		s.Status, s.Incarnation = Pending, e.incarnation
		e.open = append(e.open, s)
		slices.SortFunc(e.open, func(a, b *Snapshot) int { return cmp.Compare(a.ID, b.ID) })
	}
}

// abortCheckpoint gives up a checkpoint that is not complete.
func (e *Engine) abortCheckpoint(id SnapshotID) {
	e.fact(Fact{Kind: FactAborted, Task: -1, ID: id})
	if i := slices.IndexFunc(e.open, func(s *Snapshot) bool { return s.ID == id }); i >= 0 {
		e.abort(e.open[i])
		e.open = slices.Delete(e.open, i, i+1)
		e.settle()
	}
}

// published ends the writing of a checkpoint's metadata: it is complete.
func (e *Engine) published(id SnapshotID) {
	m := e.management
	i := slices.IndexFunc(m.publishing, func(x Metadata) bool { return x.ID == id })
	if i < 0 {
		return
	}
	x := m.publishing[i]
	m.publishing = slices.Delete(m.publishing, i, i+1)
	e.fact(Fact{Kind: FactPublished, Task: -1, ID: id})
	e.history.Published = append(e.history.Published, x)
	at, found := m.metadataOf(id)
	if !found {
		m.metadata = slices.Insert(m.metadata, at, x)
	}
	if id > 0 && uint64(id) <= uint64(len(e.history.Snapshots)) {
		e.completeSnapshot(e.history.Snapshots[id-1])
	}
	m.coordinator.Published(id, true, &m.decisions)
	e.moment = moment{PhaseComplete, id}
	e.decide()
	e.moment = moment{}
	e.allCome(PhaseComplete, id)
	e.settle()
}

// alarmOf is the place of an alarm in the list of those set, and whether it is there.
func (m *management) alarmOf(id uint32) (at int, found bool) {
	return slices.BinarySearchFunc(m.alarms, id, func(a ArmedTimer, id uint32) int { return cmp.Compare(a.ID, id) })
}

// setAlarm sets an alarm of the coordinator's, in place of its earlier self.
func (e *Engine) setAlarm(id uint32, due int64) {
	m := e.management
	i, found := m.alarmOf(id)
	if !found {
		m.alarms = slices.Insert(m.alarms, i, ArmedTimer{})
	}
	m.alarms[i] = ArmedTimer{ID: id, Due: due}
	if e.chosen {
		e.ready.arm(Step{Kind: StepAlarm, Index: id})
		return
	}
	e.diary.add(appointment{at: due, class: StepAlarm, index: id})
}

// goOff lets an alarm of the coordinator's go off.
func (e *Engine) goOff(id uint32, due int64) {
	m := e.management
	i, found := m.alarmOf(id)
	if !found || m.down || !e.chosen && m.alarms[i].Due != due {
		return
	}
	e.took(StepAlarm, 0, id)
	m.alarms = slices.Delete(m.alarms, i, i+1)
	e.fact(Fact{Kind: FactAlarm, Task: -1, Number: id})
	m.coordinator.Alarm(id, &m.decisions)
	e.decide()
}

// crashManaged is what becomes of a crash where there is a coordinator: it is told of
// the tasks, and nothing is restored before it says so.
func (e *Engine) crashManaged(nodes []int32, downFor int64, coordinator bool) {
	m := e.management
	for _, v := range nodes {
		switch {
		case int(v) == len(e.nodes):
		case e.chosen:
			e.ready.arm(Step{Kind: StepNotice, Entity: v})
		default:
			m.upAgain = max(m.upAgain, e.now+downFor)
			delay := e.cfg.Management.Delay.Draw(e.controlStream.Draw(2*v+1, 2<<32|uint64(len(e.history.Crashes))))
			e.diary.add(appointment{at: e.now + delay, class: StepNotice, entity: v})
		}
	}
	if coordinator {
		e.crashCoordinator(e.now + downFor)
	} else if m.ordered && !e.chosen {
		e.restoreAt = max(e.restoreAt, m.upAgain)
		e.diary.add(appointment{at: e.restoreAt, class: StepRestore})
	}
}

// crashCoordinator loses what the coordinator knows and what it is writing. If it is
// down already it starts when the longer of the two is over.
func (e *Engine) crashCoordinator(until int64) {
	m := e.management
	e.fact(Fact{Kind: FactFailed, Task: -1})
	m.coordinator, m.down, m.again, m.alarms, m.publishing = nil, true, true, nil, nil
	m.decisions.Reset()
	m.ordered = false
	of := func(c StepKind) bool {
		return c == StepPublish || c == StepAlarm || c == StepRestore || c == StepStart
	}
	e.diary.keep(func(a *appointment) bool {
		if a.class == StepStart {
			until = max(until, a.at)
		}
		return !of(a.class)
	})
	e.ready.keep(func(s Step) bool { return !of(s.Kind) })
	if e.chosen {
		e.ready.arm(Step{Kind: StepStart})
		e.offer()
		return
	}
	e.diary.add(appointment{at: until, class: StepStart})
}

// notice tells the coordinator that a task has crashed.
func (e *Engine) notice(v int32) {
	m := e.management
	if m.down || e.nodes[v].flags&down == 0 {
		return
	}
	e.fact(Fact{Kind: FactNoticed, Task: v})
	m.coordinator.Failed(v, &m.decisions)
	e.decide()
}

// orderRestore arranges the restore that the coordinator wants, in place of an earlier
// one that has not come.
func (e *Engine) orderRestore(d *Decision) {
	m := e.management
	e.fact(Fact{Kind: FactRestore, Task: -1, ID: d.ID})
	if !e.recovering {
		e.recovering, e.firstCrash = true, e.now
	}
	m.restoring, m.ordered, m.partial = d.ID, true, d.Partial
	if e.chosen {
		e.ready.arm(Step{Kind: StepRestore})
		return
	}
	read := e.cfg.Management.Read.Draw(e.readStream.Draw(e.coordinatorNode(), uint64(e.incarnation))) + e.transfer(e.toRead(d.ID, e.extent()))
	e.restoreAt = max(e.now+d.After+read, m.upAgain)
	e.diary.add(appointment{at: e.restoreAt, class: StepRestore})
}

// undisturbed says that no alarm of the coordinator's can change anything in a system at
// rest: no checkpoint is under way, and no channel blocked for one that was.
func (e *Engine) undisturbed() bool {
	return len(e.open) == 0 && !slices.ContainsFunc(e.blockedBy, func(id SnapshotID) bool { return id != 0 })
}

// dropAlarms ends a run of chosen order in which nothing is left but alarms.
func (e *Engine) dropAlarms() {
	if !slices.ContainsFunc(e.ready.others, func(s Step) bool { return s.Kind != StepAlarm }) {
		e.ready.others = e.ready.others[:0]
	}
}
