package simtest

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"simrun/algorithms/abs"
	"simrun/algorithms/chandylamport"
	"simrun/algorithms/mutants"
	"simrun/scenarios"
	"simrun/scenarios/generate"
	"simrun/sim"
	"simrun/topology"
)

// TestRefused: what cannot be met is refused, and the words say what would be right.
func TestRefused(t *testing.T) {
	for _, test := range []struct {
		option Option
		says   string
	}{
		{Runs(0), "0 runs: there must be one at least"},
		{StronglyConnected(6, 2), "from 6 to 2 nodes: the first must not be the larger one"},
		{StronglyConnected(0, 0), "from 0 to 0 nodes: there are from 1 to 100"},
		{Acyclic(1, 1), "from 1 to 1 nodes: there are from 2 to 100"},
		{AnyGraph(1, 1000), "from 1 to 1000 nodes: there are from 1 to 100"},
		{Crashes(-1, 2), "from -1 to 2 crashes: there are from 0 to 20"},
		{Snapshots(0, 0), "from 0 to 0 snapshots: there are from 1 to 50"},
		{Apps("bank", "chess"), `the app "chess": there are bank, loop, `},
		{InOrder("random"), `the order "random": there are timed and chosen`},
	} {
		if _, err := newSettings(chandylamport.New, []Option{test.option}); err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%v, not %s", err, test.says)
		}
	}
	for _, options := range [][]Option{{StronglyConnected(2, 3), Apps("join")}, {Coordinated(), Snapshots(1, 2)}} {
		if _, err := newSettings(chandylamport.New, options); err == nil {
			t.Error("not refused")
		}
	}
	if _, err := newSettings(nil, nil); err == nil {
		t.Error("no algorithm is not refused")
	}
	if _, err := newSettings(mutants.All()[0].New, []Option{Coordinated()}); err == nil || !strings.Contains(err.Error(), "coordinator.Canceller") {
		t.Error(err)
	}
}

// TestNamed: an algorithm is called as its package, unless somebody says otherwise, and
// takes the place of one of the catalogue that is called so.
func TestNamed(t *testing.T) {
	for want, options := range map[string][]Option{"abs": nil, "mine": {Named("mine")}, "theirs": {Algorithm(scenarios.Algorithm{Name: "theirs"})}} {
		s, err := newSettings(abs.New, options)
		if err != nil {
			t.Fatal(err)
		}
		if s.algorithm.Name != want || s.catalogue().Algorithms[0].Name != want {
			t.Errorf("%s instead of %s", s.algorithm.Name, want)
		}
		names := s.catalogue().AlgorithmNames()
		slices.Sort(names)
		if got := len(slices.Compact(names)); got != len(s.catalogue().Algorithms) {
			t.Error("two algorithms have one name")
		}
	}
	if got := nameOf(func(sim.NodeInfo) sim.Node { return nil }); got != "simtest" {
		t.Error(got)
	}
}

// TestGraphs: rapid's graphs are as they are asked for, and of more shapes than one.
func TestGraphs(t *testing.T) {
	shapes := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		least := rapid.IntRange(2, 9).Draw(t, "least")
		most := rapid.IntRange(least, 12).Draw(t, "most")
		for _, kind := range []struct {
			name  string
			drawn Graphs
			is    func(*topology.Graph) bool
		}{
			{"strong", StronglyConnected(least, most), func(g *topology.Graph) bool { return len(g.Components()) == 1 }},
			{"acyclic", Acyclic(least, most), func(g *topology.Graph) bool { return topology.Acyclic(g, nil) }},
			{"any", AnyGraph(least, most), func(*topology.Graph) bool { return true }},
		} {
			g := kind.drawn.Generator().Draw(t, kind.name)
			if n := len(g.Nodes); n < least || n > most || !kind.is(g) {
				t.Fatalf("%s from %d to %d: %d nodes, channels %v", kind.name, least, most, n, g.Channels)
			}
			if kind.name == "any" {
				shape(shapes, g)
			}
		}
	})
	for _, what := range []string{"plan", "loop", "no loop", "self", "parallel", "strong"} {
		t.Log(what, shapes[what])
		if shapes[what] == 0 {
			t.Errorf("never: %s", what)
		}
	}
}

