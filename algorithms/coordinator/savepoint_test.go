package coordinator_test

import (
	"slices"
	"testing"

	"simrun/algorithms/coordinator"
	"simrun/sim"
)

// withSavepoints is a run with crashes and incremental checkpoints, in which the user asks
// for savepoints.
func withSavepoints(t *testing.T, seed uint64) *sim.Config {
	cfg := damaged(t, seed)
	cfg.Management.Chunk, cfg.Management.Torn, cfg.Management.Lost = 64, sim.Failure{}, sim.Failure{}
	word := sim.Word(seed + 1000)
	for range 4 {
		cfg.Snapshots.At = append(cfg.Snapshots.At, int64(word.Below(200*ms)))
	}
	slices.Sort(cfg.Snapshots.At)
	return cfg
}

// TestSavepoints: a savepoint that is complete is stored to the end, whole by itself; no
// task is notified, no restore goes back to it, and checkpoints come and go as if it were
// not there.
func TestSavepoints(t *testing.T) {
	complete, aborted, passedOver, subsumed := 0, 0, 0, 0
	for seed := range uint64(60) {
		cfg := withSavepoints(t, seed)
		h := play(t, cfg)
		word := sim.Word(seed)
		goOn(t, cfg, h, int64(word.Below(int(h.Steps))))
		for _, v := range judge(cfg, h).Violations {
			t.Errorf("seed %d: %v", seed, v)
		}
		for _, s := range h.Snapshots {
			switch {
			case s.Savepoint && s.Status == sim.Complete:
				complete++
			case s.Savepoint:
				aborted++
			}
		}
		for i := range h.Facts {
			x := &h.Facts[i]
			if x.ID == 0 || !h.Snapshots[x.ID-1].Savepoint {
				continue
			}
			switch {
			case x.Kind == sim.FactRetired, x.Kind == sim.FactRestore, x.Kind == sim.FactShared, x.Kind == sim.FactTold && x.Control.Kind == sim.Notify:
				t.Errorf("seed %d: fact %d of savepoint %d", seed, x.Kind, x.ID)
			case x.Kind == sim.FactAborted && i > 0 && h.Facts[i-1].Kind == sim.FactPublished:
				subsumed++
			}
		}
		for i := range h.Restores {
			for _, s := range h.Snapshots {
				if r := &h.Restores[i]; s.Savepoint && s.Status == sim.Complete && s.CompletedAt < r.At && (r.Snapshot == nil || r.Snapshot.ID < s.ID) {
					passedOver++
				}
			}
		}
	}
	if complete < 60 || aborted < 10 || passedOver < 20 || subsumed > 0 {
		t.Errorf("%d savepoints are complete and %d aborted, %d of them when a checkpoint was complete; restores passed over %d newer ones",
			complete, aborted, subsumed, passedOver)
	}
}

// stage is a coordinator of one task, and what it decides.
type stage struct {
	t   *testing.T
	c   sim.Coordinator
	out sim.Decisions
}

func newStage(t *testing.T, settings coordinator.Settings) *stage {
	s := &stage{t: t, c: coordinator.New(settings)()}
	s.c.Start(sim.Standing{Tasks: 1, Sources: []int32{0}}, &s.out)
	s.out.Reset()
	return s
}

// acknowledge lets a checkpoint be complete.
func (s *stage) acknowledge(id sim.SnapshotID) {
	s.c.Receive(0, sim.Control{Kind: sim.Acknowledge, ID: id, Handle: sim.Handle(id)}, &s.out)
	s.c.Published(id, true, &s.out)
}

func (s *stage) savepoint() { s.c.(sim.Savepointer).Savepoint(&s.out) }

// decides demands which checkpoints a kind of decision was about since the last time.
func (s *stage) decides(kind sim.DecisionKind, want ...sim.SnapshotID) {
	s.t.Helper()
	var got []sim.SnapshotID
	for _, d := range s.out.List() {
		if d.Kind == kind {
			got = append(got, d.ID)
		}
	}
	s.out.Reset()
	if !slices.Equal(got, want) {
		s.t.Errorf("decision %d about %v, want %v", kind, got, want)
	}
}

const triggerAlarm, pauseAlarm, timeoutAlarm = 0, 1, 3

