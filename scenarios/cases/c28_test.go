package cases

import (
	"slices"
	"testing"

	"simrun/algorithms/coordinator"
	"simrun/algorithms/mutants"
	"simrun/invariants"
	"simrun/sim"
)

// TestRetainedSetIsClosed: with one checkpoint retained, the one that a restore goes back
// to has every part that its metadata names, at any moment: the old one is deleted when
// the new one is durable, and its parts after its metadata.
func TestRetainedSetIsClosed(t *testing.T) {
	retired, restores := 0, 0
	for seed := range uint64(40) {
		s := managedStage(t, seed, coordinator.Settings{Interval: 15 * ms, Timeout: 100 * ms, MaxConcurrent: 3, Retained: 1, Tolerable: 1000})
		s.Faults = []sim.Fault{
			{Nodes: []int32{int32(seed) % int32(s.Graph.Nodes+1)}, At: 120 * ms, Down: 5 * ms},
			{Nodes: []int32{int32(seed+1) % int32(s.Graph.Nodes)}, At: 250 * ms, Down: 5 * ms},
		}
		h := s.playRight()
		restores += len(h.Restores)
		deleted := map[sim.Handle]bool{}
		var stored []*sim.Metadata
		next := 0
		for _, f := range h.Facts {
			switch f.Kind {
			case sim.FactPublished:
				stored = append(stored, &h.Published[next])
				next++
			case sim.FactRetired:
				retired++
				stored = slices.DeleteFunc(stored, func(m *sim.Metadata) bool { return m.ID == f.ID })
				if len(stored) != 1 {
					t.Fatalf("seed %d: %d checkpoints are stored when %d has been deleted", seed, len(stored), f.ID)
				}
			case sim.FactDiscarded:
				deleted[f.Control.Handle] = true
			}
			for _, m := range stored {
				if slices.ContainsFunc(m.Handles, func(h sim.Handle) bool { return deleted[h] }) {
					t.Fatalf("seed %d: checkpoint %d is stored, and a part of it is deleted", seed, m.ID)
				}
			}
		}
	}
	if retired < 100 || restores < 60 {
		t.Errorf("%d retired, %d restores", retired, restores)
	}
}

// savepointText is a run in which checkpoint 1 is complete, then savepoint 2, and a task
// crashes before there is a checkpoint 3. Transactional sinks hold what they have got since 1.
const savepointText = `
graph: {nodes: [source, sink], channels: [[source, sink]]}
app: {kind: wordcount, every: 1ms, repeat: 3}
network: {delay: {constant: 1ms}}
store: {write: {constant: 2ms}, read: {constant: 1ms}, chunk: 8}
coordinator: {interval: 45ms, retained: 1, control: {delay: {constant: 1ms}}, savepoints: [55ms]}
sinks: transactional
faults: [{crash: [sink], at: 70ms}]
stop: {at: 150ms}
`

// playSavepoint plays it under a wrong coordinator, or nil for the right one.
func playSavepoint(t *testing.T, with func(t mutants.Timing) sim.Coordinator) *invariants.Run {
	t.Helper()
	s := stage(t, savepointText, "abs")
	if with != nil {
		s.Management.New = func() sim.Coordinator {
			return with(mutants.Timing{Interval: 45 * ms, Restart: ms, Retained: 1})
		}
	}
	run := s.play()
	run.Transactional, run.HoldsOutputs = true, true
	h := run.History
	if len(h.Restores) != 1 || len(h.Snapshots) < 3 || !h.Snapshots[1].Savepoint || h.Snapshots[1].Status != sim.Complete || h.Snapshots[1].CompletedAt > h.Restores[0].At {
		t.Fatalf("%d restores, and checkpoint 2 is no savepoint that was complete before", len(h.Restores))
	}
	return run
}

// commitsBy counts what left a system in commits at or before an instant.
func commitsBy(h *sim.History, at int64) (n int) {
	for i := range h.Facts {
		if f := &h.Facts[i]; f.Kind == sim.FactCommitted && f.At <= at {
			n += int(f.Number)
		}
	}
	return n
}

// TestSavepointCommitsNothing: nothing leaves with savepoint 2, and the crash takes the
// graph back to 1, which is still there. With a coordinator that commits, what left with 2
// is produced again; with one that lets savepoints push out what is retained, 1 is gone.
func TestSavepointCommitsNothing(t *testing.T) {
	run := playSavepoint(t, nil)
	holds(t, "the right one", run)
	h := run.History
	before, crashed := commitsBy(h, h.Snapshots[1].CompletedAt-1), h.Crashes[0].At
	if before == 0 || commitsBy(h, crashed) != before {
		t.Errorf("%d records had left before savepoint 2 was complete, %d when the sink crashed", before, commitsBy(h, crashed))
	}
	if from := h.Restores[0].Snapshot; from != h.Snapshots[0] {
		t.Errorf("restored to %+v, not to checkpoint 1", from)
	}
	run = playSavepoint(t, managedMutant("savepoint-commits").Coordinator)
	violates(t, "commits", run, "recovery", "left the system, and restore 1 takes back the step that produced it")
	violates(t, "commits", run, "coordinator", "sink has committed transaction 2, and no checkpoint that covers it is complete")
	run = playSavepoint(t, managedMutant("savepoint-retained").Coordinator)
	violates(t, "retained", run, "coordinator", "checkpoint 1 is deleted, and no newer one is stored")
}
