package sim

// resting says that nothing is left for the application to do, whatever the
// snapshots under way are still about. What is behind a blocked input will be
// done when its snapshot is; but not if nothing at all has been done since the
// last trigger, because then that snapshot is stuck. So is what an App refuses.
func (e *Engine) resting() bool {
	stuck := e.appDigest == e.digestAtTrigger
	if e.dataInFlight > 0 && (!stuck || e.dataMoves()) {
		return false
	}
	for v := range e.sources {
		if _, ok := e.nextRelease(&e.sources[v]); ok && e.nodes[v].flags&down == 0 {
			return false
		}
	}
	return !e.recovering && !e.timerArmed() && !e.faultPlanned()
}

// dataMoves says whether an application message is in a channel that can deliver.
func (e *Engine) dataMoves() bool {
	for c := range e.channels {
		if e.movesData(int32(c)) {
			return true
		}
	}
	return false
}

// movesData says whether a channel holds an application message and can deliver.
func (e *Engine) movesData(c int32) bool {
	ch := &e.channels[c]
	if l := e.looseAt(c); l != nil {
		for i := range l.parcels {
			if p := &l.parcels[i]; p.message.Kind() == Data && !e.shutLoose(ch, p) {
				return true
			}
		}
		return false
	}
	if e.shut(ch) {
		return false
	}
	for i := ch.head; i != 0; i = e.pool.slots[i].next() {
		if e.pool.slots[i].kind() == Data {
			return true
		}
	}
	return false
}

func (e *Engine) timerArmed() bool {
	for v := range e.timers {
		if len(e.timers[v]) > 0 {
			return true
		}
	}
	return false
}

// faultPlanned says whether a fault has a time at which it will still strike.
func (e *Engine) faultPlanned() bool {
	for i := range e.cfg.Faults {
		if f := &e.cfg.Faults[i]; f.At > e.now && !e.faults[i].fired && !e.stopped {
			return true
		}
	}
	return false
}
