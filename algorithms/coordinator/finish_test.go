package coordinator_test

import (
	"slices"
	"testing"

	"simrun/algorithms/abs"
	"simrun/algorithms/coordinator"
	"simrun/sim"
)

// row is a coordinator of the tasks 0 and 1 -> 2 -> 3, of which 0 and 1 are sources.
type row struct {
	t *testing.T
	sim.Coordinator
	out sim.Decisions
}

func newRow(t *testing.T) *row {
	r := &row{t: t, Coordinator: coordinator.New(coordinator.Settings{Interval: 10, Timeout: 100, MaxConcurrent: 3, Tolerable: 9})()}
	r.Start(sim.Standing{Tasks: 4, Sources: []int32{0, 1}, Upstream: [][]int32{nil, nil, {0, 1}, {2}}}, &r.out)
	return r
}

// tells is a task that says something.
func (r *row) tells(task int32, c sim.Control) { r.Receive(task, c, &r.out) }

func finished(attempt uint8) sim.Control { return sim.Control{Kind: sim.Finished, Attempt: attempt} }

// wants demands which tasks are triggered for a checkpoint, since the last time.
func (r *row) wants(id sim.SnapshotID, tasks ...int32) {
	r.t.Helper()
	var got []int32
	for _, d := range r.out.List() {
		if d.Kind == sim.DecideSend && d.Control.Kind == sim.Trigger && d.Control.ID == id {
			got = append(got, d.Task)
		}
	}
	if !slices.Equal(got, tasks) {
		r.t.Errorf("checkpoint %d is triggered at %v, want %v", id, got, tasks)
	}
}

// TestWhoIsTriggered: the sources; those that have finished; and those that only finished
// ones are in front of, for what is pending at once.
func TestWhoIsTriggered(t *testing.T) {
	r := newRow(t)
	r.Alarm(0, &r.out)
	r.wants(1, 0, 1)
	r.out.Reset()
	r.tells(0, finished(0))
	r.wants(1) // 2 has another task in front
	r.tells(1, finished(0))
	r.wants(1, 2)
	r.out.Reset()
	r.tells(1, finished(0)) // once more
	r.tells(3, finished(1)) // of another attempt
	r.wants(1)
	r.Alarm(0, &r.out)
	r.wants(2, 0, 1, 2)
	r.out.Reset()
	r.tells(2, sim.Control{Kind: sim.Acknowledge, ID: 1, Handle: 7, Finished: true}) // says it, too
	r.wants(1, 3)
	r.wants(2, 3)
	r.out.Reset()
	r.Alarm(0, &r.out)
	r.wants(3, 0, 1, 2, 3)
}

// TestWhoHadFinished: the metadata says it as the acknowledgements do.
func TestWhoHadFinished(t *testing.T) {
	r := newRow(t)
	r.Alarm(0, &r.out)
	r.tells(1, finished(0))
	for v := range int32(4) {
		r.tells(v, sim.Control{Kind: sim.Acknowledge, ID: 1, Handle: sim.Handle(v + 1), Finished: v == 0})
	}
	for _, d := range r.out.List() {
		if d.Kind == sim.DecidePublish && !slices.Equal(d.Metadata.Finished, []bool{true, false, false, false}) {
			t.Errorf("the metadata says %v", d.Metadata.Finished)
		}
	}
}

// TestNobodyHasFinishedInANewAttempt: they finish again.
func TestNobodyHasFinishedInANewAttempt(t *testing.T) {
	r := newRow(t)
	for v := range int32(4) {
		r.tells(v, finished(0))
	}
	r.Failed(2, &r.out)
	r.tells(2, finished(0)) // on its way since before
	r.Restored(1, 0, true, &r.out)
	r.tells(2, finished(0))
	r.out.Reset()
	r.Alarm(0, &r.out)
	r.wants(1, 0, 1)
}

// TestFinishedTaskSaysItAgain: when it is told to cancel, as it is when the coordinator
// has perhaps not heard it.
func TestFinishedTaskSaysItAgain(t *testing.T) {
	n, out := coordinator.Task(abs.New)(sim.NodeInfo{Outputs: 1, Initiator: true}).(sim.Task), sim.NewOut(nil)
	told := func() (kinds []sim.ControlKind) {
		for _, op := range out.Ops() {
			if op.Kind == sim.OpTell {
				kinds = append(kinds, op.Told().Kind)
			}
		}
		out.Reset()
		return kinds
	}
	n.Told(sim.Control{Kind: sim.Cancel, ID: 1}, out)
	if got := told(); !slices.Equal(got, []sim.ControlKind{sim.Decline}) {
		t.Errorf("a task that runs says %v", got)
	}
	n.(sim.Drainer).Drained(out)
	if got := told(); !slices.Equal(got, []sim.ControlKind{sim.Finished}) {
		t.Errorf("a task that finishes says %v", got)
	}
	n.Told(sim.Control{Kind: sim.Cancel, ID: 2}, out)
	if got := told(); !slices.Equal(got, []sim.ControlKind{sim.Decline, sim.Finished}) {
		t.Errorf("a task that has finished says %v", got)
	}
}
