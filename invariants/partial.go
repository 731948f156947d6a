package invariants

import (
	"slices"

	"simrun/sim"
)

// This file is for restores of some nodes only. What these have sent after the cut comes
// once more, under the same numbers. What of it the nodes that went on have processed
// stands: it has to come with the same content, in the same order, and each must drop it,
// once.

// echo is what comes once more on a channel: messages first to first+len(hashes)-1.
type echo struct {
	first   uint32
	hashes  []uint64 // as they were processed
	dropped int      // how many of them have come again, and were dropped
}

// last is the number of the last one.
func (e *echo) last() uint32 { return e.first + uint32(len(e.hashes)) - 1 }

// restartOf is the first restore, from restore k on, that restarts a node; -1: none.
func (c *Checker) restartOf(v int32, k int) int {
	for ; k < len(c.h.Restores); k++ {
		if c.h.Restores[k].Restarted(v) {
			return k
		}
	}
	return -1
}

// closed checks that a restore of some nodes restarts what is upstream of them, too, and
// everything that is down.
func (r *replay) closed(k int) bool {
	where, x, name := nowhere, &r.c.h.Restores[k], r.c.run.node
	where.Restore = k
	for v := range r.nodes {
		if r.nodes[v].down && !x.Restarted(int32(v)) {
			where.Node = int32(v)
			r.fail(recovery, where, "restore %d restarts some nodes, and %s, which is down, is not among them", k+1, name(int32(v)))
			return false
		}
	}
	for id := range r.channels {
		if ch := &r.channels[id]; x.Restarted(ch.to) && !x.Restarted(ch.from) {
			where.Node = ch.from
			r.fail(recovery, where, "restore %d restarts %s and not %s, which is upstream of it", k+1, name(ch.to), name(ch.from))
			return false
		}
	}
	return true
}

// repeat takes a channel back whose sender is restarted and whose receiver goes on. What
// was on the way is gone.
func (r *replay) repeat(ch *channel) {
	if r.nodes[ch.from].branched {
		ch.sent = ch.kept.sent
	}
	ch.echo, ch.produced, ch.next = 0, ch.sent, ch.head
	for ch.next != 0 {
		r.queues.skip(ch)
	}
	ch.unsent = 0
	if ch.processed > ch.sent {
		ch.echo = int32(len(r.echoes))
		r.echoes = append(r.echoes, echo{first: ch.sent + 1, hashes: make([]uint64, ch.processed-ch.sent)})
	}
}

// remember reads, in the rows before a restore, what the messages were that come once
// more: of each of the echoes from the given one on the last, and so on down.
func (r *replay) remember(from int) {
	missing, left := 0, make([]int, len(r.echoes))
	for i := from; i < len(r.echoes); i++ {
		left[i] = len(r.echoes[i].hashes)
		missing += left[i]
	}
	for i := r.at - 1; i >= 0 && missing > 0; i-- {
		row := r.rows[i]
		if row.Kind() != sim.RowProcess {
			continue
		}
		k := r.channels[row.Entity()].echo
		if e := &r.echoes[k]; left[k] > 0 && row.Number == e.first+uint32(left[k])-1 {
			left[k]--
			missing--
			e.hashes[left[k]] = row.Hash
		}
	}
}

// cameAgain compares a message that is sent with what was sent before under this number.
func (r *replay) cameAgain(id int32, n uint32, hash uint64) {
	ch := &r.channels[id]
	e := &r.echoes[ch.echo]
	if n > e.last() {
		return
	}
	if e.hashes[n-e.first] != hash {
		where := inChannel(id, n)
		where.Restore = r.restores - 1
		r.fail(recovery, where, "the replay was not deterministic: message %d of %s was sent again with another content, and %s, which was not restarted, has processed the first one",
			n, r.c.run.channel(id), r.c.run.node(ch.to))
		return
	}
	r.queues.skip(ch)
}

