package invariants

import (
	"fmt"
	"slices"

	"simrun/sim"
)

// row executes one row of the history.
func (r *replay) row(row sim.Row) {
	if r.debt.node >= 0 {
		r.pay(row)
	}
	if r.recovering >= 0 {
		r.recovers(row)
	}
	id := row.Entity()
	switch kind := row.Kind(); kind {
	case sim.RowSend, sim.RowProcess, sim.RowDrop, sim.RowLose, sim.RowDuplicate:
		switch {
		case int(id) >= len(r.channels):
			r.fail(fifo, nowhere, "the history is damaged: row %d is of %s", r.at, r.c.run.channel(id))
		case kind == sim.RowSend:
			r.send(id, row)
		case kind == sim.RowProcess:
			r.process(id, row)
		case kind == sim.RowDrop:
			r.drop(id, row.Number)
		default:
			r.mishap(kind, id, row.Number)
		}
	case sim.RowRestore:
		r.restore(sim.SnapshotID(row.Number))
	case sim.RowExternal, sim.RowTimer, sim.RowEmit, sim.RowRecord, sim.RowCrash:
		if int(id) >= len(r.nodes) {
			r.fail(r.blame(), nowhere, "the history is damaged: row %d is of %s", r.at, r.c.run.node(id))
			return
		}
		r.nodeRow(kind, id, row)
	default:
		r.fail(r.blame(), nowhere, "the history is damaged: row %d is of the unknown kind %d", r.at, kind)
	}
}

func (r *replay) nodeRow(kind sim.RowKind, v int32, row sim.Row) {
	if kind == sim.RowCrash {
		r.nodes[v].down = true
		r.nodes[v].limit = -1 // the next row of this node is one too many
		return
	}
	n, ok := r.enter(v)
	if !ok {
		return
	}
	switch kind {
	case sim.RowExternal:
		r.external(v, n, row)
	case sim.RowTimer:
		r.timer(v, n, row)
	case sim.RowEmit:
		r.emit(v, n, row)
	default:
		r.record(v, n, sim.SnapshotID(row.Number))
	}
}

// send puts the next message on a channel; the sender's App must have produced it.
func (r *replay) send(id int32, row sim.Row) {
	ch := &r.channels[id]
	if _, ok := r.enter(ch.from); !ok {
		return
	}
	n := row.Number
	if n != ch.sent+1 || ch.produced < n {
		r.wrongSend(id, n)
		return
	}
	e := &r.queues.entries[ch.unsent]
	if e.hash != row.Hash {
		r.fail(r.blame(), inChannel(id, n), "message %d on %s is not the one that the App of %s produces when its run is replayed",
			n, r.c.run.channel(id), r.c.run.node(ch.from))
		return
	}
	e.incarnation = r.incarnation
	ch.sent = n
	ch.unsent = e.next
	if ch.watch != 0 {
		r.watched(id, n, e)
	}
	if ch.echo > 0 {
		r.cameAgain(id, n, row.Hash)
	}
}

func (r *replay) wrongSend(id int32, n uint32) {
	ch := &r.channels[id]
	if n != ch.sent+1 {
		r.fail(r.blame(), inChannel(id, n), "message %d was put on %s where message %d was due", n, r.c.run.channel(id), ch.sent+1)
		return
	}
	r.fail(r.blame(), inChannel(id, n), "message %d was put on %s although the App of %s, replayed, has produced %s for it so far",
		n, r.c.run.channel(id), r.c.run.node(ch.from), counted(ch.produced, "message"))
}

// process steps the receiver's App on the next message of a channel.
func (r *replay) process(id int32, row sim.Row) {
	ch := &r.channels[id]
	v := ch.to
	n, ok := r.enter(v)
	if !ok {
		return
	}
	number := row.Number
	next := ch.next
	if ch.loose > 0 {
		if next = r.come(id, number); next == 0 {
			return
		}
	} else if number != ch.processed+1 || number > ch.sent || !r.caughtUp(id) {
		r.wrongProcess(id, number)
		return
	}
	e := &r.queues.entries[next]
	if e.hash != row.Hash {
		r.fail(fifo, inChannel(id, number), "message %d on %s was processed by %s with another content than it was sent with",
			number, r.c.run.channel(id), r.c.run.node(v))
		return
	}
	r.accepted(id, n, number)
	m := e.message
	r.root = e.root
	if ch.back {
		r.root |= loopCrossed
	}
	if ch.loose == 0 {
		r.queues.advance(ch, n.branched)
	} else {
		r.root |= looseCrossed
	}
	if s := r.doubled; s != nil && !n.branched && number > s.Sent[id] {
		r.sentAgain()
	}
	if r.staged && r.root&detour == 0 {
		r.descend(id, number)
	}
	r.step(v, n, sim.Input(ch.input), m)
}

