package mutants

import "simrun/sim"

// lateTimeout does not ask whether the checkpoint that has taken too long is still
// pending: it aborts one that is complete.
type lateTimeout struct{ checkpoints }

func newLateTimeout(t Timing) sim.Coordinator { return coordinator{&lateTimeout{newCheckpoints(t)}} }

func (c *lateTimeout) Alarm(id uint32, out *sim.Decisions) {
	if id != periodAlarm && c.find(sim.SnapshotID(id)) == nil {
		out.Abort(sim.SnapshotID(id))
		return
	}
	c.checkpoints.Alarm(id, out)
}
