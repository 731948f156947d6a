package spacetime

import (
	"slices"

	"simrun/scenarios"
)

// shows is the event that shows a violation best: the processing or the sending of the
// first message that it names, or else the recording, the recovery or the last event of
// the node that it is about.
func (d *Diagram) shows(v *scenarios.ViolationResult) int32 {
	if v.Channel != nil && len(v.Numbers) > 0 {
		if i := d.lastWhere(func(e *Event) bool {
			return (e.Kind == Process || e.Kind == Send) && e.Channel == *v.Channel && e.Number == v.Numbers[0]
		}); i != None {
			if peer := d.Events[i].Peer; d.Events[i].Kind == Send && peer != None {
				return peer
			}
			return i
		}
	}
	node := None
	if v.Node != nil {
		node = int32(slices.Index(d.Graph.Nodes, *v.Node))
	}
	if v.Snapshot != nil {
		if i := d.lastWhere(func(e *Event) bool {
			return e.Kind == Record && uint32(e.Snapshot) == *v.Snapshot && (node == None || e.Node == node)
		}); i != None {
			return i
		}
	}
	if v.Recovery != nil && *v.Recovery < len(d.Restores) {
		if i := d.Restores[*v.Recovery].Event; int(i) < len(d.Events) {
			return i
		}
	}
	return d.lastWhere(func(e *Event) bool { return node == None || e.Node == node })
}

// lastWhere is the last event of which something is true; None: of none.
func (d *Diagram) lastWhere(is func(*Event) bool) int32 {
	for i := len(d.Events) - 1; i >= 0; i-- {
		if is(&d.Events[i]) {
			return int32(i)
		}
	}
	return None
}
