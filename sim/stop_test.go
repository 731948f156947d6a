package sim_test

import (
	"math"
	"slices"
	"testing"

	"simrun/algorithms/chandylamport"
	"simrun/sim"
)

// At the stop the input ends: no record, order or fault of that instant or later.
// What is under way goes on: a record's message, a timer, a write.
func TestStopAtAnInstant(t *testing.T) {
	cfg := scene(graph(2, 0, 1), func(in sim.Input, m sim.Message, fx *sim.Effects) {
		pass(in, m, fx)
		if in == sim.External {
			fx.SetTimer(9, 100)
		}
	})
	cfg.NewSource = feed(releases{90, 99, 100, 101})
	cfg.Snapshots = sim.SnapshotPlan{At: []int64{95, 100, 105}, Initiators: []int32{0, 1}}
	cfg.Write = sim.Dist{Low: 50}
	cfg.Faults = []sim.Fault{{Nodes: []int32{1}, At: 100}, {Nodes: []int32{1}, At: 150}, {Nodes: []int32{1}, Step: 8}}
	cfg.Stop.At = 100
	log := watch(cfg, sim.EventExternal, sim.EventTrigger, sim.EventCrash, sim.EventProcess, sim.EventTimer, sim.EventComplete)
	h := play(t, cfg)
	log.wants(t, "90 n0 external 1", "95 trigger 1", "99 n0 external 2",
		"100 c0 process 1", "109 c0 process 2", "145 complete 1", "199 n0 timer 9", "209 c0 process 3")
	same(t, "unfired faults", h.UnfiredFaults, []int{0, 1, 2})
	if h.EndedAt != 209 {
		t.Errorf("the run ends at %d, want 209", h.EndedAt)
	}
}

// A fault that waits for a handler to fall into has not fired: after the stop it
// does not.
func TestArmedFaultDoesNotOutliveTheStop(t *testing.T) {
	zero := 0
	cfg := scene(graph(2, 0, 1), pass)
	cfg.Delays = []sim.Dist{{Low: 100}}
	cfg.NewSource = feed(releases{10})
	cfg.Faults = []sim.Fault{{Nodes: []int32{1}, At: 20, AfterOutputs: &zero}}
	cfg.Stop.At = 50
	h := play(t, cfg)
	if len(h.Crashes) > 0 || !slices.Equal(h.UnfiredFaults, []int{0}) {
		t.Errorf("crashes %+v, unfired faults %v; want none, and 0", h.Crashes, h.UnfiredFaults)
	}
}

// A record that was released before the stop is read again after a restore that
// comes later.
func TestRestoreAfterTheStop(t *testing.T) {
	cfg := scene(graph(1))
	cfg.NewSource = feed(releases{10, 20, 60})
	cfg.Faults = []sim.Fault{{Nodes: []int32{0}, At: 40, Down: 100}}
	cfg.Stop.At = 50
	log := watch(cfg, sim.EventExternal, sim.EventRestore)
	play(t, cfg)
	log.wants(t, "10 n0 external 1", "20 n0 external 2", "140 restore 0", "140 n0 external 1", "140 n0 external 2")
}

// A record that came before the stop and waits for a busy node is still read when
// the stop is an instant, and is not when it is their number.
func TestRecordWaitingAtTheStop(t *testing.T) {
	for _, c := range []struct {
		stop sim.Stop
		read uint64
	}{{sim.Stop{At: 50}, 2}, {sim.Stop{Records: 1}, 1}} {
		cfg := scene(graph(1))
		cfg.NewSource = feed(releases{0, 10})
		cfg.Service = sim.Dist{Low: 100}
		cfg.Stop = c.stop
		if got := play(t, cfg).Final.Offsets[0]; got != c.read {
			t.Errorf("%+v: %d records were read, want %d", c.stop, got, c.read)
		}
	}
}

