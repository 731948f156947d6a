package invariants

import "simrun/sim"

// Every word between the coordinator and its tasks belongs to an attempt. What is said of
// another one than that under way is for nobody: whoever hears it passes it over, and an
// order, a notice or an acknowledgement is lost although no channel has lost it.

// checkControl takes in what is said between the coordinator and a task.
func (c *Checker) checkControl(f *facts, x *sim.Fact) {
	switch x.Kind {
	case sim.FactTold:
		c.checkSaid(f, x)
		c.checkNotice(f, x)
	case sim.FactHeard:
		if x.Control.Kind == sim.Cancel {
			f.cancelled[said{x.Task, x.Control.ID}] = true
		}
	case sim.FactReplied:
		c.checkSaid(f, x)
		c.noteAnswer(f, x)
		c.noteFinished(f, x)
	}
}

// checkNotice checks that a task is told of what is complete, and no savepoint.
func (c *Checker) checkNotice(f *facts, x *sim.Fact) {
	if x.Control.Kind != sim.Notify && x.Control.Kind != sim.Remind {
		return
	}
	known := x.ID > 0 && uint64(x.ID) <= uint64(len(f.published))
	if !known || f.published[x.ID-1] == nil {
		c.report(coordinator, atNode(x.Task), "%s is told that checkpoint %d is complete, and it is not", c.run.node(x.Task), x.ID)
	} else if c.savepoint(x.ID) {
		c.report(coordinator, atNode(x.Task), "%s is told that %d is complete as if it were a checkpoint, and it is a savepoint: what is then committed a crash takes back", c.run.node(x.Task), x.ID)
	}
}

// attemptOf is the attempt under way at a fact, and the next ones as facts go on.
func (c *Checker) attemptOf(f *facts, x *sim.Fact) (attempt uint8) {
	for f.restores < len(c.h.Restores) && c.h.Restores[f.restores].Row < x.Row {
		f.restores++
	}
	if f.restores > 0 {
		attempt = c.h.Restores[f.restores-1].Incarnation
	}
	return attempt
}

// checkSaid checks that who speaks, speaks of the attempt that is under way.
func (c *Checker) checkSaid(f *facts, x *sim.Fact) {
	if c.h.Rows == nil {
		return
	}
	attempt := c.attemptOf(f, x)
	if x.Control.Attempt == attempt {
		return
	}
	where, name := atNode(x.Task), c.run.node(x.Task)
	if x.Kind == sim.FactTold {
		c.report(coordinator, where, "the coordinator tells %s something of attempt %d, and attempt %d is under way: it is for nobody", name, x.Control.Attempt, attempt)
		return
	}
	c.report(coordinator, where, "%s tells the coordinator something of attempt %d, and attempt %d is under way: it is for nobody", name, x.Control.Attempt, attempt)
}

// checkPublishedIn checks that the metadata of a checkpoint names the attempt in which it
// was taken.
func (c *Checker) checkPublishedIn(f *facts, id sim.SnapshotID, where Violation) {
	m, s := f.published[id-1], c.h.Snapshots[id-1]
	if m != nil && s != nil && m.Attempt != s.Incarnation {
		c.report(coordinator, where, "the metadata of checkpoint %d says that it was taken in attempt %d; it was in attempt %d", id, m.Attempt, s.Incarnation)
	}
}

// checkGaveUp checks that the coordinator has ordered as many restores, since it has
// started, as its strategy allows.
func (c *Checker) checkGaveUp(f *facts) {
	switch allowed := c.run.Restarts; {
	case allowed < 0:
		c.report(coordinator, nowhere, "the coordinator gives up, and its restart strategy allows any number of restarts")
	case f.orders < allowed:
		c.report(coordinator, nowhere, "the coordinator gives up when it has ordered %s since it started; its strategy allows %d", counted(f.orders, "restart"), allowed)
	}
}
