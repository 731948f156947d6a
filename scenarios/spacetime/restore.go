package spacetime

import "simrun/sim"

// restore takes a recovery: the nodes that are put back have an event each, and what they
// had done since the cut is undone.
func (b *builder) restore(ev *sim.Event) {
	r := ev.Restore
	index := int32(len(b.Restores))
	b.Restores = append(b.Restores, Restore{
		At: r.At, Event: int32(len(b.Events)), Snapshot: ev.Snapshot,
		Crashed: append([]int32(nil), r.Crashed...), Restarted: append([]int32(nil), r.Partial...),
	})
	for v := range b.Graph.Nodes {
		v := int32(v)
		if !r.Restarted(v) {
			continue
		}
		b.undo(v, ev.Snapshot, index)
		i := b.add(Event{Kind: Restored, Incarnation: r.Incarnation, Node: v, Channel: None, At: ev.At, Snapshot: ev.Snapshot}, arrow{})
		b.unblockAll(v, i)
		b.states.put(v, r.States[v], i)
	}
}

// undo marks what a node has done since it recorded its part of a snapshot, or of all that
// it has done if it is put back to its initial state. What left the system stays, and so do
// crashes and earlier recoveries: they are no work.
func (b *builder) undo(v int32, id sim.SnapshotID, by int32) {
	cut := None // in front of the window, or the initial state: all of it is undone
	if c := b.cuts[id]; c != nil {
		if c.behind[v] {
			return
		}
		cut = c.events[v]
	}
	for i := b.last[v]; i != None && i != cut; i = b.before[i] {
		switch e := &b.Events[i]; e.Kind {
		case Emit, Crash, Restored, ControlSent, ControlReceived, Fact:
		default:
			if e.Undone == None {
				e.Undone = by
			}
		}
	}
}
