package invariants

import (
	"bytes"
	"fmt"
	"slices"

	"simrun/sim"
)

// This file executes Chandy and Lamport's theorem (1985, section 4). Call an event of
// a window *pre* if it happens at its node before that node records, else *post*.
// Exchanging neighbours until every pre event comes before every post event changes
// no node's own order, so if the cut is consistent the result is a legal computation
// too. It leads from the state S0 at the beginning of the window to the recorded
// state S*, and from there to the state S1 at its end.

// closeWindow is the invariant reachability for one snapshot.
func (r *replay) closeWindow(w *window) {
	s := w.s
	r.windows.enter(w)
	where, why := r.permute(w)
	r.windows.leave(w)
	r.windows.give(w)
	if why != "" {
		where.Snapshot = s.ID
		r.c.report(reachability, where, "the computation cannot be led through the state that snapshot %d recorded: %s", s.ID, why)
	}
}

// permute carries the events of a window out again, the pre events first, and says
// where that does not lead to what it should; why is empty if it does.
func (r *replay) permute(w *window) (where Violation, why string) {
	r.c.out.Swaps[w.s.ID-1] = w.swaps
	if where, why = r.part(w, w.pre); why != "" {
		return where, why
	}
	if where, why = r.atRecorded(w); why != "" {
		return where, "when what happened before the recordings has happened, and nothing else, " + why
	}
	if where, why = r.part(w, w.post); why != "" {
		return where, why
	}
	if where, why = r.atWindowEnd(w); why != "" {
		return where, "when what happened after the recordings has followed, " + why
	}
	return nowhere, ""
}

// part carries out the pre events of a window, or its post events.
func (r *replay) part(w *window, events []windowEvent) (where Violation, why string) {
	for _, e := range events {
		if where, why = r.again(w, w.first+int(e.row), &w.nodes[r.windows.node[e.node]-1]); why != "" {
			return where, why
		}
	}
	return nowhere, ""
}

// again carries out one event of a window. In the order in which it happened it was
// legal; what can be wrong now is that it needs one that has been put after it, or
// that an App is no longer in the state that it was in.
func (r *replay) again(w *window, i int, n *windowNode) (where Violation, why string) {
	row := r.rows[i]
	id, number := row.Entity(), row.Number
	legal := true
	switch row.Kind() {
	case sim.RowSend:
		ch := r.windowChannel(w, id)
		if r.channels[id].loose > 0 {
			legal = ch.sendLoose(number)
			break
		}
		p := &w.entries[ch.unsent]
		if legal = ch.unsent != 0 && p.hash == row.Hash; legal {
			p.incarnation = r.incarnation
			ch.sent, ch.unsent = ch.sent+1, p.next
			if number <= ch.processed { // it comes once more, and will be dropped
				ch.head, ch.produced = p.next, ch.produced-1
			}
		}
	case sim.RowProcess:
		ch := r.windowChannel(w, id)
		if number > ch.sent {
			return inChannel(id, number), r.orphan(w, i)
		}
		if r.channels[id].loose > 0 {
			ch.takeLoose(number)
			return r.stepAgain(w, n, sim.Input(r.channels[id].input), r.looseEntry(id, number).message)
		}
		p := &w.entries[ch.head] // it was compared when it was sent
		ch.processed, ch.head = ch.processed+1, p.next
		return r.stepAgain(w, n, sim.Input(r.channels[id].input), p.message)
	case sim.RowExternal:
		n.offset = uint64(number)
		m, _, _ := r.nodes[n.id].source.Record(n.offset - 1)
		return r.stepAgain(w, n, sim.External, sim.Message{Key: m.Key, Value: m.Value, Aux: m.Aux})
	case sim.RowTimer:
		var k int
		if k, legal = slices.BinarySearchFunc(n.timers, number, armed.compare); legal {
			n.timers = slices.Delete(n.timers, k, k+1)
			return r.stepAgain(w, n, sim.Timer, sim.Message{Key: uint64(number)})
		}
	case sim.RowEmit:
		if legal = len(n.emits) > 0 && n.emits[0].hash == row.Hash; legal {
			n.emits = slices.Delete(n.emits, 0, 1)
		}
	}
	if legal {
		return nowhere, ""
	}
	return atNode(n.id), fmt.Sprintf("%s (row %d), and when this is carried out again, its App loaded from the state in which it was when the first node recorded, it comes out differently",
		r.c.run.event(row), i)
}

