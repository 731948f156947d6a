package tracking

import (
	"slices"

	"simrun/sim"
)

// ended is which inputs of a task have ended, and whether it has finished itself. An ended
// input counts as one on which every barrier has come.
type ended struct {
	inputs   []bool // by channel; nil: none has
	finished bool
}

func (e *ended) at(slot int) bool { return slot < len(e.inputs) && e.inputs[slot] }

// onEnd lets the snapshots under way go on without this input, in their order. Once every
// input has ended the task asks to be told when nothing comes any more.
func (t *task) onEnd(slot int, out *sim.Out) {
	if t.ended.inputs == nil {
		t.ended.inputs = make([]bool, t.info.Inputs)
	}
	t.ended.inputs[slot] = true
	for _, e := range slices.Clone(t.under) {
		if e := t.epoch(e.id); e != nil { // a later one that is saved drops those before
			t.advance(e, out)
		}
	}
	if !slices.Contains(t.ended.inputs, false) {
		out.Drain()
	}
}

// Ordered is told that a snapshot is under way, at a task that has no Nil.
func (t *task) Ordered(id sim.SnapshotID, out *sim.Out) {
	if e := t.epoch(id); e != nil {
		t.advance(e, out)
	}
}

// Drained ends every output: every input has ended, and nothing comes any more.
func (t *task) Drained(out *sim.Out) {
	t.ended.finished = true
	for c := range t.info.Outputs {
		out.SendEnd(c)
	}
}
