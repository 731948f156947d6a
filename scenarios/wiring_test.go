package scenarios

import (
	"slices"
	"testing"
)

// TestWires: what is said of channels is what the scenario says, and back-edges are those
// of the algorithm, of the scenario, or of a search.
func TestWires(t *testing.T) {
	const loop = "graph: {nodes: [a, b], channels: [[a, b], [b, a], [b, b]]}\n"
	back := func(p *Plan) (ids []int) {
		for c, w := range p.Wires() {
			if w.BackEdge {
				ids = append(ids, c)
			}
		}
		return ids
	}
	for text, want := range map[string][]int{
		loop + "algorithm: chandy-lamport": {1, 2},
		loop + "algorithm: abs":            {1, 2},
		loop + "algorithm: chandy-lamport\nback_edges: [\"b->a\"]\nexpect: {incomplete: true}": {1},
		loop + "algorithm: abs\nback_edges: [\"b->a\", 2]":                                     {1, 2},
		"graph: {generate: line}":                             nil,
		"graph: {generate: line}\nalgorithm: abs":             nil,
		loop + "algorithm: abs\nsnapshots: {initiators: [b]}": {0, 2},
	} {
		if got := back(mustResolve(t, text)); !slices.Equal(got, want) {
			t.Errorf("%s: the back-edges are %v, want %v", text, got, want)
		}
	}
	wires := mustResolve(t, loop+`
network:
  channels:
    "0": {delay: {constant: 9ms}, reorder: true}
    b->a: {delay: {exponential: {min: 1ms, mean: 4ms}}, lose: 1%}
    b->b: {delay: {bimodal: {fast: [1ms, 2ms], slow: [50ms, 80ms], percent: 5}}, duplicate: 1%}
`).Wires()
	want := []Wire{
		{Reorder: true, Delay: "9ms"}, {BackEdge: true, Lose: true, Delay: "1ms and more, 4ms more on average"},
		{BackEdge: true, Duplicate: true, Delay: "1ms to 2ms, in 5% 50ms to 80ms"},
	}
	if !slices.Equal(wires, want) {
		t.Errorf("%+v, want %+v", wires, want)
	}
}

// TestFed: records come from outside to the nodes that have a source.
func TestFed(t *testing.T) {
	p := mustResolve(t, "graph: {generate: line, nodes: 3}\napp: {kind: sums}")
	if !p.Fed(0) || p.Fed(1) || p.Fed(2) {
		t.Errorf("%v %v %v", p.Fed(0), p.Fed(1), p.Fed(2))
	}
}
