package graphview

import (
	"cmp"
	"slices"

	"simrun/topology"
)

// drawing is the graph in layers, after Sugiyama: nodes stand in columns so that channels
// lead to the right, but for those that close a cycle. A channel that leads over several
// columns has a bend in each between, which takes part in the order there as nodes do.
type drawing struct {
	graph   *Graph
	back    []bool    // by channel: drawn as one that leads to the left
	column  []int     // by vertex
	columns [][]int   // the vertices of each column, from top to bottom
	way     [][]int   // by channel: the vertices that it passes, its ends included; not of one that leads back
	before  [][]int   // by vertex: those that lead to it from the column before
	behind  [][]int   // by vertex: those that it leads to in the next column
	nodes   int       // vertices below this are nodes, the others bends
	box     []size    // by vertex
	centre  []int     // by vertex: its height, counted downwards
	out, in [][]int32 // by node: channels, in the order in which they leave and arrive
}

type size struct{ width, height int }

// layered puts the graph into columns. It is nil if there would be more than so many bends.
func layered(g *Graph, bends int) *drawing {
	d := &drawing{graph: g, nodes: len(g.Nodes), back: backwards(g)}
	d.column = longestPaths(g.topology, d.back)
	d.way = make([][]int, len(g.Channels))
	for c, ch := range g.topology.Channels {
		if d.back[c] {
			continue
		}
		way := []int{int(ch.From)}
		for column := d.column[ch.From] + 1; column < d.column[ch.To]; column++ {
			way = append(way, len(d.column))
			d.column = append(d.column, column)
		}
		d.way[c] = append(way, int(ch.To))
		if len(d.column)-d.nodes > bends {
			return nil
		}
	}
	d.before, d.behind = make([][]int, len(d.column)), make([][]int, len(d.column))
	for _, way := range d.way {
		for i := 1; i < len(way); i++ {
			d.behind[way[i-1]] = append(d.behind[way[i-1]], way[i])
			d.before[way[i]] = append(d.before[way[i]], way[i-1])
		}
	}
	d.columns = make([][]int, slices.Max(d.column)+1)
	for x, column := range d.column {
		d.columns[column] = append(d.columns[column], x)
	}
	d.order()
	return d
}

// backwards is the channels that are drawn as leading back: the back-edges, if there is no
// cycle without them, else those that a search from all nodes finds.
func backwards(g *Graph) []bool {
	back := make([]bool, len(g.Channels))
	for c := range back {
		back[c] = g.Channels[c].BackEdge
	}
	if topology.Acyclic(g.topology, back) {
		return back
	}
	all := make([]int32, len(g.Nodes))
	for v := range all {
		all[v] = int32(v)
	}
	return topology.BackEdges(g.topology, all)
}

// longestPaths is, by node, how many channels the longest way to it has.
func longestPaths(g *topology.Graph, back []bool) []int {
	column, inputs := make([]int, len(g.Nodes)), make([]int, len(g.Nodes))
	outputs := make([][]int32, len(g.Nodes))
	for c, ch := range g.Channels {
		if !back[c] {
			inputs[ch.To]++
			outputs[ch.From] = append(outputs[ch.From], ch.To)
		}
	}
	var free []int32
	for v, n := range inputs {
		if n == 0 {
			free = append(free, int32(v))
		}
	}
	for i := 0; i < len(free); i++ {
		for _, to := range outputs[free[i]] {
			column[to] = max(column[to], column[free[i]]+1)
			if inputs[to]--; inputs[to] == 0 {
				free = append(free, to)
			}
		}
	}
	return column
}

// rounds is how often columns are put in order from left to right and back.
const rounds = 6

// order puts every column in an order with few crossings: each vertex at the mean place
// of its neighbours in the column beside.
func (d *drawing) order() {
	place := make([]int, len(d.column))
	number := func(column []int) {
		for i, x := range column {
			place[x] = i
		}
	}
	for _, column := range d.columns {
		number(column)
	}
	sort := func(column []int, beside [][]int) {
		mean := func(x int) (sum, n int) {
			for _, y := range beside[x] {
				sum += 2*place[y] + 1
			}
			if len(beside[x]) == 0 {
				return 2*place[x] + 1, 1
			}
			return sum, len(beside[x])
		}
		slices.SortStableFunc(column, func(a, b int) int {
			sumA, nA := mean(a)
			sumB, nB := mean(b)
			return cmp.Compare(sumA*nB, sumB*nA)
		})
		number(column)
	}
	for range rounds {
		for _, column := range d.columns[1:] {
			sort(column, d.before)
		}
		for i := len(d.columns) - 2; i >= 0; i-- {
			sort(d.columns[i], d.behind)
		}
	}
}
