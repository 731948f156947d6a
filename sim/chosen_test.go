package sim_test

import (
	"cmp"
	"slices"
	"testing"

	"simrun/algorithms/chandylamport"
	"simrun/sim"
)

// director is a Scheduler that follows a script of steps, each of which must be
// offered, and then takes the first by kind, entity and index. It notes all that
// was offered.
type director struct {
	t       *testing.T
	script  []sim.Step
	offered [][]sim.Step // by step of the run, sorted
}

func (d *director) Pick(n int64, enabled sim.Enabled) int {
	var steps []sim.Step
	for i := range enabled.Len() {
		steps = append(steps, enabled.At(i))
	}
	sorted := slices.SortedFunc(slices.Values(steps), compareSteps)
	d.offered = append(d.offered, sorted)
	want := sorted[0]
	if n < int64(len(d.script)) {
		want = d.script[n]
	}
	i := slices.Index(steps, want)
	if i < 0 {
		d.t.Fatalf("step %d of the script, %+v, is not among %+v", n, want, sorted)
	}
	return i
}

func compareSteps(a, b sim.Step) int {
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Entity, b.Entity), cmp.Compare(a.Index, b.Index))
}

// direct puts a run into chosen order under a director.
func direct(t *testing.T, cfg *sim.Config, script ...sim.Step) *director {
	d := &director{t: t, script: script}
	cfg.Order, cfg.Scheduler = sim.Chosen, d
	return d
}

// The steps as the scripts name them.
func external(v int32) sim.Step         { return sim.Step{Kind: sim.StepExternal, Entity: v} }
func deliverOn(c int32) sim.Step        { return sim.Step{Kind: sim.StepDeliver, Entity: c} }
func timer(v int32, id uint32) sim.Step { return sim.Step{Kind: sim.StepTimer, Entity: v, Index: id} }
func initiate(v int32, id sim.SnapshotID) sim.Step {
	return sim.Step{Kind: sim.StepInitiate, Entity: v, Index: uint32(id)}
}
func write(v int32, id sim.SnapshotID) sim.Step {
	return sim.Step{Kind: sim.StepWrite, Entity: v, Index: uint32(id)}
}

var restore = sim.Step{Kind: sim.StepRestore}

// A script makes the interleaving that somebody wants to see: the message crosses
// the cut, so it is the state of channel 0. Time is the number of the step.
func TestScriptedInterleaving(t *testing.T) {
	cfg := scene(graph(2, 0, 1, 1, 0), pass)
	cfg.NewNode = chandylamport.New
	cfg.NewSource = feed(releases{1_000_000}) // a time that nobody looks at
	cfg.Snapshots = sim.SnapshotPlan{At: []int64{0}, Initiators: []int32{1}}
	d := direct(t, cfg, initiate(1, 1), external(0), deliverOn(0), deliverOn(1), deliverOn(0), write(1, 1), write(0, 1))
	log := watch(cfg, sim.EventInitiate, sim.EventExternal, sim.EventSend, sim.EventMarkerSent, sim.EventProcess, sim.EventMarker,
		sim.EventRecord, sim.EventDurable, sim.EventComplete)
	h := play(t, cfg)
	log.wants(t,
		"0 n1 initiate 1", "0 n1 record 1", "0 c1 sends marker 1 due 0", "1 n0 external 1", "1 c0 sends 1 due 0", "2 c0 process 1",
		"3 c1 marker 1", "3 n0 record 1", "3 c0 sends marker 1 due 0", "4 c0 marker 1",
		"5 n1 durable 1", "6 n0 durable 1", "6 complete 1")
	same(t, "recorded", numbers(h.Snapshots[0].Channels[0]), []uint32{1})
	same(t, "offered", d.offered, [][]sim.Step{
		{external(0), initiate(1, 1)},
		{external(0), deliverOn(1)},
		{deliverOn(0), deliverOn(1)},
		{deliverOn(1)},
		{write(0, 1), deliverOn(0)},
		{write(0, 1), write(1, 1)},
		{write(0, 1)},
	})
	if h.Steps != 7 || h.EndedAt != 6 {
		t.Errorf("%d steps, the last at %d; want 7 and 6", h.Steps, h.EndedAt)
	}
}