// TestSavepointsDoNotWait: neither for the minimum pause nor until another checkpoint is
// over; but what comes by the period waits for them.
func TestSavepointsDoNotWait(t *testing.T) {
	s := newStage(t, coordinator.Settings{Interval: 10, MinPause: 5})
	s.c.Alarm(triggerAlarm, &s.out)
	s.decides(sim.DecideBegin, 1)
	s.savepoint()
	s.decides(sim.DecideBegin, 2)
	s.acknowledge(1)
	s.savepoint()
	s.decides(sim.DecideBegin, 3)
	s.c.Alarm(pauseAlarm, &s.out)
	s.acknowledge(2)
	s.c.Alarm(triggerAlarm, &s.out)
	s.decides(sim.DecideBegin) // 3 is pending, and the pause after 2 not over
	s.acknowledge(3)
	s.decides(sim.DecideBegin)
	s.c.Alarm(pauseAlarm, &s.out)
	s.decides(sim.DecideBegin, 4)
	s.c.Failed(0, &s.out)
	s.out.Reset()
	s.savepoint()
	s.decides(sim.DecideBegin) // the graph is down: the request fails
}

// TestSavepointsSubsumeNothing, and nothing subsumes them; nor do they push out what is
// retained, or are restored.
func TestSavepointsSubsumeNothing(t *testing.T) {
	s := newStage(t, coordinator.Settings{Interval: 10, MaxConcurrent: 5})
	s.c.Alarm(triggerAlarm, &s.out)
	s.savepoint()
	s.savepoint()
	s.c.Alarm(triggerAlarm, &s.out)
	s.out.Reset()
	s.acknowledge(3)
	s.decides(sim.DecideAbort)
	s.acknowledge(4)
	s.decides(sim.DecideAbort, 1)
	s.acknowledge(2)
	s.decides(sim.DecideRetire)
	s.savepoint()
	s.acknowledge(5)
	s.c.Failed(0, &s.out)
	s.decides(sim.DecideRestore, 4)
}

// TestFailedSavepoints: a task that declines one counts as a failure, and that it takes
// too long does not.
func TestFailedSavepoints(t *testing.T) {
	s := newStage(t, coordinator.Settings{Tolerable: 0, Timeout: 10})
	s.savepoint()
	s.c.Alarm(timeoutAlarm+1, &s.out)
	s.decides(sim.DecideAbort, 1)
	s.savepoint()
	s.c.Published(2, false, &s.out)
	s.decides(sim.DecideRestore)
	s.savepoint()
	s.c.Receive(0, sim.Control{Kind: sim.Decline, ID: 3}, &s.out)
	s.decides(sim.DecideRestore, 0)
}

// TestWrongSavepoints: histories in which a checkpoint is a savepoint after the event, and
// the other way round.
func TestWrongSavepoints(t *testing.T) {
	cfg := config(t, 3, loops, coordinator.Settings{Interval: 15 * ms, Retained: 1, Restart: coordinator.Restart{Delay: 3 * ms}})
	cfg.Snapshots.At = []int64{65 * ms}
	inner := cfg.NewApp
	cfg.NewApp = func(v int32) sim.App { return &broad{App: inner(v)} }
	cfg.Management.Chunk = 64
	cfg.Faults = []sim.Fault{{Nodes: []int32{1}, At: 120 * ms}}
	h := play(t, cfg)
	savepoint := slices.IndexFunc(h.Snapshots, func(s *sim.Snapshot) bool { return s.Savepoint && s.Status == sim.Complete })
	if report := judge(cfg, h); !report.Holds() || savepoint < 1 || len(h.Restores) != 1 {
		t.Fatalf("savepoint %d, %d restores, %v", savepoint+1, len(h.Restores), report.Violations)
	}
	named := func(id sim.SnapshotID, savepoint, both bool) *sim.History {
		c := *h
		c.Snapshots, c.Published = slices.Clone(h.Snapshots), slices.Clone(h.Published)
		s := *c.Snapshots[id-1]
		s.Savepoint, c.Snapshots[id-1] = savepoint, &s
		for i := range c.Published {
			if c.Published[i].ID == id && both {
				c.Published[i].Savepoint = savepoint
			}
		}
		return &c
	}
	is := sim.SnapshotID(savepoint + 1)
	says(t, judge(cfg, named(is, false, false)), "coordinator", "and whether it is a savepoint its metadata does not say truly")
	wrong := judge(cfg, named(1, true, true))
	for _, text := range []string{
		"savepoint 1 is deleted, and it is the user's", "is told that 1 is complete as if it were a checkpoint, and it is a savepoint",
		"savepoint 1, which the user may delete",
	} {
		says(t, wrong, "coordinator", text)
	}
	says(t, judge(cfg, named(2, true, true)), "coordinator", "savepoint 2 is to be whole by itself, and the part of ")
	from := h.Restores[0].Snapshot.ID
	says(t, judge(cfg, named(from, true, true)), "coordinator", "the newest that is stored is ")
}
