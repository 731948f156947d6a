package sim

import "slices"

// faultState is how far a fault has come.
type faultState struct {
	fired bool
	armed bool // waits for the next handler of its first node
	seen  int  // how often its phase was reached
	left  int  // of an open one: how often it may still strike
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
	e.took(StepFault, 0, uint32(i))
	if f.AfterOutputs == nil {
		e.crash(i, f.Nodes)
		return
	}
	e.faults[i].armed = true
	e.doomed = append(e.doomed, doom{f.Nodes[0], i})
	if int(f.Nodes[0]) < len(e.nodes) {
		e.nodes[f.Nodes[0]].flags |= doomedNode
	}
}

// crash lets a fault take nodes down and arranges the restore, which waits for every
// crashed node.
func (e *Engine) crash(fault int, nodes []int32) {
	f := &e.cfg.Faults[fault]
	e.faults[fault].fired = true
	e.doomed = slices.DeleteFunc(e.doomed, func(d doom) bool { return d.fault == fault })
	if f.Phase != NoPhase {
		e.phaseFaults--
	}
	e.phaseWatch = !e.stopped && e.phaseFaults > 0
	coordinator := e.management != nil && slices.Contains(nodes, e.coordinatorNode())
	first := !e.recovering
	if !e.recovering && !(coordinator && len(nodes) == 1) {
		e.recovering, e.firstCrash, e.restoreAt = true, e.now, e.now
		if e.chosen && e.management == nil {
			e.ready.arm(Step{Kind: StepRestore})
		}
	} else if len(e.down) == 0 {
		e.firstCrash = e.now // into a restore that a coordinator had ordered without one
	}
	for _, v := range nodes {
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
		e.crashManaged(nodes, f.Down, coordinator)
		return
	}
	if !e.chosen {
		e.restoreAt = max(e.restoreAt, e.now+f.Down)
		e.diary.add(appointment{at: e.restoreAt, class: StepRestore})
	}
	if first {
		e.allCome(PhaseRestoring, SnapshotID(idOf(e.newest)))
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
		e.offer()
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
