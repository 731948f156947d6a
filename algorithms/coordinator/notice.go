package coordinator

import "simrun/sim"

// notify tells every task that a checkpoint is complete.
func (c *Coordinator) notify(id sim.SnapshotID, out *sim.Decisions) {
	for v := range int32(c.tasks) {
		out.Send(v, sim.Control{Kind: sim.Notify, Attempt: c.attempt, ID: id})
	}
}
