package tracking

import (
	"fmt"
	"slices"

	"simrun/sim"
)

// task is the algorithm's part of one task.
type task struct {
	info  sim.NodeInfo
	under []epoch        // the snapshots under way here, by id
	done  sim.SnapshotID // the last one whose state was saved here
	ended ended
}

// epoch is what a task knows of one snapshot.
type epoch struct {
	id     sim.SnapshotID
	marked []bool // by input, Nil last: its barrier has come
	saved  bool   // the state is, and the log of the back-edges not
}

// New makes the algorithm's part of one task.
func New(info sim.NodeInfo) sim.Node { return &task{info: info} }

// Initiate is a barrier on Nil.
func (t *task) Initiate(id sim.SnapshotID, out *sim.Out) {
	if !t.info.Initiator {
		panic(fmt.Sprintf("tracking: node %d is ordered to initiate snapshot %d and has no Nil input", t.info.ID, id))
	}
	t.onBarrier(t.info.Inputs, id, out)
}

// Receive takes what came in: something for the App, a barrier, or the end of an input.
func (t *task) Receive(i sim.Input, m sim.Message, out *sim.Out) {
	switch m.Kind() {
	case sim.Marker:
		t.onBarrier(int(i), m.Snapshot(), out)
		return
	case sim.EndOfStream:
		t.onEnd(int(i), out)
		return
	}
	if i >= 0 && t.inL(int(i)) {
		for k := range t.under {
			if e := &t.under[k]; e.saved && !e.marked[i] {
				out.SaveLog(e.id, i, m)
			}
		}
	}
	t.udf(i, m, out)
}

// onBarrier counts a barrier, and acts on the last one.
func (t *task) onBarrier(slot int, id sim.SnapshotID, out *sim.Out) {
	e := t.epoch(id)
	if e == nil {
		return // it is over here
	}
	e.marked[slot] = true
	t.advance(e, out)
}

// advance does what the barriers of a snapshot that have come allow. An ended input needs
// to bring none.
func (t *task) advance(e *epoch, out *sim.Out) {
	id := e.id
	if !e.saved && t.all(e, func(i int) bool { return !t.inL(i) }) {
		t.save(e, out)
		e = t.epoch(id) // earlier ones may be gone
	}
	if e.saved && t.all(e, func(int) bool { return true }) {
		out.Done(id)
		t.drop(id)
	}
}

// save saves the state and passes the barrier on. One atomic step. Snapshots before this
// one that are not saved never will be.
func (t *task) save(e *epoch, out *sim.Out) {
	out.SaveState(e.id)
	if !t.ended.finished {
		for c := range t.info.Outputs {
			out.SendMarker(c, e.id)
		}
	}
	e.saved, t.done = true, e.id
	t.under = slices.DeleteFunc(t.under, func(o epoch) bool { return !o.saved && o.id < t.done })
}

// Cancel gives a snapshot up. Nothing was blocked for it. Barriers of it that are still
// to come are counted from none on: if all are, the state is saved, and nobody wants it.
func (t *task) Cancel(id sim.SnapshotID, _ *sim.Out) { t.drop(id) }

// epoch finds a snapshot under way, or begins one. Nil if it is over.
func (t *task) epoch(id sim.SnapshotID) *epoch {
	i, found := slices.BinarySearchFunc(t.under, id, epoch.compare)
	switch {
	case found:
		return &t.under[i]
	case id <= t.done:
		return nil
	}
	inputs := t.info.Inputs
	if t.info.Initiator {
		inputs++
	}
	t.under = slices.Insert(t.under, i, epoch{id: id, marked: make([]bool, inputs)})
	return &t.under[i]
}

func (e epoch) compare(id sim.SnapshotID) int { return int(e.id) - int(id) }

func (t *task) drop(id sim.SnapshotID) {
	t.under = slices.DeleteFunc(t.under, func(e epoch) bool { return e.id == id })
}

// all says whether the barrier has come on all of these inputs, but for those that have
// ended.
func (t *task) all(e *epoch, these func(slot int) bool) bool {
	for i, marked := range e.marked {
		if !marked && these(i) && !t.ended.at(i) {
			return false
		}
	}
	return true
}

// inL tells whether the input in this place is a back-edge.
func (t *task) inL(slot int) bool {
	return slot < len(t.info.BackEdge) && t.info.BackEdge[slot]
}

// udf lets the user-defined function process a record, and sends what it gives.
func (t *task) udf(i sim.Input, m sim.Message, out *sim.Out) {
	out.Send(out.Process(i, m)...)
}

// Recover replays the backup log before anything else comes in.
func (t *task) Recover(_ []byte, log []sim.Logged, out *sim.Out) {
	for _, l := range log {
		t.udf(l.Input, l.Message, out)
	}
}
