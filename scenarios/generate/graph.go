package generate

import (
	"strconv"

	"simrun/scenarios"
	"simrun/topology"
)

// sketch is a graph that is being drawn.
type sketch struct {
	nodes    int
	channels [][2]int
	wanted   *Range // of nodes; nil: what is usual for the shape
}

// size draws how many nodes a shape gets that can have any number: from least on and, if
// nothing else is wanted, up to most.
func (s *sketch) size(d *dice, least, most int) int {
	if s.wanted == nil {
		return d.between(least, most)
	}
	return d.between(max(least, s.wanted.Min), max(least, s.wanted.Max))
}

func (s *sketch) connect(from, to int) { s.channels = append(s.channels, [2]int{from, to}) }

// node adds one.
func (s *sketch) node() int {
	s.nodes++
	return s.nodes - 1
}

// tries is how many shapes are drawn until one is as it is wanted.
const tries = 6

// graph draws the graph of a scenario.
func (s *Settings) graph(d *dice) (scenarios.Graph, *topology.Graph) {
	f := s.family()
	for range tries {
		if text, g := s.shaped(d, pick(d, f.shapes)); s.fits(g) {
			return text, g
		}
	}
	return s.shaped(d, f.sure)
}

// DrawGraph draws a graph; what is asked for must be valid.
func DrawGraph(from Source, g Graphs) *topology.Graph {
	s := Settings{Graphs: g}
	_, drawn := s.graph(&dice{from})
	return drawn
}

// shaped draws a graph of a shape.
func (s *Settings) shaped(d *dice, shape func(*dice, *sketch)) (scenarios.Graph, *topology.Graph) {
	if shape == nil {
		return s.dataflow(d)
	}
	k := sketch{wanted: s.Graphs.Nodes}
	shape(d, &k)
	if d.chance(15) && len(k.channels) > 0 {
		c := k.channels[d.below(len(k.channels))] // beside one that is there
		k.connect(c[0], c[1])
	}
	if d.chance(50) {
		k.rename(d)
	}
	shuffle(d, k.channels)
	return k.build()
}

// rename gives the nodes other ids: that a source comes before its sinks is nothing
// to rely on.
func (s *sketch) rename(d *dice) {
	ids := make([]int, s.nodes)
	for i := range ids {
		ids[i] = i
	}
	shuffle(d, ids)
	for i, c := range s.channels {
		s.channels[i] = [2]int{ids[c[0]], ids[c[1]]}
	}
}

func (s *sketch) build() (scenarios.Graph, *topology.Graph) {
	var g scenarios.Graph
	name := func(v int) string { return "n" + strconv.Itoa(v) }
	b := topology.NewBuilder("generated")
	for v := range s.nodes {
		g.Nodes = append(g.Nodes, name(v))
		must(b.AddNode(name(v)))
	}
	for _, c := range s.channels {
		ends := [2]string{name(c[0]), name(c[1])}
		g.Channels = append(g.Channels, ends)
		must(b.AddChannel(ends[0], ends[1]))
	}
	built, err := b.Graph()
	must(err)
	return g, built
}

// dataflow draws a plan of operators, with strategies by which their subtasks ship.
func (s *Settings) dataflow(d *dice) (scenarios.Graph, *topology.Graph) {
	layers := d.between(2, 4)
	spec := topology.Spec{Kind: "dataflow", Layers: layers, Parallelism: d.between(1, 3), Degree: d.between(1, min(2, layers-1)), Seed: d.Word() % 1000}
	if layers > 2 && s.kind() != Acyclic && d.chance(50) {
		spec.Loops = d.between(1, 2)
	}
	g, err := topology.Generate(spec)
	must(err)
	return scenarios.Graph{Spec: spec}, g
}

// must is for what cannot fail, whatever was drawn.
func must(err error) {
	if err != nil {
		panic("generate: " + err.Error())
	}
}
