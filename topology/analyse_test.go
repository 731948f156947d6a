package topology

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// reachability is the dumb twin that the analyses are held against: by pairs of
// nodes, whether a path of channels leads from one to the other. left says which
// channels count. The empty path counts only if a channel makes it.
func reachability(g *Graph, left func(c int) bool) [][]bool {
	n := len(g.Nodes)
	reach := make([][]bool, n)
	for v := range reach {
		reach[v] = make([]bool, n)
	}
	for c, ch := range g.Channels {
		if left(c) {
			reach[ch.From][ch.To] = true
		}
	}
	for k := range n {
		for i := range n {
			for j := range n {
				reach[i][j] = reach[i][j] || reach[i][k] && reach[k][j]
			}
		}
	}
	return reach
}

func all(int) bool { return true }

func TestComponentsAgainstTwin(t *testing.T) {
	several := false
	rapid.Check(t, func(t *rapid.T) {
		g := randomGraph(t)
		reach := reachability(g, all)
		var want [][]int32
		for v := range g.Nodes {
			part := []int32{}
			for w := range g.Nodes {
				if v == w || reach[v][w] && reach[w][v] {
					part = append(part, int32(w))
				}
			}
			if part[0] == int32(v) {
				want = append(want, part)
			}
			several = several || len(want) > 1 && len(part) > 1
		}
		if got := g.Components(); !slices.EqualFunc(got, want, slices.Equal[[]int32]) {
			t.Fatalf("%v: components %v, want %v", arrows(g), got, want)
		}
	})
	if !several {
		t.Error("never met a component of several nodes beside another one")
	}
}

func TestInitiatorsAgainstTwin(t *testing.T) {
	met := make(map[string]bool)
	rapid.Check(t, func(t *rapid.T) {
		g := randomGraph(t)
		reach := reachability(g, all)
		var initiators, sources []int32
		for v := range g.Nodes {
			// Nobody reaches a node of a source component but those that it
			// reaches itself.
			first, inputs := true, 0
			for w := range g.Nodes {
				if reach[w][v] {
					inputs++
					first = first && reach[v][w] && w >= v
				}
			}
			if first {
				initiators = append(initiators, int32(v))
			}
			if inputs == 0 {
				sources = append(sources, int32(v))
			}
		}
		if got := Sources(g); !slices.Equal(got, sources) {
			t.Fatalf("%v: sources %v, want %v", arrows(g), got, sources)
		}
		got := DefaultInitiators(g)
		if !slices.Equal(got, initiators) {
			t.Fatalf("%v: initiators %v, want %v", arrows(g), got, initiators)
		}
		if rest := Unreached(g, got); rest != nil {
			t.Fatalf("%v: the default initiators %v do not reach %v", arrows(g), got, rest)
		}
		from := rapid.SliceOfN(rapid.Int32Range(0, int32(len(g.Nodes)-1)), 0, 3).Draw(t, "from")
		var unreached []int32
		for v := range int32(len(g.Nodes)) {
			if !slices.ContainsFunc(from, func(u int32) bool { return u == v || reach[u][v] }) {
				unreached = append(unreached, v)
			}
		}
		if got := Unreached(g, from); !slices.Equal(got, unreached) {
			t.Fatalf("%v: from %v unreached %v, want %v", arrows(g), from, got, unreached)
		}
		met["initiator inside a cycle"] = met["initiator inside a cycle"] || len(initiators) > len(sources)
		met["unreached"] = met["unreached"] || len(from) > 1 && len(unreached) > 1
	})
	for what, ok := range met {
		if !ok {
			t.Error("never met:", what)
		}
	}
}

// depthFirst is the definition of a back-edge, by recursion.
func depthFirst(g *Graph, v int32, onPath, seen, back []bool) {
	onPath[v], seen[v] = true, true
	for c, ch := range g.Channels {
		if ch.From != v {
			continue
		}
		if onPath[ch.To] {
			back[c] = true
		} else if !seen[ch.To] {
			depthFirst(g, ch.To, onPath, seen, back)
		}
	}
	onPath[v] = false
}

func TestBackEdgesAgainstTwin(t *testing.T) {
	forward, selfLoop := false, false
	rapid.Check(t, func(t *rapid.T) {
		g := randomGraph(t)
		roots := rapid.SliceOfN(rapid.Int32Range(0, int32(len(g.Nodes)-1)), 0, 4).Draw(t, "roots")
		if rapid.Bool().Draw(t, "default roots") {
			roots = DefaultInitiators(g)
		}
		want := make([]bool, len(g.Channels))
		onPath, seen := make([]bool, len(g.Nodes)), make([]bool, len(g.Nodes))
		given := slices.Clone(roots)
		for _, v := range slices.Sorted(slices.Values(roots)) {
			if !seen[v] {
				depthFirst(g, v, onPath, seen, want)
			}
		}
		got := BackEdges(g, roots)
		if !slices.Equal(got, want) {
			t.Fatalf("%v from %v: back-edges %v, want %v", arrows(g), roots, got, want)
		}
		if !slices.Equal(roots, given) {
			t.Fatal("the roots were changed")
		}
		if Unreached(g, roots) == nil {
			if err := CheckBackEdges(g, roots, got); err != nil {
				t.Fatalf("%v from %v: %v are refused: %v", arrows(g), roots, got, err)
			}
		}
		for c, ch := range g.Channels {
			selfLoop = selfLoop || got[c] && ch.From == ch.To
			forward = forward || got[c] && ch.From < ch.To
		}
	})
	if !forward || !selfLoop {
		t.Error("never met a back-edge to a higher node, or a self-loop:", forward, selfLoop)
	}
}

