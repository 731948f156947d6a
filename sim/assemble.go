package sim

import (
	"cmp"
	"fmt"
	"slices"
)

// This file puts snapshots together from what the nodes record, and notes the
// cut while they do.

// trigger begins the next snapshot: its initiators are ordered to initiate.
// Periodic snapshots end when only they remain. Where there is a coordinator the user
// asks it for a savepoint.
func (e *Engine) trigger() {
	if e.nextEvery > 0 && e.nextEvery == e.nextTrigger() && e.resting() {
		e.nextEvery = 0
		return
	}
	e.tick()
	e.beginSnapshot(e.takeTrigger())
}

// beginSnapshot begins a snapshot, and orders its initiators to initiate.
func (e *Engine) beginSnapshot(initiators []int32) {
	if len(e.open) >= MaxOpen {
		e.end(OpenLimit)
		return
	}
	if e.management != nil {
		e.triggered++
		e.requestSavepoint()
		return
	}
	e.allCome(PhaseBeforeTrigger, SnapshotID(len(e.history.Snapshots)+1))
	s := e.newSnapshot(initiators)
	e.open = append(e.open, s)
	for _, v := range s.Initiators {
		switch {
		case e.nodes[v].flags&down != 0:
		case e.chosen:
			e.ready.order(Step{Kind: StepInitiate, Entity: v, Index: uint32(s.ID)})
		default:
			e.diary.add(appointment{at: e.now, class: StepInitiate, entity: v, index: uint32(s.ID)})
		}
	}
}

// newSnapshot is the next snapshot.
func (e *Engine) newSnapshot(initiators []int32) *Snapshot {
	e.digestAtTrigger = e.appDigest
	s := &Snapshot{
		ID: SnapshotID(len(e.history.Snapshots) + 1), Incarnation: e.incarnation, Initiators: initiators,
		TriggeredAt: e.now, StartedAt: -1, CompletedAt: -1, parts: len(e.nodes),
	}
	e.history.Snapshots = append(e.history.Snapshots, s)
	e.took(StepTrigger, 0, uint32(s.ID))
	e.foldControl(EventTrigger, -1, uint64(s.ID))
	if e.observer != nil {
		e.observe(Event{Kind: EventTrigger, Node: -1, Snapshot: s.ID, Initiators: s.Initiators})
	}
	return s
}

// takeTrigger takes what is due next off the plan, and says who initiates it.
func (e *Engine) takeTrigger() []int32 {
	plan, due := &e.cfg.Snapshots, e.nextTrigger()
	if own := plan.initiatorsAt(e.triggered); own != nil && plan.At[e.triggered] <= due {
		e.triggered++
		return own
	}
	for e.triggered < len(plan.At) && plan.At[e.triggered] <= due && plan.initiatorsAt(e.triggered) == nil {
		e.triggered++
	}
	if e.nextEvery == due {
		e.nextEvery += plan.Every
	}
	return plan.Initiators
}

// initiatorsAt is the initiators of its own that an entry of At has, nil for none.
func (p *SnapshotPlan) initiatorsAt(i int) []int32 {
	if i >= len(p.InitiatorsAt) {
		return nil
	}
	return p.InitiatorsAt[i]
}

// snapshot is the one with this id; an algorithm that names another is at fault.
func (e *Engine) snapshot(v int32, id SnapshotID) *Snapshot {
	if id == 0 || uint64(id) > uint64(len(e.history.Snapshots)) {
		e.blame(v, "names snapshot %d, and of %d none is that", id, len(e.history.Snapshots))
	}
	s := e.history.Snapshots[id-1]
	if s.States == nil {
		e.allocate(s)
	}
	return s
}

// pendingPart is the snapshot if node v's part of it may still change, else a
// scratch copy of no consequence: what was sent to the store stays as it is.
func (e *Engine) pendingPart(v int32, id SnapshotID) *Snapshot {
	if s := e.snapshot(v, id); s.Status == Pending && s.DoneAt[v] < 0 {
		return s
	}
	scratch := &Snapshot{ID: id}
	e.allocate(scratch)
	return scratch
}

