package coordinator

import "simrun/sim"

// sweep deletes from the store what no stored checkpoint needs, when none is pending: the
// parts of one that was pending when the coordinator crashed, and those whose
// acknowledgement was lost. As to Flink its folder for a checkpoint, the store belongs to
// the job alone.
func (c *Coordinator) sweep(out *sim.Decisions) {
	var keep []sim.Handle
	for i := range c.stored {
		keep = append(keep, c.stored[i].Handles...)
	}
	out.Sweep(keep)
}
