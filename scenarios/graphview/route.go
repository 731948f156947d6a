package graphview

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"simrun/scenarios/label"
)

// More measures of a drawing, in pixels.
const (
	margin    = 24
	titleRoom = 40 // above the graph
	track     = 7  // between lines side by side
	curve     = 60 // the width in which lines to the right bend
	small     = 6  // the width of a character of a channel's label, about
	corner    = 6  // the radius of a line's turn
)

// routes is where the lines of a drawing run.
type routes struct {
	*drawing
	left, right []int // of the boxes of each column
	labels      []int // by column: the room for labels to the right of it
	away, home  []int // by channel that leads back: which track it takes beside its sender, its receiver
	lane        []int // by channel that leads back: its height below the graph
	width       int
	bottom      int // of the boxes
	height      int // with the lanes
}

// route finds a way for every channel.
func (d *drawing) route() *routes {
	columns, channels := len(d.columns), d.graph.topology.Channels
	r := &routes{drawing: d, left: make([]int, columns), right: make([]int, columns), labels: make([]int, columns),
		away: make([]int, len(channels)), home: make([]int, len(channels)), lane: make([]int, len(channels))}
	wide, leaving, arriving := make([]int, columns), make([]int, columns), make([]int, columns)
	for v := range d.nodes {
		wide[d.column[v]] = max(wide[d.column[v]], d.box[v].width)
	}
	for c, ends := range channels {
		from, to := d.column[ends.From], d.column[ends.To]
		r.labels[from] = max(r.labels[from], small*utf8.RuneCountInString(label.Short(d.graph.Channels[c].text(), channelLabel))+10)
		if d.back[c] {
			leaving[from]++
			arriving[to]++
			r.away[c], r.home[c] = leaving[from], arriving[to]
		}
	}
	at := margin
	for i := range columns {
		at += track * (arriving[i] + 2)
		r.left[i], r.right[i] = at, at+wide[i]
		at += wide[i] + r.labels[i] + track*(leaving[i]+1)
		if i < columns-1 {
			at += curve
		}
	}
	r.width = at + margin
	top := 0
	for x := range d.centre {
		top = min(top, d.centre[x]-d.box[x].height/2)
	}
	for x := range d.centre {
		d.centre[x] += titleRoom - top
		r.bottom = max(r.bottom, d.centre[x]+d.box[x].height/2)
	}
	r.lanes()
	return r
}

// lanes gives every channel that leads back a height of its own below the graph, shared
// only with those beside it. One from a node to itself runs below its node.
func (r *routes) lanes() {
	var back []int
	loops := make([]int, r.nodes)
	r.height = r.bottom
	for c, ends := range r.graph.topology.Channels {
		switch {
		case !r.back[c]:
		case ends.From == ends.To:
			r.lane[c] = r.centre[ends.From] + r.box[ends.From].height/2 + loopGap*(1+loops[ends.From])
			loops[ends.From]++
			r.height = max(r.height, r.lane[c])
		default:
			back = append(back, c)
		}
	}
	span := func(c int) int {
		ends := r.graph.topology.Channels[c]
		return r.column[ends.From] - r.column[ends.To]
	}
	slices.SortStableFunc(back, func(a, b int) int { return span(a) - span(b) })
	bottom := r.height
	var used [][][2]int // by lane, from where to where
	for _, c := range back {
		from, to := r.trackHome(c), r.trackAway(c)
		lane := slices.IndexFunc(used, func(others [][2]int) bool {
			return !slices.ContainsFunc(others, func(o [2]int) bool { return from <= o[1]+track && o[0]-track <= to })
		})
		if lane < 0 {
			lane = len(used)
			used = append(used, nil)
		}
		used[lane] = append(used[lane], [2]int{from, to})
		r.lane[c] = bottom + loopGap + track*(lane+1)
		r.height = max(r.height, r.lane[c])
	}
}

// trackAway is where a channel that leads back turns beside its sender, and trackHome
// beside its receiver.
func (r *routes) trackAway(c int) int {
	column := r.column[r.graph.topology.Channels[c].From]
	return r.right[column] + r.labels[column] + track*r.away[c]
}

func (r *routes) trackHome(c int) int {
	column := r.column[r.graph.topology.Channels[c].To]
	return r.left[column] - track*(r.home[c]+1)
}

// path is the line of a channel, as SVG has it, and where it begins.
func (r *routes) path(c int) (path string, x, y int) {
	ends := r.graph.topology.Channels[c]
	first, last := r.column[ends.From], r.column[ends.To]
	x, y = r.right[first], r.port(ends.From, r.out[ends.From], int32(c))
	goal := r.port(ends.To, r.in[ends.To], int32(c))
	if r.back[c] {
		return turning([][2]int{{x, y}, {r.trackAway(c), y}, {r.trackAway(c), r.lane[c]}, {r.trackHome(c), r.lane[c]}, {r.trackHome(c), goal}, {r.left[last], goal}}), x, y
	}
	var b strings.Builder
	fmt.Fprintf(&b, "M%d %d", x, y)
	height := y
	for i, v := range r.way[c][1:] {
		column, next := first+i+1, r.centre[v]
		if v < r.nodes {
			next = goal
		}
		begin := r.right[column-1] + r.labels[column-1]
		end := r.left[column]
		middle := (begin + end) / 2
		fmt.Fprintf(&b, "H%dC%d %d %d %d %d %d", begin, middle, height, middle, next, end, next)
		height = next
	}
	return b.String(), x, y
}

// turning is a line along points of which neighbours share one coordinate, with round
// corners.
func turning(points [][2]int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "M%d %d", points[0][0], points[0][1])
	for i := 1; i < len(points)-1; i++ {
		p := points[i]
		in, out := toward(p, points[i-1]), toward(p, points[i+1])
		fmt.Fprintf(&b, "L%d %dQ%d %d %d %d", in[0], in[1], p[0], p[1], out[0], out[1])
	}
	last := points[len(points)-1]
	fmt.Fprintf(&b, "L%d %d", last[0], last[1])
	return b.String()
}

// toward is the point a corner's radius from p on the way to q, or half-way if that is
// nearer.
func toward(p, q [2]int) [2]int {
	for i := range p {
		step := min(corner, max(p[i]-q[i], q[i]-p[i])/2)
		if q[i] < p[i] {
			step = -step
		}
		p[i] += step
	}
	return p
}