// caughtUp says whether nothing comes once more on a channel before the next message.
func (r *replay) caughtUp(id int32) bool { return r.channels[id].echo == 0 }

// drop is a Drop row.
func (r *replay) drop(id int32, n uint32) {
	ch := &r.channels[id]
	if _, ok := r.enter(ch.to); !ok {
		return
	}
	e := &r.echoes[ch.echo]
	channel, to := r.c.run.channel(id), r.c.run.node(ch.to)
	switch due := e.first + uint32(e.dropped); {
	case ch.echo == 0 || n > e.last():
		r.fail(fifo, inChannel(id, n), "%s dropped message %d on %s, which it had not processed before: it is lost", to, n, channel)
	case n != due:
		r.fail(fifo, inChannel(id, n), "%s dropped message %d on %s where message %d was due", to, n, channel, due)
	case n > ch.sent:
		r.fail(fifo, inChannel(id, n), "%s dropped message %d on %s, which had not been sent again", to, n, channel)
	default:
		if e.dropped++; e.dropped == len(e.hashes) {
			ch.echo = 0
		}
	}
}

// echoing says whether something has not come once more that should.
func (r *replay) echoing() bool {
	return slices.ContainsFunc(r.channels, func(ch channel) bool { return ch.echo > 0 })
}

// echoInFlight is inFlight for a channel on which not all has come once more. In a run
// that has come to rest all has.
func (r *replay) echoInFlight(id int32, left []sim.Recorded) {
	ch := &r.channels[id]
	e := &r.echoes[ch.echo]
	from := e.first + uint32(e.dropped)
	where := inChannel(id, between(from, e.last())...)
	where.Restore = r.restores - 1
	if r.c.h.End == sim.Quiescent && !r.nodes[ch.from].down && !r.nodes[ch.to].down {
		r.c.report(recovery, where, "restore %d restarted %s, and the run has ended before %s, which had processed %s on %s until then, has dropped %s: the replay was not deterministic, or stopped",
			r.restores, r.c.run.node(ch.from), r.c.run.node(ch.to), span(from, e.last()), r.c.run.channel(id), them(from, e.last()))
		return
	}
	if waiting := ch.sent + 1 - min(from, ch.sent+1); !exact(left, ch.sent-min(uint32(len(left)), waiting), ch.sent) {
		r.c.report(r.blame(), where, "at the end %s holds %s, which are not those that were sent and neither processed nor dropped (%d)",
			r.c.run.channel(id), counted(len(left), "message"), waiting)
	}
}

// refuse collects what tasks say that have not caught up with what was restarted.
func (r *replay) refuse() {
	r.refusals, r.refused = r.refusals[:0], 0
	for i := range r.c.h.Facts {
		if x := &r.c.h.Facts[i]; x.Kind == sim.FactReplied && x.Control.Kind == sim.NotReady {
			r.refusals = append(r.refusals, x)
		}
	}
}

// unready checks those that were said before the row that comes next: something must be to
// come once more. Else the task refuses every checkpoint, for ever.
func (r *replay) unready() {
	for ; r.refused < len(r.refusals) && r.refusals[r.refused].Row <= r.at; r.refused++ {
		x := r.refusals[r.refused]
		v := x.Task
		if v < 0 || int(v) >= len(r.nodes) || r.catchesUp(v) {
			continue
		}
		where := atNode(v)
		where.Snapshot = x.Control.ID
		r.c.standsAt(x.Row, x.At)
		r.c.report(coordinator, where, "%s says that it is not ready for checkpoint %d, and nothing comes to it once more that it has processed", r.c.run.node(v), x.Control.ID)
	}
}

// catchesUp says whether something comes to a node once more.
func (r *replay) catchesUp(v int32) bool {
	return slices.ContainsFunc(r.ins[r.inStart[v]:r.inStart[v+1]], func(id int32) bool { return !r.caughtUp(id) })
}
