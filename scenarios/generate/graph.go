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
}

func (s *sketch) connect(from, to int) { s.channels = append(s.channels, [2]int{from, to}) }

// node adds one.
func (s *sketch) node() int {
	s.nodes++
	return s.nodes - 1
}

// graph draws the graph of a scenario.
func graph(d *dice) (scenarios.Graph, *topology.Graph) {
	shape := pick(d, shapes)
	if shape == nil {
		return dataflow(d)
	}
	var s sketch
	shape(d, &s)
	if d.chance(15) && len(s.channels) > 0 {
		c := s.channels[d.below(len(s.channels))] // beside one that is there
		s.connect(c[0], c[1])
	}
	if d.chance(50) {
		s.rename(d)
	}
	shuffle(d, s.channels)
	return s.build()
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
func dataflow(d *dice) (scenarios.Graph, *topology.Graph) {
	layers := d.between(2, 4)
	spec := topology.Spec{Kind: "dataflow", Layers: layers, Parallelism: d.between(1, 3), Degree: d.between(1, min(2, layers-1)), Seed: d.word.Next() % 1000}
	if layers > 2 && d.chance(50) {
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