// The number of records counts over all nodes, in the stitched run: what a
// restore takes back is counted again.
func TestStopAfterRecords(t *testing.T) {
	cfg := scene(graph(2))
	cfg.NewSource = feed(releases{10, 30, 50, 70}, releases{20, 40, 60, 80})
	cfg.Snapshots.At = []int64{25, 75}
	cfg.Stop.Records = 5
	cfg.Faults = []sim.Fault{{Nodes: []int32{1}, At: 45, Down: 1}, {Nodes: []int32{1}, At: 71, Down: 1}}
	log := watch(cfg, sim.EventExternal, sim.EventTrigger, sim.EventRestore)
	h := play(t, cfg)
	log.wants(t,
		"10 n0 external 1", "20 n1 external 1", "25 trigger 1", "30 n0 external 2", "40 n1 external 2",
		"46 restore 1", "46 n0 external 2", "46 n1 external 2", "50 n0 external 3")
	same(t, "unfired faults", h.UnfiredFaults, []int{1})
}

// Whichever comes first, the instant or the number of records, ends the input.
func TestStopByWhicheverComesFirst(t *testing.T) {
	for _, c := range []struct {
		stop sim.Stop
		read uint64
	}{
		{sim.Stop{At: 35, Records: 10}, 3},
		{sim.Stop{At: 1000, Records: 2}, 2},
		{sim.Stop{Records: 4}, 4},
		{sim.Stop{At: 45}, 4},
		{sim.Stop{}, 5},
	} {
		cfg := scene(graph(1))
		cfg.NewSource = feed(releases{10, 20, 30, 40, 50})
		cfg.Stop = c.stop
		h := play(t, cfg)
		if got := h.Final.Offsets[0]; got != c.read || h.EndedAt != 10*int64(c.read) {
			t.Errorf("%+v: %d records were read until %d, want %d", c.stop, got, h.EndedAt, c.read)
		}
	}
}

// Periodic snapshots end when only they remain: the one that is due when the
// application has come to rest is not taken. Those of the list still are.
func TestPeriodicSnapshotsEnd(t *testing.T) {
	cfg := scene(graph(2, 0, 1), pass)
	cfg.NewSource = feed(releases{10, 95})
	cfg.Snapshots.Every = 30
	cfg.Snapshots.At = []int64{45, 60, 500, 700}
	cfg.Write = sim.Dist{Low: 3}
	log := watch(cfg, sim.EventTrigger, sim.EventProcess)
	h := play(t, cfg)
	log.wants(t, "20 c0 process 1", "30 trigger 1", "45 trigger 2", "60 trigger 3", "90 trigger 4", "105 c0 process 2",
		"500 trigger 5", "700 trigger 6")
	for _, s := range h.Snapshots {
		if s.Status != sim.Complete {
			t.Errorf("snapshot %d ends in state %d", s.ID, s.Status)
		}
	}
}

// They also end if they come so fast that one is always under way: markers on
// their way and parts being written are nothing that the application does.
func TestPeriodicSnapshotsThatOverlapEnd(t *testing.T) {
	for _, order := range []sim.Order{sim.Timed, sim.Chosen} {
		cfg := scene(graph(2, 0, 1, 1, 0), func(in sim.Input, m sim.Message, fx *sim.Effects) {
			if in == sim.External {
				fx.Send(0, m.Key, 0, 0)
				fx.SetTimer(9, 60)
			}
		})
		cfg.NewNode = chandylamport.New
		cfg.Order = order
		cfg.Delays = []sim.Dist{{Low: 30}}
		cfg.NewSource = feed(releases{10, 40})
		cfg.Snapshots = sim.SnapshotPlan{Every: 7, Initiators: []int32{0}}
		cfg.Write = sim.Dist{Low: 20}
		if order == sim.Chosen {
			cfg.Snapshots.Every = 2
		}
		h := play(t, cfg)
		if order == sim.Timed && len(h.Snapshots) != 100/7 { // the last timer fires at 100
			t.Errorf("%d snapshots, want %d", len(h.Snapshots), 100/7)
		}
		for _, s := range h.Snapshots {
			if s.Status != sim.Complete {
				t.Errorf("order %d: snapshot %d ends in state %d", order, s.ID, s.Status)
			}
		}
	}
}

