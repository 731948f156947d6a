package sim

import "slices"

// Phase is a moment in a snapshot's life at one node, which a fault can wait for. In
// what follows "the node" is the fault's first. Where a node without a coordinator
// comes to a phase at another moment than with one, that is said.
type Phase uint8

// The phases, in the order of a snapshot's life. A node comes to each once for each
// snapshot, to the last two once for each restore.
const (
	NoPhase Phase = iota
	// PhaseBeforeTrigger: the snapshot is about to begin, and nobody has been told.
	PhaseBeforeTrigger
	// PhaseBeforeRecord: the node is about to be given the snapshot's first marker,
	// barrier or order to initiate. The handler does not run.
	PhaseBeforeRecord
	// PhaseAligning: the node has blocked an input for the snapshot and has not
	// recorded. After the handler that blocked.
	PhaseAligning
	// PhaseRecording: inside the handler that records and passes markers on, between
	// the state and the markers, whichever of the two comes first there.
	PhaseRecording
	// PhaseRecorded: the node has recorded its state and the snapshot is not
	// complete. After the handler that recorded.
	PhaseRecorded
	// PhaseSaving: the node's part is whole and not durable. After the handler that
	// said Done.
	PhaseSaving
	// PhaseSaved: the node's part is durable, and its acknowledgement is on its way.
	// After Task.Written. Without a coordinator: the part is durable, and the
	// snapshot not complete.
	PhaseSaved
	// PhaseAcknowledged: the coordinator has received the acknowledgement, and the
	// snapshot is not complete. Of the coordinator: it has received the last one, and
	// nothing that it has then decided is done.
	PhaseAcknowledged
	// PhasePublishing: the coordinator has begun to write the metadata.
	PhasePublishing
	// PhaseComplete: the snapshot is complete, and the node has not been notified. Of
	// the coordinator: it does not know that the metadata is durable.
	PhaseComplete
	// PhaseNotified: the node has been given the notice of completion, and nothing
	// of what its handler asked for is done.
	PhaseNotified
	// PhaseRestoring: the restore is ordered and has not come. Without a coordinator:
	// another node has crashed. The snapshot is the one to restore.
	PhaseRestoring
	// PhaseReplaying: inside Recover, after the first thing that it asked for, if the
	// node has a backup log. The snapshot is the restored one.
	PhaseReplaying

	phases
)

// Managed says that there is such a phase only where there is a coordinator.
func (p Phase) Managed() bool {
	return p == PhaseAcknowledged || p == PhasePublishing || p == PhaseNotified
}

// OfCoordinator says that the coordinator itself comes to this phase.
func (p Phase) OfCoordinator() bool {
	switch p {
	case PhaseBeforeTrigger, PhaseAcknowledged, PhasePublishing, PhaseComplete, PhaseRestoring:
		return true
	}
	return false
}

// moment is a phase that the handler under way belongs to as a whole.
type moment struct {
	phase Phase
	id    SnapshotID
}

// countPhaseFaults begins the count of faults that wait for a phase.
func (e *Engine) countPhaseFaults() {
	for i := range e.cfg.Faults {
		if e.cfg.Faults[i].Phase != NoPhase {
			e.phaseFaults++
		}
	}
	e.phaseWatch = e.phaseFaults > 0
}

// waits says whether fault i still waits for node v to come to a phase.
func (e *Engine) waits(i int, v int32) bool {
	f := &e.cfg.Faults[i]
	return f.Phase != NoPhase && f.Nodes[0] == v && !e.faults[i].fired && !e.faults[i].armed
}

// concerns says whether a fault waits for a phase of this snapshot.
func (f *Fault) concerns(id SnapshotID) bool { return f.Snapshot == 0 || f.Snapshot == id }

// crashInside says how many entries of the current handler are carried out, and
// which fault then strikes (-1: none).
func (e *Engine) crashInside(v int32) (limit, fault int) {
	limit, fault = e.strikeDoomed(v, e.out.n)
	if !e.phaseWatch {
		return limit, fault
	}
	for i := range e.cfg.Faults {
		if f := &e.cfg.Faults[i]; e.waits(i, v) {
			upTo, reached := e.reaches(v, f)
			limit, fault = e.strike(i, upTo, reached, limit, fault)
		}
	}
	return limit, fault
}

// strikeDoomed is the fault that waits for a handler of node v, which has asked for n
// things, and how many of them are carried out.
func (e *Engine) strikeDoomed(v int32, n int) (limit, fault int) {
	limit, fault = n, -1
	for _, d := range e.doomed {
		if d.node == v && fault < 0 {
			limit, fault = min(limit, *e.cfg.Faults[d.fault].AfterOutputs), d.fault
		}
	}
	return limit, fault
}

// strike counts that fault i's phase is reached, if it is. If that is the time that the
// fault waits for, and no other strikes, this one does, after upTo entries or as many as
// it says itself.
func (e *Engine) strike(i, upTo int, reached bool, limit, fault int) (int, int) {
	if !reached {
		return limit, fault
	}
	f := &e.cfg.Faults[i]
	if e.faults[i].seen++; e.faults[i].seen < f.Occurrence || fault >= 0 {
		return limit, fault
	}
	if f.AfterOutputs != nil {
		upTo = *f.AfterOutputs
	}
	return min(limit, upTo), i
}

