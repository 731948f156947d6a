package coordinator

import (
	"slices"

	"simrun/sim"
)

// notify tells every task that a checkpoint is complete. While the run goes on it does no
// harm if the message is lost: the next one tells as much. Of the last one the tasks are
// reminded.
func (c *Coordinator) notify(id sim.SnapshotID, out *sim.Decisions) {
	for v := range int32(c.tasks) {
		out.Send(v, sim.Control{Kind: sim.Notify, Attempt: c.attempt, ID: id})
	}
	c.reminder = reminder{}
}

// reminder is the notice of the last checkpoint once more. When nothing is on its way any
// more it is sent, again and again, to every task that has not confirmed it: what
// transactional sinks hold would stay with them for ever. After a restore there is none,
// because the sinks have committed what they were restored with.
type reminder struct {
	id    sim.SnapshotID // 0: it has not been sent
	tasks []int32        // that have not confirmed
}

// forgetful says whether a task may not know that the last checkpoint is complete.
func (c *Coordinator) forgetful() bool { return c.reminder.id == 0 || len(c.reminder.tasks) > 0 }

// remind sends the reminder of the last checkpoint.
func (c *Coordinator) remind(out *sim.Decisions) {
	x := &c.reminder
	if x.id == 0 {
		x.id, x.tasks = c.final, c.everyTask()
	}
	for _, v := range x.tasks {
		out.Send(v, sim.Control{Kind: sim.Remind, Attempt: c.attempt, ID: x.id})
	}
}

// reminded notes that a task has confirmed.
func (c *Coordinator) reminded(task int32, m sim.Control) {
	if m.Attempt == c.attempt && m.ID == c.reminder.id {
		c.reminder.tasks = slices.DeleteFunc(c.reminder.tasks, func(v int32) bool { return v == task })
	}
}

func (r *reminder) code(x *codec) {
	r.id = sim.SnapshotID(x.uint(uint64(r.id)))
	r.tasks = x.tasks(r.tasks)
}
