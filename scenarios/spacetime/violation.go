package spacetime

import (
	"slices"

	"simrun/scenarios"
	"simrun/topology"
)

// sight is what a violation says of the event that shows it.
type sight struct {
	channel  int32 // None: it names no message
	number   uint32
	snapshot uint32 // 0: it is about none
	node     int32  // None: it is about none
	recovery int    // None: it is about none
}

func sightOf(v *scenarios.ViolationResult, nodes []string) *sight {
	s := &sight{channel: None, node: None, recovery: int(None)}
	if v.Channel != nil && len(v.Numbers) > 0 {
		s.channel, s.number = *v.Channel, v.Numbers[0]
	}
	if v.Snapshot != nil {
		s.snapshot = *v.Snapshot
	}
	if v.Node != nil {
		s.node = int32(slices.Index(nodes, *v.Node))
	}
	if v.Recovery != nil {
		s.recovery = *v.Recovery
	}
	return s
}

// message says whether an event sends or processes the first message that is named.
func (s *sight) message(e *Event) bool {
	return s.channel != None && (e.Kind == Process || e.Kind == Send) && e.Channel == s.channel && e.Number == s.number
}

// processing says whether an event processes it.
func (s *sight) processing(e *Event) bool { return e.Kind == Process && s.message(e) }

// recording says whether an event is a recording of the snapshot.
func (s *sight) recording(e *Event) bool {
	return s.snapshot != 0 && e.Kind == Record && uint32(e.Snapshot) == s.snapshot && s.here(e)
}

// receiver is the sight of where the receiver of the message recorded the snapshot.
func (s *sight) receiver(g *topology.Graph) *sight {
	r := &sight{snapshot: s.snapshot, node: None}
	if s.channel != None {
		r.node = g.Channels[s.channel].To
	}
	return r
}

// here says whether an event is of the node, or of any if there is none.
func (s *sight) here(e *Event) bool { return s.node == None || e.Node == s.node }

// shows is the event that shows a violation best: the processing or the sending of the
// first message that it names, or else the recording, the recovery or the last event of
// the node that it is about. A message that a recovery took back is there more than once;
// then it is the one nearest to the recording, if there is one. None: it lies outside of
// the window.
func (d *Diagram) shows(v *scenarios.ViolationResult) int32 {
	s := sightOf(v, d.Graph.Nodes)
	if i := d.nearestMessage(s); i != None {
		if peer := d.Events[i].Peer; d.Events[i].Kind == Send && peer != None {
			return peer
		}
		return i
	}
	if s.channel != None && !d.Whole() {
		return None
	}
	if i := d.lastWhere(s.recording); i != None {
		return i
	}
	if s.snapshot != 0 && !d.Whole() {
		return None
	}
	if s.recovery >= 0 && s.recovery < len(d.Restores) {
		if i := d.Restores[s.recovery].Event; int(i) < len(d.Events) {
			return i
		}
	}
	if d.First+len(d.Events) < d.Total {
		return None
	}
	return d.lastWhere(s.here)
}

// nearestMessage is the processing of the message that is named which is nearest to where
// its receiver recorded the snapshot; the last one if it is about none, or that is not
// here. Without any it is the last sending.
func (d *Diagram) nearestMessage(s *sight) int32 {
	recorded := d.lastWhere(s.receiver(d.Graph).recording)
	if recorded == None && s.snapshot != 0 && !d.Whole() {
		return None // what is here of the message may be of another time
	}
	best := d.lastWhere(s.processing)
	if best == None {
		return d.lastWhere(s.message)
	}
	for i := best; i >= 0 && recorded != None; i-- {
		if s.processing(&d.Events[i]) && distance(i, recorded) < distance(best, recorded) {
			best = i
		}
	}
	return best
}

func distance(a, b int32) int32 { return max(a-b, b-a) }

// lastWhere is the last event of which something is true; None: of none.
func (d *Diagram) lastWhere(is func(*Event) bool) int32 {
	for i := len(d.Events) - 1; i >= 0; i-- {
		if is(&d.Events[i]) {
			return int32(i)
		}
	}
	return None
}

// Locate runs a plan with a seed and is how many events of the run come before the one
// that shows a violation of it best, so that a window can be laid around that. It keeps no
// events. False: there is none.
func Locate(p *scenarios.Plan, seed uint64, v *scenarios.ViolationResult) (place int, ok bool) {
	s := sightOf(v, p.Graph.Nodes)
	receiver := s.receiver(p.Graph)
	processed, sent, recorded, recording, recovery, last := -1, -1, -1, -1, -1, -1
	b := newBuilder(p, seed, Options{First: nowhere})
	b.each = func(place int, e *Event) {
		if receiver.recording(e) {
			recorded = place
		}
		switch {
		case s.processing(e):
			if recorded < 0 || processed < 0 || place-recorded < recorded-processed { // see nearestMessage
				processed = place
			}
		case s.message(e):
			sent = place
		case s.recording(e):
			recording = place
		case e.Kind == Restored && len(b.Restores)-1 == s.recovery:
			recovery = place
		case s.here(e):
			last = place
		}
	}
	p.NewRunner().Watch(seed, b)
	for _, place := range []int{processed, sent, recording, recovery, last} {
		if place >= 0 {
			return place, true
		}
	}
	return 0, false
}
