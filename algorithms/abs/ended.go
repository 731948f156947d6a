package abs

import (
	"slices"

	"simrun/sim"
)

// ended is what has ended at a task. An input that has ended counts as aligned: all that
// was sent on it has been processed, and its sender, which has finished, sends no
// barriers. When every input has ended and nothing of the task's own comes any more it
// finishes itself.
type ended struct {
	inputs   int    // channels
	ended    []bool // by channel; nil: none
	count    int    // of those that have
	finished bool
	ordered  []sim.SnapshotID // under way, and no barrier needs to come for them; ascending
}

func newEnded(info *sim.NodeInfo) ended { return ended{inputs: info.Inputs} }

// at says whether the input in this place has ended; Nil never does.
func (e *ended) at(slot int) bool { return slot < len(e.ended) && e.ended[slot] }

// add notes that an input has ended, and says whether that is new.
func (e *ended) add(i sim.Input) bool {
	if e.at(int(i)) {
		return false
	}
	if e.ended == nil {
		e.ended = make([]bool, e.inputs)
	}
	e.ended[i] = true
	e.count++
	return true
}

// ask asks to be told when nothing comes any more, once every input has ended.
func (e *ended) ask(out *sim.Out) {
	if e.count == e.inputs {
		out.Drain()
	}
}

// finish ends every output. No barriers follow.
func (e *ended) finish(outputs int, out *sim.Out) {
	e.finished = true
	for c := range outputs {
		out.SendEnd(c)
	}
}

// order keeps that a snapshot is under way.
func (e *ended) order(id sim.SnapshotID) {
	if at, found := slices.BinarySearch(e.ordered, id); !found {
		e.ordered = slices.Insert(e.ordered, at, id)
	}
}

// next takes out the first snapshot that was ordered; 0: there is none.
func (e *ended) next() (id sim.SnapshotID) {
	if len(e.ordered) > 0 {
		id, e.ordered = e.ordered[0], e.ordered[1:]
	}
	return id
}

// onEnd lets the snapshot under way go on without this input.
func (a *Acyclic) onEnd(i sim.Input, out *sim.Out) {
	if !a.ends.add(i) {
		return
	}
	a.left--
	if a.current != 0 {
		a.snapshot(out)
	}
	a.takeWaiting(out)
	a.ends.ask(out)
}

// Ordered is told that a snapshot is under way, at a task that has no Nil. Where some
// input is to bring its barrier that says nothing new.
func (a *Acyclic) Ordered(id sim.SnapshotID, out *sim.Out) {
	a.ends.order(id)
	a.takeOrders(out)
}

// takeOrders takes the snapshots that were ordered, once every input has ended.
func (a *Acyclic) takeOrders(out *sim.Out) {
	for a.current == 0 && a.left == 0 {
		id := a.ends.next()
		if id == 0 {
			return
		}
		if id > a.done && !a.cancelled.has(id) {
			a.current = id
			a.snapshot(out)
		}
	}
}

// Drained ends every output: every input has ended, and nothing comes any more.
func (a *Acyclic) Drained(out *sim.Out) { a.ends.finish(a.info.Outputs, out) }

// onEnd lets the snapshot under way go on without this input. An input that is no
// back-edge may have brought its barrier already, while the back-edges are logged.
func (c *Cyclic) onEnd(i sim.Input, out *sim.Out) {
	if !c.ends.add(i) {
		return
	}
	if !c.marked[i] {
		c.satisfy(int(i))
	}
	if c.current != 0 {
		c.advance(out)
	}
	c.takeWaiting(out)
	c.ends.ask(out)
}

// Ordered is told that a snapshot is under way, at a task that has no Nil. Where an input
// that is no back-edge is to bring its barrier that says nothing new.
func (c *Cyclic) Ordered(id sim.SnapshotID, out *sim.Out) {
	c.ends.order(id)
	c.takeOrders(out)
}

// takeOrders takes the snapshots that were ordered, once every input that is no back-edge
// has ended: the task is then as good as a source.
func (c *Cyclic) takeOrders(out *sim.Out) {
	for c.current == 0 && c.regularLeft == 0 {
		id := c.ends.next()
		if id == 0 {
			return
		}
		if id > c.done && !c.cancelled.has(id) {
			c.current = id
			c.advance(out)
		}
	}
}

// Drained ends every output: every input has ended, and nothing comes any more. In a loop
// that never happens, as back-edges end only with those who wait for them.
func (c *Cyclic) Drained(out *sim.Out) { c.ends.finish(c.info.Outputs, out) }

func (e *encoder) ends(x *ended) {
	e.bools([]bool{x.finished, x.ended != nil})
	e.bools(x.ended)
	e.list(x.ordered)
}

func (d *decoder) ends(info *sim.NodeInfo) ended {
	x := newEnded(info)
	flags := d.bools(2)
	if x.finished = flags[0]; flags[1] {
		x.ended = d.bools(info.Inputs)
	}
	for _, ended := range x.ended {
		if ended {
			x.count++
		}
	}
	x.ordered = d.list()
	return x
}
