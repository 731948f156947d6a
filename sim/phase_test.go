package sim_test

import (
	"strings"
	"testing"

	"simrun/algorithms/abs"
	"simrun/algorithms/chandylamport"
	"simrun/sim"
)

// A join of two sources, with the snapshots 1 to 4 triggered at 100, 200, 300 and
// 400. Markers of node 0 reach the join after 10 ns, those of node 1 after 30.
func phased(newNode sim.NewNode, fault sim.Fault) *sim.Config {
	cfg := scene(graph(4, 0, 2, 1, 2, 2, 3))
	cfg.NewNode = newNode
	cfg.Delays, cfg.DelayOf = []sim.Dist{{Low: 10}, {Low: 30}}, []uint8{0, 1, 0}
	cfg.Snapshots = sim.SnapshotPlan{At: []int64{100, 200, 300, 400}, Initiators: []int32{0, 1}}
	cfg.Faults = []sim.Fault{fault}
	return cfg
}

// Each phase, with and without the snapshot's id and an occurrence, at the join,
// at an initiator, and below the join.
func TestFaultsAtPhases(t *testing.T) {
	const before, aligning, recorded = sim.PhaseBeforeRecord, sim.PhaseAligning, sim.PhaseRecorded
	for name, c := range map[string]struct {
		newNode sim.NewNode
		fault   sim.Fault
		want    []string // what the node did about the crash's instant
		at      int64    // 0: never
	}{
		"before, any":              {chandylamport.New, sim.Fault{Nodes: []int32{2}, Phase: before}, []string{"n2 crash"}, 110},
		"before, the second":       {chandylamport.New, sim.Fault{Nodes: []int32{2}, Phase: before, Occurrence: 2}, []string{"n2 crash"}, 210},
		"before, snapshot 3":       {chandylamport.New, sim.Fault{Nodes: []int32{2}, Phase: before, Snapshot: 3}, []string{"n2 crash"}, 310},
		"before, 3, the second":    {chandylamport.New, sim.Fault{Nodes: []int32{2}, Phase: before, Snapshot: 3, Occurrence: 2}, nil, 0},
		"before, at an initiator":  {chandylamport.New, sim.Fault{Nodes: []int32{1}, Phase: before, Occurrence: 2}, []string{"n0 record 2", "c0 sends marker 2 due 210", "n0 done 2", "n1 crash"}, 200},
		"before, ABS":              {abs.New, sim.Fault{Nodes: []int32{2}, Phase: before, Occurrence: 2}, []string{"n2 crash"}, 210},
		"aligning, any":            {abs.New, sim.Fault{Nodes: []int32{2}, Phase: aligning}, []string{"c0 block 1", "n2 crash", "c0 unblock 1"}, 110},
		"aligning, the third":      {abs.New, sim.Fault{Nodes: []int32{2}, Phase: aligning, Occurrence: 3}, []string{"c0 block 3", "n2 crash", "c0 unblock 3"}, 310},
		"aligning, snapshot 2":     {abs.New, sim.Fault{Nodes: []int32{2}, Phase: aligning, Snapshot: 2}, []string{"c0 block 2", "n2 crash", "c0 unblock 2"}, 210},
		"aligning, nothing to do":  {abs.New, sim.Fault{Nodes: []int32{3}, Phase: aligning}, nil, 0},
		"aligning, no ABS":         {chandylamport.New, sim.Fault{Nodes: []int32{2}, Phase: aligning}, nil, 0},
		"recorded, any":            {chandylamport.New, sim.Fault{Nodes: []int32{2}, Phase: recorded}, []string{"n2 record 1", "c2 sends marker 1 due 120", "n2 crash"}, 110},
		"recorded, the second":     {chandylamport.New, sim.Fault{Nodes: []int32{2}, Phase: recorded, Occurrence: 2}, []string{"n2 record 2", "c2 sends marker 2 due 220", "n2 crash"}, 210},
		"recorded, ABS":            {abs.New, sim.Fault{Nodes: []int32{2}, Phase: recorded, Snapshot: 4}, []string{"c1 block 4", "c2 sends marker 4 due 440", "n2 record 4", "c0 unblock 4", "c1 unblock 4", "n2 done 4", "n2 crash"}, 430},
		"recorded, below the join": {chandylamport.New, sim.Fault{Nodes: []int32{3}, Phase: recorded, Snapshot: 2}, []string{"n3 record 2", "n3 done 2", "n3 crash"}, 220},
		"recorded, no snapshot 5":  {chandylamport.New, sim.Fault{Nodes: []int32{2}, Phase: recorded, Snapshot: 5}, nil, 0},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := phased(c.newNode, c.fault)
			log := watch(cfg, sim.EventBlock, sim.EventUnblock, sim.EventRecord, sim.EventDone, sim.EventMarkerSent, sim.EventCrash)
			h := play(t, cfg)
			if (len(h.Crashes) == 0) != (c.at == 0) || len(h.UnfiredFaults)+len(h.Crashes) != 1 {
				t.Fatalf("crashes %+v, unfired faults %v", h.Crashes, h.UnfiredFaults)
			}
			if c.at == 0 {
				return
			}
			if crash := h.Crashes[0]; crash.At != c.at || crash.Node != c.fault.Nodes[0] || crash.Fault != 0 {
				t.Errorf("crash %+v, want it at %d", crash, c.at)
			}
			log.wantsAt(t, c.at, c.want...)
			if c.fault.Phase != before && h.Snapshots[h.Restores[0].Aborted[0]-1].Status != sim.Aborted {
				t.Error("the snapshot was complete when the node crashed")
			}
		})
	}
}

