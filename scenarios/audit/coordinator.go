package audit

import "simrun/sim"

// coordinator is a Coordinator that is watched.
type coordinator struct {
	sim.Coordinator
	w *Watch
}

// These are what a watched Coordinator can be besides: Resting, and a Savepointer.
type (
	rests struct {
		c     *coordinator
		inner sim.Resting
	}
	savepoints struct {
		c     *coordinator
		inner sim.Savepointer
	}
)

// coordinator makes the Coordinator.
func (w *Watch) coordinator(newCoordinator func() sim.Coordinator) sim.Coordinator {
	w.enter(theCoordinator, call{kind: making, node: -1})
	inner := newCoordinator()
	w.leave()
	c := &coordinator{inner, w}
	resting, isResting := inner.(sim.Resting)
	savepointer, isSavepointer := inner.(sim.Savepointer)
	r, s := rests{c, resting}, savepoints{c, savepointer}
	switch [2]bool{isResting, isSavepointer} {
	case [2]bool{true, false}:
		return struct {
			*coordinator
			rests
		}{c, r}
	case [2]bool{false, true}:
		return struct {
			*coordinator
			savepoints
		}{c, s}
	case [2]bool{true, true}:
		return struct {
			*coordinator
			rests
			savepoints
		}{c, r, s}
	}
	return c
}

func (c *coordinator) call(what call, do func()) {
	what.node = -1
	c.w.enter(theCoordinator, what)
	do()
	c.w.leave()
}

// Start implements sim.Coordinator.
func (c *coordinator) Start(s sim.Standing, out *sim.Decisions) {
	c.call(call{kind: starting}, func() { c.Coordinator.Start(s, out) })
}

// Alarm implements sim.Coordinator.
func (c *coordinator) Alarm(id uint32, out *sim.Decisions) {
	c.call(call{kind: alarmed, number: id}, func() { c.Coordinator.Alarm(id, out) })
}

// Receive implements sim.Coordinator.
func (c *coordinator) Receive(task int32, m sim.Control, out *sim.Decisions) {
	c.call(call{kind: heard, in: sim.Input(task), control: m}, func() { c.Coordinator.Receive(task, m, out) })
}

// Published implements sim.Coordinator.
func (c *coordinator) Published(id sim.SnapshotID, ok bool, out *sim.Decisions) {
	c.call(call{kind: published, number: uint32(id)}, func() { c.Coordinator.Published(id, ok, out) })
}

// Failed implements sim.Coordinator.
func (c *coordinator) Failed(task int32, out *sim.Decisions) {
	c.call(call{kind: failed, in: sim.Input(task)}, func() { c.Coordinator.Failed(task, out) })
}

// Restored implements sim.Coordinator.
func (c *coordinator) Restored(attempt uint8, from sim.SnapshotID, ok bool, out *sim.Decisions) {
	c.call(call{kind: restored, number: uint32(from)}, func() { c.Coordinator.Restored(attempt, from, ok, out) })
}

// Stop implements sim.Coordinator.
func (c *coordinator) Stop(out *sim.Decisions) {
	c.call(call{kind: stopped}, func() { c.Coordinator.Stop(out) })
}

// Rest implements sim.Resting.
func (r rests) Rest(out *sim.Decisions) {
	r.c.call(call{kind: resting}, func() { r.inner.Rest(out) })
}

// Savepoint implements sim.Savepointer.
func (s savepoints) Savepoint(out *sim.Decisions) {
	s.c.call(call{kind: savepointing}, func() { s.inner.Savepoint(out) })
}