func TestCheckBackEdgesAgainstTwin(t *testing.T) {
	met := make(map[string]int)
	rapid.Check(t, func(t *rapid.T) {
		g := randomGraph(t)
		roots := DefaultInitiators(g)
		back := BackEdges(g, roots)
		for range rapid.IntRange(0, 2).Draw(t, "changes") {
			if len(back) > 0 {
				c := rapid.IntRange(0, len(back)-1).Draw(t, "changed")
				back[c] = !back[c]
			}
		}
		reach := reachability(g, func(c int) bool { return !back[c] })
		cyclic := false
		regular := make([]bool, len(g.Nodes))
		for v := range g.Nodes {
			cyclic = cyclic || reach[v][v]
			regular[v] = slices.Contains(roots, int32(v))
			for w := range g.Nodes {
				regular[v] = regular[v] || reach[w][v]
			}
		}
		if got := Acyclic(g, back); got == cyclic {
			t.Fatalf("%v without %v: acyclic is %v", arrows(g), back, got)
		}
		err := CheckBackEdges(g, roots, back)
		switch {
		case cyclic:
			met["cycle"]++
			if err == nil || !strings.Contains(err.Error(), "still a cycle") {
				t.Fatalf("%v without %v has a cycle: %v", arrows(g), back, err)
			}
			checkCycle(t, g, back)
		case slices.Contains(regular, false):
			met["deprived"]++
			if err == nil || !strings.Contains(err.Error(), "no regular input") || !strings.Contains(err.Error(), g.Nodes[slices.Index(regular, false)]) {
				t.Fatalf("%v without %v leaves a node without regular input: %v", arrows(g), back, err)
			}
		default:
			met["right"]++
			if err != nil {
				t.Fatalf("%v without %v: %v", arrows(g), back, err)
			}
		}
	})
	if met["cycle"] < 10 || met["deprived"] < 10 || met["right"] < 10 {
		t.Error("met too seldom:", met)
	}
}

// checkCycle fails unless the cycle that is named really is one.
func checkCycle(t *rapid.T, g *Graph, without []bool) {
	cycle := findCycle(g, without)
	for i, v := range cycle {
		next := cycle[(i+1)%len(cycle)]
		ok := slices.ContainsFunc(g.Channels, func(ch Channel) bool { return ch.From == v && ch.To == next })
		for c, ch := range g.Channels {
			ok = ok || !without[c] && ch.From == v && ch.To == next
		}
		if !ok || slices.Contains(cycle[:i], v) {
			t.Fatalf("%v is no cycle of %v", cycle, arrows(g))
		}
	}
}

func TestCheckBackEdgesNamesNodes(t *testing.T) {
	g, err := ParseEdgeList("x", []byte("s a\na b\nb a\nb t"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		back []bool
		says string
	}{
		{[]bool{false, false, false, false}, "still a cycle: a, b"},
		{[]bool{false, true, false, false}, ""},
		{[]bool{true, false, true, false}, "no regular input, by which a barrier could come, at a;"},
		{[]bool{true}, "declared for 1 channels of 4"},
	} {
		err := CheckBackEdges(g, []int32{0}, c.back)
		if c.says == "" {
			// b's only input is a back-edge.
			c.says = "at b;"
		}
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v: %v; want %q", c.back, err, c.says)
		}
	}
	if err := CheckBackEdges(g, []int32{0}, []bool{false, false, true, false}); err != nil {
		t.Error(err)
	}
}

// A path as long as the graph would overflow the stack of a recursive search,
// and a million nodes must be a matter of seconds.
func TestLongPaths(t *testing.T) {
	n := 1_000_000
	g := generate(t, Spec{Kind: "ring", Nodes: n})
	if parts := g.Components(); len(parts) != 1 || len(parts[0]) != n {
		t.Error("components:", len(parts))
	}
	if got := DefaultInitiators(g); !slices.Equal(got, []int32{0}) {
		t.Error("initiators:", got)
	}
	back := BackEdges(g, []int32{5})
	if !back[4] || slices.Index(back[5:], true) >= 0 {
		t.Error("the back-edge of a ring is not the one into its root")
	}
	if err := CheckBackEdges(g, []int32{5}, back); err != nil {
		t.Error(err)
	}
	if rest := Unreached(g, []int32{7}); rest != nil {
		t.Error("unreached:", len(rest))
	}
	if cycle := findCycle(g, nil); len(cycle) != n {
		t.Error("cycle of", len(cycle))
	}
}
