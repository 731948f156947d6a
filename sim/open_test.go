package sim_test

import (
	"reflect"
	"slices"
	"testing"

	"simrun/sim"
)

func crash(v int32, fault uint32) sim.Step {
	return sim.Step{Kind: sim.StepCrash, Entity: v, Index: fault}
}

var trigger = sim.Step{Kind: sim.StepSnapshot}

func losing(c int32) sim.Step { return sim.Step{Kind: sim.StepLose, Entity: c} }

// openSteps is what of an offer nothing makes necessary.
func openSteps(offered []sim.Step) []sim.Step {
	return slices.DeleteFunc(slices.Clone(offered), func(s sim.Step) bool { return !s.Kind.Open() })
}

// A crash that is left open is offered for every one of its nodes that is up, until it
// has struck as often as it may. The run ends although it could strike once more.
func TestOpenCrashes(t *testing.T) {
	cfg := scene(graph(3))
	cfg.NewSource = feed(releases{0, 0, 0, 0}, nil, nil)
	cfg.Faults = []sim.Fault{{Nodes: []int32{0, 2}, Times: 3}}
	d := direct(t, cfg, external(0), crash(2, 0), crash(0, 0), restore, external(0), external(0), external(0), external(0))
	h := play(t, cfg)
	same(t, "offered", d.offered, [][]sim.Step{
		{external(0), crash(0, 0), crash(2, 0)},
		{external(0), crash(0, 0), crash(2, 0)},
		{restore, external(0), crash(0, 0)},
		{restore},
		{external(0), crash(0, 0), crash(2, 0)},
		{external(0), crash(0, 0), crash(2, 0)},
		{external(0), crash(0, 0), crash(2, 0)},
		{external(0), crash(0, 0), crash(2, 0)},
	})
	same(t, "crashes", h.Crashes, []sim.Crash{{At: 1, Node: 2}, {At: 2, Node: 0}})
	same(t, "unfired faults", len(h.UnfiredFaults), 0)

	cfg.Faults[0].Times = 1
	d = direct(t, cfg, crash(0, 0), restore)
	play(t, cfg)
	same(t, "offered when it has struck", d.offered[2], []sim.Step{external(0)})

	cfg.Faults = append(cfg.Faults, sim.Fault{Nodes: []int32{2}, Step: 1})
	d = direct(t, cfg, external(0), restore)
	play(t, cfg)
	same(t, "offered when another fault has struck", openSteps(d.offered[1]), []sim.Step{crash(0, 0)})
	same(t, "offered after the restore", openSteps(d.offered[2]), []sim.Step{crash(0, 0), crash(2, 0)})
}

// A snapshot that is left open begins when the scheduler says so, with the initiators of
// all, and takes nothing from the plan. After the stop none begins.
func TestOpenSnapshots(t *testing.T) {
	cfg := scene(graph(2))
	cfg.NewSource = feed(slices.Repeat(releases{0}, 9))
	cfg.Snapshots = sim.SnapshotPlan{At: []int64{4}, InitiatorsAt: [][]int32{{0}}, Initiators: []int32{1}, Open: 3}
	cfg.Stop.At = 6
	d := direct(t, cfg, external(0), trigger, external(0), trigger, external(0), external(0))
	h := play(t, cfg)
	same(t, "offered with one left", openSteps(d.offered[5]), []sim.Step{trigger})
	same(t, "offered after the stop", len(openSteps(d.offered[6])), 0)
	var at []int64
	var by [][]int32
	for _, s := range h.Snapshots {
		at, by = append(at, s.TriggeredAt), append(by, s.Initiators)
	}
	same(t, "triggered at", at, []int64{1, 3, 4})
	same(t, "initiators", by, [][]int32{{1}, {1}, {0}})
}

// A loss that is left open takes what is put on the channel next, and can be said once
// before that.
func TestOpenLosses(t *testing.T) {
	cfg := over(sim.Chosen, 4, sim.Unreliable{MayLose: 2})
	deliver := func(key uint32) sim.Step { return sim.Step{Kind: sim.StepDeliver, Entity: 0, Index: key} }
	d := direct(t, cfg, external(0), losing(0), deliver(1), external(0), losing(0), external(0), external(0), deliver(2))
	h := play(t, cfg)
	same(t, "what came", got(h), []int{1, 4})
	for n, want := range [][]sim.Step{{losing(0)}, {losing(0)}, nil, nil, {losing(0)}, nil, nil, nil} {
		if got := openSteps(d.offered[n]); !slices.Equal(got, want) {
			t.Errorf("step %d: %v is offered, want %v", n, got, want)
		}
	}
}

// openRun is busyRun in chosen order with crashes, snapshots and losses left open.
func openRun(seed uint64) *sim.Config {
	cfg := busyRun(seed)
	cfg.Order = sim.Chosen
	cfg.Faults = append(cfg.Faults, sim.Fault{Nodes: []int32{0, 3}, Times: 2})
	cfg.Snapshots.Open = 3
	cfg.Unreliable = make([]sim.Unreliable, len(cfg.Graph.From))
	cfg.Unreliable[4].MayLose = 1
	return cfg
}

// What is left open is taken by the random scheduler, too, when it is the engine's own;
// the steps, given back, make the same run; and so does an engine that goes on from what
// another one has saved.
func TestOpenStepsAreStepsLikeOthers(t *testing.T) {
	taken := map[sim.StepKind]int{}
	for seed := range uint64(30) {
		cfg := openRun(seed)
		want := runOf(t, cfg)
		random := sim.NewRandomScheduler(seed)
		var picked []sim.Step
		cfg.Scheduler = schedulerFunc(func(n int64, enabled sim.Enabled) int {
			i := random.Pick(n, enabled)
			picked = append(picked, enabled.At(i))
			taken[enabled.At(i).Kind]++
			return i
		})
		if got := runOf(t, cfg); got.Digest != want.Digest {
			t.Fatalf("seed %d: the engine's own scheduler gives %016x, the random one %016x", seed, want.Digest, got.Digest)
		}
		cfg.Scheduler = &director{t: t, script: picked}
		if got := runOf(t, cfg); got.Digest != want.Digest || got.Steps != int64(len(picked)) {
			t.Fatalf("seed %d: replayed to %016x in %d steps, want %016x in %d", seed, got.Digest, got.Steps, want.Digest, len(picked))
		}
		cfg.Scheduler = nil
		engine := engineOf(t, cfg)
		for engine.Step(7) {
			other := engineOf(t, cfg)
			if err := other.Load(engine.Save(nil)); err != nil {
				t.Fatal(err)
			}
			engine = other
		}
		if got := engine.Run(); !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d: the engine that was saved gives %016x, want %016x", seed, got.Digest, want.Digest)
		}
	}
	for _, kind := range []sim.StepKind{sim.StepCrash, sim.StepSnapshot, sim.StepLose} {
		if taken[kind] == 0 {
			t.Errorf("no step of the kind %d was taken", kind)
		}
	}
}
