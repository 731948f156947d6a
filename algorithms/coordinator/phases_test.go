package coordinator_test

import (
	"slices"
	"testing"

	"simrun/algorithms/coordinator"
	"simrun/invariants"
	"simrun/sim"
	"simrun/topology"
)

// crashed is a run in which one fault strikes, and what was known when it did.
type crashed struct {
	h      *sim.History
	before []sim.Fact // of the crash
	rows   []sim.Row  // likewise
}

// crash runs a dataflow with a loop in which faults strike; the last
// is the one that matters.
func crash(t *testing.T, faults ...sim.Fault) (c crashed, ok bool) {
	t.Helper()
	cfg := config(t, 1, topology.Spec{Kind: "dataflow", Parallelism: 2, Layers: 3, Degree: 2, Loops: 1, Seed: 8}, settings)
	cfg.Faults = faults
	h := play(t, cfg)
	c.h = h
	last := len(faults) - 1
	if slices.Contains(h.UnfiredFaults, last) {
		return c, false
	}
	if int(faults[last].Nodes[0]) == cfg.Graph.Nodes {
		i := len(h.Facts) - 1
		for h.Facts[i].Kind != sim.FactFailed {
			i--
		}
		c.before, c.rows = h.Facts[:i], h.Rows[:h.Facts[i].Row]
		return c, true
	}
	crashes := 0 // each has a row
	for _, k := range h.Crashes {
		crashes++
		if k.Fault == last {
			break
		}
	}
	row := slices.IndexFunc(h.Rows, func(r sim.Row) bool {
		if r.Kind() == sim.RowCrash {
			crashes--
		}
		return crashes == 0
	})
	c.rows = h.Rows[:row]
	for _, f := range h.Facts {
		if f.Row <= row {
			c.before = append(c.before, f)
		}
	}
	return c, true
}

var settings = coordinator.Settings{Interval: 20 * ms, Timeout: 60 * ms, Tolerable: 3, Retained: 2, Restart: coordinator.Restart{Delay: 3 * ms}}

// play runs a configuration and has every check hold.
func play(t *testing.T, cfg *sim.Config) *sim.History {
	t.Helper()
	e, err := sim.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	h := e.Run()
	run := invariants.Of(cfg, h)
	run.Aligned = true
	for _, v := range invariants.Check(run, nil).Violations {
		t.Errorf("%+v: %v", cfg.Faults, v)
	}
	if h.End != sim.Quiescent {
		t.Fatalf("%+v: ended %d", cfg.Faults, h.End)
	}
	return h
}

// happened counts facts before the crash.
func (c *crashed) happened(kind sim.FactKind, task int32, id sim.SnapshotID, control sim.ControlKind) (n int) {
	for _, f := range c.before {
		if f.Kind == kind && f.Task == task && f.ID == id && f.Control.Kind == control {
			n++
		}
	}
	return n
}

// recorded says whether a node had recorded a snapshot.
func (c *crashed) recorded(v int32, id sim.SnapshotID) bool {
	return slices.ContainsFunc(c.rows, func(r sim.Row) bool {
		return r.Kind() == sim.RowRecord && r.Entity() == v && r.Number == uint32(id)
	})
}

// TestTasksCrashInTheirPhases: at every phase of checkpoint 2, what should have happened
// before has, and what comes next has not.
func TestTasksCrashInTheirPhases(t *testing.T) {
	const id, nobody = 2, -1
	type known struct{ begun, triggered, recorded, stored, replied, received, published, told, heard bool }
	reached := map[sim.Phase]int{}
	for phase, want := range map[sim.Phase]known{
		sim.PhaseBeforeTrigger: {},
		sim.PhaseRecorded:      {begun: true, triggered: true, recorded: true},
		sim.PhaseSaving:        {begun: true, triggered: true, recorded: true},
		sim.PhaseSaved:         {begun: true, triggered: true, recorded: true, stored: true, replied: true},
		sim.PhaseAcknowledged:  {begun: true, triggered: true, recorded: true, stored: true, replied: true, received: true},
		sim.PhasePublishing:    {begun: true, triggered: true, recorded: true, stored: true, replied: true, received: true},
		sim.PhaseComplete:      {begun: true, triggered: true, recorded: true, stored: true, replied: true, received: true, published: true, told: true},
		sim.PhaseNotified:      {begun: true, triggered: true, recorded: true, stored: true, replied: true, received: true, published: true, told: true, heard: true},
	} {
		for v := range int32(6) {
			c, ok := crash(t, sim.Fault{Nodes: []int32{v}, Phase: phase, Snapshot: id, Down: 5 * ms})
			if !ok {
				t.Errorf("phase %d at %d is not reached", phase, v)
				continue
			}
			reached[phase]++
			got := known{
				begun:     c.happened(sim.FactBegan, nobody, id, 0) > 0,
				triggered: c.happened(sim.FactHeard, 0, id, sim.Trigger) > 0,
				recorded:  c.recorded(v, id),
				stored:    c.happened(sim.FactStored, v, id, 0) > 0,
				replied:   c.happened(sim.FactReplied, v, id, sim.Acknowledge) > 0,
				received:  c.happened(sim.FactReceived, v, id, sim.Acknowledge) > 0,
				published: c.happened(sim.FactPublished, nobody, id, 0) > 0,
				told:      c.happened(sim.FactTold, v, id, sim.Notify) > 0,
				heard:     c.happened(sim.FactHeard, v, id, sim.Notify) > 0,
			}
			if phase == sim.PhaseRecorded || phase == sim.PhaseSaving {
				want.triggered = got.triggered // of node 0, which another source need not wait for
			}
			if got != want {
				t.Errorf("phase %d at %d: %+v, want %+v", phase, v, got, want)
			}
			from := sim.SnapshotID(1)
			if phase >= sim.PhasePublishing {
				from = 2 // it cannot be taken back any more
			}
			if r := c.h.Restores[0]; r.Snapshot.ID < from || phase < sim.PhaseSaved && r.Snapshot.ID != 1 {
				t.Errorf("phase %d at %d: restored from %d", phase, v, r.Snapshot.ID)
			}
		}
	}
	if len(reached) != 8 {
		t.Errorf("only %v", reached)
	}
}

