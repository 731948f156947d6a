package sim

import "slices"

// This file lets nodes finish (ManagementPlan.Finish): it tells a Node when nothing of
// its node's own comes any more, and carries the ends of streams. It costs nothing per
// message: the question is asked where a source is exhausted, a timer goes off, the input
// ends, or a Node begins to ask it.

// Drainer is a Node that can finish. A node without input channels is asked about from
// the beginning of every incarnation, another one once its Node has called Out.Drain.
type Drainer interface {
	Node
	// Drained is told, once in an incarnation, that nothing of the node's own comes any
	// more: no record from outside, and no timer.
	Drained(out *Out)
}

// Drain asks that the Node be told when nothing of its node's own comes any more. It is
// for when every input channel has ended; a snapshot does not keep it.
func (o *Out) Drain() { o.note(Op{Kind: OpDrain}) }

// SendEnd ends the stream of an output channel: the receiver is given an EndOfStream, and
// nothing may be sent behind it.
func (o *Out) SendEnd(output int) {
	o.note(Op{Kind: OpSend, Channel: int32(output), Message: NewEndOfStream()})
}

// awaitSources begins to ask about the nodes without input channels.
func (e *Engine) awaitSources() {
	for v := range e.nodes {
		if e.nodes[v].inputs == 0 {
			e.awaitDrained(int32(v))
		}
	}
}

// awaitDrained begins to ask about a node whose Node can finish.
func (e *Engine) awaitDrained(v int32) {
	n := &e.nodes[v]
	if _, ok := n.algorithm.(Drainer); !ok || !e.cfg.Management.Finish || n.flags&down != 0 {
		return
	}
	n.flags |= draining
	e.seeDrained(v)
}

// seeDrained makes it a step to tell a Node that nothing comes any more, if that is so.
// What is under way can still change it, and so it is asked again then.
func (e *Engine) seeDrained(v int32) {
	if !e.drained(v) {
		return
	}
	if e.chosen {
		e.ready.arm(Step{Kind: StepDrained, Entity: v})
		return
	}
	e.diary.add(appointment{at: e.now, class: StepDrained, entity: v})
}

// drained says that a Node is to be told that nothing of its node's own comes any more.
func (e *Engine) drained(v int32) bool {
	if e.nodes[v].flags&(draining|down) != draining || e.timers != nil && len(e.timers[v]) > 0 {
		return false
	}
	if e.sources == nil || e.sources[v].source == nil {
		return true
	}
	s := &e.sources[v]
	_, more := e.nextRelease(s)
	if !more && !e.stopped { // the next record may be behind the stop, which nobody knows yet
		_, _, more = s.source.Record(uint64(s.read))
	}
	return !more
}

// tellDrained tells it.
func (e *Engine) tellDrained(v int32, due int64) {
	if !e.drained(v) {
		return
	}
	n := &e.nodes[v]
	if n.busyUntil > e.now {
		e.wait(v, waiter{due: due, class: StepDrained, entity: v})
		return
	}
	n.flags &^= draining
	e.took(StepDrained, v, 0)
	e.begin(v)
	n.algorithm.(Drainer).Drained(&e.out)
	e.carryOut(v, n, 0)
}

// signal tells that a marker or the end of a stream is handed to its receiver, and says
// whether a fault comes first.
func (e *Engine) signal(c, v int32, m Message) (crashed bool) {
	if m.Kind() == EndOfStream {
		e.foldControl(EventEnd, c, 0)
		if e.observer != nil {
			e.observe(Event{Kind: EventEnd, Node: v, Channel: c})
		}
		return false
	}
	e.marker(c, v, m)
	if e.phaseWatch && e.crashBeforeRecord(v, m.Snapshot()) {
		return true
	}
	e.mark(c, m.Snapshot())
	return false
}

// signalSent tells that a marker or the end of a stream is sent.
func (e *Engine) signalSent(c, v int32, m *Message, due int64) {
	if m.Kind() == Marker {
		e.markerSent(c, v, m.Snapshot(), due)
		return
	}
	ch := &e.channels[c]
	if ch.flags&closed != 0 {
		e.behind(c, m, 0)
	}
	ch.flags |= closed
	e.foldControl(EventEndSent, c, 0)
	if e.observer != nil {
		e.observe(Event{Kind: EventEndSent, Node: v, Channel: c, Due: due})
	}
}

// sentOddly takes what is sent on a channel that is unreliable or has ended, and says
// whether that was all.
func (e *Engine) sentOddly(c int32, m *Message, number uint32, due int64) (done bool) {
	flags := e.channels[c].flags
	if flags&closed != 0 && m.Kind() != EndOfStream {
		e.behind(c, m, number)
	}
	if flags&unreliable == 0 {
		return false
	}
	e.dispatch(c, m, number, due)
	return true
}

// behind notes that something was sent behind the end of a stream.
func (e *Engine) behind(c int32, m *Message, number uint32) {
	b := Behind{At: e.now, Row: len(e.history.Rows), Channel: c, Incarnation: e.incarnation, Number: number}
	switch {
	case m.Kind() == Marker:
		b.Marker = m.Snapshot()
	case number > 0 && b.Row > 0:
		b.Row-- // that it was sent is the last row
	}
	e.history.Behind = append(e.history.Behind, b)
}

// upstream is Standing.Upstream.
func (e *Engine) upstream() [][]int32 {
	if !e.cfg.Management.Finish {
		return nil
	}
	list := make([][]int32, len(e.nodes))
	for v := range int32(len(e.nodes)) {
		for i := range e.nodes[v].outs {
			c := e.output(v, i)
			to := e.channels[c].to
			if regular := e.cfg.BackEdge == nil || !e.cfg.BackEdge[c]; regular && !slices.Contains(list[to], v) {
				list[to] = append(list[to], v)
			}
		}
	}
	return list
}

// bit is a flag as a number.
func bit(flag bool) uint64 {
	if flag {
		return 1
	}
	return 0
}
