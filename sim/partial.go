package sim

import "slices"

// Rejoiner is a Node that can go on when what is upstream of it is restarted.
type Rejoiner interface {
	Node
	// Rejoin is called at such a restore, before anything else comes.
	Rejoin(r Rejoin, out *Out)
}

// Rejoin is what a node that goes on is told of a restore of others.
type Rejoin struct {
	Attempt uint8      // the incarnation that begins
	From    SnapshotID // what the others are restored from; 0: the initial state
	// Last is the newest checkpoint that has begun: what follows From up to it is given
	// up, and its markers may still come.
	Last SnapshotID
	// Restarted is the inputs whose senders are restarted. They were emptied, and bring
	// what their senders have sent after From once more.
	Restarted []Input
}

// Drop says that a message has come which this node had processed before its sender was
// restarted: it is not processed again.
func (o *Out) Drop(in Input, m Message) {
	o.next(OpDrop, int32(in)).Message = m
}

// scope is the nodes that a restore restarts, by node; nil: all. No channel leads into it
// from outside, and everything outside goes on as if nothing had happened: what it holds,
// its timers, what is in flight there and what its nodes are busy with.
type scope []bool

func (s scope) has(v int32) bool { return s == nil || s[v] }

// nodes is its nodes, ascending; nil: all.
func (s scope) nodes() (list []int32) {
	for v, restarted := range s {
		if restarted {
			list = append(list, int32(v))
		}
	}
	return list
}

// Restarted says whether a restore has restarted a node.
func (r *Restore) Restarted(v int32) bool {
	if r.Partial == nil {
		return true
	}
	_, found := slices.BinarySearch(r.Partial, v)
	return found
}

// extent is what a restore restarts now: the nodes that are down and all upstream of
// them, if the coordinator has asked for that and the run can do it. It cannot if what
// was sent is not sent again under the same numbers, or nobody would drop it, nor if nodes
// finish: an end of a stream has no number.
func (e *Engine) extent() scope {
	m := e.management
	if m == nil || !m.partial || len(e.down) == 0 || e.loose != nil || e.cfg.Duplicates || e.cfg.Management.Finish || e.cfg.Replay == NoReplay {
		return nil
	}
	for v := range e.nodes {
		if _, ok := e.nodes[v].algorithm.(Rejoiner); !ok {
			return nil
		}
	}
	s, list := make(scope, len(e.nodes)), slices.Clone(e.down)
	for _, v := range list {
		s[v] = true
	}
	for i := 0; i < len(list); i++ {
		for k := range e.nodes[list[i]].inputs {
			if v := e.senderOf(e.input(list[i], k)); !s[v] {
				s[v] = true
				list = append(list, v)
			}
		}
	}
	if len(list) == len(s) {
		return nil
	}
	return s
}

// senderOf is the node that a channel leads from.
func (e *Engine) senderOf(c int32) int32 {
	if e.senders == nil {
		e.senders = make([]int32, len(e.channels))
		for v := range int32(len(e.nodes)) {
			for i := range e.nodes[v].outs {
				e.senders[e.output(v, i)] = v
			}
		}
	}
	return e.senders[c]
}

// clearPart is clear for some nodes and the channels that lead from them. What is on the
// agenda for the others stays there.
func (e *Engine) clearPart(s scope) {
	for v := range int32(len(e.nodes)) {
		if !s[v] {
			continue
		}
		for i := range e.nodes[v].outs {
			e.empty(e.output(v, i))
		}
		if e.waiting != nil {
			e.waiting[v] = nil
		}
		if e.timers != nil {
			e.timers[v] = nil
		}
		if e.gone != nil {
			e.gone[v] = nil
		}
		if e.chosen {
			e.withdrawExternal(v)
		}
	}
	e.diary.keep(func(a *appointment) bool {
		switch a.class {
		case StepRestore, StepWrite:
			return false // the snapshots under way are given up
		case freeNode, StepTimer, StepInitiate:
			return !s[a.entity]
		}
		return true
	})
	e.ready.keep(func(x Step) bool { return x.Kind.managed() || x.Kind == StepTimer && !s[x.Entity] })
	e.refile(s)
	e.recovering, e.down = false, nil
}

