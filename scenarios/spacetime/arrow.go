package spacetime

import "simrun/sim"

// arrow is what travels: the same for the event that sends it and for the one to which it
// comes. The zero arrow is none.
type arrow struct {
	kind        arrowKind
	incarnation uint8  // that sent it; of messages only
	entity      int32  // the channel; of control messages twice the task, plus one if it has sent it
	number      uint32 // of the message, or the snapshot
}

type arrowKind uint8

const (
	noArrow arrowKind = iota
	messageArrow
	markerArrow
	endArrow
	controlArrow
)

// arrowOf is the arrow that begins or ends at what happened on a channel.
func arrowOf(kind Kind, ev *sim.Event) arrow {
	switch kind {
	case Send:
		return arrow{messageArrow, ev.Incarnation, ev.Channel, ev.Number}
	case Process, Drop:
		return arrow{messageArrow, ev.SentIncarnation, ev.Channel, ev.Number}
	case MarkerSent, Marker: // it may outlive a restore of others, and no id is used again
		return arrow{kind: markerArrow, entity: ev.Channel, number: uint32(ev.Snapshot)}
	case Close, Ended:
		return arrow{kind: endArrow, entity: ev.Channel}
	}
	return arrow{}
}

// ends knows the events at which arrows begin.
type ends map[arrow]int32

func newEnds() ends { return ends{} }

// tie is called with every event in its turn: one that sends is remembered, and one that
// receives gets its Peer, and is that of the one that sent, if it is the first.
func (s ends) tie(e *Event, a arrow, i int32, events []Event) {
	switch {
	case a.kind == noArrow:
	case e.Kind.Sends():
		s[a] = i
	default:
		from, ok := s[a]
		if !ok {
			return
		}
		e.Peer = from
		if sent := &events[from]; sent.Peer == None {
			sent.Peer = i
		}
	}
}
