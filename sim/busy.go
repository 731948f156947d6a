package sim

// waiter is something that came to a busy node (or was let go by an unblock, or
// was there at a restore) and waits for its turn: in order of (due, class, id).
type waiter struct {
	due    int64
	class  StepKind
	entity int32  // channel of a delivery, else the node
	index  uint32 // timer id or snapshot id; a parcel's key, 0 for a channel's head
}

func (a *waiter) before(b *waiter) bool {
	if a.due != b.due {
		return a.due < b.due
	}
	if a.class != b.class {
		return a.class < b.class
	}
	if a.entity != b.entity {
		return a.entity < b.entity
	}
	return a.index < b.index
}

// wait queues a waiter at node v and sees to it that v comes back to it.
func (e *Engine) wait(v int32, w waiter) {
	if e.waiting == nil {
		e.waiting = make([][]waiter, len(e.nodes))
	}
	e.waiting[v] = append(e.waiting[v], w)
	siftUp(e.waiting[v], len(e.waiting[v])-1, (*waiter).before)
	e.call(v)
}

// call makes an appointment for a node to take what waits, as soon as it is free.
func (e *Engine) call(v int32) {
	if n := &e.nodes[v]; n.flags&called == 0 {
		n.flags |= called
		e.diary.add(appointment{at: max(e.now, n.busyUntil), class: freeNode, entity: v})
	}
}

// serveWaiting lets a node that became free take the first of what waits. The
// next is chosen anew: an instant may bring something that comes before it.
func (e *Engine) serveWaiting(v int32) {
	n := &e.nodes[v]
	n.flags &^= called
	queue := e.waiting[v]
	if len(queue) == 0 || n.flags&down != 0 {
		return
	}
	if n.busyUntil > e.now {
		e.call(v)
		return
	}
	w := queue[0]
	queue[0] = queue[len(queue)-1]
	e.waiting[v] = queue[:len(queue)-1]
	siftDown(e.waiting[v], (*waiter).before)
	e.serve(w)
	if len(e.waiting[v]) > 0 && n.flags&down == 0 {
		e.call(v)
	}
}

func (e *Engine) serve(w waiter) {
	switch w.class {
	case StepDeliver:
		if w.index > 0 {
			e.arriveLoose(w.entity, w.index)
			return
		}
		e.arriveAt(w.entity)
	case StepControl:
		e.hand(w.entity, w.index)
	case StepExternal:
		e.external(w.entity)
	case StepTimer:
		e.fire(w.entity, w.index, w.due)
	case StepInitiate:
		e.initiate(w.entity, SnapshotID(w.index), w.due)
	case StepDrained:
		e.tellDrained(w.entity, w.due)
	}
}

// startService makes a node busy with an application input; what it sends
// leaves at the end of the service.
func (e *Engine) startService(v int32, n *node) {
	n.served++
	n.busyUntil = e.now + e.cfg.Service.Draw(e.serviceStream.Draw(v, uint64(n.served)))
	e.sendFrom = n.busyUntil
	if e.observer != nil && n.busyUntil > e.now {
		e.observe(Event{Kind: EventBusy, Node: v, Due: n.busyUntil})
	}
}