func (r *replay) wrongProcess(id int32, n uint32) {
	ch := &r.channels[id]
	where := inChannel(id, n)
	channel, to := r.c.run.channel(id), r.c.run.node(ch.to)
	switch {
	case n == ch.processed+1 && n <= ch.sent:
		e := &r.echoes[ch.echo]
		r.fail(recovery, where, "%s processed message %d on %s, and message %d, which had come again before it, was not dropped",
			to, n, channel, e.first+uint32(e.dropped))
	case n == 0:
		r.fail(fifo, where, "%s processed a message on %s that no channel ever carried", to, channel)
	case n <= ch.processed:
		r.fail(fifo, where, "%s processed message %d on %s again; message %d was due", to, n, channel, ch.processed+1)
	case n > ch.sent:
		r.fail(fifo, where, "%s processed message %d on %s, on which so far %d had been sent", to, n, channel, ch.sent)
	default:
		r.fail(fifo, where, "%s processed message %d on %s where message %d was due", to, n, channel, ch.processed+1)
	}
}

// external steps a source's App on its next record.
func (r *replay) external(v int32, n *node, row sim.Row) {
	k := uint64(row.Number)
	if k != n.offset+1 {
		r.wrongRecord(v, k, n.offset+1)
		return
	}
	var m sim.Message
	ok := n.source != nil
	if ok {
		m, _, ok = n.source.Record(k - 1)
		m = sim.Message{Key: m.Key, Value: m.Value, Aux: m.Aux}
	}
	if !ok {
		r.fail(r.blame(), atNode(v), "%s read External record %d, which does not exist", r.c.run.node(v), k)
		return
	}
	if m.Hash() != row.Hash {
		r.fail(r.blame(), atNode(v), "%s read External record %d with another content than its source gives", r.c.run.node(v), k)
		return
	}
	n.offset = k
	r.root = rootOf(v, k)
	r.step(v, n, sim.External, m)
}

// wrongRecord reports that a source went on with another record than the next.
func (r *replay) wrongRecord(v int32, k, due uint64) {
	follows := ""
	switch {
	case r.restores == 0:
	case k < due:
		follows = ", so that it takes effect twice"
	default:
		follows = fmt.Sprintf(", so that %s of %s is lost", ranges(between(uint32(due), uint32(k-1)), "record"), r.c.run.node(v))
	}
	r.fail(r.blame(), atNode(v), "%s read External record %d where record %d was due%s", r.c.run.node(v), k, due, follows)
}

// timer steps an App on one of its armed timers.
func (r *replay) timer(v int32, n *node, row sim.Row) {
	id := row.Number
	if row.Hash != 0 {
		r.fail(r.blame(), atNode(v), "the App of %s processed timer %d, which had not gone off, or not again, or was changed on the way", r.c.run.node(v), id)
		return
	}
	i, found := slices.BinarySearchFunc(n.timers, id, armed.compare)
	if !found {
		r.fail(r.blame(), atNode(v), "timer %d of %s fired; its App, replayed, has not armed it", id, r.c.run.node(v))
		return
	}
	r.root = n.timers[i].root | timerCrossed
	n.timers = slices.Delete(n.timers, i, i+1)
	r.step(v, n, sim.Timer, sim.Message{Key: uint64(id)})
}

// emit lets a record leave the system; the App must have produced it.
func (r *replay) emit(v int32, n *node, row sim.Row) {
	switch {
	case row.Number != n.emitted+1:
		r.fail(r.blame(), atNode(v), "emission %d of %s is in the history where emission %d was due", row.Number, r.c.run.node(v), n.emitted+1)
	case len(n.emits) == 0:
		r.fail(r.blame(), atNode(v), "emission %d of %s left the system; its App, replayed, has not produced it", row.Number, r.c.run.node(v))
	case n.emits[0].hash != row.Hash && !r.skip(v, n, row.Hash):
		r.fail(r.blame(), atNode(v), "emission %d of %s is not the one that its App produces when its run is replayed", row.Number, r.c.run.node(v))
	default:
		n.emitted++
		r.letGo(v, n)
	}
}
