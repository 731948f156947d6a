package graphview

import (
	"cmp"
	"slices"
	"unicode/utf8"

	"simrun/scenarios/label"
)

// The measures of a drawing, in pixels.
const (
	portStep  = 16 // between the ends of channels at one side of a node
	leastBox  = 34 // the least height of a node
	boxGap    = 26 // between nodes of a column
	bendGap   = 12 // around a bend
	loopGap   = 14 // below a node, for each channel from it to itself
	character = 7  // the width of a character, about
	leastWide = 60 // the least width of a node
)

// place decides the heights of all vertices, and the order of the channels at every node.
func (d *drawing) place() {
	d.ports()
	d.box, d.centre = make([]size, len(d.column)), make([]int, len(d.column))
	for v := range d.nodes {
		ports := max(len(d.out[v]), len(d.in[v]))
		d.box[v] = size{max(leastWide, character*utf8.RuneCountInString(label.Short(d.graph.Nodes[v].Name, nodeLabel))+24), max(leastBox, portStep*ports+6)}
	}
	for _, column := range d.columns {
		at := 0
		for i, x := range column {
			if i > 0 {
				at += d.apart(column[i-1], x)
			}
			d.centre[x] = at
		}
	}
	for range rounds {
		for _, column := range d.columns[1:] {
			d.align(column, d.before)
		}
		for i := len(d.columns) - 2; i >= 0; i-- {
			d.align(d.columns[i], d.behind)
		}
	}
}

// apart is how far below a vertex the next one of its column is, from centre to centre.
func (d *drawing) apart(above, below int) int {
	gap := bendGap
	if above < d.nodes && below < d.nodes {
		gap = boxGap
	}
	if above < d.nodes {
		for _, c := range d.out[above] {
			if ends := d.graph.topology.Channels[c]; ends.From == ends.To {
				gap += loopGap
			}
		}
	}
	return (d.box[above].height+1)/2 + gap + (d.box[below].height+1)/2
}

// align moves the vertices of a column as near as it can be to the mean height of their
// neighbours in the column beside: the sum of squares is least. It pools those that would
// overlap, as isotonic regression does.
func (d *drawing) align(column []int, beside [][]int) {
	type pool struct{ sum, n int } // of wanted heights, less the offset in the column
	var pools []pool
	offsets, offset := make([]int, len(column)), 0
	for i, x := range column {
		if i > 0 {
			offset += d.apart(column[i-1], x)
		}
		offsets[i] = offset
		want := d.centre[x]
		if n := len(beside[x]); n > 0 {
			want = 0
			for _, y := range beside[x] {
				want += d.centre[y]
			}
			want = floorDiv(want, n)
		}
		pools = append(pools, pool{want - offset, 1})
		for n := len(pools); n > 1 && pools[n-2].sum*pools[n-1].n > pools[n-1].sum*pools[n-2].n; n-- {
			pools[n-2].sum += pools[n-1].sum
			pools[n-2].n += pools[n-1].n
			pools = pools[:n-1]
		}
	}
	i := 0
	for _, p := range pools {
		for range p.n {
			d.centre[column[i]] = floorDiv(p.sum, p.n) + offsets[i]
			i++
		}
	}
}

// floorDiv is a/b rounded down, so that heights above and below 0 round the same way.
func floorDiv(a, b int) int {
	q := a / b
	if a%b != 0 && a < 0 {
		q--
	}
	return q
}

// ports puts the channels at both sides of every node in the order of the places that they
// lead to and come from; those that lead back are the lowest.
func (d *drawing) ports() {
	d.out, d.in = make([][]int32, d.nodes), make([][]int32, d.nodes)
	for c, ends := range d.graph.topology.Channels {
		d.out[ends.From] = append(d.out[ends.From], int32(c))
		d.in[ends.To] = append(d.in[ends.To], int32(c))
	}
	place := make([]int, len(d.column))
	for _, column := range d.columns {
		for i, x := range column {
			place[x] = i
		}
	}
	by := func(list []int32, height func(c int32) int) {
		slices.SortStableFunc(list, func(a, b int32) int { return cmp.Compare(height(a), height(b)) })
	}
	for v := range d.nodes {
		by(d.out[v], func(c int32) int {
			if d.back[c] {
				return len(d.column)
			}
			return place[d.way[c][1]]
		})
		by(d.in[v], func(c int32) int {
			if d.back[c] {
				return len(d.column)
			}
			return place[d.way[c][len(d.way[c])-2]]
		})
	}
}

// port is the height at which a channel leaves or reaches a node.
func (d *drawing) port(v int32, list []int32, c int32) int {
	i := slices.Index(list, c)
	return d.centre[v] + (2*i-(len(list)-1))*portStep/2
}
