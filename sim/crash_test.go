package sim_test

import (
	"slices"
	"testing"

	"simrun/algorithms/chandylamport"
	"simrun/sim"
)

// While a node is down the others run. What is on its way to it, or is sent to it
// meanwhile, is held, and gone with the restore.
func TestOthersRunWhileANodeIsDown(t *testing.T) {
	cfg := scene(graph(3, 0, 1, 1, 2), pass, pass)
	cfg.NewSource = feed(releases{10, 35, 60, 120}, releases{45})
	cfg.Snapshots.At = []int64{25}
	cfg.Faults = []sim.Fault{{Nodes: []int32{2}, At: 40, Down: 60}}
	log := watch(cfg, sim.EventSend, sim.EventProcess, sim.EventExternal, sim.EventCrash, sim.EventRestore)
	h := play(t, cfg)
	log.wants(t,
		"10 n0 external 1", "10 c0 sends 1 due 20", "20 c0 process 1", "20 c1 sends 1 due 30", "30 c1 process 1",
		"35 n0 external 2", "35 c0 sends 2 due 45",
		"40 n2 crash",
		"45 n1 external 1", "45 c1 sends 2 due 55", "45 c0 process 2", "45 c1 sends 3 due 55",
		"60 n0 external 3", "60 c0 sends 3 due 70", "70 c0 process 3", "70 c1 sends 4 due 80",
		"100 restore 1", // of 25, when one message had gone all the way but for the last hop
		"100 n0 external 2", "100 c0 sends 2 due 110", "100 n0 external 3", "100 c0 sends 3 due 110",
		"100 n1 external 1", "100 c1 sends 2 due 110",
		"110 c0 process 2", "110 c1 sends 3 due 120", "110 c0 process 3", "110 c1 sends 4 due 120",
		"110 c1 process 2", "120 n0 external 4", "120 c0 sends 4 due 130", "120 c1 process 3", "120 c1 process 4",
		"130 c0 process 4", "130 c1 sends 5 due 140", "140 c1 process 5")
	r := h.Restores[0]
	if r.At != 100 || r.CrashedAt != 40 || !slices.Equal(r.Crashed, []int32{2}) || r.Incarnation != 1 || r.LostProcessed != 3 {
		t.Errorf("the restore is %+v", r)
	}
}

// The restore waits for the down time of every crashed node. One that crashes
// during the recovery, the same node or another, puts it off; none brings it
// forward.
func TestRestoreWaitsForTheLastNode(t *testing.T) {
	for name, c := range map[string]struct {
		faults  []sim.Fault
		at      int64
		crashed []int32
	}{
		"together":         {[]sim.Fault{{Nodes: []int32{2, 0}, At: 10, Down: 30}}, 40, []int32{2, 0}},
		"another, longer":  {[]sim.Fault{{Nodes: []int32{0}, At: 10, Down: 30}, {Nodes: []int32{1}, At: 20, Down: 50}}, 70, []int32{0, 1}},
		"another, shorter": {[]sim.Fault{{Nodes: []int32{0}, At: 10, Down: 90}, {Nodes: []int32{1}, At: 20, Down: 50}}, 100, []int32{0, 1}},
		"the same again":   {[]sim.Fault{{Nodes: []int32{1}, At: 10, Down: 30}, {Nodes: []int32{1}, At: 20, Down: 50}}, 70, []int32{1}},
		"at once":          {[]sim.Fault{{Nodes: []int32{1}, At: 10}}, 10, []int32{1}},
	} {
		cfg := scene(graph(3))
		cfg.Faults = c.faults
		h := play(t, cfg)
		if len(h.Restores) != 1 || h.Restores[0].At != c.at || !slices.Equal(h.Restores[0].Crashed, c.crashed) || h.Restores[0].CrashedAt != 10 {
			t.Errorf("%s: restores %+v, want one at %d after %v crashed", name, h.Restores, c.at, c.crashed)
		}
		if len(h.Final.Down) > 0 {
			t.Errorf("%s: nodes %v are down at the end", name, h.Final.Down)
		}
	}
}

// slowly is two nodes that are done with a snapshot when their External record
// says so, after 20 ns of writing: node 0 right away, node 1 at the given times.
func slowly(at ...int64) *sim.Config {
	cfg := scene(graph(2))
	cfg.NewSource = feed(nil, at)
	cfg.NewNode = cast(nil, func() *actor {
		a := &actor{initiate: func(id sim.SnapshotID, out *sim.Out) { out.SaveState(id) }}
		a.receive = func(in sim.Input, m sim.Message, out *sim.Out) {
			out.Process(in, m)
			out.Done(sim.SnapshotID(m.Key))
		}
		return a
	})
	cfg.Write = sim.Dist{Low: 20}
	cfg.Snapshots.At = []int64{10}
	return cfg
}

// A snapshot whose parts were all on their way may complete between the crash
// and the restore, and is then the one to go back to.
func TestSnapshotCompletesWhileANodeIsDown(t *testing.T) {
	cfg := slowly(50)
	cfg.Faults = []sim.Fault{{Nodes: []int32{0}, At: 60, Down: 40}}
	h := play(t, cfg)
	s := h.Snapshots[0]
	if s.Status != sim.Complete || s.CompletedAt != 70 || h.Restores[0].Snapshot != s {
		t.Errorf("snapshot 1 ends in state %d at %d; the restore goes back to %v", s.Status, s.CompletedAt, h.Restores[0].Snapshot)
	}
}

