package topology

import "slices"

// Components is the strongly connected components: each one's nodes ascending,
// and the components in the order of their lowest nodes.
func (g *Graph) Components() [][]int32 {
	of, count := g.components()
	// Counting sort: the nodes of each component lie side by side.
	start := make([]int32, count+1)
	for _, k := range of {
		start[k+1]++
	}
	for k := range count {
		start[k+1] += start[k]
	}
	nodes, next := make([]int32, len(of)), slices.Clone(start)
	list := make([][]int32, 0, count)
	for v, k := range of {
		if next[k] == start[k] { // v is the lowest node of its component
			list = append(list, nodes[start[k]:start[k+1]:start[k+1]])
		}
		nodes[next[k]] = int32(v)
		next[k]++
	}
	return list
}

// components numbers the strongly connected components from 0, in no order that
// means anything, and tells the number of each node's. It is Tarjan's algorithm
// with its recursion on an explicit stack.
func (g *Graph) components() (of []int32, count int32) {
	n := len(g.Nodes)
	t := tarjan{
		x: g.incidence(), of: make([]int32, n),
		order: make([]int32, n), low: make([]int32, n), next: make([]int32, n),
	}
	for v := range t.of {
		t.of[v] = -1
	}
	for v := range int32(n) {
		if t.order[v] == 0 {
			t.search(g, v)
		}
	}
	return t.of, t.count
}

type tarjan struct {
	x     *incidence
	of    []int32 // by node: its component, -1 before it is known
	order []int32 // by node: when it was found, from 1; 0: not yet
	low   []int32 // by node: the earliest node on the stack that it reaches
	next  []int32 // by node: how many of its outputs were followed
	path  []int32 // from the root to the node at hand
	stack []int32 // found, component not known
	found int32
	count int32
}

func (t *tarjan) enter(v int32) {
	t.found++
	t.order[v], t.low[v] = t.found, t.found
	t.path = append(t.path, v)
	t.stack = append(t.stack, v)
}

func (t *tarjan) search(g *Graph, root int32) {
	t.enter(root)
	for len(t.path) > 0 {
		v := t.path[len(t.path)-1]
		if outs := t.x.out(v); int(t.next[v]) < len(outs) {
			w := g.Channels[outs[t.next[v]]].To
			t.next[v]++
			if t.order[w] == 0 {
				t.enter(w)
			} else if t.of[w] < 0 {
				t.low[v] = min(t.low[v], t.order[w])
			}
			continue
		}
		t.leave(v)
	}
}

// leave ends the search at v, every output of which was followed.
func (t *tarjan) leave(v int32) {
	t.path = t.path[:len(t.path)-1]
	if len(t.path) > 0 {
		parent := t.path[len(t.path)-1]
		t.low[parent] = min(t.low[parent], t.low[v])
	}
	if t.low[v] != t.order[v] {
		return
	}
	for {
		w := t.stack[len(t.stack)-1]
		t.stack = t.stack[:len(t.stack)-1]
		t.of[w] = t.count
		if w == v {
			break
		}
	}
	t.count++
}
