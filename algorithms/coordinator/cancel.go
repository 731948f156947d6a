package coordinator

import (
	"slices"

	"simrun/sim"
)

// cancel is the order to cancel a checkpoint, under way to the tasks. A task that is
// never told stays blocked for a checkpoint that nobody completes, so the order is
// repeated until every task has declined the checkpoint; a new attempt needs none.
type cancel struct {
	id    sim.SnapshotID
	tasks []int32 // that have not confirmed

	again int // how often it was repeated
	pause int // so many times it could be repeated before it is
}

// slowest is how often the pause between two repetitions is doubled at most.
const slowest = 6

// cancel orders every task to cancel a checkpoint.
func (c *Coordinator) cancel(id sim.SnapshotID, out *sim.Decisions) {
	x := cancel{id: id, tasks: c.everyTask()}
	c.cancelled = append(c.cancelled, x)
	for _, v := range x.tasks {
		c.order(v, id, out)
	}
	if len(c.cancelled) == 1 {
		c.repeatLater(out)
	}
}

// everyTask is a list of all tasks.
func (c *Coordinator) everyTask() []int32 {
	tasks := make([]int32, c.tasks)
	for v := range tasks {
		tasks[v] = int32(v)
	}
	return tasks
}

// order sends the order to a task.
func (c *Coordinator) order(task int32, id sim.SnapshotID, out *sim.Decisions) {
	out.Send(task, sim.Control{Kind: sim.Cancel, Attempt: c.attempt, ID: id})
}

// repeat sends the oldest order that is not confirmed again, to one task after the
// other: all at once could be more than the channels carry until the next time. When all
// have been sent it once more the next round is twice as slow: where channels double what
// they carry, and an alarm comes as soon as a message, they would fill for ever.
func (c *Coordinator) repeat(out *sim.Decisions) {
	if len(c.cancelled) == 0 {
		return
	}
	defer c.repeatLater(out)
	x := &c.cancelled[0]
	if x.pause > 0 {
		x.pause--
		return
	}
	x.tasks = append(x.tasks[1:], x.tasks[0])
	c.order(x.tasks[len(x.tasks)-1], x.id, out)
	x.again++
	x.pause = 1<<min(x.again/c.tasks, slowest) - 1
}

// repeatLater sees to it that orders are repeated, as late as a checkpoint is given up.
// Without a timeout nobody expects messages to be lost.
func (c *Coordinator) repeatLater(out *sim.Decisions) {
	if len(c.cancelled) > 0 && c.settings.Timeout > 0 {
		out.Alarm(cancelAlarm, c.settings.Timeout)
	}
}

// confirm notes that a task has cancelled a checkpoint.
func (c *Coordinator) confirm(task int32, id sim.SnapshotID) {
	i := slices.IndexFunc(c.cancelled, func(x cancel) bool { return x.id == id })
	if i < 0 {
		return
	}
	x := &c.cancelled[i]
	x.tasks = slices.DeleteFunc(x.tasks, func(v int32) bool { return v == task })
	if len(x.tasks) == 0 {
		c.cancelled = slices.Delete(c.cancelled, i, i+1)
	}
}

func (x *cancel) code(data *codec) {
	x.id = sim.SnapshotID(data.uint(uint64(x.id)))
	x.tasks = data.tasks(x.tasks)
	x.again, x.pause = int(data.uint(uint64(x.again))), int(data.uint(uint64(x.pause)))
}
