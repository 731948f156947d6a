package looped

import (
	"fmt"

	"simrun/sim"
)

// alignment is what the three have in common: which inputs the barrier has come
// on, when it is passed on, and when the local snapshot is due.
type alignment struct {
	info        sim.NodeInfo
	marked      []bool         // by input, Nil last; a marked channel is blocked
	forwarded   bool           // the barrier is passed on, and marks are missing: the window
	left        int            // inputs that are not marked
	regularLeft int            // those of them that are not in L
	current     sim.SnapshotID // the snapshot under way here; 0: none
	done        sim.SnapshotID // the last one that is done here
	waiting     waiting
}

func newAlignment(info sim.NodeInfo) alignment {
	inputs := info.Inputs
	if info.Initiator {
		inputs++ // Nil
	}
	a := alignment{info: info, marked: make([]bool, inputs)}
	a.reset()
	return a
}

// onBarrier handles a barrier now or, if an earlier snapshot is under way, when
// that is done. Its channel is blocked in either case. snapshot is called when
// every input is marked: it saves what the snapshot needs, calls end, and lets go
// what was held.
func (a *alignment) onBarrier(i sim.Input, id sim.SnapshotID, out *sim.Out, snapshot func(*sim.Out)) {
	if i == sim.Nil && !a.info.Initiator {
		panic(fmt.Sprintf("looped: node %d is ordered to initiate snapshot %d and has no Nil input", a.info.ID, id))
	}
	if id <= a.done || id == a.current && a.marked[a.slot(i)] {
		return // the order to initiate came twice
	}
	if i != sim.Nil {
		out.Block(i, id)
	}
	if a.current != 0 && a.current != id {
		a.waiting.add(barrier{id, i})
		return
	}
	a.take(i, id, out, snapshot)
	for b, ok := a.waiting.next(a.current); ok; b, ok = a.waiting.next(a.current) {
		a.take(b.input, b.id, out, snapshot)
	}
}

// take marks an input, and does what this makes possible.
func (a *alignment) take(i sim.Input, id sim.SnapshotID, out *sim.Out, snapshot func(*sim.Out)) {
	a.current = id
	a.mark(a.slot(i))
	if !a.forwarded && a.regularLeft == 0 {
		a.forwarded = true
		for c := range a.info.Outputs {
			out.SendMarker(c, id)
		}
	}
	if a.left == 0 {
		snapshot(out)
	}
}

// end is the end of the snapshot under way: its part is whole, and every channel
// is opened. Each was blocked behind this snapshot's barrier, so none has brought
// a later one; orders to initiate may be waiting.
func (a *alignment) end(out *sim.Out) {
	out.Done(a.current)
	for i := range a.info.Inputs {
		out.Unblock(sim.Input(i))
	}
	a.current, a.done = 0, a.current
	a.reset()
}

// mark notes that the current snapshot's barrier has come on an input.
func (a *alignment) mark(slot int) {
	a.marked[slot] = true
	a.left--
	if !a.inL(slot) {
		a.regularLeft--
	}
}

// reset makes the task ready for its next snapshot.
func (a *alignment) reset() {
	clear(a.marked)
	a.forwarded = false
	a.left, a.regularLeft = len(a.marked), 0
	for s := range a.marked {
		if !a.inL(s) {
			a.regularLeft++
		}
	}
}

// slot is the place of an input in a list of inputs.
func (a *alignment) slot(i sim.Input) int {
	if i == sim.Nil {
		return a.info.Inputs
	}
	return int(i)
}

// inL tells whether the input in this place is a back-edge.
func (a *alignment) inL(slot int) bool {
	return slot < len(a.info.BackEdge) && a.info.BackEdge[slot]
}

// state walks over all that changes, for saving and loading alike.
func (a *alignment) state(c *codec) {
	for s := range a.marked {
		marked := a.marked[s]
		c.bit(&marked)
		if marked && c.loading {
			a.mark(s)
		}
	}
	c.bit(&a.forwarded)
	c.id(&a.current)
	c.id(&a.done)
	list(c, (*[]barrier)(&a.waiting), func(b *barrier) {
		c.id(&b.id)
		c.input(&b.input)
	})
}