func shape(seen map[string]int, g *topology.Graph) {
	note := func(what string, is bool) {
		if is {
			seen[what]++
		}
	}
	note("plan", g.Name == "dataflow")
	note("loop", !topology.Acyclic(g, nil))
	note("no loop", topology.Acyclic(g, nil))
	note("strong", len(g.Components()) == 1)
	ends := map[topology.Channel]bool{}
	for _, c := range g.Channels {
		note("self", c.From == c.To)
		note("parallel", ends[topology.Channel{From: c.From, To: c.To}])
		ends[topology.Channel{From: c.From, To: c.To}] = true
	}
}

// TestDrawn: scenarios keep to the options, whether rapid draws them or a fuzz test's
// input is read.
func TestDrawn(t *testing.T) {
	lost := scenarios.Failure{Rate: 50_000}
	options := []Option{Acyclic(3, 5), Crashes(1, 2), Snapshots(2, 3), Apps("sums", "bank"), InOrder(Timed), Unreliable(scenarios.ChannelSettings{Reorder: true, Lose: &lost})}
	s, err := newSettings(chandylamport.New, options)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	judge := func(t rapid.TB, sc *scenarios.Scenario) {
		plan, err := sc.Resolve(scenarios.Default(), scenarios.Overrides{})
		if err != nil {
			t.Fatalf("%v", err)
		}
		if n := len(plan.Graph.Nodes); n < 3 || n > 5 || !topology.Acyclic(plan.Graph, nil) {
			t.Errorf("%d nodes, %v", n, plan.Graph.Channels)
		}
		if len(sc.Faults) < 1 || len(sc.Faults) > 2 || len(sc.Snapshots.At) < 2 || len(sc.Snapshots.At) > 3 {
			t.Errorf("%d faults, %d snapshots", len(sc.Faults), len(sc.Snapshots.At))
		}
		if plan.Scenario.Order != "timed" {
			t.Errorf("order %s", plan.Scenario.Order)
		}
		seen[sc.App.Kind]++
		for c := range plan.Graph.Channels {
			if own := sc.Network.Channels[c]; !own.Reorder || own.Lose != &lost {
				t.Errorf("channel %d: %+v", c, own)
			}
		}
	}
	scenario := Scenarios(options...)
	rapid.Check(t, func(t *rapid.T) { judge(t, scenario.Draw(t, "scenario")) })
	for seed := range uint64(300) {
		judge(t, generate.Draw(&input{seeded(seed)}, s.drawn))
	}
	judge(t, generate.Draw(&input{}, s.drawn))
	if len(seen) != 2 || seen["sums"] < 30 || seen["bank"] < 30 {
		t.Error(seen)
	}
}

// TestWithin: numbers of both sources lie in their range, and come from all of it.
func TestWithin(t *testing.T) {
	low, high := map[int64]int{}, map[int64]int{}
	rapid.Check(t, func(t *rapid.T) {
		from := rapid.Int64Range(-1e12, 1e12).Draw(t, "from")
		for _, span := range []int64{1, 2, 5, 16, 17, 100, 256, 257, 4096, 70_000, 45_000_000, 1e15} {
			word := sim.Word(rapid.Uint64().Draw(t, "word"))
			for _, source := range []generate.Source{draws{t}, &input{seeded(word.Next())}, &input{}} {
				n := source.Within(from, from+span-1)
				if n < from || n >= from+span {
					t.Fatalf("%d of %d from %d on", n, span, from)
				}
				if (n-from)*4 < span {
					low[span]++
				}
				if (n-from)*4 >= 3*span {
					high[span]++
				}
			}
		}
	})
	for span, n := range low {
		if span > 4 && (n < 15 || high[span] < 15) {
			t.Errorf("of %d: %d in the lowest quarter, %d in the highest", span, n, high[span])
		}
	}
}