// What the application still has to do keeps them going: a record to come, a
// message under way, a timer, a fault to come, a node that is down.
func TestPeriodicSnapshotsGoOn(t *testing.T) {
	for name, c := range map[string]struct {
		change func(cfg *sim.Config)
		last   int64
	}{
		"a record":  {func(cfg *sim.Config) { cfg.NewSource = feed(releases{10, 205}) }, 200},
		"a message": {func(cfg *sim.Config) { cfg.Delays = []sim.Dist{{Low: 195}} }, 200},
		"a timer": {func(cfg *sim.Config) {
			cfg.NewApp = func(int32) sim.App { return &scribe{does: sets(195, 195)} }
		}, 200},
		"a fault":   {func(cfg *sim.Config) { cfg.Faults = []sim.Fault{{Nodes: []int32{0}, At: 205}} }, 200},
		"a restore": {func(cfg *sim.Config) { cfg.Faults = []sim.Fault{{Nodes: []int32{0}, At: 15, Down: 190}} }, 200},
		"nothing":   {func(*sim.Config) {}, 0},
		"a message that is stuck": {func(cfg *sim.Config) {
			cfg.NewSource = feed(releases{45}, releases{45})
			cfg.NewNode = cast(nil, func() *actor {
				return &actor{initiate: lone, receive: func(in sim.Input, m sim.Message, out *sim.Out) {
					out.Block(0, 1)
					out.Process(in, m)
				}}
			})
		}, 40},
		"a service": {func(cfg *sim.Config) { cfg.Service = sim.Dist{Low: 95} }, 200},
	} {
		cfg := scene(graph(2, 0, 1), pass)
		cfg.Delays = []sim.Dist{{Low: 1}}
		cfg.Replay = sim.NoReplay
		cfg.NewSource = feed(releases{10, 10})
		cfg.Snapshots.Every = 40
		c.change(cfg)
		h := play(t, cfg)
		last := int64(0)
		for _, s := range h.Snapshots {
			last = s.TriggeredAt
		}
		if last != c.last {
			t.Errorf("%s: the last snapshot is triggered at %d, want %d", name, last, c.last)
		}
	}
}

// An App that never rests ends after the stop, as soon as no snapshot is pending
// and no node is down.
func TestRestlessAppIsSettled(t *testing.T) {
	ticks := func(_ sim.Input, _ sim.Message, fx *sim.Effects) { fx.SetTimer(9, 10) }
	for name, c := range map[string]struct {
		change func(cfg *sim.Config)
		ends   int64
	}{
		"at the stop":   {func(*sim.Config) {}, 100},
		"a snapshot":    {func(cfg *sim.Config) { cfg.Snapshots.At = []int64{70} }, 120},
		"a restore":     {func(cfg *sim.Config) { cfg.Faults = []sim.Fault{{Nodes: []int32{0}, At: 90, Down: 45}} }, 135},
		"after records": {func(cfg *sim.Config) { cfg.Stop = sim.Stop{Records: 1} }, 5},
		"aborted by one": {func(cfg *sim.Config) {
			cfg.Snapshots.At = []int64{70}
			cfg.Faults = []sim.Fault{{Nodes: []int32{0}, At: 90, Down: 15}}
		}, 105},
	} {
		cfg := scene(graph(1), ticks)
		cfg.Restless = true
		cfg.NewSource = feed(releases{5})
		cfg.Write = sim.Dist{Low: 50}
		cfg.Stop.At = 100
		c.change(cfg)
		h := runOf(t, cfg)
		if h.End != sim.Settled || h.EndedAt != c.ends {
			t.Errorf("%s: the run ends in state %d at %d, want Settled at %d", name, h.End, h.EndedAt, c.ends)
		}
	}
}

// A run that comes to rest before the stop is over then.
func TestRestBeforeTheStop(t *testing.T) {
	cfg := scene(graph(1))
	cfg.Restless = true
	cfg.NewSource = feed(releases{5})
	cfg.Stop.At = 1000
	if h := play(t, cfg); h.EndedAt != 5 {
		t.Errorf("the run ends at %d, want 5", h.EndedAt)
	}
}

