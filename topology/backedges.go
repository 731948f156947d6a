package topology

import "slices"

// BackEdges finds the back-edges L that ABS needs on a graph with cycles, by
// channel: a depth-first search from the roots, in the order of node and channel
// ids, calls a channel a back-edge if it leads to a node on the search's current
// path. The roots must be the nodes at which barriers are really injected: with
// the back-edges of other roots a snapshot may never complete. What no root
// reaches is not searched.
func BackEdges(g *Graph, roots []int32) []bool {
	const (
		unseen = iota
		onPath
		finished
	)
	x := g.incidence()
	back := make([]bool, len(g.Channels))
	state := make([]uint8, len(g.Nodes))
	next := make([]int32, len(g.Nodes)) // how many outputs were followed
	var path []int32
	enter := func(v int32) {
		state[v] = onPath
		path = append(path, v)
	}
	roots = slices.Clone(roots)
	slices.Sort(roots)
	for _, root := range roots {
		if state[root] != unseen {
			continue
		}
		enter(root)
		for len(path) > 0 {
			v := path[len(path)-1]
			outs := x.out(v)
			if int(next[v]) == len(outs) {
				state[v] = finished
				path = path[:len(path)-1]
				continue
			}
			c := outs[next[v]]
			next[v]++
			switch w := g.Channels[c].To; state[w] {
			case unseen:
				enter(w)
			case onPath:
				back[c] = true
			}
		}
	}
	return back
}

// CheckBackEdges says whether declared back-edges, by channel, let ABS work with
// barriers injected at the roots: the graph without them must be acyclic, so
// that nodes cannot wait for each other, and every node that is no root must
// keep a regular input, from which its barrier comes. Together this means that
// every node is reached.
func CheckBackEdges(g *Graph, roots []int32, back []bool) error {
	if len(back) != len(g.Channels) {
		return errorf("back-edges are declared for %d channels of %d", len(back), len(g.Channels))
	}
	if cycle := findCycle(g, back); cycle != nil {
		return errorf("without the declared back-edges there is still a cycle: %s; one of its channels must be a back-edge", g.List(cycle))
	}
	regular := make([]bool, len(g.Nodes))
	for _, v := range roots {
		regular[v] = true // barriers are injected here: the Nil input
	}
	for c, ch := range g.Channels {
		if !back[c] {
			regular[ch.To] = true
		}
	}
	var deprived []int32
	for v, ok := range regular {
		if !ok {
			deprived = append(deprived, int32(v))
		}
	}
	if deprived != nil {
		return errorf("no regular input, by which a barrier could come, at %s; fewer of their inputs must be back-edges, or barriers must be injected there", g.List(deprived))
	}
	return nil
}

// Acyclic says whether the graph has no cycle, leaving out some channels; nil
// leaves out none.
func Acyclic(g *Graph, without []bool) bool { return findCycle(g, without) == nil }

// findCycle is the nodes of one cycle, each sending to the next, from the lowest
// one on, or nil if there is no cycle. It takes away nodes without input until
// none is left; if some remain, each has an input from one that remains, and
// going backwards along those must come round.
func findCycle(g *Graph, without []bool) []int32 {
	x := g.incidence()
	left := func(c int32) bool { return without == nil || !without[c] }
	inputs := make([]int32, len(g.Nodes))
	for c, ch := range g.Channels {
		if left(int32(c)) {
			inputs[ch.To]++
		}
	}
	var free []int32
	for v, n := range inputs {
		if n == 0 {
			free = append(free, int32(v))
		}
	}
	for taken := 0; taken < len(free); taken++ {
		for _, c := range x.out(free[taken]) {
			if to := g.Channels[c].To; left(c) {
				if inputs[to]--; inputs[to] == 0 {
					free = append(free, to)
				}
			}
		}
	}
	if len(free) == len(g.Nodes) {
		return nil
	}
	v := int32(slices.IndexFunc(inputs, func(n int32) bool { return n > 0 }))
	place := make(map[int32]int) // by node: its position on the way
	var way []int32
	for {
		if i, ok := place[v]; ok {
			way = way[i:]
			slices.Reverse(way)
			lowest := slices.Index(way, slices.Min(way))
			return slices.Concat(way[lowest:], way[:lowest])
		}
		place[v] = len(way)
		way = append(way, v)
		for _, c := range x.in(v) {
			if from := g.Channels[c].From; left(c) && inputs[from] > 0 {
				v = from
				break
			}
		}
	}
}