// A part that is not durable when its node crashes is lost, and the snapshot with
// it: aborted, and reported by the restore.
func TestCrashLosesWhatIsNotDurable(t *testing.T) {
	for at, want := range map[int64]sim.Status{69: sim.Aborted, 71: sim.Complete} {
		cfg := slowly(50)
		cfg.Faults = []sim.Fault{{Nodes: []int32{1}, At: at, Down: 40}}
		cfg.Stop.At = 100 // no second attempt
		h := play(t, cfg)
		s, r := h.Snapshots[0], h.Restores[0]
		if s.Status != want {
			t.Errorf("crash at %d: snapshot 1 ends in state %d, want %d", at, s.Status, want)
		}
		if aborted := slices.Contains(r.Aborted, 1); aborted != (want == sim.Aborted) || aborted == (r.Snapshot == s) {
			t.Errorf("crash at %d: the restore aborts %v and goes back to %v", at, r.Aborted, r.Snapshot)
		}
		if s.Durable[1] != (want == sim.Complete) || !s.Durable[0] {
			t.Errorf("crash at %d: durable parts %v", at, s.Durable)
		}
	}
}

// What is written when the restore comes is too late: the write ends in no
// incarnation, and the id is not used again.
func TestLateWriteIsNothing(t *testing.T) {
	cfg := slowly(50, 200)
	cfg.Faults = []sim.Fault{{Nodes: []int32{0}, At: 55, Down: 10}}
	cfg.Snapshots.At = []int64{10, 100}
	log := watch(cfg, sim.EventTrigger, sim.EventDurable, sim.EventComplete, sim.EventAbort, sim.EventRestore)
	h := play(t, cfg)
	log.wants(t, "10 trigger 1", "30 n0 durable 1", "65 abort 1", "65 restore 0",
		"100 trigger 2", "120 n0 durable 2", "220 n1 durable 2", "220 complete 2")
	same(t, "incarnations of the snapshots", []uint8{h.Snapshots[0].Incarnation, h.Snapshots[1].Incarnation}, []uint8{0, 1})
}

// The newest snapshot is the complete one with the highest id, whichever
// completed last.
func TestNewestIsTheHighestID(t *testing.T) {
	cfg := slowly(50, 52)
	cfg.Snapshots.At = []int64{10, 11, 12}
	receive := func(a *actor) func(sim.Input, sim.Message, *sim.Out) {
		return func(in sim.Input, m sim.Message, out *sim.Out) {
			out.Process(in, m)
			out.Done(sim.SnapshotID(3 - m.Key)) // 2, then 1; never 3
		}
	}
	cfg.NewNode = cast(nil, func() *actor {
		a := &actor{initiate: func(id sim.SnapshotID, out *sim.Out) { out.SaveState(id) }}
		a.receive = receive(a)
		return a
	})
	cfg.Faults = []sim.Fault{{Nodes: []int32{0}, At: 90}}
	cfg.Stop.At = 95
	h := play(t, cfg)
	if h.Snapshots[0].CompletedAt != 72 || h.Snapshots[1].CompletedAt != 70 {
		t.Errorf("snapshots 1 and 2 complete at %d and %d, want 72 and 70", h.Snapshots[0].CompletedAt, h.Snapshots[1].CompletedAt)
	}
	if r := h.Restores[0]; r.Snapshot != h.Snapshots[1] || !slices.Equal(r.Aborted, []sim.SnapshotID{3}) {
		t.Errorf("the restore goes back to %+v and aborts %v", r.Snapshot, r.Aborted)
	}
}

// Orders to initiate do not reach a node that is down, nor outlive a restore.
func TestOrdersDoNotOutliveARestore(t *testing.T) {
	cfg := scene(graph(2))
	cfg.NewSource = feed(nil, releases{30})
	cfg.Service = sim.Dist{Low: 100} // node 1 is busy when the order comes
	cfg.Snapshots.At = []int64{40}
	cfg.Faults = []sim.Fault{{Nodes: []int32{0}, At: 35, Down: 15}}
	log := watch(cfg, sim.EventTrigger, sim.EventInitiate, sim.EventRestore, sim.EventAbort)
	play(t, cfg)
	log.wants(t, "40 trigger 1", "50 abort 1", "50 restore 0")
}

// A second crash goes back to the same snapshot again, and the run ends as it
// would have without a crash.
func TestTwoCrashesChangeNothingInTheEnd(t *testing.T) {
	run := func(faults ...sim.Fault) *sim.History {
		cfg := scene(graph(3, 0, 1, 1, 2), pass, pass)
		cfg.NewNode = chandylamport.New
		cfg.Delays = []sim.Dist{{Low: 1}, {Low: 40}}
		cfg.DelayOf = []uint8{0, 1}
		cfg.NewSource = feed(releases{10, 20, 30, 40, 50})
		cfg.Snapshots = sim.SnapshotPlan{At: []int64{25}, Initiators: []int32{0, 2}}
		cfg.Faults = faults
		return play(t, cfg)
	}
	want := run()
	got := run(sim.Fault{Nodes: []int32{1}, At: 80, Down: 10}, sim.Fault{Nodes: []int32{2}, At: 110, Down: 10})
	if len(got.Restores) != 2 || got.Restores[0].Snapshot == nil || got.Restores[1].Snapshot != got.Restores[0].Snapshot {
		t.Fatalf("the restores are %+v", got.Restores)
	}
	same(t, "states at the end", texts(got.Final.States), texts(want.Final.States))
	same(t, "breaches", got.Breaches, nil)
	if r := got.Restores[0]; r.Replayed == 0 {
		t.Errorf("the snapshot holds no message: the run shows nothing")
	}
}