// The phases of storing a part, without a coordinator: the parts of snapshot 2 at the
// nodes of a chain are durable 5 ns after each is whole.
func TestFaultsAroundTheStore(t *testing.T) {
	const done, durable, complete = sim.EventDone, sim.EventDurable, sim.EventComplete
	for name, c := range map[string]struct {
		fault sim.Fault
		at    int64
		want  []string
	}{
		"before the trigger": {sim.Fault{Nodes: []int32{1}, Phase: sim.PhaseBeforeTrigger}, 200, []string{"n1 crash"}},
		"recording":          {sim.Fault{Nodes: []int32{1}, Phase: sim.PhaseRecording}, 210, []string{"n1 record 2", "n1 crash"}},
		"after no output":    {sim.Fault{Nodes: []int32{1}, Phase: sim.PhaseRecorded, AfterOutputs: new(int)}, 210, []string{"n1 crash"}},
		"saving":             {sim.Fault{Nodes: []int32{1}, Phase: sim.PhaseSaving}, 210, []string{"n1 record 2", "c1 sends marker 2 due 220", "n1 done 2", "n1 crash"}},
		"saved":              {sim.Fault{Nodes: []int32{1}, Phase: sim.PhaseSaved}, 215, []string{"n1 durable 2", "n1 crash"}},
		"saved, the last":    {sim.Fault{Nodes: []int32{2}, Phase: sim.PhaseSaved}, 0, nil},
		"complete":           {sim.Fault{Nodes: []int32{1}, Phase: sim.PhaseComplete}, 225, []string{"n2 durable 2", "complete 2", "n1 crash"}},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := scene(graph(3, 0, 1, 1, 2))
			cfg.NewNode, cfg.Write = chandylamport.New, sim.Dist{Low: 5}
			cfg.Snapshots = sim.SnapshotPlan{At: []int64{100, 200}, Initiators: []int32{0}}
			c.fault.Snapshot = 2
			cfg.Faults = []sim.Fault{c.fault}
			log := watch(cfg, sim.EventRecord, sim.EventMarkerSent, done, durable, complete, sim.EventCrash)
			h := play(t, cfg)
			if len(h.UnfiredFaults) != 1 && c.at == 0 {
				t.Fatalf("crashes %+v", h.Crashes)
			}
			if c.at == 0 {
				return
			}
			log.wantsAt(t, c.at, c.want...)
			want := sim.SnapshotID(1)
			if c.fault.Phase == sim.PhaseComplete {
				want = 2
			}
			if len(h.Restores) != 1 || h.Restores[0].Snapshot.ID != want {
				t.Errorf("restores %+v, want one of snapshot %d", h.Restores, want)
			}
		})
	}
}