// A blocked channel is not offered, and is again once it is unblocked. Neither is
// what belongs to a node that is down; what the others have is, and the restore.
func TestWhatIsOffered(t *testing.T) {
	cfg := gated(releases{1, 2}, releases{1}, releases{1, 2, 3})
	cfg.Snapshots.At = []int64{0}
	cfg.Snapshots.Initiators = []int32{0}
	cfg.NewApp = func(v int32) sim.App {
		return &scribe{does: func(in sim.Input, m sim.Message, fx *sim.Effects) {
			if in != sim.Timer {
				fx.SetTimer(uint32(7+v), 1)
			}
			if v < 2 && in == sim.External {
				pass(in, m, fx)
			}
		}}
	}
	cfg.Faults = []sim.Fault{{Nodes: []int32{2}, Step: 8}}
	cfg.Stop.At = 10
	d := direct(t, cfg,
		external(0), external(1), external(2), // the channels hold a message each, and are blocked
		timer(0, 7), external(2), deliverOn(1), // unblocked
		initiate(0, 1), external(0), // then node 2 crashes
		restore)
	play(t, cfg)
	same(t, "offered", d.offered[:10], [][]sim.Step{
		{external(0), external(1), external(2), initiate(0, 1)},
		{timer(0, 7), external(0), external(1), external(2), initiate(0, 1), deliverOn(0)},
		{timer(0, 7), timer(1, 8), external(0), external(2), initiate(0, 1), deliverOn(0), deliverOn(1)},
		{timer(0, 7), timer(1, 8), timer(2, 9), external(0), external(2), initiate(0, 1)},
		{timer(1, 8), timer(2, 9), external(0), external(2), initiate(0, 1)},
		{timer(1, 8), timer(2, 9), external(0), external(2), initiate(0, 1), deliverOn(0), deliverOn(1)},
		{timer(1, 8), timer(2, 9), external(0), external(2), initiate(0, 1), deliverOn(0)},
		{write(0, 1), timer(1, 8), timer(2, 9), external(0), external(2), deliverOn(0)},
		{restore, write(0, 1), timer(0, 7), timer(1, 8)},
		{external(0), external(1), external(2)},
	})
}

// A node is offered its orders to initiate one by one, in the order of the
// snapshots' ids; the orders of different nodes are free.
func TestOrdersToInitiateComeInOrder(t *testing.T) {
	cfg := scene(graph(2))
	cfg.NewSource = feed(releases{0, 0, 0, 0})
	cfg.Snapshots.At = []int64{0, 1, 2}
	d := direct(t, cfg, external(0), external(0), external(0),
		initiate(1, 1), initiate(1, 2), initiate(0, 1), initiate(1, 3), initiate(0, 2), initiate(0, 3))
	play(t, cfg)
	for n, want := range [][]sim.Step{
		{initiate(0, 1), initiate(1, 1)},
		{initiate(0, 1), initiate(1, 1)},
		{initiate(0, 1), initiate(1, 1)},
		{initiate(0, 1), initiate(1, 1)},
		{initiate(0, 1), initiate(1, 2)},
		{initiate(0, 1), initiate(1, 3)},
		{initiate(0, 2), initiate(1, 3)},
		{initiate(0, 2)},
		{initiate(0, 3)},
	} {
		got := slices.DeleteFunc(slices.Clone(d.offered[n]), func(s sim.Step) bool { return s.Kind != sim.StepInitiate })
		if !slices.Equal(got, want) {
			t.Errorf("step %d: the orders %v are offered, want %v", n, got, want)
		}
	}
}

