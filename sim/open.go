package sim

// This file is about what a Config of chosen order leaves to its Scheduler: crashes,
// snapshots and losses that may come at any step, or not at all. The steps that stand
// for them are listed anew when one of them has run, and when nodes come or go; what
// happens between costs nothing.

// leavesOpen says whether a run leaves anything to its Scheduler but the order.
func leavesOpen(cfg *Config) bool {
	left := cfg.Snapshots.Open
	for i := range cfg.Faults {
		left += cfg.Faults[i].Times
	}
	for c := range cfg.Unreliable {
		left += cfg.Unreliable[c].MayLose
	}
	return left > 0
}

// leaveOpen puts what is left to the Scheduler in place.
func (e *Engine) leaveOpen() {
	if e.leavesOpen = leavesOpen(&e.cfg); !e.leavesOpen {
		return
	}
	e.triggers = e.cfg.Snapshots.Open
	for i := range e.faults {
		e.faults[i].left = e.cfg.Faults[i].Times
	}
	if e.scheduler == nil {
		e.scheduler = &e.random // whom the engine asks about the necessary steps alone, else
	}
	e.offer()
}

// offer lists the steps that nothing makes necessary.
func (e *Engine) offer() {
	if !e.leavesOpen {
		return
	}
	open := e.ready.open[:0]
	if !e.stopped {
		for i := range e.faults {
			for _, v := range e.cfg.Faults[i].Nodes {
				if e.faults[i].left > 0 && !e.isDown(v) {
					open = append(open, Step{StepCrash, v, uint32(i)})
				}
			}
		}
		if e.triggers > 0 {
			open = append(open, Step{Kind: StepSnapshot})
		}
		for c, l := range e.loose {
			if l != nil && l.mayLose > 0 && !l.losing {
				open = append(open, Step{Kind: StepLose, Entity: int32(c)})
			}
		}
	}
	e.ready.open = open
}

// isDown says whether a node, or the coordinator, is down.
func (e *Engine) isDown(v int32) bool {
	if v == int32(len(e.nodes)) {
		return e.management.down
	}
	return e.nodes[v].flags&down != 0
}

// runOpen runs a step that nothing makes necessary.
func (e *Engine) runOpen(s Step) {
	switch s.Kind {
	case StepCrash:
		e.faults[s.Index].left--
		e.crash(int(s.Index), []int32{s.Entity})
	case StepSnapshot:
		e.triggers--
		e.beginSnapshot(e.cfg.Snapshots.Initiators)
	case StepLose:
		l := e.loose[s.Entity]
		l.mayLose--
		l.losing = true
	}
	e.offer()
}
