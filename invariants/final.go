package invariants

import (
	"bytes"
	"fmt"
	"slices"

	"simrun/sim"
)

// final compares where the replay ends with how the engine left the system. What
// nodes that are down held is lost, so it is not looked at.
func (r *replay) final() {
	c, f := r.c, &r.c.h.Final
	for v := range int32(len(r.nodes)) {
		n := &r.nodes[v]
		if n.down != slices.Contains(f.Down, v) {
			r.end(v, "the history is damaged: its end and its crash rows do not agree on whether %s is down", c.run.node(v))
		}
		if n.down {
			continue
		}
		r.buf = n.app.Save(r.buf[:0])
		if !bytes.Equal(r.buf, at(f.States, v)) {
			r.end(v, "at the end the state of %s is not the one that replaying its history gives", c.run.node(v))
		}
		if offset := at(f.Offsets, v); n.offset != offset {
			r.end(v, "at the end %s is at External record %d, but it has read %d", c.run.node(v), offset, n.offset)
		}
		if timers := at(f.Timers, v); !sameTimers(n.timers, timers) {
			r.end(v, "at the end %s has %s, but its App has armed %s", c.run.node(v), timerList(timers), idList(n.timerIDs()))
		}
	}
	for id := range int32(len(r.channels)) {
		ch := &r.channels[id]
		if sent, processed := at(f.Sent, id), at(f.Processed, id); sent != ch.sent || processed != ch.processed {
			where := inChannel(id)
			where.Restore = r.restores - 1
			c.report(r.blame(), where, "at the end the engine has counted %[2]d messages sent and %[3]d processed on %[1]s; the rows have %[4]d and %[5]d",
				c.run.channel(id), sent, processed, ch.sent, ch.processed)
			continue
		}
		if ch.loose > 0 {
			r.looseInFlight(id, at(f.InFlight, id))
			continue
		}
		if ch.echo > 0 {
			r.echoInFlight(id, at(f.InFlight, id))
			continue
		}
		r.inFlight(id, at(f.InFlight, id))
	}
	r.heldBack()
	r.uncommitted()
}

// end reports a node that is not where the replay ends.
func (r *replay) end(v int32, format string, args ...any) {
	where := atNode(v)
	where.Restore = r.restores - 1
	r.c.report(r.blame(), where, format, args...)
}

// inFlight compares what the engine left in a channel with what is there: the last
// of the messages that were sent and not processed. Those before them were handed
// to the Node, which holds them or, by a crash inside its handler, lost them.
func (r *replay) inFlight(id int32, left []sim.Recorded) {
	ch := &r.channels[id]
	where := inChannel(id, between(ch.processed+1, ch.sent)...)
	where.Restore = r.restores - 1
	waiting := ch.sent - min(ch.processed, ch.sent)
	held := waiting - min(uint32(len(left)), waiting)
	if !exact(left, ch.processed+held, ch.sent) {
		r.c.report(r.blame(), where, "at the end %s holds %s, which are not those that were sent and not processed (%d)",
			r.c.run.channel(id), counted(len(left), "message"), waiting)
		return
	}
	if v := r.c.run.Graph.To[id]; held > 0 && r.c.h.End == sim.Quiescent && !r.nodes[v].down {
		where = inChannel(id, between(ch.processed+1, ch.processed+held)...)
		where.Node = v
		r.c.report(termination, where, "the run has ended, and %s still holds back %s of %s from its App",
			r.c.run.node(v), span(ch.processed+1, ch.processed+held), r.c.run.channel(id))
	}
	i := ch.next
	for range held {
		i = r.queues.entries[i].next
	}
	for k := range left {
		e := &r.queues.entries[i]
		if !left[k].Message.Equal(e.message) || left[k].Incarnation != e.incarnation || left[k].Logged {
			where.Numbers = []uint32{left[k].Number}
			r.c.report(r.blame(), where, "at the end message %d is in %s with another content than it was sent with, or from another incarnation",
				left[k].Number, r.c.run.channel(id))
		}
		i = e.next
	}
}

// heldBack is a part of the invariant termination: in a run that has come to rest,
// everything that an App produced has left its node. A Node may hold outputs back,
// but not for ever.
func (r *replay) heldBack() {
	if r.c.h.End != sim.Quiescent {
		return
	}
	for id := range int32(len(r.channels)) {
		ch := &r.channels[id]
		if ch.produced > ch.sent && !r.nodes[ch.from].down {
			where := inChannel(id, between(ch.sent+1, ch.produced)...)
			where.Node = ch.from
			r.c.report(termination, where, "the run has ended, and %s still holds back %s, which its App produced for %s",
				r.c.run.node(ch.from), span(ch.sent+1, ch.produced), r.c.run.channel(id))
		}
	}
	for v := range int32(len(r.nodes)) {
		n := &r.nodes[v]
		if fresh := len(n.emits) - kept(n.emits); fresh > 0 && !n.down && !r.c.run.Transactional {
			r.c.report(termination, atNode(v), "the run has ended, and %s still holds back %s that its App produced",
				r.c.run.node(v), counted(fresh, "emission"))
		}
	}
}

// blame is the invariant that a run breaks when a node does what its App, replayed,
// does not do. Before any restore the App is not deterministic, or it was fed what
// the rows do not say; after one it was put back wrongly.
func (r *replay) blame() invariant {
	if r.restores > 0 {
		return recovery
	}
	return stateTruth
}

// fail reports that the run is not legal at this row, and ends the replay.
func (r *replay) fail(inv invariant, where Violation, format string, args ...any) {
	r.failed, r.muted = true, r.c.off[inv]
	r.cause = r.illegal(inv, where)
	if inv == fifo && r.c.breached(r.at) {
		return // the engine has said so, and checkFIFO has reported it
	}
	if where.Restore < 0 {
		where.Restore = r.restores - 1
	}
	r.c.report(inv, where, format, args...)
}

// condemn lets the verdicts follow a replay that failed: what was recorded or
// restored after that has no legal run to agree with.
func (r *replay) condemn() {
	if r.muted {
		return
	}
	for _, s := range r.c.complete {
		for v := range s.Recordings {
			if s.Recordings[v].Row > r.at {
				r.c.condemnSnapshot(s.ID, "recorded after "+r.cause)
				break
			}
		}
	}
	for k := r.restores; k < len(r.c.out.Restores); k++ {
		r.c.condemnRestore(k, "after "+r.cause)
	}
}

// illegal names the event at which a run stopped being legal.
func (r *replay) illegal(inv invariant, where Violation) string {
	text := "the first illegal event: " + inv.String()
	switch {
	case where.Channel >= 0:
		text += fmt.Sprintf(", %s on %s", messages(where.Numbers), r.c.run.channel(where.Channel))
	case where.Node >= 0:
		text += " at " + r.c.run.node(where.Node)
	}
	if r.restores > 0 {
		text += fmt.Sprintf(", in incarnation %d", r.incarnation)
	}
	return text
}

// atNode is a place at a node.
func atNode(v int32) Violation {
	where := nowhere
	where.Node = v
	return where
}

// inChannel is a place at messages of a channel.
func inChannel(ch int32, numbers ...uint32) Violation {
	where := nowhere
	where.Channel, where.Numbers = ch, numbers
	return where
}
