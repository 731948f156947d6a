package sim

import "slices"

// finish writes the end state into the history and closes the digests.
func (e *Engine) finish() *History {
	h := &e.history
	h.EndedAt, h.Steps = e.now, e.steps
	h.Final = e.final()
	digest, app := e.digest, e.appDigest
	for v := range e.nodes {
		if h.Final.States != nil {
			digest = foldBytes(digest, h.Final.States[v])
		}
		digest = fold(digest, h.Final.Offsets[v], uint64(len(h.Final.Timers[v])))
	}
	for c := range e.channels {
		digest = fold(digest, uint64(h.Final.Sent[c])<<32|uint64(h.Final.Processed[c]), uint64(h.Final.Blocked[c]))
		if by := h.Final.Blocked[c]; by != 0 {
			h.Snapshots[by-1].BlockedFor += e.now - e.blockedSince[c]
		}
	}
	h.Digest, h.ApplicationDigest = mix(digest), mix(app)
	h.UnfiredFaults = nil
	for i := range e.faults {
		if !e.faults[i].fired && e.cfg.Faults[i].Times == 0 {
			h.UnfiredFaults = append(h.UnfiredFaults, i)
		}
	}
	return h
}

func (e *Engine) final() FinalState {
	nodes, channels := len(e.nodes), len(e.channels)
	f := FinalState{
		Down:    slices.Clone(e.down),
		Offsets: make([]uint64, nodes), Read: make([]uint64, nodes), Timers: make([][]ArmedTimer, nodes),
		Sent: make([]uint32, channels), Processed: make([]uint32, channels),
		InFlight: make([][]Recorded, channels), Markers: make([]uint32, channels), Blocked: make([]SnapshotID, channels),
	}
	whole := e.history.End != Misbehaved // else an App cannot be asked any more
	if whole {
		f.States = make([][]byte, nodes)
	}
	for v := range int32(nodes) {
		if whole {
			f.States[v] = e.nodes[v].app.Save(nil)
		}
		f.Offsets[v], f.Timers[v] = e.offset(v), e.armedTimers(v)
		if e.sources != nil {
			f.Read[v] = uint64(e.sources[v].read)
		}
	}
	if e.gone != nil {
		f.GoneOff = make([][]uint32, nodes)
		for v := range e.gone {
			f.GoneOff[v] = slices.Clone(e.gone[v])
		}
	}
	if e.loose != nil {
		f.Gaps = make([][]uint32, channels)
	}
	for c := range e.channels {
		ch := &e.channels[c]
		f.Sent[c], f.Processed[c] = ch.sent, ch.processed
		f.InFlight[c], f.Markers[c] = e.content(int32(c))
		if l := e.looseAt(int32(c)); l != nil {
			f.Gaps[c] = slices.Clone(l.gaps)
		}
		if ch.flags&blocked != 0 {
			f.Blocked[c] = e.blockedBy[c]
		}
		if whole && e.refusedAt(int32(c)) {
			f.Refused = append(f.Refused, int32(c))
		}
		if ch.flags&closed != 0 {
			f.Ended = append(f.Ended, int32(c))
		}
	}
	return f
}

// observe completes an Event and shows it to the Observer.
func (e *Engine) observe(ev Event) {
	ev.At, ev.Incarnation = e.now, e.incarnation
	e.observer.Observe(&ev)
}
