package sim_test

import (
	"reflect"
	"slices"
	"testing"

	"simrun/sim"
)

// Two engines that take turns in one process do not disturb each other, whatever
// their seeds and orders.
func TestEnginesDoNotDisturbEachOther(t *testing.T) {
	for _, seeds := range [][2]uint64{{1, 2}, {3, 3}} {
		for _, orders := range [][2]sim.Order{{sim.Timed, sim.Timed}, {sim.Timed, sim.Chosen}, {sim.Chosen, sim.Chosen}} {
			var alone, together [2]*sim.History
			var engines [2]*sim.Engine
			for i := range engines {
				cfg := busyRun(seeds[i])
				cfg.Order = orders[i]
				alone[i] = runOf(t, cfg)
				engines[i] = engineOf(t, cfg)
			}
			for turn := int64(0); engines[0].Step(1+turn%3) || engines[1].Step(2); turn++ {
				engines[1].Step(1)
			}
			for i, e := range engines {
				together[i] = e.Run()
				if !reflect.DeepEqual(together[i], alone[i]) {
					t.Errorf("seeds %v, orders %v: engine %d has the digest %016x, alone %016x",
						seeds, orders, i, together[i].Digest, alone[i].Digest)
				}
			}
		}
	}
}

// The hundredth run in a process equals the first, with others in between.
func TestHundredthRunEqualsTheFirst(t *testing.T) {
	for _, order := range []sim.Order{sim.Timed, sim.Chosen} {
		run := func(seed uint64) *sim.History {
			cfg := busyRun(seed)
			cfg.Order = order
			return runOf(t, cfg)
		}
		first := run(5)
		for i := range uint64(98) {
			run(i)
		}
		if got := run(5); !reflect.DeepEqual(got, first) {
			t.Errorf("order %d: the hundredth run has the digest %016x, the first %016x", order, got.Digest, first.Digest)
		}
	}
}

// Seed 0 is a seed like any other: it repeats, and it is neither the default of
// something nor the same as its neighbours.
func TestSeedsGiveDifferentRuns(t *testing.T) {
	for _, order := range []sim.Order{sim.Timed, sim.Chosen} {
		digests := map[uint64]uint64{}
		for _, seed := range []uint64{0, 1, 2, 1 << 32, 1 << 63, ^uint64(0)} {
			cfg := busyRun(seed)
			cfg.Order = order
			h := runOf(t, cfg)
			if other, ok := digests[h.Digest]; ok {
				t.Errorf("order %d: the seeds %d and %d give the same run", order, seed, other)
			}
			digests[h.Digest] = seed
			if again := runOf(t, cfg); again.Digest != h.Digest {
				t.Errorf("order %d, seed %d: digest %016x, then %016x", order, seed, h.Digest, again.Digest)
			}
			if len(h.Restores) == 0 || len(h.Snapshots) < 2 || h.Deliveries < 20 {
				t.Errorf("order %d, seed %d: %d restores, %d snapshots, %d deliveries: the run shows nothing",
					order, seed, len(h.Restores), len(h.Snapshots), h.Deliveries)
			}
		}
	}
}

// The engine keeps nothing of its Config that it would change: a Config can be
// used again, and the engine does not need the graph that it was made from.
func TestConfigIsNotChanged(t *testing.T) {
	cfg := busyRun(4)
	want := runOf(t, cfg)
	again := busyRun(4)
	same(t, "faults", cfg.Faults, again.Faults)
	same(t, "snapshots", cfg.Snapshots, again.Snapshots)
	if !slices.Equal(cfg.Graph.From, again.Graph.From) || cfg.Stop != again.Stop || cfg.MaxSteps != again.MaxSteps {
		t.Error("the Config was changed by a run")
	}
	e := engineOf(t, cfg)
	clear(cfg.Graph.From)
	clear(cfg.Graph.To)
	if got := e.Run(); got.Digest != want.Digest {
		t.Errorf("digest %016x after the graph was overwritten, want %016x", got.Digest, want.Digest)
	}
}

// Watching a run and keeping its rows change nothing in it.
func TestWatchingChangesNothing(t *testing.T) {
	for _, order := range []sim.Order{sim.Timed, sim.Chosen} {
		cfg := busyRun(6)
		cfg.Order = order
		want := runOf(t, cfg)
		cfg.Rows = false
		events := 0
		cfg.Observer = observer(func(ev *sim.Event) {
			events++
			ev.Message.Key++ // what it is shown is a copy
		})
		got := runOf(t, cfg)
		if got.Digest != want.Digest || got.ApplicationDigest != want.ApplicationDigest || got.Rows != nil || events == 0 {
			t.Errorf("order %d: watched, the digest is %016x, else %016x", order, got.Digest, want.Digest)
		}
	}
}

// The digest is that of all events, their instants and the end; the application's
// digest leaves out the instants and what is not the application's.
func TestWhatTheDigestsCover(t *testing.T) {
	base := func() *sim.Config {
		cfg := scene(graph(2, 0, 1), pass, emit)
		cfg.NewSource = feed(releases{10, 25})
		cfg.Snapshots.At = []int64{50}
		return cfg
	}
	want := play(t, base())
	for name, c := range map[string]struct {
		change   func(cfg *sim.Config)
		all, app bool // whether the digests change
	}{
		"nothing":      {func(*sim.Config) {}, false, false},
		"other seed":   {func(cfg *sim.Config) { cfg.Seed = 99 }, false, false}, // nothing is drawn
		"other delay":  {func(cfg *sim.Config) { cfg.Delays[0].Low = 9 }, true, false},
		"a snapshot":   {func(cfg *sim.Config) { cfg.Snapshots.At = []int64{50, 60} }, true, false},
		"its instant":  {func(cfg *sim.Config) { cfg.Snapshots.At = []int64{51} }, true, false},
		"write time":   {func(cfg *sim.Config) { cfg.Write.Low = 5 }, true, false},
		"more records": {func(cfg *sim.Config) { cfg.NewSource = feed(releases{10, 25, 40}) }, true, true},
		"fewer emits":  {func(cfg *sim.Config) { cfg.NewApp = func(int32) sim.App { return &scribe{} } }, true, true},
	} {
		cfg := base()
		c.change(cfg)
		h := play(t, cfg)
		if all, app := h.Digest != want.Digest, h.ApplicationDigest != want.ApplicationDigest; all != c.all || app != c.app {
			t.Errorf("%s: the digest changes: %v, the application's: %v; want %v and %v", name, all, app, c.all, c.app)
		}
	}
}
