package properties_test

import (
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"simrun/topology"
)

// drawGraph draws a small graph: half of them without any order, the others
// acyclic or from a generator.
func drawGraph(t *rapid.T) *topology.Graph {
	switch rapid.SampledFrom([]string{"any", "any", "acyclic", "generated"}).Draw(t, "graph") {
	case "acyclic":
		return drawChannels(t, true)
	case "generated":
		return drawGenerated(t)
	}
	return drawChannels(t, false)
}

// drawChannels draws channels one by one: parallel ones, self-loops, nodes that
// nothing leads to, or none at all.
func drawChannels(t *rapid.T, acyclic bool) *topology.Graph {
	sizes := []int{1, 2, 2, 3, 3, 4, 4, 5, 6}
	if acyclic {
		sizes = sizes[1:]
	}
	n := rapid.SampledFrom(sizes).Draw(t, "nodes")
	g := &topology.Graph{Name: "drawn"}
	for v := range n {
		g.Nodes = append(g.Nodes, fmt.Sprint("n", v))
	}
	for range rapid.SampledFrom([]int{0, 1, n, n, n + 1, n + 2, 2 * n, 2*n + 2}).Draw(t, "channels") {
		from, to := rapid.IntRange(0, n-1).Draw(t, "from"), rapid.IntRange(0, n-1).Draw(t, "to")
		if acyclic {
			from, to = min(from, to), max(from, to)
			if from == to {
				from, to = to/2, to/2+1 // a longer line is worth more than nothing
			}
		}
		g.Channels = append(g.Channels, topology.Channel{From: int32(from), To: int32(to), Edge: topology.NoEdge})
	}
	return g
}

// largest is the largest value of each parameter of a generator.
var largest = map[string]int{
	"nodes": 6, "parallelism": 3, "degree": 3, "width": 3, "height": 2, "layers": 3, "loops": 2, "shuffles": 1, "parallel": 3, "self-loops": 2,
}

// drawGenerated draws a kind of graph and its parameters.
func drawGenerated(t *rapid.T) *topology.Graph {
	kind := rapid.SampledFrom(topology.Generators()).Draw(t, "generator")
	spec := topology.Spec{Kind: kind.Name, Seed: rapid.Uint64().Draw(t, "graph seed")}
	for _, p := range kind.Parameters {
		most, ok := largest[p.Name]
		if !ok {
			t.Fatalf("no largest value is known for the parameter %s of %s", p.Name, kind.Name)
		}
		if p.Min == most {
			continue // its only value
		}
		value := rapid.IntRange(p.Min, max(p.Min, most)).Draw(t, p.Name)
		if err := spec.Set(p.Name, value); err != nil {
			t.Fatal(err)
		}
	}
	g, err := topology.Generate(spec)
	if err != nil { // some values do not go together; the defaults of these do
		spec.Degree, spec.Parallel, spec.SelfLoops, spec.Loops = 0, 0, 0, 0
		if g, err = topology.Generate(spec); err != nil {
			t.Fatal(err)
		}
	}
	return g
}

// drawInitiators draws nodes that reach every node: one of each component that
// has no way in, not always the lowest, and sometimes others.
func drawInitiators(t *rapid.T, g *topology.Graph) []int32 {
	components := g.Components()
	var initiators []int32
	for _, v := range topology.DefaultInitiators(g) {
		for _, members := range components {
			if slices.Contains(members, v) {
				initiators = append(initiators, rapid.SampledFrom(members).Draw(t, "initiator"))
			}
		}
	}
	for range rapid.IntRange(0, 2).Draw(t, "more initiators") {
		initiators = append(initiators, int32(rapid.IntRange(0, len(g.Nodes)-1).Draw(t, "initiator")))
	}
	slices.Sort(initiators)
	initiators = slices.Compact(initiators)
	if rest := topology.Unreached(g, initiators); rest != nil {
		t.Fatalf("the initiators %v do not reach %v", initiators, rest)
	}
	return initiators
}

// drawBackEdges is the back-edges for ABS: those that the search from the roots
// finds, and sometimes more, as a scenario may declare them.
func drawBackEdges(t *rapid.T, g *topology.Graph, roots []int32) []bool {
	back := topology.BackEdges(g, roots)
	if len(back) == 0 || !rapid.Bool().Draw(t, "more back-edges") {
		return back
	}
	for range 2 {
		c := rapid.IntRange(0, len(back)-1).Draw(t, "back-edge")
		was := back[c]
		back[c] = true
		if topology.CheckBackEdges(g, roots, back) != nil {
			back[c] = was
		}
	}
	return back
}

// graphText is a graph as a list of its channels, with the back-edges marked.
func graphText(g *topology.Graph, back []bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %d nodes:", g.Name, len(g.Nodes))
	for c, ch := range g.Channels {
		arrow := "->"
		if back != nil && back[c] {
			arrow = "=>" // a back-edge
		}
		fmt.Fprintf(&b, " %d%s%d", ch.From, arrow, ch.To)
		if ch.Edge != topology.NoEdge {
			fmt.Fprintf(&b, "(%s)", g.Edges[ch.Edge].Strategy)
		}
	}
	return b.String()
}
