package sim_test

import (
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
