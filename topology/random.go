package topology

import (
	"fmt"

	"simrun/sim"
)

// Parameters that several kinds take.
func degreeParameter(doc string, byDefault int) Parameter {
	return Parameter{"degree", doc, byDefault, 1, maxSize}
}

func parallelParameter() Parameter {
	return Parameter{"parallel", "channels added, each beside one that is there", 0, 0, maxSize}
}

func randomShape() shape {
	return shape{
		Generator: Generator{"random", "strongly connected: a random ring through all nodes, and random channels", []Parameter{
			nodesParameter(10, 2),
			degreeParameter("in-degree of every node", 3),
			parallelParameter(),
			{"self-loops", "nodes that get a channel to themselves", 0, 0, maxSize},
		}, true},
		size: func(s *Spec) (int64, int64) {
			return int64(s.Nodes), product(s.Nodes, s.Degree) + int64(s.Parallel) + int64(s.SelfLoops)
		},
		build:     random,
		maxDegree: func(s *Spec) (int, string) { return s.Nodes - 1, "the number of other nodes" },
		check: func(s *Spec) *Error {
			if s.SelfLoops > s.Nodes {
				return errorf("self-loops is %d; it can be at most %d here, the number of nodes", s.SelfLoops, s.Nodes)
			}
			return nil
		},
	}
}

// random gives every node one input from its predecessor on a random ring, which
// makes the graph strongly connected, and the others from distinct other nodes.
func random(s *Spec) *Graph {
	n := s.Nodes
	g := blank(numbered("n", n), n*s.Degree+s.Parallel+s.SelfLoops)
	d := newDraws(s.Seed, n)
	order := make([]int32, n)
	for i := range order {
		j := d.below(i + 1)
		order[i] = order[j]
		order[j] = int32(i)
	}
	before := make([]int32, n) // the predecessor on the ring
	for i, v := range order {
		before[order[(i+1)%n]] = v
	}
	for v := range n {
		g.connect(int(before[v]), v)
		low, high := min(v, int(before[v])), max(v, int(before[v]))
		for _, u := range d.choose(s.Degree-1, n-2) {
			// The choice is among all nodes but these two.
			if u >= low {
				u++
			}
			if u >= high {
				u++
			}
			g.connect(u, v)
		}
	}
	for _, v := range d.choose(s.SelfLoops, n) {
		g.connect(v, v)
	}
	d.double(g, s.Parallel)
	return g.bySender()
}

func layeredShape() shape {
	return shape{
		Generator: Generator{"layered", "acyclic: layers of nodes, each with random inputs from the layers before", []Parameter{
			{"layers", "number of layers", 4, 1, maxSize},
			{"width", "nodes of a layer", 3, 1, maxSize},
			degreeParameter("in-degree of every node behind the first layer", 2),
			parallelParameter(),
		}, true},
		size: func(s *Spec) (int64, int64) {
			return product(s.Layers, s.Width), product(s.Layers-1, s.Width, s.Degree) + int64(s.Parallel)
		},
		build:     layered,
		maxDegree: func(s *Spec) (int, string) { return s.Width, "the width of the first layer" },
		check: func(s *Spec) *Error {
			if s.Layers == 1 && s.Parallel > 0 {
				return errorf("parallel is %d, but one layer has no channel; layers must be at least 2", s.Parallel)
			}
			return nil
		},
	}
}

// layered draws one input of each node from the layer just before, so that a
// layer is as deep as it says, and the others from all layers before.
func layered(s *Spec) *Graph {
	names := make([]string, 0, s.Layers*s.Width)
	for layer := range s.Layers {
		names = append(names, numbered(fmt.Sprintf("l%d-", layer), s.Width)...)
	}
	g := blank(names, (s.Layers-1)*s.Width*s.Degree+s.Parallel)
	d := newDraws(s.Seed, len(names))
	for v := s.Width; v < len(names); v++ {
		earlier := v / s.Width * s.Width // number of nodes in the layers before
		above := earlier - s.Width + d.below(s.Width)
		g.connect(above, v)
		for _, u := range d.choose(s.Degree-1, earlier-1) {
			if u >= above {
				u++
			}
			g.connect(u, v)
		}
	}
	d.double(g, s.Parallel)
	return g.bySender()
}

// draws is the random numbers of one generated graph.
type draws struct {
	seed, count uint64
	chosenBy    []int // by number: the last choice that it was part of
	choices     int
	chosen      []int
}

// newDraws prepares choices among at most n numbers.
func newDraws(seed uint64, n int) *draws {
	return &draws{seed: seed, chosenBy: make([]int, n)}
}

// below is a number from 0 to n-1.
func (d *draws) below(n int) int {
	d.count++
	return int(sim.Scale(sim.Draw(d.seed, sim.ForGraph, 0, 0, d.count), uint64(n)))
}

// choose is k distinct numbers below n, by Floyd's method: one draw for each.
// The slice is valid until the next choice.
func (d *draws) choose(k, n int) []int {
	d.choices++
	d.chosen = d.chosen[:0]
	for top := n - k; top < n; top++ {
		x := d.below(top + 1)
		if d.chosenBy[x] == d.choices {
			x = top
		}
		d.chosenBy[x] = d.choices
		d.chosen = append(d.chosen, x)
	}
	return d.chosen
}

// double adds channels parallel to some that are there.
func (d *draws) double(g *Graph, count int) {
	there := len(g.Channels)
	for range count {
		g.Channels = append(g.Channels, g.Channels[d.below(there)])
	}
}

// bySender is the graph with its channels numbered anew, by sender and otherwise
// as they are: a node's outputs then lie side by side in the engine's memory.
func (g *Graph) bySender() *Graph {
	sorted := blank(g.Nodes, len(g.Channels))
	for _, c := range g.incidence().outs {
		sorted.Channels = append(sorted.Channels, g.Channels[c])
	}
	return sorted
}
