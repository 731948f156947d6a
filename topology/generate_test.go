package topology

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestSmallShapes(t *testing.T) {
	for _, c := range []struct {
		spec Spec
		want string
	}{
		{Spec{Kind: "line", Nodes: 3}, "n0>n1 n1>n2"},
		{Spec{Kind: "line", Nodes: 1}, ""},
		{Spec{Kind: "ring", Nodes: 3}, "n0>n1 n1>n2 n2>n0"},
		{Spec{Kind: "ring", Nodes: 1}, "n0>n0"},
		{Spec{Kind: "star", Nodes: 3}, "n0>n1 n1>n0 n0>n2 n2>n0"},
		{Spec{Kind: "complete", Nodes: 3}, "n0>n1 n0>n2 n1>n0 n1>n2 n2>n0 n2>n1"},
		{Spec{Kind: "grid", Width: 2, Height: 2}, "r0c0>r0c1 r0c1>r0c0 r0c0>r1c0 r1c0>r0c0 r0c1>r1c1 r1c1>r0c1 r1c0>r1c1 r1c1>r1c0"},
		{Spec{Kind: "diamond"}, "source>branch-0 source>branch-1 branch-0>sink branch-1>sink"},
		{Spec{Kind: "dataflow", Parallelism: 1}, "source-0>count-0 count-0>sink-0"},
		{Spec{Kind: "dataflow", Layers: 2}, "source-0>sink-0 source-0>sink-1 source-1>sink-0 source-1>sink-1"},
		{Spec{Kind: "dataflow", Loops: 1}, "source-0>count-0 source-0>count-1 source-1>count-0 source-1>count-1 count-0>sink-0 count-1>sink-1 count-0>count-0 count-1>count-1"},
		{Spec{Kind: "dataflow", Parallelism: 1, Layers: 4, Loops: 1}, "source-0>map-0 map-0>count-0 count-0>sink-0 count-0>map-0"},
		{Spec{Kind: "dataflow", Layers: 4, Shuffles: 3}, "source-0>map-0 source-0>map-1 source-1>map-0 source-1>map-1 map-0>count-0 map-0>count-1 map-1>count-0 map-1>count-1 " +
			"count-0>sink-0 count-0>sink-1 count-1>sink-0 count-1>sink-1"},
		{Spec{Kind: "dataflow", Parallelism: 1, Layers: 5, Degree: 4},
			"source-0>map1-0 map1-0>map2-0 source-0>map2-0 map2-0>count-0 source-0>count-0 map1-0>count-0 count-0>sink-0 source-0>sink-0 map1-0>sink-0 map2-0>sink-0"},
	} {
		if got := strings.Join(arrows(generate(t, c.spec)), " "); got != c.want {
			t.Errorf("%+v:\n got %s\nwant %s", c.spec, got, c.want)
		}
	}
}