// TestTheCoordinatorCrashesInItsPhases is the same of the coordinator.
func TestTheCoordinatorCrashesInItsPhases(t *testing.T) {
	const id, nobody, node = 2, -1, 6
	type known struct{ begun, received, published, told bool }
	for phase, want := range map[sim.Phase]known{
		sim.PhaseBeforeTrigger: {},
		sim.PhaseAcknowledged:  {begun: true, received: true},
		sim.PhasePublishing:    {begun: true, received: true},
		sim.PhaseComplete:      {begun: true, received: true, published: true},
	} {
		c, ok := crash(t, sim.Fault{Nodes: []int32{node}, Phase: phase, Snapshot: id, Down: 5 * ms})
		if !ok {
			t.Errorf("phase %d is not reached", phase)
			continue
		}
		received := 0
		for v := range int32(node) {
			received += c.happened(sim.FactReceived, v, id, sim.Acknowledge)
		}
		got := known{
			begun: c.happened(sim.FactBegan, nobody, id, 0) > 0, received: received == node,
			published: c.happened(sim.FactPublished, nobody, id, 0) > 0,
			told:      c.happened(sim.FactTold, 0, id, sim.Notify) > 0,
		}
		if got != want {
			t.Errorf("phase %d: %+v, want %+v", phase, got, want)
		}
		from := sim.SnapshotID(1)
		if phase == sim.PhaseComplete {
			from = 2 // the metadata is durable, although nobody knew
		}
		if r := c.h.Restores[0]; r.Snapshot.ID != from {
			t.Errorf("phase %d: restored from %d, want %d", phase, r.Snapshot.ID, from)
		}
	}
}

// TestCrashesDuringRecovery: another node, and the coordinator, between the order to
// restore and the restore, and the head of the loop while it replays its log.
func TestCrashesDuringRecovery(t *testing.T) {
	first := sim.Fault{Nodes: []int32{0}, Phase: sim.PhaseComplete, Snapshot: 2, Down: 5 * ms}
	for v := int32(1); v <= 6; v++ {
		c, ok := crash(t, first, sim.Fault{Nodes: []int32{v}, Phase: sim.PhaseRestoring, Snapshot: 2, Down: 9 * ms})
		if !ok {
			t.Errorf("restoring is not reached at %d", v)
			continue
		}
		if c.happened(sim.FactRestore, -1, 2, 0) != 1 || slices.ContainsFunc(c.rows, func(r sim.Row) bool { return r.Kind() == sim.RowRestore }) {
			t.Errorf("%d did not crash between the order and the restore", v)
		}
	}
	replays := 0
	for v := range int32(6) {
		for id := sim.SnapshotID(1); id < 5; id++ {
			first.Nodes, first.Snapshot = []int32{5}, id
			c, ok := crash(t, first, sim.Fault{Nodes: []int32{v}, Phase: sim.PhaseReplaying, Snapshot: id, Down: 5 * ms})
			if !ok {
				continue
			}
			replays++
			if last := c.rows[len(c.rows)-1]; last.Kind() != sim.RowProcess {
				t.Errorf("%d crashed after a row of kind %d, want the first message of the log", v, last.Kind())
			}
			if len(c.h.Restores) != 2 || c.h.Restores[0].At != c.h.Crashes[1].At || c.h.Restores[1].Snapshot.ID != id {
				t.Errorf("%d did not crash in the restore: %+v", v, c.h.Crashes)
			}
		}
	}
	if replays == 0 {
		t.Error("no log was replayed")
	}
}

// TestTheCoordinatorCrashesBetweenAnyTwoDecisions: at every instant at which it was told
// something, in a run in which a task crashes as well.
func TestTheCoordinatorCrashesBetweenAnyTwoDecisions(t *testing.T) {
	task := sim.Fault{Nodes: []int32{2}, At: 75 * ms, Down: 5 * ms}
	whole, _ := crash(t, task)
	last, runs := int64(0), 0
	for _, f := range whole.h.Facts {
		if f.At == last || f.At == 0 || f.At >= 120*ms {
			continue
		}
		last = f.At
		for k := range 5 {
			c, ok := crash(t, task, sim.Fault{Nodes: []int32{6}, At: f.At, AfterOutputs: &k, Down: 4 * ms})
			if ok {
				runs++
			} else if c.h.EndedAt < f.At {
				t.Errorf("the run ended before %d", f.At)
			}
		}
	}
	if runs < 300 {
		t.Errorf("only %d crashes", runs)
	}
}

// TestACoordinatorThatIsDownCrashes: it starts once, when the longer of the two times
// that it is down is over.
func TestACoordinatorThatIsDownCrashes(t *testing.T) {
	for _, down := range []int64{1, 30 * ms} {
		c, _ := crash(t, sim.Fault{Nodes: []int32{6}, At: 50 * ms, Down: 10 * ms}, sim.Fault{Nodes: []int32{6}, At: 55 * ms, Down: down})
		var started []int64
		for _, f := range c.h.Facts {
			if f.Kind == sim.FactStarted {
				started = append(started, f.At)
			}
		}
		if want := []int64{0, max(60*ms, 55*ms+down)}; !slices.Equal(started, want) {
			t.Errorf("down for %d: started at %d, want %d", down, started, want)
		}
	}
}
