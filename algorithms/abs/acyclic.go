package abs

import "simrun/sim"

// Acyclic is Algorithm 1, for graphs without loops:
//
//	at the start:
//	    blocked = {}
//	when a barrier comes on input i:
//	    if i is not Nil:
//	        blocked += i; block i
//	    if blocked == inputs:
//	        blocked = {}
//	        broadcast the barrier; snapshot the state; unblock every input
//	when a record m comes on input i:
//	    state, outputs = udf(m, state); send the outputs
//
// Nil counts as blocked once its barrier is there, although nothing blocks it.
type Acyclic struct {
	info    sim.NodeInfo
	blocked []sim.SnapshotID // by input, Nil last: the snapshot whose barrier came on it; 0: open
	left    int              // inputs that have not ended, and that the current snapshot's barrier has not come on
	current sim.SnapshotID   // the snapshot under way here; 0: none
	done    sim.SnapshotID   // the last one that is done here
	waiting waiting

	cancelled cancelled
	ends      ended
}

func newAcyclic(info sim.NodeInfo) *Acyclic {
	n := inputs(&info)
	return &Acyclic{info: info, blocked: make([]sim.SnapshotID, n), left: n, ends: newEnded(&info)}
}

// Initiate is a barrier on Nil.
func (a *Acyclic) Initiate(id sim.SnapshotID, out *sim.Out) {
	mustHaveNil(&a.info, id)
	a.onBarrier(sim.Nil, id, out)
}

// Receive takes what came in: something for the App, a barrier, or the end of an input.
func (a *Acyclic) Receive(i sim.Input, m sim.Message, out *sim.Out) {
	switch m.Kind() {
	case sim.Data:
		a.udf(i, m, out)
	case sim.Marker:
		a.onBarrier(i, m.Snapshot(), out)
	case sim.EndOfStream:
		a.onEnd(i, out)
	}
}

// onBarrier handles a barrier now or, if an earlier snapshot is under way, when
// that is done.
func (a *Acyclic) onBarrier(i sim.Input, id sim.SnapshotID, out *sim.Out) {
	if id <= a.done || a.cancelled.has(id) || a.blocked[slot(&a.info, i)] == id {
		return // it is over, or the order to initiate came twice
	}
	for a.current != 0 && a.current < id && a.blocked[slot(&a.info, i)] != a.current {
		a.Cancel(a.current, out) // its barrier was skipped on this input and will not come
	}
	if id < a.current {
		a.cancelled.add(id, a.done) // skipped on the input that the current one's came on
		return
	}
	if a.current != 0 && a.current != id {
		a.block(i, id, out)
		a.waiting.add(barrier{id, i})
		return
	}
	a.take(i, id, out)
	a.takeWaiting(out)
}

// Cancel gives a snapshot up: what is blocked for it goes on, and its barriers that
// are still to come are ignored.
func (a *Acyclic) Cancel(id sim.SnapshotID, out *sim.Out) {
	if id <= a.done || a.cancelled.has(id) {
		return
	}
	a.cancelled.add(id, a.done)
	a.release(a.waiting.drop(id), out)
	if id != a.current {
		return
	}
	a.unblock(out)
	a.left, a.current = a.inputs(), 0
	a.takeWaiting(out)
}

// inputs is how many inputs have not ended.
func (a *Acyclic) inputs() int { return len(a.blocked) - a.ends.count }

// takeWaiting handles the barriers that have waited for what is now done.
func (a *Acyclic) takeWaiting(out *sim.Out) {
	for b, ok := a.waiting.next(a.current); ok; b, ok = a.waiting.next(a.current) {
		a.take(b.input, b.id, out)
	}
	a.takeOrders(out)
}

// take is "when a barrier comes" of the listing.
func (a *Acyclic) take(i sim.Input, id sim.SnapshotID, out *sim.Out) {
	a.current = id
	a.block(i, id, out)
	a.blocked[slot(&a.info, i)] = id
	a.left--
	a.snapshot(out)
}

// snapshot is what the listing does once blocked == inputs; ended inputs count. One
// atomic step.
func (a *Acyclic) snapshot(out *sim.Out) {
	if a.left > 0 {
		return
	}
	id := a.current
	if !a.ends.finished {
		broadcast(&a.info, id, out)
	}
	out.SaveState(id)
	a.unblock(out)
	out.Done(id)
	a.left, a.current, a.done = a.inputs(), 0, id
	a.cancelled.forget(id)
	a.release(a.waiting.dropOver(id), out)
}

// udf lets the user-defined function process a record, and sends what it gives.
func (a *Acyclic) udf(i sim.Input, m sim.Message, out *sim.Out) {
	out.Send(out.Process(i, m)...)
}

// block stops a channel, unless it is stopped already because its barrier has
// been waiting.
func (a *Acyclic) block(i sim.Input, id sim.SnapshotID, out *sim.Out) {
	if i == sim.Nil || a.blocked[i] != 0 {
		return
	}
	a.blocked[i] = id
	out.Block(i, id)
}

// release opens inputs whose barriers wait no more.
func (a *Acyclic) release(inputs []sim.Input, out *sim.Out) {
	for _, i := range inputs {
		if i != sim.Nil {
			a.blocked[i] = 0
			out.Unblock(i)
		}
	}
}

// unblock opens the inputs that the current snapshot has blocked. Those whose
// barrier is of a later one stay as they are.
func (a *Acyclic) unblock(out *sim.Out) {
	for i := range a.blocked {
		if a.blocked[i] != a.current {
			continue
		}
		a.blocked[i] = 0
		if i < a.info.Inputs {
			out.Unblock(sim.Input(i))
		}
	}
}

// Recover has nothing to do: a snapshot of an acyclic graph is states only.
func (a *Acyclic) Recover([]byte, []sim.Logged, *sim.Out) {}

// Save appends the whole state.
func (a *Acyclic) Save(buf []byte) []byte {
	e := encoder(buf)
	e.ids(a.blocked)
	e.uint(uint64(a.left))
	e.uint(uint64(a.current))
	e.uint(uint64(a.done))
	e.barriers(a.waiting)
	e.list(a.cancelled)
	e.ends(&a.ends)
	return e
}

// Load replaces the state with one that Save wrote on the same task.
func (a *Acyclic) Load(state []byte) error {
	d := decoder{data: state}
	loaded := Acyclic{info: a.info}
	loaded.blocked = d.ids(len(a.blocked))
	loaded.left = int(d.uint())
	loaded.current = d.id()
	loaded.done = d.id()
	loaded.waiting = d.barriers()
	loaded.cancelled = d.list()
	loaded.ends = d.ends(&a.info)
	if err := d.end(); err != nil {
		return err
	}
	*a = loaded
	return nil
}