// drawSpec draws a possible spec of any kind.
func drawSpec(t *rapid.T) Spec {
	kinds := Generators()
	g := kinds[rapid.IntRange(0, len(kinds)-1).Draw(t, "kind")]
	s := Spec{Kind: g.Name, Seed: rapid.Uint64().Draw(t, "seed")}
	for _, p := range g.Parameters {
		if !rapid.Bool().Draw(t, "give "+p.Name) {
			continue
		}
		if err := s.Set(p.Name, rapid.IntRange(p.Min, 7).Draw(t, p.Name)); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func TestGeneratedGraphsKeepTheirPromises(t *testing.T) {
	met := make(map[string]int)
	rapid.Check(t, func(t *rapid.T) {
		spec := drawSpec(t)
		r, err := spec.Resolved()
		if err != nil {
			met["refused"]++
			t.Skip(err.Error())
		}
		g, err := Generate(spec)
		if err != nil {
			t.Fatal(err)
		}
		checkWellFormed(t, g)
		if again, err := Generate(r); err != nil || !slices.Equal(arrows(again), arrows(g)) {
			t.Fatal("the resolved spec gives another graph:", err)
		}
		if len(g.Channels) != cap(g.Channels) && r.Kind != "grid" && r.Kind != "line" {
			t.Fatalf("%d channels in room for %d", len(g.Channels), cap(g.Channels))
		}
		shape, _ := r.shape()
		if nodes, channels := shape.size(&r); int(nodes) != len(g.Nodes) || int(channels) != len(g.Channels) {
			t.Fatalf("%d nodes and %d channels, announced %d and %d", len(g.Nodes), len(g.Channels), nodes, channels)
		}
		met[r.Kind]++
		switch r.Kind {
		case "ring", "star", "complete", "grid", "random":
			if parts := g.Components(); len(parts) != 1 {
				t.Fatalf("%d components", len(parts))
			}
		case "line", "layered", "diamond":
			if !Acyclic(g, nil) {
				t.Fatal("a cycle")
			}
		}
		switch r.Kind {
		case "random":
			checkRandom(t, &r, g, met)
		case "layered":
			checkLayered(t, &r, g)
		case "dataflow":
			checkDataflow(t, &r, g, met)
		}
	})
	for _, what := range []string{"refused", "line", "random", "layered", "dataflow", "parallel", "self-loop", "loops over operators", "hashed loop", "shuffles"} {
		if met[what] == 0 {
			t.Errorf("never met: %s", what)
		}
	}
}

// multiplicity counts the channels between each two nodes.
func multiplicity(g *Graph) map[[2]int32]int {
	count := make(map[[2]int32]int)
	for _, ch := range g.Channels {
		count[[2]int32{ch.From, ch.To}]++
	}
	return count
}

func checkRandom(t *rapid.T, s *Spec, g *Graph, met map[string]int) {
	loops, parallel := 0, 0
	sources := make([]int, len(g.Nodes)) // distinct ones, by node
	for ends, n := range multiplicity(g) {
		parallel += n - 1
		if ends[0] == ends[1] {
			loops++
		} else {
			sources[ends[1]]++
		}
	}
	if loops != s.SelfLoops || parallel != s.Parallel {
		t.Fatalf("%d self-loops and %d parallel channels, want %d and %d", loops, parallel, s.SelfLoops, s.Parallel)
	}
	for v, n := range sources {
		if n != s.Degree {
			t.Fatalf("node %d has inputs from %d others, want %d", v, n, s.Degree)
		}
	}
	if !slices.IsSortedFunc(g.Channels, func(a, b Channel) int { return int(a.From - b.From) }) {
		t.Fatal("channels are not in the order of their senders")
	}
	if loops > 0 {
		met["self-loop"]++
	}
	if parallel > 0 {
		met["parallel"]++
	}
}

func checkLayered(t *rapid.T, s *Spec, g *Graph) {
	inputs := make([]int, len(g.Nodes)) // from distinct nodes
	above := make([]bool, len(g.Nodes)) // has an input from the layer just before
	for ends := range multiplicity(g) {
		from, to := int(ends[0])/s.Width, int(ends[1])/s.Width
		if from >= to {
			t.Fatalf("a channel from layer %d to layer %d", from, to)
		}
		inputs[ends[1]]++
		above[ends[1]] = above[ends[1]] || from == to-1
	}
	for v := range inputs {
		want := s.Degree
		if v < s.Width {
			want = 0
		}
		if inputs[v] != want || above[v] != (v >= s.Width) {
			t.Fatalf("%s has inputs from %d nodes, want %d", g.Nodes[v], inputs[v], want)
		}
	}
}

func checkDataflow(t *rapid.T, s *Spec, g *Graph, met map[string]int) {
	if len(g.Nodes) != s.Layers*s.Parallelism {
		t.Fatalf("%d subtasks", len(g.Nodes))
	}
	layer := func(operator string) int {
		v, _ := g.Node(operator + "-0")
		return int(v) / s.Parallelism
	}
	inputs := make([]int, s.Layers)
	loops, shuffles := 0, 0
	for _, e := range g.Edges {
		from, to := layer(e.From), layer(e.To)
		if from < to {
			if inputs[to]++; from == to-1 && e.Strategy == Hash && inputs[to] == 1 {
				shuffles++
			}
			if to == max(s.Layers-2, 1) && e.Strategy != Hash {
				t.Fatal("records do not reach the count by their key")
			}
			continue
		}
		loops++
		if to == 0 || from == s.Layers-1 {
			t.Fatalf("a loop from %s to %s", e.From, e.To)
		}
		if from > to {
			met["loops over operators"]++
		}
		if e.Strategy == Hash {
			met["hashed loop"]++
		}
	}
	if loops != s.Loops || Acyclic(g, nil) != (loops == 0) {
		t.Fatalf("%d loops, want %d", loops, s.Loops)
	}
	if shuffles != s.Shuffles {
		t.Fatalf("%d shuffles, want %d", shuffles, s.Shuffles)
	}
	if shuffles > 1 {
		met["shuffles"]++
	}
	for i, n := range inputs {
		if n != min(i, s.Degree) {
			t.Fatalf("operator %d reads from %d operators, want %d", i, n, min(i, s.Degree))
		}
	}
	if got := len(DefaultInitiators(g)); got != s.Parallelism || DefaultInitiators(g)[got-1] != int32(got-1) {
		t.Fatalf("initiators %v are not the sources", DefaultInitiators(g))
	}
}

func TestImpossibleSpecs(t *testing.T) {
	for _, c := range []struct {
		spec Spec
		says string
	}{
		{Spec{}, `named ""; there are line, ring,`},
		{Spec{Kind: "torus"}, `named "torus"`},
		{Spec{Kind: "grid", Nodes: 9}, "grid has no parameter nodes; it takes width, height"},
		{Spec{Kind: "ring", Nodes: -1}, "nodes is -1; it must be between 1 and 20000000"},
		{Spec{Kind: "star", Nodes: 1}, "nodes is 1; it must be between 2"},
		{Spec{Kind: "random", Nodes: 4, Degree: 4}, "degree is 4; it can be at most 3 here, the number of other nodes"},
		{Spec{Kind: "random", Nodes: 4, SelfLoops: 5}, "self-loops is 5; it can be at most 4"},
		{Spec{Kind: "layered", Degree: 4}, "at most 3 here, the width"},
		{Spec{Kind: "layered", Layers: 1, Parallel: 1}, "layers must be at least 2"},
		{Spec{Kind: "dataflow", Layers: 2, Loops: 1}, "layers must be at least 3"},
		{Spec{Kind: "dataflow", Layers: 4, Shuffles: 4}, "shuffles is 4, but a pipeline of 4 operators has 3 edges; write fewer, or more layers"},
		{Spec{Kind: "dataflow", Degree: 3}, "at most 2 here, the number of operators before the last"},
		{Spec{Kind: "complete", Nodes: 20000}, "the graph {generate: complete, nodes: 20000} would have 20000 nodes and 399980000 channels; a graph may have 20000000 of both together"},
		{Spec{Kind: "ring", Nodes: 10_000_001}, "would have 10000001 nodes and 10000001 channels"},
		{Spec{Kind: "grid", Width: 20_000_000, Height: 20_000_000}, "a graph may have 20000000 of both together"},
		{Spec{Kind: "grid", Width: 1 << 28, Height: 1 << 28}, "width is 268435456; it must be between 1 and 20000000"},
		{Spec{Kind: "layered", Width: 20_000_000, Layers: 20_000_000, Degree: 20_000_000}, "of both together"},
		{Spec{Kind: "dataflow", Parallelism: 1 << 15, Layers: 1000, Degree: 999}, "of both together"},
	} {
		if g, err := Generate(c.spec); err == nil {
			t.Errorf("%+v gives %d nodes", c.spec, len(g.Nodes))
		} else if !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v; want %q", c.spec, err, c.says)
		}
	}
	// A default gives way, a value that was asked for does not.
	if r, err := (Spec{Kind: "random", Nodes: 3}).Resolved(); err != nil || r.Degree != 2 {
		t.Errorf("resolved to %+v, %v", r, err)
	}
}

func TestSet(t *testing.T) {
	s := Spec{Kind: "grid"}
	if err := s.Set("width", 4); err != nil || s.Width != 4 || s.Get("width") != 4 {
		t.Error(s, err)
	}
	for says, err := range map[string]error{
		"no parameter nodes; it takes width, height": s.Set("nodes", 3),
		"no parameter nodse":                         s.Set("nodse", 3),
		"height is 0; it must be between 1":          s.Set("height", 0),
		`no generator is named "gird"`:               (&Spec{Kind: "gird"}).Set("width", 3),
	} {
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("want %q, got %v", says, err)
		}
	}
}