func (e *Engine) allocate(s *Snapshot) {
	nodes, channels := len(e.nodes), len(e.channels)
	if e.loose != nil {
		s.Gaps = make([][]uint32, channels)
	}
	byNode := make([][]byte, 2*nodes)
	s.States, s.Attached = byNode[:nodes:nodes], byNode[nodes:]
	s.Logs = make([][]LogEntry, nodes)
	s.DoneAt = make([]int64, nodes)
	s.Recordings = make([]Recording, nodes)
	s.Channels = make([][]Recorded, channels)
	counters := make([]uint32, 2*channels)
	s.Sent, s.Processed = counters[:channels:channels], counters[channels:]
	flags := make([]bool, 2*nodes+channels)
	s.Durable, s.unread, s.Marked = flags[:nodes:nodes], flags[nodes:2*nodes:2*nodes], flags[2*nodes:]
	s.reached = make([]uint32, nodes)
	for v := range s.DoneAt {
		s.DoneAt[v] = -1
	}
}

// recordState notes a node's local state and its side of the cut.
func (e *Engine) recordState(v int32, id SnapshotID, state []byte) {
	s := e.snapshot(v, id)
	if s.Recordings[v].Seq != 0 && s.Status != Aborted {
		s.Twice = append(s.Twice, v)
	}
	if s.Status != Pending || s.DoneAt[v] >= 0 {
		return
	}
	if s.StartedAt < 0 {
		s.StartedAt = e.now
	}
	s.States[v] = append(make([]byte, 0, len(state)), state...)
	for i := range e.nodes[v].outs {
		c := e.output(v, i)
		s.Sent[c] = e.channels[c].sent
	}
	for i := range e.nodes[v].inputs {
		c := e.input(v, i)
		s.Processed[c] = e.channels[c].processed
		if l := e.looseAt(c); l != nil {
			s.Gaps[c] = slices.Clone(l.gaps)
		}
	}
	e.recordings++
	s.Recordings[v] = Recording{
		Seq: e.recordings, Row: len(e.history.Rows), At: e.now,
		Offset: e.offset(v), Timers: e.armedTimers(v),
	}
	e.digest = foldBytes(e.digest, state)
	e.noteControl(RowRecord, v, uint32(s.ID))
	if e.observer != nil {
		e.observe(Event{Kind: EventRecord, Node: v, Snapshot: s.ID, State: state})
	}
}

// recordReference is recordState for a state that is read when the part is written.
func (e *Engine) recordReference(v int32, id SnapshotID) {
	e.recordState(v, id, e.nodes[v].app.Save(nil))
	if s := e.snapshot(v, id); s.Status == Pending && s.DoneAt[v] < 0 {
		s.unread[v] = true
	}
}

// readReference reads a state that was saved by reference.
func (e *Engine) readReference(v int32, s *Snapshot) {
	if s.unread[v] {
		s.unread[v], s.States[v] = false, e.nodes[v].app.Save([]byte{})
		e.digest = foldBytes(e.digest, s.States[v])
	}
}

// recordMessage adds a message to a recorded channel state.
func (e *Engine) recordMessage(v int32, op *Op) {
	c := e.inputOf(v, op.Channel)
	s := e.pendingPart(v, op.Snapshot)
	m := op.Message
	s.Channels[c] = append(s.Channels[c], Recorded{Message: m.Payload(), Number: m.number(), Incarnation: m.incarnation(), Logged: op.Kind == OpSaveLog})
	if op.Kind == OpSaveLog {
		s.Logs[v] = append(s.Logs[v], LogEntry{Channel: c, Index: int32(len(s.Channels[c]) - 1)})
	}
	e.foldControl(EventChannel, c, uint64(s.ID)<<32|uint64(m.number()))
}

// partDone sends a node's part to the store.
func (e *Engine) partDone(v int32, id SnapshotID) {
	s := e.snapshot(v, id)
	if s.Status != Pending || s.DoneAt[v] >= 0 || s.Recordings[v].Seq == 0 {
		return // said before, or too late, or too early: there is nothing to write
	}
	s.DoneAt[v] = e.now
	e.foldControl(EventDone, v, uint64(id))
	if e.observer != nil {
		for i := range e.nodes[v].inputs {
			c := e.input(v, i)
			e.observe(Event{Kind: EventChannel, Node: v, Channel: c, Snapshot: id, Recorded: s.Channels[c]})
		}
		e.observe(Event{Kind: EventDone, Node: v, Snapshot: id})
	}
	if e.chosen {
		e.ready.arm(Step{Kind: StepWrite, Entity: v, Index: uint32(id)})
		return
	}
	delay := e.cfg.Write.Draw(e.writeStream.Draw(v, uint64(id)))
	if e.management != nil {
		delay += e.transfer(e.toWrite(v, s))
	}
	e.diary.add(appointment{at: e.now + delay, class: StepWrite, entity: v, index: uint32(id)})
}

