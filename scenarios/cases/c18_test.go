package cases

import (
	"slices"
	"testing"

	"simrun/algorithms/coordinator"
	"simrun/sim"
)

// loop is S->H, H->B and back, with a side channel that keeps the run going.
func loop() *world {
	return &world{
		links: []link{{"S", "H", 1}, {"H", "B", 1}, {"B", "H", 1}}, initiators: []string{"S"},
	}
}

// TestIdleLoopServesTheTrigger: no record has been in the loop when the checkpoint is
// triggered at 5 ms. It completes.
func TestIdleLoopServesTheTrigger(t *testing.T) {
	w := loop()
	w.sends = []send{{at: 80, from: "S", to: "H", id: 1, hops: 3}}
	w.tune = managedBy(coordinator.Settings{Interval: 5 * ms})
	o := w.run(t, task, true).right().status(1, sim.Complete)
	if s := o.h.Snapshots[0]; s.TriggeredAt != 5*ms || s.CompletedAt > 20*ms {
		t.Errorf("triggered at %d and complete at %d", s.TriggeredAt, s.CompletedAt)
	}
}

// endedLoop is a loop that the last record leaves before 20 ms, and a second source that
// keeps the run going.
func endedLoop() *world {
	w := loop()
	w.links = append(w.links, link{"Z", "K", 1})
	w.initiators = append(w.initiators, "Z")
	w.sends = append([]send{{at: 10, from: "S", to: "H", id: 1, hops: 4}}, ticking("Z", "K", 10, 90)...)
	w.tune = managedBy(coordinator.Settings{Interval: 21 * ms})
	return w
}

// TestEndedLoopServesTheTrigger: the checkpoint is triggered at 21 ms. Where nothing
// finishes the tasks of an ended loop still answer, and the checkpoint completes.
func TestEndedLoopServesTheTrigger(t *testing.T) {
	endedLoop().run(t, task, true).right().completesAt21(t)
}

// TestEndedSourceOfALoop: likewise where tasks finish. S has, so nobody passes a barrier on
// to H, which is in the loop and never finishes: H is triggered itself.
func TestEndedSourceOfALoop(t *testing.T) {
	o := endedLoop().finish().run(t, task, true).right()
	o.completesAt21(t)
	o.finished(1, "S")
	if !o.told(sim.Trigger, "H", 1) {
		t.Error("H was not triggered")
	}
}

// TestEndedBranch: H and S, in front of it, have finished by 20 ms, and H does not get the
// barrier of a checkpoint that is triggered at 21 ms. Its part is its last state.
func TestEndedBranch(t *testing.T) {
	o := endedBranch().run(t, task, true).right()
	o.completesAt21(t)
	o.finished(1, "S", "H")
}

func endedBranch() *world {
	w := &world{links: []link{{"S", "H", 1}, {"H", "K", 1}, {"Z", "K", 1}}, initiators: []string{"S", "Z"}}
	w.sends = append([]send{{at: 10, from: "S", to: "H", id: 1, hops: 1}}, ticking("Z", "K", 10, 90)...)
	w.tune = managedBy(coordinator.Settings{Interval: 21 * ms})
	return w.finish()
}

// TestEndedBranchAwaited: H waits for a barrier of S and K for one of H, which both have
// finished; what Z sends stays behind its own.
func TestEndedBranchAwaited(t *testing.T) {
	endedBranch().run(t, wrongTask("ended-awaited"), true).
		pends(1, "the cause: every input of H has ended, and it never recorded").
		accused("termination", "K still blocks channel Z->K#2 for snapshot 1; it holds messages 3 to 8 and 1 marker")
}

// mistaken is a coordinator whose metadata says of everybody the contrary.
type mistaken struct{ sim.Coordinator }

// Receive implements sim.Coordinator.
func (c mistaken) Receive(task int32, m sim.Control, out *sim.Decisions) {
	c.Coordinator.Receive(task, m, out)
	for _, d := range out.List() {
		for v := range d.Metadata.Finished {
			d.Metadata.Finished[v] = !d.Metadata.Finished[v]
		}
	}
}

// TestWhoHadFinishedIsChecked: the metadata says which tasks had, and no other.
func TestWhoHadFinishedIsChecked(t *testing.T) {
	w := endedBranch()
	tune := w.tune
	w.tune = func(cfg *sim.Config) {
		tune(cfg)
		right := cfg.Management.New
		cfg.Management.New = func() sim.Coordinator { return mistaken{right()} }
	}
	w.run(t, task, true).
		accused("coordinator", "the metadata of checkpoint 1 does not say that H had finished when it recorded").
		accused("coordinator", "the metadata of checkpoint 1 says that Z had finished when it recorded, and it had not")
}

// TestBehindTheEnd: M ends its output when the first of its inputs has ended, and what comes
// of the other is sent behind that.
func TestBehindTheEnd(t *testing.T) {
	w := &world{links: []link{{"S", "M", 1}, {"Z", "M", 1}, {"M", "K", 1}}, initiators: []string{"S", "Z"}}
	w.sends = append([]send{{at: 5, from: "S", to: "M", id: 1, hops: 1}}, send{at: 10, from: "Z", to: "M", id: 2, hops: 1}, send{at: 30, from: "Z", to: "M", id: 3, hops: 1})
	w.tune = managedBy(coordinator.Settings{Interval: 21 * ms})
	w.finish()
	w.run(t, task, true).right().finished(1, "S")
	w.run(t, wrongTask("early-end"), true).
		violates("fifo", "M", "K", 2).
		violates("fifo", "M", "K", 3).
		accused("fifo", "the barrier of snapshot 1 is sent on channel M->K#2, behind the end of the stream")
}

// completesAt21 demands that checkpoint 1, of 21 ms, is complete, and that nothing fails.
func (o *outcome) completesAt21(t *testing.T) {
	t.Helper()
	o.status(1, sim.Complete)
	if s := o.h.Snapshots[0]; s.TriggeredAt != 21*ms {
		t.Errorf("triggered at %d", s.TriggeredAt)
	}
	for _, f := range o.h.Facts {
		if f.Kind == sim.FactRestore || f.Kind == sim.FactAborted {
			t.Errorf("the job fails: %+v", f)
		}
	}
}

// finish lets the tasks of a world finish.
func (w *world) finish() *world {
	tune := w.tune
	w.tune = func(cfg *sim.Config) {
		tune(cfg)
		cfg.Management.Finish = true
	}
	return w
}

// finished demands which nodes a checkpoint says had finished.
func (o *outcome) finished(id sim.SnapshotID, want ...string) {
	o.t.Helper()
	for _, m := range o.h.Published {
		if m.ID != id {
			continue
		}
		for v, name := range o.w.nodes() {
			if m.Finished[v] != slices.Contains(want, name) {
				o.t.Errorf("checkpoint %d says that %s had finished: %t", id, name, m.Finished[v])
			}
		}
		return
	}
	o.t.Errorf("checkpoint %d is not published", id)
}

// told says whether a node was told something of a checkpoint.
func (o *outcome) told(kind sim.ControlKind, node string, id sim.SnapshotID) bool {
	return slices.ContainsFunc(o.h.Facts, func(f sim.Fact) bool {
		return f.Kind == sim.FactHeard && f.Task == o.w.node(node) && f.Control.Kind == kind && f.ID == id
	})
}
