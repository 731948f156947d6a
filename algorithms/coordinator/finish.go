package coordinator

import (
	"slices"

	"simrun/sim"
)

// Finisher is a snapshot algorithm whose tasks can finish. An input that has ended counts
// as aligned, and a task that has finished sends no barriers.
type Finisher interface {
	// Drained is told that every input has ended, if the algorithm has called Out.Drain
	// then or has none, and that nothing of the task's own comes any more: it finishes.
	Drained(out *sim.Out)
	// Ordered is told, at a task that is no source, that a checkpoint is under way. If
	// every input has ended no barrier comes, and this is all that it is told.
	Ordered(id sim.SnapshotID, out *sim.Out)
}

// ending is what a task knows of its end.
type ending struct {
	finished bool
	last     []sim.SnapshotID // checkpoints recorded since, whose parts are not written
}

// covers takes a checkpoint off the list, and says whether it was there.
func (e *ending) covers(id sim.SnapshotID) bool {
	i := slices.Index(e.last, id)
	if i < 0 {
		return false
	}
	e.last = slices.Delete(e.last, i, i+1)
	return true
}

func (e *ending) save(buf []byte) []byte {
	x := &codec{data: buf}
	e.code(x)
	return x.data
}

func (e *ending) load(state []byte) (rest []byte, ok bool) {
	x := &codec{data: state, loading: true}
	e.code(x)
	return x.data, !x.failed
}

func (e *ending) code(x *codec) {
	x.bool(&e.finished)
	n := x.length(len(e.last))
	if x.loading {
		e.last = make([]sim.SnapshotID, n)
	}
	for i := range e.last {
		e.last[i] = sim.SnapshotID(x.uint(uint64(e.last[i])))
	}
}

// trigger begins a checkpoint at a source; elsewhere it says that one is under way.
func (t *task) trigger(id sim.SnapshotID, out *sim.Out) {
	from := len(out.Ops())
	if f, ok := t.Node.(Finisher); ok && !t.source {
		f.Ordered(id, out)
	} else {
		t.Initiate(id, out)
	}
	for _, op := range out.Ops()[from:] {
		if records := op.Kind == sim.OpSaveState || op.Kind == sim.OpSaveReference; records && t.ending.finished {
			t.ending.last = append(t.ending.last, op.Snapshot)
		}
	}
}

// Drained lets the algorithm finish, and tells the coordinator.
func (t *task) Drained(out *sim.Out) {
	if f, ok := t.Node.(Finisher); ok {
		f.Drained(out)
		t.ending.finished = true
		t.tellFinished(out)
	}
}

// tellFinished tells the coordinator that the task has finished, if it has.
func (t *task) tellFinished(out *sim.Out) {
	if t.ending.finished {
		out.Tell(sim.Control{Kind: sim.Finished, Attempt: t.attempt})
	}
}

// finishing is what the coordinator knows of the tasks that have finished.
type finishing struct {
	upstream [][]int32 // by task, the tasks in front of it; nil: none ever finishes
	finished []bool    // by task, in this attempt
}

// begin begins an attempt, in which nobody has finished.
func (f *finishing) begin(upstream [][]int32) {
	f.upstream, f.finished = upstream, make([]bool, len(upstream))
}

// alone says that a task must be told of every checkpoint: no barrier comes to it any
// more, or its own was the last.
func (f *finishing) alone(v int32) bool {
	running := func(u int32) bool { return !f.finished[u] }
	return f.finished[v] || len(f.upstream[v]) > 0 && !slices.ContainsFunc(f.upstream[v], running)
}

// toTrigger is the tasks that are told of a checkpoint that begins.
func (c *Coordinator) toTrigger() []int32 {
	list := slices.Clone(c.sources)
	for v := range int32(len(c.finishing.finished)) {
		if c.finishing.alone(v) && !slices.Contains(list, v) {
			list = append(list, v)
		}
	}
	return list
}

// hasFinished notes that a task has finished. What is pending has perhaps not come to it
// and to those behind it, and comes no more. Where none ever finishes it says nothing.
func (c *Coordinator) hasFinished(task int32, out *sim.Decisions) {
	if c.finishing.upstream == nil || c.finishing.finished[task] {
		return
	}
	told := c.toTrigger()
	c.finishing.finished[task] = true
	for _, v := range c.toTrigger() {
		if slices.Contains(told, v) {
			continue
		}
		for _, p := range c.pending {
			if p.handles[v] == 0 {
				out.Send(v, sim.Control{Kind: sim.Trigger, Attempt: c.attempt, ID: p.id})
			}
		}
	}
}

// list is a list, by task, of those whose part of a checkpoint is their last.
func (f *finishing) list() []bool {
	if f.upstream == nil {
		return nil
	}
	return make([]bool, len(f.upstream))
}

func (f *finishing) code(x *codec) {
	known := f.upstream != nil
	if x.bool(&known); !known {
		return
	}
	n := x.length(len(f.upstream))
	if x.loading {
		f.upstream = make([][]int32, n)
	}
	for v := range f.upstream {
		f.upstream[v] = x.tasks(f.upstream[v])
	}
	x.flags(&f.finished)
}

// tasks codes a list of tasks.
func (x *codec) tasks(list []int32) []int32 {
	n := x.length(len(list))
	if x.loading {
		list = make([]int32, n)
	}
	for i := range list {
		list[i] = int32(x.uint(uint64(list[i])))
	}
	return list
}

// flags codes a list of flags; one that is empty is nil.
func (x *codec) flags(p *[]bool) {
	n := x.length(len(*p))
	if x.loading && n > 0 {
		*p = make([]bool, n)
	}
	for i := range *p {
		x.bool(&(*p)[i])
	}
}