// windowChannel is a channel that a window keeps.
func (r *replay) windowChannel(w *window, id int32) *windowChannel {
	return &w.channels[r.windows.channel[id]-1]
}

// orphan words why a message cannot be processed before what happened after the
// recordings.
func (r *replay) orphan(w *window, i int) string {
	row, run := r.rows[i], r.c.run
	sent := w.first
	for k := w.first + 1; k < i; k++ {
		if o := r.rows[k]; o.Kind() == sim.RowSend && o.Entity() == row.Entity() && o.Number == row.Number {
			sent = k
		}
	}
	from, to := run.Graph.From[row.Entity()], run.Graph.To[row.Entity()]
	return fmt.Sprintf("%s in row %d, before it records in row %d; but %s in row %d, after it recorded in row %d. So row %d would have to happen before row %d, without which it cannot happen",
		run.event(row), i, w.s.Recordings[to].Row, run.event(r.rows[sent]), sent, w.s.Recordings[from].Row, i, sent)
}

// stepAgain steps a node's App in a window.
func (r *replay) stepAgain(w *window, n *windowNode, in sim.Input, m sim.Message) (where Violation, why string) {
	ws := &r.windows
	if n.app == nil {
		if ws.apps[n.id] == nil {
			ws.apps[n.id] = r.c.run.NewApp(n.id)
		}
		n.app = ws.apps[n.id]
		if err := n.app.Load(w.states[n.from:n.to]); err != nil {
			return atNode(n.id), fmt.Sprintf("the App of %s cannot load the state in which it was when the first node recorded: %v", r.c.run.node(n.id), err)
		}
	}
	ws.fx.Reset()
	n.app.Step(in, m, &ws.fx)
	sends := ws.fx.Sends()
	outs := r.outs[r.outStart[n.id]:r.outStart[n.id+1]]
	for i := range sends {
		switch s := &sends[i]; {
		case s.Output == sim.Sink:
			n.emits = append(n.emits, emission{hash: s.Hash()})
		case uint32(s.Output) < uint32(len(outs)):
			ch := r.windowChannel(w, outs[s.Output])
			if r.channels[ch.id].loose == 0 {
				w.push(ch, entry{message: s.Message, hash: s.Hash()})
			} else if !r.producedLoose(ch, s.Message) {
				return inChannel(ch.id), fmt.Sprintf("the App of %s, loaded from the state in which it was when the first node recorded, does not produce the same for %s", r.c.run.node(n.id), r.c.run.channel(ch.id))
			}
		default:
			return atNode(n.id), fmt.Sprintf("the App of %s sends on its output %d, which it does not have", r.c.run.node(n.id), s.Output)
		}
	}
	ws.current = n
	ws.fx.Timers(ws.arm)
	return nowhere, ""
}

// stateIn is the state of a node in a window; it is valid until the next call.
func (r *replay) stateIn(w *window, n *windowNode) []byte {
	if n.app == nil {
		return w.states[n.from:n.to]
	}
	r.windows.buf = n.app.Save(r.windows.buf[:0])
	return r.windows.buf
}

// atRecorded compares the state that the pre events have led to with S*.
func (r *replay) atRecorded(w *window) (where Violation, why string) {
	s := w.s
	for v := range int32(len(r.nodes)) {
		var state []byte
		stands := &r.nodes[v].position
		if place := r.windows.node[v]; place == 0 {
			r.windows.buf = r.nodes[v].app.Save(r.windows.buf[:0])
			state = r.windows.buf
		} else {
			n := &w.nodes[place-1]
			state, stands = r.stateIn(w, n), &n.position
		}
		recording := &s.Recordings[v]
		name := r.c.run.node
		switch {
		case !bytes.Equal(state, s.States[v]):
			return atNode(v), fmt.Sprintf("%s is in another state than the recorded one", name(v))
		case stands.offset != recording.Offset:
			return atNode(v), fmt.Sprintf("%s is at External record %d, and recorded is %d", name(v), stands.offset, recording.Offset)
		case !sameTimers(stands.timers, recording.Timers):
			return atNode(v), fmt.Sprintf("%s has armed %s, and recorded is %s", name(v), idList(stands.timerIDs()), timerList(recording.Timers))
		}
	}
	for id := range int32(len(r.channels)) {
		if why := r.channelAtRecorded(w, id); why != "" {
			return inChannel(id), why
		}
	}
	return nowhere, ""
}