// reaches says whether the current handler takes node v into the fault's phase, and how
// many of its entries that takes.
func (e *Engine) reaches(v int32, f *Fault) (upTo int, ok bool) {
	if f.Phase == e.moment.phase && f.concerns(e.moment.id) {
		switch f.Phase {
		case PhaseNotified:
			return 0, true
		case PhaseReplaying:
			return 1, true
		}
		return e.out.n, true
	}
	ops := e.out.Ops()
	for i := range ops {
		op := &ops[i]
		if !f.concerns(op.Snapshot) {
			continue
		}
		switch {
		case op.saves() && f.Phase == PhaseRecorded:
			return e.out.n, e.snapshot(v, op.Snapshot).Recordings[v].Seq == 0
		case op.saves() && f.Phase == PhaseRecording:
			if marker := e.firstMarker(op.Snapshot); marker >= 0 && e.snapshot(v, op.Snapshot).Recordings[v].Seq == 0 {
				return max(i, marker), true
			}
		case op.Kind == OpDone && f.Phase == PhaseSaving:
			if s := e.snapshot(v, op.Snapshot); s.DoneAt[v] < 0 && (s.Recordings[v].Seq != 0 || e.saves(op.Snapshot)) {
				return e.out.n, true
			}
		case op.Kind == OpBlock && f.Phase == PhaseAligning:
			if e.snapshot(v, op.Snapshot).Recordings[v].Seq == 0 && !e.saves(op.Snapshot) && !e.aligns(v, op.Snapshot) {
				return e.out.n, true
			}
		}
	}
	return 0, false
}

// firstMarker is where the current handler sends the first marker of a snapshot, or -1.
func (e *Engine) firstMarker(id SnapshotID) int {
	return slices.IndexFunc(e.out.Ops(), func(op Op) bool {
		return op.Kind == OpSend && op.Message.Kind() == Marker && op.Message.Snapshot() == id
	})
}

// saves says whether the current handler records this snapshot.
func (e *Engine) saves(id SnapshotID) bool {
	return slices.ContainsFunc(e.out.Ops(), func(op Op) bool { return op.saves() && op.Snapshot == id })
}

// saves says whether an entry records the node's state.
func (op *Op) saves() bool { return op.Kind == OpSaveState || op.Kind == OpSaveReference }

// aligns says whether a node has blocked an input for this snapshot already.
func (e *Engine) aligns(v int32, id SnapshotID) bool {
	if e.blockedBy == nil {
		return false
	}
	for i := range e.nodes[v].inputs {
		if e.blockedBy[e.input(v, i)] == id {
			return true
		}
	}
	return false
}

// crashBeforeRecord lets a fault strike a node that is about to hear of a
// snapshot for the first time.
func (e *Engine) crashBeforeRecord(v int32, id SnapshotID) bool {
	if !e.firstTime(v, PhaseBeforeRecord, id) || e.snapshot(v, id).Recordings[v].Seq != 0 {
		return false
	}
	return e.comes(v, PhaseBeforeRecord, id)
}

// firstTime says whether a node comes to a phase of a snapshot for the first time.
func (e *Engine) firstTime(v int32, p Phase, id SnapshotID) bool {
	if id == 0 || uint64(id) > uint64(len(e.history.Snapshots)) {
		return false // a coordinator speaks of what there is not
	}
	s := e.snapshot(v, id)
	before := s.reached[v]
	s.reached[v] |= 1 << p
	return before&(1<<p) == 0
}

// comes lets a fault strike that has waited for node v to come to a phase outside its
// handlers, and says whether the node has crashed.
func (e *Engine) comes(v int32, p Phase, id SnapshotID) bool {
	strikes := -1
	for i := range e.cfg.Faults {
		if f := &e.cfg.Faults[i]; e.waits(i, v) && f.Phase == p {
			_, strikes = e.strike(i, 0, f.concerns(id), 0, strikes)
		}
	}
	switch {
	case strikes < 0:
		return false
	case p == PhaseBeforeRecord:
		e.crash(strikes, e.cfg.Faults[strikes].Nodes)
	default:
		e.fireFault(strikes)
	}
	return e.nodes[v].flags&down != 0
}

// comesOnce is comes for what a snapshot that is not complete may have more than once.
func (e *Engine) comesOnce(v int32, p Phase, id SnapshotID) {
	if e.phaseWatch && e.nodes[v].flags&down == 0 && e.firstTime(v, p, id) && e.snapshot(v, id).Status == Pending {
		e.comes(v, p, id)
	}
}

// allCome lets every node that is up come to a phase.
func (e *Engine) allCome(p Phase, id SnapshotID) {
	for v := range int32(len(e.nodes)) {
		if e.phaseWatch && e.nodes[v].flags&down == 0 {
			e.comes(v, p, id)
		}
	}
}

// crashBetween says how much of what the coordinator has decided is done, and which
// fault then strikes it (-1: none).
func (e *Engine) crashBetween(list []Decision) (limit, fault int) {
	v := e.coordinatorNode()
	limit, fault = e.strikeDoomed(v, len(list))
	if !e.phaseWatch {
		return limit, fault
	}
	for i := range e.cfg.Faults {
		if f := &e.cfg.Faults[i]; e.waits(i, v) {
			upTo, reached := e.comesBy(list, f)
			limit, fault = e.strike(i, upTo, reached, limit, fault)
		}
	}
	return limit, fault
}

// comesBy says whether the coordinator comes to the fault's phase by what it has
// decided, and how many of these entries that takes.
func (e *Engine) comesBy(list []Decision, f *Fault) (upTo int, ok bool) {
	kind, after := DecideBegin, 0
	switch f.Phase {
	case PhaseComplete:
		return 0, e.moment.phase == PhaseComplete && f.concerns(e.moment.id)
	case PhaseAcknowledged:
		kind = DecidePublish
	case PhasePublishing:
		kind, after = DecidePublish, 1
	case PhaseRestoring:
		kind, after = DecideRestore, 1
	}
	i := slices.IndexFunc(list, func(d Decision) bool { return d.Kind == kind && f.concerns(d.ID) })
	return i + after, i >= 0
}
