package topology

import (
	"fmt"
	"strconv"
)

// Every generated size is bounded by what a graph may have, so that products of
// two sizes cannot overflow.
const maxSize = MaxSize

func nodesParameter(byDefault, least int) Parameter {
	return Parameter{"nodes", "number of nodes", byDefault, least, maxSize}
}

// shapes is the list of all kinds.
func shapes() []shape {
	return []shape{
		{
			Generator: Generator{"line", "each node sends to the next", []Parameter{nodesParameter(5, 1)}, false},
			size:      func(s *Spec) (int64, int64) { return int64(s.Nodes), int64(s.Nodes) - 1 },
			build:     line,
		},
		{
			Generator: Generator{"ring", "each node sends to the next, the last to the first", []Parameter{nodesParameter(5, 1)}, false},
			size:      func(s *Spec) (int64, int64) { return int64(s.Nodes), int64(s.Nodes) },
			build:     ring,
		},
		{
			Generator: Generator{"star", "a hub, linked in both directions with every other node", []Parameter{nodesParameter(5, 2)}, false},
			size:      func(s *Spec) (int64, int64) { return int64(s.Nodes), 2 * int64(s.Nodes-1) },
			build:     star,
		},
		{
			Generator: Generator{"complete", "every node sends to every other", []Parameter{nodesParameter(4, 1)}, false},
			size:      func(s *Spec) (int64, int64) { return int64(s.Nodes), product(s.Nodes, s.Nodes-1) },
			build:     complete,
		},
		{
			Generator: Generator{"grid", "a grid, linked in both directions with the neighbours", []Parameter{
				{"width", "columns", 3, 1, maxSize}, {"height", "rows", 3, 1, maxSize},
			}, false},
			size: func(s *Spec) (int64, int64) {
				return product(s.Width, s.Height), 2 * (product(s.Width-1, s.Height) + product(s.Width, s.Height-1))
			},
			build: grid,
		},
		randomShape(),
		layeredShape(),
		{
			Generator: Generator{"diamond", "a source, parallel branches, and a sink that joins them", []Parameter{
				{"width", "number of branches", 2, 1, maxSize},
			}, false},
			size:  func(s *Spec) (int64, int64) { return int64(s.Width) + 2, 2 * int64(s.Width) },
			build: diamond,
		},
		dataflowShape(),
	}
}

// blank is a graph with named nodes and room for so many channels.
func blank(nodes []string, channels int) *Graph {
	return &Graph{Nodes: nodes, Channels: make([]Channel, 0, channels)}
}

func (g *Graph) connect(from, to int) {
	g.Channels = append(g.Channels, Channel{int32(from), int32(to), NoEdge})
}

// link connects two nodes in both directions.
func (g *Graph) link(a, b int) {
	g.connect(a, b)
	g.connect(b, a)
}

// numbered is the names prefix0, prefix1, ...: slices of one string, because a
// million small ones cost more.
func numbered(prefix string, n int) []string {
	var text []byte
	ends := make([]int, n)
	for i := range n {
		text = strconv.AppendInt(append(text, prefix...), int64(i), 10)
		ends[i] = len(text)
	}
	all, names, start := string(text), make([]string, n), 0
	for i, end := range ends {
		names[i], start = all[start:end], end
	}
	return names
}

func line(s *Spec) *Graph {
	g := blank(numbered("n", s.Nodes), s.Nodes)
	for i := range s.Nodes - 1 {
		g.connect(i, i+1)
	}
	return g
}

func ring(s *Spec) *Graph {
	g := line(s)
	g.connect(s.Nodes-1, 0)
	return g
}

func star(s *Spec) *Graph {
	g := blank(numbered("n", s.Nodes), 2*(s.Nodes-1))
	for i := 1; i < s.Nodes; i++ {
		g.link(0, i)
	}
	return g
}

func complete(s *Spec) *Graph {
	g := blank(numbered("n", s.Nodes), s.Nodes*(s.Nodes-1))
	for i := range s.Nodes {
		for j := range s.Nodes {
			if i != j {
				g.connect(i, j)
			}
		}
	}
	return g
}

func grid(s *Spec) *Graph {
	names := make([]string, 0, s.Width*s.Height)
	for row := range s.Height {
		names = append(names, numbered(fmt.Sprintf("r%dc", row), s.Width)...)
	}
	g := blank(names, 4*s.Width*s.Height)
	for row := range s.Height {
		for column := range s.Width {
			here := row*s.Width + column
			if column+1 < s.Width {
				g.link(here, here+1)
			}
			if row+1 < s.Height {
				g.link(here, here+s.Width)
			}
		}
	}
	return g
}

func diamond(s *Spec) *Graph {
	names := append([]string{"source"}, numbered("branch-", s.Width)...)
	g := blank(append(names, "sink"), 2*s.Width)
	for i := range s.Width {
		g.connect(0, 1+i)
	}
	for i := range s.Width {
		g.connect(1+i, 1+s.Width)
	}
	return g
}
