package stoptheworld

import (
	"fmt"
	"slices"

	"simrun/sim"
)

// task is the algorithm's part of one task.
type task struct {
	info      sim.NodeInfo
	coming    []halt           // snapshots whose marker has come on some inputs, by id
	halted    []sim.SnapshotID // those that are saved here, and not over; ascending
	over      sim.SnapshotID   // the last one saved here, or over
	cancelled []sim.SnapshotID // those above that are given up
	held      []sim.Logged     // what came from outside meanwhile
}

// halt is a snapshot whose marker has come on these inputs; Nil is the last.
type halt struct {
	id     sim.SnapshotID
	marked []bool
}

// New makes the algorithm's part of one task. The graph must have no cycle.
func New(info sim.NodeInfo) sim.Node {
	if info.Cyclic {
		panic("stoptheworld: the graph has a cycle, in which records would go on while the sources hold")
	}
	return &task{info: info}
}

// Initiate is a halt marker on Nil.
func (t *task) Initiate(id sim.SnapshotID, out *sim.Out) {
	if !t.info.Initiator {
		panic(fmt.Sprintf("stoptheworld: node %d is ordered to initiate snapshot %d and has no Nil input", t.info.ID, id))
	}
	t.onMarker(t.info.Inputs, id, out)
}

// Receive takes what came in. What comes from outside a task that is halted is held.
func (t *task) Receive(i sim.Input, m sim.Message, out *sim.Out) {
	switch {
	case m.Kind() == sim.Marker:
		t.onMarker(int(i), m.Snapshot(), out)
	case i < 0 && len(t.halted) > 0:
		t.held = append(t.held, sim.Logged{Input: i, Message: m})
	default:
		t.udf(i, m, out)
	}
}

// onMarker saves the state and passes the marker on when it is there on every input: then
// this task is drained.
func (t *task) onMarker(slot int, id sim.SnapshotID, out *sim.Out) {
	if id <= t.over || slices.Contains(t.cancelled, id) {
		return
	}
	h := t.halt(id)
	h.marked[slot] = true
	if slices.Contains(h.marked, false) {
		return
	}
	out.SaveState(id)
	for c := range t.info.Outputs {
		out.SendMarker(c, id)
	}
	out.Done(id)
	t.halted = append(t.halted, id)
	t.isOver(id)
}

// isOver forgets what is known of the snapshots up to this one.
func (t *task) isOver(id sim.SnapshotID) {
	t.over = max(t.over, id)
	t.coming = slices.DeleteFunc(t.coming, func(h halt) bool { return h.id <= t.over })
	t.cancelled = slices.DeleteFunc(t.cancelled, func(id sim.SnapshotID) bool { return id <= t.over })
}

// halt finds a snapshot whose marker has come before, or begins one.
func (t *task) halt(id sim.SnapshotID) *halt {
	i, found := slices.BinarySearchFunc(t.coming, id, func(h halt, id sim.SnapshotID) int { return int(h.id) - int(id) })
	if !found {
		inputs := t.info.Inputs
		if t.info.Initiator {
			inputs++
		}
		t.coming = slices.Insert(t.coming, i, halt{id, make([]bool, inputs)})
	}
	return &t.coming[i]
}

// Complete is told that a snapshot is complete: it and those before it are over.
func (t *task) Complete(id sim.SnapshotID, out *sim.Out) {
	t.isOver(id)
	t.end(func(other sim.SnapshotID) bool { return other <= id }, out)
}

// Cancel is told that a snapshot is given up. Its markers may still be to come: nobody
// halts for them.
func (t *task) Cancel(id sim.SnapshotID, out *sim.Out) {
	if id > t.over && !slices.Contains(t.cancelled, id) {
		t.cancelled = append(t.cancelled, id)
		t.coming = slices.DeleteFunc(t.coming, func(h halt) bool { return h.id == id })
	}
	t.end(func(other sim.SnapshotID) bool { return other == id }, out)
}

// end goes on when there is no snapshot left to hold for.
func (t *task) end(over func(sim.SnapshotID) bool, out *sim.Out) {
	t.halted = slices.DeleteFunc(t.halted, over)
	if len(t.halted) > 0 {
		return
	}
	for _, l := range t.held {
		t.udf(l.Input, l.Message, out)
	}
	t.held = nil
}

// udf lets the user-defined function process a record, and sends what it gives.
func (t *task) udf(i sim.Input, m sim.Message, out *sim.Out) {
	out.Send(out.Process(i, m)...)
}

// Recover has nothing to do: a snapshot is states only, and what was held is read again.
func (t *task) Recover([]byte, []sim.Logged, *sim.Out) {}
