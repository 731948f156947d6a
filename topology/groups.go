package topology

// Group is what a node sees of one edge of the plan: the outputs (or inputs)
// that belong to it, and how the edge ships records.
type Group struct {
	Edge     int32 // index into Graph.Edges; NoEdge without a plan
	Strategy Strategy
	Ports    []int32 // output (or input) indexes of the node, ascending
}

// Outputs groups a node's outputs by edge, in the order of each edge's first
// channel. Without a plan all of them form one group of strategy Any.
func (g *Graph) Outputs(node int32) []Group { return g.groups(g.incidence().out(node)) }

// Inputs groups a node's inputs like Outputs its outputs.
func (g *Graph) Inputs(node int32) []Group { return g.groups(g.incidence().in(node)) }

func (g *Graph) groups(channels []int32) []Group {
	var groups []Group
	for port, c := range channels {
		edge := g.Channels[c].Edge
		// A channel mostly belongs to the same edge as the one before it, and
		// a node has few edges.
		i := len(groups) - 1
		for i >= 0 && groups[i].Edge != edge {
			i--
		}
		if i < 0 {
			i = len(groups)
			groups = append(groups, Group{Edge: edge})
			if edge != NoEdge {
				groups[i].Strategy = g.Edges[edge].Strategy
			}
		}
		groups[i].Ports = append(groups[i].Ports, int32(port))
	}
	return groups
}

// incidence lists every node's channels, ascending, in flat arrays.
type incidence struct {
	outStart, inStart []int32 // by node, and one more
	outs, ins         []int32 // channel ids
}

func (x *incidence) out(v int32) []int32 { return x.outs[x.outStart[v]:x.outStart[v+1]] }
func (x *incidence) in(v int32) []int32  { return x.ins[x.inStart[v]:x.inStart[v+1]] }

// incidence is computed when it is first needed: a graph that is only handed to
// the engine does without.
func (g *Graph) incidence() *incidence {
	g.indexed.Do(func() {
		n := len(g.Nodes)
		x := &g.index
		x.outStart, x.inStart = make([]int32, n+1), make([]int32, n+1)
		x.outs, x.ins = make([]int32, len(g.Channels)), make([]int32, len(g.Channels))
		for _, ch := range g.Channels {
			x.outStart[ch.From+1]++
			x.inStart[ch.To+1]++
		}
		for v := range n {
			x.outStart[v+1] += x.outStart[v]
			x.inStart[v+1] += x.inStart[v]
		}
		nextOut, nextIn := make([]int32, n), make([]int32, n)
		copy(nextOut, x.outStart)
		copy(nextIn, x.inStart)
		for c, ch := range g.Channels {
			x.outs[nextOut[ch.From]] = int32(c)
			nextOut[ch.From]++
			x.ins[nextIn[ch.To]] = int32(c)
			nextIn[ch.To]++
		}
	})
	return &g.index
}