// A crash withdraws the orders that a node has not been given, the first and those
// behind it; after the restore there are none of the old incarnation.
func TestCrashWithdrawsOrders(t *testing.T) {
	cfg := scene(graph(2))
	cfg.Snapshots.At = []int64{0, 1, 2, 4, 20} // the fourth while node 1 is down
	cfg.NewSource = feed(releases{0, 0, 0, 0})
	cfg.Faults = []sim.Fault{{Nodes: []int32{1}, Step: 3}}
	d := direct(t, cfg, external(0), external(0), external(0), initiate(0, 1), restore)
	h := play(t, cfg)
	same(t, "offered after the crash", d.offered[3], []sim.Step{restore, external(0), initiate(0, 1)})
	same(t, "offered next", d.offered[4], []sim.Step{restore, write(0, 1), external(0), initiate(0, 2)})
	same(t, "offered after the restore", d.offered[5], []sim.Step{external(0)})
	same(t, "aborted", h.Restores[0].Aborted, []sim.SnapshotID{1, 2, 3, 4})
	if s := h.Snapshots[4]; s.Status != sim.Complete {
		t.Errorf("snapshot 5 ends in state %d", s.Status)
	}
}

// An armed timer can fire at any step, and once, however often it was armed.
func TestTimersInChosenOrder(t *testing.T) {
	cfg := scene(graph(1), sets(1_000_000, 5, 5))
	cfg.NewSource = feed(releases{0, 0, 0})
	d := direct(t, cfg, external(0), external(0), timer(0, 1), external(0), timer(0, 1))
	h := play(t, cfg)
	same(t, "offered after the second record", d.offered[2], []sim.Step{timer(0, 1), external(0)})
	same(t, "state at the end", texts(h.Final.States), []string{"e1 e2 t1 e3 t1"})
	same(t, "armed at the end", len(h.Final.Timers[0]), 0)
}

// Snapshots, the stop and faults go by steps. A snapshot of the list for which
// nothing else is left is taken at once.
func TestPlansGoBySteps(t *testing.T) {
	cfg := scene(graph(1))
	cfg.NewSource = feed(slices.Repeat(releases{0}, 20))
	cfg.Snapshots = sim.SnapshotPlan{Every: 4, At: []int64{6}}
	cfg.Faults = []sim.Fault{{Nodes: []int32{0}, Step: 10}, {Nodes: []int32{0}, Step: 14}}
	cfg.Stop.At = 13
	direct(t, cfg, slices.Repeat([]sim.Step{external(0)}, 10)...)
	log := watch(cfg, sim.EventExternal)
	h := play(t, cfg)
	triggered := []int64{}
	for _, s := range h.Snapshots {
		triggered = append(triggered, s.TriggeredAt)
	}
	same(t, "triggered at", triggered, []int64{4, 6, 8, 12})
	same(t, "unfired faults", h.UnfiredFaults, []int{1})
	if len(h.Crashes) != 1 || h.Crashes[0].At != 10 {
		t.Errorf("crashes %+v, want one after 10 steps", h.Crashes)
	}
	if n := len(log.lines); n != 12 || log.lines[n-1].at != 12 {
		t.Errorf("records are read at %v, want ten, and two between the restore and the stop", log.lines)
	}

	cfg = scene(graph(1))
	cfg.Snapshots.At = []int64{1000}
	direct(t, cfg)
	if h := play(t, cfg); len(h.Snapshots) != 1 || h.Steps != 2 {
		t.Errorf("%d snapshots in %d steps, want 1 in 2", len(h.Snapshots), h.Steps)
	}
}