// Where the barrier goes before the state is saved, recording is between the two as well.
func TestRecordingIsBetweenStateAndMarkers(t *testing.T) {
	cfg := phased(abs.New, sim.Fault{Nodes: []int32{2}, Phase: sim.PhaseRecording})
	log := watch(cfg, sim.EventMarkerSent, sim.EventRecord, sim.EventCrash)
	play(t, cfg)
	log.wantsAt(t, 130, "c2 sends marker 1 due 140", "n2 crash")
	cfg.Faults[0].Nodes[0] = 3 // which sends no marker
	if h := play(t, cfg); len(h.Crashes) > 0 {
		t.Errorf("crashes %+v", h.Crashes)
	}
}

// A crash in the restore that another one has made necessary puts it off, and is one
// recovery with it; one in the replay of a log is a recovery of its own.
func TestFaultsDuringRecovery(t *testing.T) {
	first := sim.Fault{Nodes: []int32{0}, At: 150, Down: 50}
	cfg := phased(chandylamport.New, first)
	cfg.Faults = append(cfg.Faults, sim.Fault{Nodes: []int32{2}, Phase: sim.PhaseRestoring, Snapshot: 1, Down: 80})
	h := play(t, cfg)
	if len(h.Restores) != 1 || h.Restores[0].At != 230 || len(h.Restores[0].Crashed) != 2 {
		t.Errorf("restores %+v, want one at 230", h.Restores)
	}
	cfg.Faults[1].Snapshot = 2 // which is not what is restored
	if h := play(t, cfg); len(h.Crashes) != 1 {
		t.Errorf("crashes %+v", h.Crashes)
	}
	cfg.Faults[1] = sim.Fault{Nodes: []int32{0}, Phase: sim.PhaseRestoring} // it is down already
	if h := play(t, cfg); len(h.Crashes) != 1 {
		t.Errorf("crashes %+v", h.Crashes)
	}

	cfg = scene(graph(1, 0, 0), pass)
	cfg.NewNode, cfg.NewSource, cfg.BackEdge = abs.New, feed(releases{20}), []bool{true}
	cfg.Snapshots.At = []int64{25, 50}
	cfg.Stop.At, cfg.MaxSteps = 200, 0
	cfg.Restless = true
	cfg.Faults = []sim.Fault{{Nodes: []int32{0}, At: 70, Down: 5}, {Nodes: []int32{0}, Phase: sim.PhaseReplaying, Down: 5}}
	log := watch(cfg, sim.EventRestore, sim.EventProcess, sim.EventSend, sim.EventCrash)
	h = runOf(t, cfg)
	if len(h.Restores) != 2 || h.Restores[0].At != 75 || h.Restores[1].At != 80 || len(h.Restores[1].Logged[0]) != 1 {
		t.Errorf("restores %+v, want them at 75 and 80, with a log", h.Restores)
	}
	if len(log.lines) < 5 {
		t.Errorf("only saw %v", log.lines)
	}
	for i, l := range log.lines {
		if l.at == 75 && strings.Contains(l.what, "crash") && !strings.Contains(log.lines[i-1].what, "process") {
			t.Errorf("before the crash: %s", log.lines[i-1].what)
		}
	}
}

// A phase that no handler comes to lets a crash inside a handler wait for the next one.
func TestAPhaseOutsideHandlersWaitsForTheNext(t *testing.T) {
	one := 1
	cfg := phased(chandylamport.New, sim.Fault{Nodes: []int32{2}, Phase: sim.PhaseBeforeTrigger, AfterOutputs: &one, Occurrence: 2})
	log := watch(cfg, sim.EventMarkerSent, sim.EventRecord, sim.EventCrash)
	play(t, cfg)
	log.wantsAt(t, 210, "n2 record 2", "n2 crash")
}

