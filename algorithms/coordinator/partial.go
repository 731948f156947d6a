package coordinator

import (
	"slices"

	"simrun/sim"
)

// rejoining is a task of an algorithm that can go on when what is upstream is restarted.
type rejoining struct {
	*task
	algorithm sim.Rejoiner
}

// Rejoin takes part in the new attempt.
func (t *rejoining) Rejoin(r sim.Rejoin, out *sim.Out) {
	t.attempt = r.Attempt
	t.algorithm.Rejoin(r, out)
}

// restartPart is restart for the tasks that have crashed and what is upstream of them, if
// the settings say so. What is aborted with it is due again at once.
func (c *Coordinator) restartPart(out *sim.Decisions) {
	c.partial = c.settings.Partial
	if c.partial && !c.stopped && slices.ContainsFunc(c.pending, func(p *pending) bool { return !p.publishing }) {
		c.due = true
	}
	c.restart(out)
}

// notReady aborts a checkpoint for which a task is not ready, as it has not caught up with
// what was restarted: no failure, and the next one is due in its turn. At rest nothing is
// on its way that the task could still wait for, so the last one is not taken again.
func (c *Coordinator) notReady(p *pending, out *sim.Decisions) {
	c.abort(p, out)
	c.finished = c.finished || p.id == c.final
	if !c.running {
		c.restore(out)
		return
	}
	c.pause(out)
	c.trigger(out)
}
