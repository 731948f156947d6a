package scenarios

import (
	"fmt"
	"slices"
)

// savepoints resolves when the user asks for savepoints.
func (r *resolver) savepoints() error {
	at := r.Coordinator.Savepoints
	if len(at) > 0 && r.plan.Algorithm.Lossless {
		return unsuited(r.fail("savepoints with "+r.plan.Algorithm.Name+", whose tasks go on when they are told that a checkpoint is complete: of a savepoint they are not told",
			"leave them out, or use another algorithm", "coordinator", "savepoints"))
	}
	plan := &r.plan.config.Snapshots
	for i, m := range at {
		if err := r.moment(m, "a savepoint", "coordinator", "savepoints", i); err != nil {
			return err
		}
		plan.At = append(plan.At, m.Value)
	}
	slices.Sort(plan.At)
	return nil
}

// beforeStop refuses snapshots and savepoints that the run has no time for.
func (r *resolver) beforeStop(stop Moment) error {
	refuse := func(what string, m Moment, path ...any) error {
		return r.fail(fmt.Sprintf("a %s at %v, but the run stops at %v and no %s begins later", what, m, stop, what),
			"write an earlier instant, or a later one for stop: {at: ...}", path...)
	}
	for i, m := range r.Snapshots.At {
		if m.At.Value > stop.Value {
			return refuse("snapshot", m.At, "snapshots", "at", i)
		}
	}
	if r.Coordinator == nil {
		return nil
	}
	for i, m := range r.Coordinator.Savepoints {
		if m.Value > stop.Value {
			return refuse("savepoint", m, "coordinator", "savepoints", i)
		}
	}
	return nil
}
