package topology

// Sources is the nodes without input, ascending.
func Sources(g *Graph) []int32 {
	x := g.incidence()
	var sources []int32
	for v := range int32(len(g.Nodes)) {
		if len(x.in(v)) == 0 {
			sources = append(sources, v)
		}
	}
	return sources
}

// DefaultInitiators is where a snapshot starts so that it reaches every node:
// the lowest node of every strongly connected component that has no channel from
// another component. Every node without input is among them. They are ascending.
func DefaultInitiators(g *Graph) []int32 {
	of, count := g.components()
	settled := make([]bool, count) // has an input from outside, or its initiator
	for _, ch := range g.Channels {
		if of[ch.From] != of[ch.To] {
			settled[of[ch.To]] = true
		}
	}
	var initiators []int32
	for v, k := range of {
		if !settled[k] {
			settled[k] = true
			initiators = append(initiators, int32(v))
		}
	}
	return initiators
}

// Unreached is the nodes that no path from these nodes leads to, ascending: no
// marker of a snapshot that starts there would come to them.
func Unreached(g *Graph, from []int32) []int32 {
	x := g.incidence()
	reached := make([]bool, len(g.Nodes))
	var queue []int32
	reach := func(v int32) {
		if !reached[v] {
			reached[v] = true
			queue = append(queue, v)
		}
	}
	for _, v := range from {
		reach(v)
	}
	for len(queue) > 0 {
		v := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for _, c := range x.out(v) {
			reach(g.Channels[c].To)
		}
	}
	var rest []int32
	for v, ok := range reached {
		if !ok {
			rest = append(rest, int32(v))
		}
	}
	return rest
}