// durable ends the write of a node's part. Without a coordinator the last one
// completes the snapshot.
func (e *Engine) durable(v int32, id SnapshotID) {
	s := e.history.Snapshots[id-1]
	if e.nodes[v].flags&down != 0 || s.Status != Pending {
		return
	}
	e.took(StepWrite, v, uint32(id))
	if e.management != nil {
		e.written(v, s)
		return
	}
	e.partStored(v, s)
	if s.parts--; s.parts > 0 {
		e.comesOnce(v, PhaseSaved, id)
		return
	}
	e.completeSnapshot(s)
	e.allCome(PhaseComplete, id)
	e.settle()
}

// partStored notes that a node's part is durable.
func (e *Engine) partStored(v int32, s *Snapshot) {
	e.readReference(v, s)
	s.Durable[v] = true
	e.foldControl(EventDurable, v, uint64(s.ID))
	if e.observer != nil {
		e.observe(Event{Kind: EventDurable, Node: v, Snapshot: s.ID})
	}
}

// completeSnapshot makes a snapshot one that the graph can be restored from.
func (e *Engine) completeSnapshot(s *Snapshot) {
	s.Status, s.CompletedAt = Complete, e.now
	e.noteProgress(s)
	if !s.Savepoint && (e.newest == nil || e.newest.ID < s.ID) {
		e.newest = s
	}
	e.close(s)
	e.foldControl(EventComplete, -1, uint64(s.ID))
	if e.observer != nil {
		e.observe(Event{Kind: EventComplete, Node: -1, Snapshot: s.ID, Complete: s})
	}
}

// close takes a complete snapshot off the list of open ones.
func (e *Engine) close(s *Snapshot) {
	i, found := slices.BinarySearchFunc(e.open, s.ID, func(o *Snapshot, id SnapshotID) int { return cmp.Compare(o.ID, id) })
	if !found {
		return // a coordinator had given it up
	}
	if i == 0 { // as a rule the oldest is complete first, and nothing needs to move
		e.open = e.open[1:]
		return
	}
	e.open = slices.Delete(e.open, i, i+1)
}

// marker tells that a marker is handed to its receiver, and mark that it was.
func (e *Engine) marker(c, v int32, m Message) {
	e.foldControl(EventMarker, c, m.Key)
	if e.observer != nil {
		e.observe(Event{Kind: EventMarker, Node: v, Channel: c, Snapshot: m.Snapshot()})
	}
}

func (e *Engine) mark(c int32, id SnapshotID) {
	e.snapshot(e.channels[c].to, id).Marked[c] = true
}

func (e *Engine) markerSent(c, v int32, id SnapshotID, due int64) {
	e.snapshot(v, id).Markers++
	e.foldControl(EventMarkerSent, c, uint64(id))
	if e.observer != nil {
		e.observe(Event{Kind: EventMarkerSent, Node: v, Channel: c, Snapshot: id, Due: due})
	}
}

// inputOf is the channel of a node's input; an algorithm that names another is
// at fault.
func (e *Engine) inputOf(v, in int32) int32 {
	if in >= 0 && in < e.nodes[v].inputs {
		return e.input(v, in)
	}
	e.blame(v, "names input %d, and has %d inputs", in, e.nodes[v].inputs)
	return 0
}

// blameOutput is blame for an output that there is not. The App is at fault if it sends
// there: the algorithm passes on what it is given.
func (e *Engine) blameOutput(v, output int32) {
	m := Misconduct{Node: v, Does: fmt.Sprintf("sends on output %d, and has %d outputs", output, e.nodes[v].outs)}
	m.App = slices.ContainsFunc(e.out.effects.Sends(), func(s Send) bool { return s.Output == output })
	panic(&m)
}

// blame stops a run in which an algorithm asked for what does not exist.
func (e *Engine) blame(v int32, format string, args ...any) {
	panic(&Misconduct{Node: v, Does: fmt.Sprintf(format, args...)})
}
