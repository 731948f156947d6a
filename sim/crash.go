package sim

import "slices"

// faultState is how far a fault has come.
type faultState struct {
	fired bool
	armed bool // waits for the next handler of its first node
	seen  int  // how often its phase was reached
}

// doom is a fault that waits for a handler to fall into.
type doom struct {
	node  int32
	fault int
}

// fireFault lets a fault happen now, or in the next handler of its first node.
func (e *Engine) fireFault(i int) {
	f := &e.cfg.Faults[i]
	if e.stopped || e.faults[i].fired {
		return
	}
	if f.AfterOutputs == nil {
		e.crash(i)
		return
	}
	e.faults[i].armed = true
	e.doomed = append(e.doomed, doom{f.Nodes[0], i})
	if int(f.Nodes[0]) < len(e.nodes) {
		e.nodes[f.Nodes[0]].flags |= doomedNode
	}
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

// crashInside says how many entries of the current handler are carried out, and
// which fault then strikes (-1: none).
func (e *Engine) crashInside(v int32) (limit, fault int) {
	limit, fault = e.out.n, -1
	for _, d := range e.doomed {
		if d.node == v && fault < 0 {
			limit, fault = min(limit, *e.cfg.Faults[d.fault].AfterOutputs), d.fault
		}
	}
	if !e.phaseWatch {
		return limit, fault
	}
	for i := range e.cfg.Faults {
		f := &e.cfg.Faults[i]
		if f.Nodes[0] != v || e.faults[i].fired || !e.reaches(v, f) {
			continue
		}
		if e.faults[i].seen++; e.faults[i].seen >= f.Occurrence && fault < 0 {
			fault = i
			if f.AfterOutputs != nil {
				limit = min(limit, *f.AfterOutputs)
			}
		}
	}
	return limit, fault
}

// reaches says whether the current handler takes node v into the fault's phase.
func (e *Engine) reaches(v int32, f *Fault) bool {
	ops := e.out.Ops()
	for i := range ops {
		op := &ops[i]
		if f.Snapshot != 0 && op.Snapshot != f.Snapshot {
			continue
		}
		switch {
		case op.saves() && f.Phase == PhaseRecorded:
			return e.snapshot(v, op.Snapshot).Recordings[v].Seq == 0
		case op.Kind == OpBlock && f.Phase == PhaseAligning:
			if e.snapshot(v, op.Snapshot).Recordings[v].Seq == 0 && !e.saves(op.Snapshot) && !e.aligns(v, op.Snapshot) {
				return true
			}
		}
	}
	return false
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
	s := e.snapshot(v, id)
	if s.heard[v] || s.Recordings[v].Seq != 0 {
		return false
	}
	s.heard[v] = true
	strikes := -1
	for i := range e.cfg.Faults {
		f := &e.cfg.Faults[i]
		if f.Phase != PhaseBeforeRecord || f.Nodes[0] != v || e.faults[i].fired || f.Snapshot != 0 && f.Snapshot != id {
			continue
		}
		if e.faults[i].seen++; e.faults[i].seen >= f.Occurrence && strikes < 0 {
			strikes = i
		}
	}
	if strikes >= 0 {
		e.crash(strikes)
	}
	return strikes >= 0
}

// crash takes the nodes of a fault down and arranges the restore, which waits
// for every crashed node.
func (e *Engine) crash(fault int) {
	f := &e.cfg.Faults[fault]
	e.faults[fault].fired = true
	e.doomed = slices.DeleteFunc(e.doomed, func(d doom) bool { return d.fault == fault })
	if f.Phase != NoPhase {
		e.phaseFaults--
	}
	e.phaseWatch = !e.stopped && e.phaseFaults > 0
	coordinator := e.management != nil && slices.Contains(f.Nodes, e.coordinatorNode())
	if !e.recovering && !(coordinator && len(f.Nodes) == 1) {
		e.recovering, e.firstCrash, e.restoreAt = true, e.now, e.now
		if e.chosen && e.management == nil {
			e.ready.arm(Step{Kind: StepRestore})
		}
	} else if len(e.down) == 0 {
		e.firstCrash = e.now // into a restore that a coordinator had ordered without one
	}
	for _, v := range f.Nodes {
		if int(v) == len(e.nodes) {
			continue // the coordinator
		}
		e.history.Crashes = append(e.history.Crashes, Crash{At: e.now, Node: v, Fault: fault})
		e.noteControl(RowCrash, v, 0)
		if e.observer != nil {
			e.observe(Event{Kind: EventCrash, Node: v})
		}
		if e.nodes[v].flags&down == 0 {
			e.takeDown(v)
		}
	}
	if e.management != nil {
		e.crashManaged(f, coordinator)
		return
	}
	if !e.chosen {
		e.restoreAt = max(e.restoreAt, e.now+f.Down)
		e.diary.add(appointment{at: e.restoreAt, class: StepRestore})
	}
}

// takeDown loses what is volatile at a node. What is in flight towards it stays
// in its channels until the restore.
func (e *Engine) takeDown(v int32) {
	n := &e.nodes[v]
	n.flags = down
	e.down = append(e.down, v)
	if e.waiting != nil {
		e.waiting[v] = nil
	}
	if e.timers != nil {
		e.timers[v] = nil
	}
	if e.gone != nil {
		e.gone[v] = nil
	}
	for i := range n.inputs {
		c := e.input(v, i)
		e.release(c)
		e.channels[c].flags |= dead
		if e.chosen {
			e.park(c)
		}
	}
	if e.chosen {
		e.withdrawExternal(v)
		e.ready.keep(func(s Step) bool {
			return s.Kind == StepRestore || s.Kind == StepDeliver || s.Kind.managed() || s.Entity != v
		})
	}
}

// withdrawExternal takes a source off the agenda of chosen order, if it is there.
func (e *Engine) withdrawExternal(v int32) {
	if e.sources == nil {
		return
	}
	if i := int(e.sources[v].position); i < len(e.ready.entities) && e.ready.entities[i] == v {
		e.ready.remove(e, i)
	}
}
