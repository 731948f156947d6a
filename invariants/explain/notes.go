package explain

import "simrun/sim"

// Notes is an Observer that writes down where in the history the markers are: they
// have no rows of their own. The zero Notes is ready; one serves one run.
type Notes struct {
	rows int // of the history, so far
	list []note
}

// note is an event that has no row. It happened when the history had so many rows.
type note struct {
	kind     sim.EventKind
	row      int
	node     int32
	channel  int32
	snapshot sim.SnapshotID
}

// Observe implements sim.Observer.
func (n *Notes) Observe(ev *sim.Event) {
	switch ev.Kind {
	case sim.EventSend, sim.EventProcess, sim.EventExternal, sim.EventTimer, sim.EventEmit,
		sim.EventRecord, sim.EventCrash, sim.EventRestore, sim.EventDrop:
		n.rows++
	case sim.EventLose, sim.EventDuplicate:
		if ev.Message.Kind() == sim.Data { // of markers there are no rows
			n.rows++
		}
	case sim.EventMarkerSent, sim.EventMarker, sim.EventInitiate, sim.EventDone:
		n.list = append(n.list, note{ev.Kind, n.rows, ev.Node, ev.Channel, ev.Snapshot})
	}
}

// marker finds when a snapshot's marker was sent or came on a channel, the first
// time; nil if that never was, or nobody watched.
func (n *Notes) marker(kind sim.EventKind, ch int32, id sim.SnapshotID) *note {
	if n == nil {
		return nil
	}
	for i := range n.list {
		if m := &n.list[i]; m.kind == kind && m.channel == ch && m.snapshot == id {
			return m
		}
	}
	return nil
}

// before finds the last marker or order to initiate that a node was given for a
// snapshot up to a row, and counts the channels whose marker had come.
func (n *Notes) before(v int32, id sim.SnapshotID, row int) (last *note, channels int) {
	for i := range n.list {
		m := &n.list[i]
		if m.row > row {
			break
		}
		if m.node != v || m.snapshot != id {
			continue
		}
		switch m.kind {
		case sim.EventMarker:
			last = m
			channels++
		case sim.EventInitiate:
			last = m
		}
	}
	return last, channels
}

// done finds when a node ended its part of a snapshot; nil if it never did, or nobody
// watched.
func (n *Notes) done(v int32, id sim.SnapshotID) *note {
	if n == nil {
		return nil
	}
	for i := range n.list {
		if m := &n.list[i]; m.kind == sim.EventDone && m.node == v && m.snapshot == id {
			return m
		}
	}
	return nil
}
