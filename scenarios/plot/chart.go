package plot

import "math"

// Chart is lines over one parameter.
type Chart struct {
	Title string
	Note  string // what has to be said below it; "": nothing
	X, Y  Axis
	Lines []Line
}

// Axis is one side of a chart.
type Axis struct {
	Label string
	Unit  Unit
	// Log makes equal factors equally far; on a side with a value that is not above 0 it
	// has no effect.
	Log bool
	// Names stand in place of numbers: a point at 0 is above the first, and so on, equally far.
	Names []string
}

// Unit is what the numbers on an axis count; it decides how they are written.
type Unit int

// The units.
const (
	Number      Unit = iota
	Nanoseconds      // written as ns, us, ms or s
	Bytes            // written as B, kB, MB or GB, of a thousand each
	Percent
)

// Line is one of the lines, with the points in the order in which they are joined. Where a
// point has a value that is not finite nothing was measured, and the line is broken. A line
// without any is in the legend, with the reason.
type Line struct {
	Name   string
	Points []Point
	Absent string // why it has no points; "": nothing was measured
}

// Point is a value, and between what it lies: Low <= Y <= High. They are equal where there
// is no interval.
type Point struct{ X, Y, Low, High float64 }

// At is a point without an interval.
func At(x, y float64) Point { return Point{x, y, y, y} }

// Missing is a point at which nothing was measured.
func Missing(x float64) Point { return At(x, math.NaN()) }

// isFinite says whether all of a point can be drawn.
func (p Point) isFinite() bool {
	for _, v := range []float64{p.X, p.Y, p.Low, p.High} {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	return true
}

// pieces is the points of a line in runs without a gap, with intervals that hold them.
func (l *Line) pieces() (runs [][]Point) {
	broken := true
	for _, p := range l.Points {
		if !p.isFinite() {
			broken = true
			continue
		}
		p.Low, p.High = min(p.Low, p.Y), max(p.High, p.Y)
		if broken {
			runs = append(runs, nil)
		}
		runs[len(runs)-1], broken = append(runs[len(runs)-1], p), false
	}
	return runs
}

// each calls do with every point that can be drawn.
func (c *Chart) each(do func(line int, p Point)) {
	for i := range c.Lines {
		for _, run := range c.Lines[i].pieces() {
			for _, p := range run {
				do(i, p)
			}
		}
	}
}

// empty says that there is no point in the chart.
func (c *Chart) empty() bool {
	found := false
	c.each(func(int, Point) { found = true })
	return !found
}

// nothing is what stands in place of the points where there are none.
const nothing = "nothing to draw: no value of any line was measured"

// isAbsent says that a line has no points.
func (l *Line) isAbsent() bool { return len(l.pieces()) == 0 }

// reason is why a line has no points.
func (l *Line) reason() string {
	if l.Absent != "" {
		return l.Absent
	}
	return "not measured"
}