// The step limit ends any run; what was done until then is the history.
func TestStepLimit(t *testing.T) {
	for _, order := range []sim.Order{sim.Timed, sim.Chosen} {
		cfg := scene(graph(1), func(_ sim.Input, _ sim.Message, fx *sim.Effects) { fx.SetTimer(9, 10) })
		cfg.Order = order
		cfg.NewSource = feed(releases{0})
		cfg.MaxSteps = 50
		if h := runOf(t, cfg); h.End != sim.StepLimit || h.Steps != 50 {
			t.Errorf("order %d: the run ends in state %d after %d steps", order, h.End, h.Steps)
		}
	}
}

// Virtual time has an end, and whatever would lie beyond it ends the run as
// inconclusive: a message, a record, a timer, a restore, the end of a service.
func TestTimeLimit(t *testing.T) {
	const half = sim.MaxTime/2 + 1
	for name, change := range map[string]func(cfg *sim.Config){
		"messages": func(cfg *sim.Config) { cfg.Delays = []sim.Dist{{Low: half}} },
		"records":  func(cfg *sim.Config) { cfg.NewSource = feed(releases{10, sim.MaxTime + 1}) },
		"timers": func(cfg *sim.Config) {
			cfg.NewApp = func(int32) sim.App { return &scribe{does: sets(half, math.MaxInt64)} }
		},
		"restores": func(cfg *sim.Config) { cfg.Faults = []sim.Fault{{Nodes: []int32{0}, At: 30, Down: sim.MaxTime}} },
		"services": func(cfg *sim.Config) { cfg.Service = sim.Dist{Low: half} },
	} {
		cfg := scene(graph(1, 0, 0), func(in sim.Input, m sim.Message, fx *sim.Effects) {
			if m.Value < 3 {
				fx.Send(0, m.Key, m.Value+1, 0)
			}
		})
		cfg.NewSource = feed(releases{10, 20})
		change(cfg)
		h := runOf(t, cfg)
		if h.End != sim.TimeLimit || h.EndedAt > sim.MaxTime || h.EndedAt < 10 {
			t.Errorf("%s: the run ends in state %d at %d", name, h.End, h.EndedAt)
		}
	}
}

// A run that was cut short is inconclusive; one that came to its end is not.
func TestLimited(t *testing.T) {
	for end, want := range map[sim.End]bool{
		sim.Quiescent: false, sim.Settled: false, sim.StepLimit: true, sim.RecoveryLimit: true, sim.TimeLimit: true,
	} {
		if end.Limited() != want {
			t.Errorf("state %d is limited: %v", end, end.Limited())
		}
	}
}

// More recoveries than the incarnation can count end the run as inconclusive, with
// the nodes down that would have needed one more.
func TestRecoveryLimit(t *testing.T) {
	cfg := scene(graph(2))
	for i := range int64(sim.MaxRecoveries + 5) {
		cfg.Faults = append(cfg.Faults, sim.Fault{Nodes: []int32{int32(i % 2)}, At: 10 * (i + 1), Down: 3})
	}
	h := runOf(t, cfg)
	if h.End != sim.RecoveryLimit || len(h.Restores) != sim.MaxRecoveries || h.Restores[249].Incarnation != 250 {
		t.Errorf("the run ends in state %d after %d restores", h.End, len(h.Restores))
	}
	same(t, "down at the end", h.Final.Down, []int32{0})
	same(t, "unfired faults", h.UnfiredFaults, []int{251, 252, 253, 254})
	if h.EndedAt != 2513 {
		t.Errorf("the run ends at %d", h.EndedAt)
	}

	cfg.Faults = cfg.Faults[:sim.MaxRecoveries]
	if h := play(t, cfg); len(h.Restores) != sim.MaxRecoveries {
		t.Errorf("%d restores, want all", len(h.Restores))
	}
}

// Running an engine that has come to its end changes nothing.
func TestRunAgain(t *testing.T) {
	cfg := scene(graph(1))
	cfg.Faults = []sim.Fault{{Nodes: []int32{0}, Step: 5}}
	e := engineOf(t, cfg)
	h := e.Run()
	digest := h.Digest
	if h = e.Run(); !slices.Equal(h.UnfiredFaults, []int{0}) || h.Digest != digest {
		t.Errorf("run again: unfired faults %v, digest %016x after %016x", h.UnfiredFaults, h.Digest, digest)
	}
}