// A phase is reached once for each snapshot at a node, however many markers come
// and inputs are blocked: the second marker of snapshot 1 is not the second time.
func TestAPhaseIsReachedOncePerSnapshot(t *testing.T) {
	for _, c := range []struct {
		newNode sim.NewNode
		phase   sim.Phase
		at      int64
	}{
		{abs.New, sim.PhaseBeforeRecord, 410},
		{abs.New, sim.PhaseAligning, 410},
		{chandylamport.New, sim.PhaseBeforeRecord, 410},
		{chandylamport.New, sim.PhaseRecorded, 410},
	} {
		cfg := phased(c.newNode, sim.Fault{Nodes: []int32{2}, Phase: c.phase, Occurrence: 4})
		cfg.Graph = graph(4, 0, 2, 1, 2, 2, 3, 0, 2, 1, 2) // two channels from each source
		cfg.DelayOf = []uint8{0, 1, 0, 1, 1}
		h := play(t, cfg)
		if len(h.Crashes) != 1 || h.Crashes[0].At != c.at {
			t.Errorf("phase %d: crashes %+v, want one at %d", c.phase, h.Crashes, c.at)
		}
	}
}

// The order to initiate is the first that a node with the Nil input hears of a
// snapshot. The marker on its other input, which comes before it can record, is
// not a second time.
func TestTheOrderToInitiateComesFirst(t *testing.T) {
	cfg := scene(graph(2, 0, 1))
	cfg.NewNode = abs.New
	cfg.Snapshots = sim.SnapshotPlan{At: []int64{100, 200}, Initiators: []int32{0, 1}}
	cfg.Faults = []sim.Fault{{Nodes: []int32{1}, Phase: sim.PhaseBeforeRecord, Occurrence: 2}}
	h := play(t, cfg)
	if len(h.Crashes) != 1 || h.Crashes[0].At != 200 {
		t.Errorf("crashes %+v, want one at 200", h.Crashes)
	}
}

// Faults count the times that a phase is reached each for itself: one that
// strikes does not keep the other from counting, whichever stands first.
func TestFaultsCountForThemselves(t *testing.T) {
	for _, phase := range []sim.Phase{sim.PhaseBeforeRecord, sim.PhaseRecorded} {
		for _, occurrences := range [][2]int{{1, 2}, {2, 1}} {
			cfg := phased(chandylamport.New, sim.Fault{})
			cfg.Faults = nil
			for _, n := range occurrences {
				cfg.Faults = append(cfg.Faults, sim.Fault{Nodes: []int32{2}, Phase: phase, Occurrence: n, Down: 50})
			}
			h := play(t, cfg)
			if len(h.Crashes) != 2 || h.Crashes[0].At != 110 || h.Crashes[1].At != 210 {
				t.Errorf("phase %d, occurrences %v: crashes %+v, want them at 110 and 210", phase, occurrences, h.Crashes)
			}
		}
	}
}

// A node that records a snapshot again, against the rules, does not reach the phase
// again.
func TestRecordingAgainIsNotThePhaseAgain(t *testing.T) {
	cfg := scene(graph(1))
	cfg.NewSource = feed(releases{20})
	cfg.NewNode = cast(func() *actor {
		save := func(out *sim.Out) { out.SaveState(1) }
		return &actor{
			initiate: func(_ sim.SnapshotID, out *sim.Out) { save(out) },
			receive:  func(_ sim.Input, _ sim.Message, out *sim.Out) { save(out) },
		}
	})
	cfg.Snapshots.At = []int64{10}
	cfg.Faults = []sim.Fault{{Nodes: []int32{0}, Phase: sim.PhaseRecorded, Occurrence: 2}}
	if h := play(t, cfg); len(h.Crashes) > 0 || len(h.Snapshots[0].Twice) != 1 {
		t.Errorf("crashes %+v, recorded twice %v", h.Crashes, h.Snapshots[0].Twice)
	}
}