// A run that leaves nothing open offers steps of every kind but faults. The scheduler
// picks all of them, and what it picked, given back by entity, gives the
// same run.
func TestRecordedStepsReplayARun(t *testing.T) {
	kinds := map[sim.StepKind]bool{}
	for seed := range uint64(50) {
		cfg := busyRun(seed)
		cfg.Order = sim.Chosen
		random := sim.NewRandomScheduler(seed)
		var picked []sim.Step
		cfg.Scheduler = schedulerFunc(func(n int64, enabled sim.Enabled) int {
			i := random.Pick(n, enabled)
			picked = append(picked, enabled.At(i))
			kinds[enabled.At(i).Kind] = true
			return i
		})
		want := runOf(t, cfg)
		cfg.Scheduler = nil // the random one of the seed
		if got := runOf(t, cfg); got.Digest != want.Digest {
			t.Fatalf("seed %d: the default scheduler gives %016x, the random one %016x", seed, got.Digest, want.Digest)
		}
		cfg.Scheduler = &director{t: t, script: picked}
		if got := runOf(t, cfg); got.Digest != want.Digest || got.Steps != int64(len(picked)) {
			t.Fatalf("seed %d: replayed to the digest %016x in %d steps, want %016x in %d", seed, got.Digest, got.Steps, want.Digest, len(picked))
		}
	}
	for kind := sim.StepFault; kind <= sim.StepDeliver; kind++ {
		if kinds[kind] == (kind == sim.StepFault) {
			t.Errorf("kind %d picked: %v", kind, kinds[kind])
		}
	}
}

type schedulerFunc func(int64, sim.Enabled) int

func (f schedulerFunc) Pick(n int64, enabled sim.Enabled) int { return f(n, enabled) }

// busyRun is a run of dawdlers on a ring with chords, with snapshots and crashes.
func busyRun(seed uint64) *sim.Config {
	g := graph(4, 0, 1, 1, 2, 2, 3, 3, 0, 0, 2, 1, 1)
	cfg := scene(g)
	cfg.Seed = seed
	cfg.NewNode = chandylamport.New
	outputs := []int32{2, 2, 1, 1}
	cfg.NewApp = func(v int32) sim.App {
		return &dawdler{random: sim.Word(sim.Draw(seed, sim.ForApp, v, 0, 0)), outputs: outputs[v]}
	}
	cfg.NewSource = func(v int32) sim.Source { return drip{seed, v, 8, 50} }
	cfg.Delays = []sim.Dist{{Kind: sim.Uniform, Low: 1, High: 90}}
	cfg.Write = sim.Dist{Kind: sim.Uniform, Low: 1, High: 30}
	cfg.Snapshots.Every = 60
	cfg.Faults = []sim.Fault{{Nodes: []int32{1}, Step: 90, Down: 20}, {Nodes: []int32{2}, Phase: sim.PhaseRecorded, Occurrence: 3}}
	cfg.Stop.At = 500
	return cfg
}

// Delays, service times and write times do not exist in chosen order.
func TestNoDurationsInChosenOrder(t *testing.T) {
	cfg := busyRun(3)
	cfg.Order = sim.Chosen
	want := runOf(t, cfg)
	cfg.Delays = []sim.Dist{{Low: 123_456}}
	cfg.Service = sim.Dist{Low: 1_000}
	cfg.Write = sim.Dist{Low: 99}
	for i := range cfg.Faults {
		cfg.Faults[i].Down = 77
	}
	if got := runOf(t, cfg); got.Digest != want.Digest {
		t.Errorf("digest %016x with durations, %016x without", got.Digest, want.Digest)
	}
}

// Blocked time is measured in steps.
func TestBlockedStepsInChosenOrder(t *testing.T) {
	cfg := gated(releases{1}, nil, releases{1, 2})
	cfg.Snapshots = sim.SnapshotPlan{At: []int64{0}}
	direct(t, cfg, external(2), external(0), external(2))
	h := play(t, cfg)
	if got := h.Snapshots[0].BlockedFor; got != 2*2 {
		t.Errorf("blocked for %d steps over both inputs, want 4", got)
	}
}