// channelAtRecorded is atRecorded for one channel: its counters are those of the cut,
// and what was sent and not processed is the recorded channel state.
func (r *replay) channelAtRecorded(w *window, id int32) string {
	s, ch := w.s, &r.channels[id]
	recorded, name := s.Channels[id], r.c.run.channel
	sent, processed := ch.sent, ch.processed
	place := r.windows.channel[id]
	if place != 0 {
		kept := &w.channels[place-1]
		sent, processed = kept.sent, kept.processed
	}
	if sent != s.Sent[id] || processed != s.Processed[id] {
		return fmt.Sprintf("%d messages have been sent and %d processed on %s, and in the cut they are %d and %d",
			sent, processed, name(id), s.Sent[id], s.Processed[id])
	}
	if ch.loose > 0 {
		return r.looseAtRecorded(w, id)
	}
	if !exact(recorded, processed, sent) {
		return fmt.Sprintf("%s holds %s, and recorded is %s", name(id), inFlightOf(processed, sent), messages(numbersOf(recorded)))
	}
	next := ch.next
	if place != 0 {
		next = w.channels[place-1].head
	}
	for i := range recorded {
		var e *entry
		if place != 0 {
			e, next = &w.entries[next], w.entries[next].next
		} else {
			e, next = &r.queues.entries[next], r.queues.entries[next].next
		}
		if !recorded[i].Message.Equal(e.message) || recorded[i].Incarnation != e.incarnation {
			return fmt.Sprintf("message %d on %s is another one than the recorded one", recorded[i].Number, name(id))
		}
	}
	return ""
}

// inFlightOf words what was sent and not processed.
func inFlightOf(processed, sent uint32) string {
	if processed == sent {
		return "no message"
	}
	return span(processed+1, sent)
}

// atWindowEnd compares the state that all events have led to with S1, where the
// replay stands. What the window did not touch has not changed.
func (r *replay) atWindowEnd(w *window) (where Violation, why string) {
	for i := range w.nodes {
		n := &w.nodes[i]
		there := &r.nodes[n.id]
		r.buf = there.app.Save(r.buf[:0])
		if !bytes.Equal(r.stateIn(w, n), r.buf) || !n.sameAs(&there.position) {
			return atNode(n.id), fmt.Sprintf("%s is in another state than it really was when the last node recorded", r.c.run.node(n.id))
		}
	}
	for i := range w.channels {
		kept := &w.channels[i]
		there := &r.channels[kept.id]
		if !r.sameContent(w, kept, there) {
			return inChannel(kept.id), fmt.Sprintf("%s holds something else than it really did when the last node recorded", r.c.run.channel(kept.id))
		}
	}
	return nowhere, ""
}

// sameAs says whether two positions at the same rows are the same, whatever they
// descend from.
func (p *position) sameAs(q *position) bool {
	return slices.EqualFunc(p.timers, q.timers, func(a, b armed) bool { return a.id == b.id }) &&
		slices.EqualFunc(p.emits, q.emits, func(a, b emission) bool { return a.hash == b.hash })
}

// sameContent compares what was produced for a channel and not processed.
func (r *replay) sameContent(w *window, kept *windowChannel, there *channel) bool {
	if there.loose > 0 {
		return kept.produced == there.produced
	}
	a, b := kept.head, there.next
	for a != 0 && b != 0 {
		p, e := &w.entries[a], &r.queues.entries[b]
		if !p.message.Equal(e.message) {
			return false
		}
		a, b = p.next, e.next
	}
	return a == 0 && b == 0
}

// unreached reports the complete snapshots whose window could not be found.
func (r *replay) unreached() {
	if r.c.off[reachability] {
		return
	}
	for _, s := range r.c.complete {
		if s == r.c.h.From || r.c.out.Swaps[s.ID-1] >= 0 || r.c.run.spared(s) {
			continue
		}
		_, why := r.windowEnd(s)
		where := nowhere
		where.Snapshot = s.ID
		r.c.standsAtCut(s)
		r.c.report(reachability, where, "the history is damaged: it does not say what happened while snapshot %d was recorded: %s", s.ID, why)
	}
}