// empty takes everything out of a channel.
func (e *Engine) empty(c int32) {
	e.release(c)
	ch := &e.channels[c]
	if ch.head != 0 && ch.flags&parked == 0 && e.chosen {
		e.ready.remove(e, int(ch.position))
	}
	for i := ch.head; i != 0; {
		slot := &e.pool.slots[i]
		if slot.kind() == Data {
			e.dataInFlight--
		}
		next := slot.next()
		slot.tail = uint32(e.pool.free)
		e.pool.free, i = i, next
	}
	ch.head, ch.tail, ch.flags = 0, 0, ch.flags&guarded
	if e.waiting == nil {
		return
	}
	queue := e.waiting[ch.to][:0]
	for _, w := range e.waiting[ch.to] {
		if w.class != StepDeliver || w.entity != c {
			queue = append(queue, w)
			siftUp(queue, len(queue)-1, (*waiter).before)
		}
	}
	e.waiting[ch.to] = queue
}

// refile puts what goes on back into the wheel of timed order, and nothing else.
func (e *Engine) refile(s scope) {
	if e.chosen {
		return
	}
	e.wheel.reset(e.now)
	for v := range int32(len(e.sources)) {
		if _, more := e.nextRelease(&e.sources[v]); more && !s[v] && !e.queued(v, StepExternal, v) {
			e.wheel.insert(e, v, e.sources[v].at)
		}
	}
	for c := range int32(len(e.channels)) {
		ch := &e.channels[c]
		if ch.head != 0 && ch.flags&parked == 0 && !e.queued(ch.to, StepDeliver, c) {
			e.wheel.insert(e, e.channelEntity(c), e.pool.slots[ch.head].due())
		}
	}
}

// queued says whether something waits for a node to be free.
func (e *Engine) queued(v int32, class StepKind, entity int32) bool {
	return e.waiting != nil && slices.ContainsFunc(e.waiting[v], func(w waiter) bool { return w.class == class && w.entity == entity })
}

// goBackPart is goBack for the channels out of some nodes. A receiver that goes on stands
// where it stood: what it has processed behind the cut will come again.
func (e *Engine) goBackPart(from *Snapshot, s scope) {
	if e.again == nil {
		e.again = make([]uint32, len(e.channels))
	}
	for c := range int32(len(e.channels)) {
		if !s[e.senderOf(c)] {
			continue
		}
		ch, sent, processed := &e.channels[c], uint32(0), uint32(0)
		if from != nil {
			sent, processed = from.Sent[c], from.Processed[c]
		}
		ch.sent, e.again[c] = sent, 0
		if s[ch.to] {
			ch.processed = processed
		} else if ch.processed > sent {
			e.again[c] = sent + 1
		}
	}
}

// mustReach notes how far a source has come that is restarted: nodes that go on have the
// effects, so it comes there again whenever the input ends.
func (x *source) mustReach(s scope) {
	if s == nil {
		x.reached = 0
		return
	}
	x.reached = max(x.reached, x.read)
}

// rejoin tells a node that goes on of a restore of others.
func (e *Engine) rejoin(v int32, from *Snapshot, s scope) {
	n, r := &e.nodes[v], Rejoin{Attempt: e.incarnation, From: SnapshotID(idOf(from)), Last: e.management.last}
	for i := range n.inputs {
		if s[e.senderOf(e.input(v, i))] {
			r.Restarted = append(r.Restarted, Input(i))
		}
	}
	e.begin(v)
	n.algorithm.(Rejoiner).Rejoin(r, &e.out)
	e.carryOut(v, n, 0)
}

// drop counts a message that came again as dropped.
func (e *Engine) drop(v int32, op *Op) {
	m, c := &op.Message, e.inputOf(v, op.Channel)
	ch, next := &e.channels[c], uint32(0)
	if e.again != nil {
		next = e.again[c]
	}
	if next == 0 || m.number() != next || m.incarnation() != e.incarnation && !e.inherited(c, m) {
		e.history.Breaches = append(e.history.Breaches, Breach{
			At: e.now, Row: len(e.history.Rows), Channel: c, Incarnation: e.incarnation,
			Number: m.number(), Next: next, SentIncarnation: m.incarnation(), Dropped: true,
		})
	} else if e.again[c]++; next == ch.processed {
		e.again[c] = 0
	}
	if k := len(e.history.Restores); k > 0 {
		e.history.Restores[k-1].Dropped++
	}
	e.noteControl(RowDrop, c, m.number())
	if e.observer != nil {
		e.observe(Event{Kind: EventDrop, Node: v, Channel: c, Number: m.number(), SentIncarnation: m.incarnation(), Message: *m})
	}
}