// Every parameter that is announced has a field, a text, and a possible default.
func TestGeneratorsAreDescribed(t *testing.T) {
	for _, g := range Generators() {
		if g.Doc == "" {
			t.Errorf("%s has no description", g.Name)
		}
		for _, p := range g.Parameters {
			if p.Doc == "" || !slices.Contains(parameterNames, p.Name) || p.Default < p.Min || p.Default > p.Max {
				t.Errorf("%s: %+v", g.Name, p)
			}
		}
		_, err := Generate(Spec{Kind: g.Name})
		if err != nil {
			t.Error(err)
		}
		a, b := generate(t, Spec{Kind: g.Name}), generate(t, Spec{Kind: g.Name, Seed: 1})
		if same := slices.Equal(arrows(a), arrows(b)); g.Seeded && same && g.Name != "dataflow" || !g.Seeded && !same {
			t.Errorf("%s: seeded is %v, but two seeds give equal graphs: %v", g.Name, g.Seeded, same)
		}
	}
}

// The graphs of a seed are part of what a scenario file means: they must not
// change from version to version.
func TestGraphsOfASeedStay(t *testing.T) {
	for _, c := range []struct {
		spec Spec
		want string
	}{
		{Spec{Kind: "random", Nodes: 50, Parallel: 5, SelfLoops: 5, Seed: 7}, "f1cae59a7322af50"},
		{Spec{Kind: "layered", Layers: 9, Width: 6, Degree: 3, Parallel: 2, Seed: 7}, "c18c1a06e08f64f7"},
		{Spec{Kind: "dataflow", Parallelism: 3, Layers: 8, Degree: 3, Loops: 5, Seed: 7}, "b59cf3cd2bc02a99"},
	} {
		h := fnv.New64a()
		g := generate(t, c.spec)
		fmt.Fprintln(h, g.Nodes, g.Channels, g.Edges)
		if got := fmt.Sprintf("%016x", h.Sum64()); got != c.want {
			t.Errorf("%+v has hash %s, want %s", c.spec, got, c.want)
		}
	}
}
