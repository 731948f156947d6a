package series

import (
	"fmt"
	"math"

	"simrun/scenarios/comparison"
	"simrun/scenarios/plot"
)

// Charts is a chart for each measure that any run has, of those that are told: a line for
// each algorithm, with the medians of the seeds, and from the lowest to the highest of them.
func (s *Series) Charts() (charts []plot.Chart) {
	for _, m := range s.told() {
		charts = append(charts, s.chart(&m))
	}
	return charts
}

func (s *Series) chart(m *comparison.Measure) plot.Chart {
	x := s.axisX()
	c := plot.Chart{Title: m.Title, X: x.axis, Y: axisY(m, s.first()), Note: s.note()}
	lowest, highest := math.Inf(1), math.Inf(-1)
	for i := range s.first().Algorithms {
		line := plot.Line{Name: s.first().Algorithms[i].Name}
		for k, p := range s.Points {
			a := &p.Comparison.Algorithms[i]
			if a.Refused != nil {
				line.Absent = "refused"
			}
			point := pointOf(m, a, x.at[k])
			if !math.IsNaN(point.Y) {
				lowest, highest = min(lowest, point.Low), max(highest, point.High)
			}
			line.Points = append(line.Points, point)
		}
		c.Lines = append(c.Lines, line)
	}
	c.Y.Log = lowest > 0 && highest/lowest >= wide
	return c
}

// wide is from what factor on between the lowest and the highest a scale is logarithmic.
const wide = 100

// pointOf is the runs of one algorithm with one value.
func pointOf(m *comparison.Measure, a *comparison.Algorithm, x float64) plot.Point {
	median := a.Summary(m.Key).Median
	if median == nil {
		return plot.Missing(x)
	}
	p := plot.At(x, scaled(m, *median))
	for i := range a.Runs {
		if v := m.Of(&a.Runs[i].Measures); v != nil {
			p.Low, p.High = min(p.Low, scaled(m, *v)), max(p.High, scaled(m, *v))
		}
	}
	return p
}

// scaled is a value in the unit of its axis.
func scaled(m *comparison.Measure, v int64) float64 {
	switch m.Unit {
	case comparison.PerKs:
		return float64(v) / 1000
	case comparison.Millionths:
		return float64(v) / 10_000
	}
	return float64(v)
}

// axisY is the axis of a measure.
func axisY(m *comparison.Measure, c *comparison.Comparison) plot.Axis {
	switch m.UnitIn(c.Order) {
	case comparison.Nanosecond:
		return plot.Axis{Label: "of virtual time", Unit: plot.Nanoseconds}
	case comparison.Steps:
		return plot.Axis{Label: "steps"}
	case comparison.Bytes:
		return plot.Axis{Label: "bytes", Unit: plot.Bytes}
	case comparison.PerKs:
		return plot.Axis{Label: c.DelayOf + " a second of virtual time"}
	case comparison.Millionths:
		return plot.Axis{Label: "percent", Unit: plot.Percent}
	}
	return plot.Axis{}
}

// parameter is where the values of the parameter lie.
type parameter struct {
	axis plot.Axis
	at   []float64 // by point
}

// axisX is the axis of the parameter: of numbers if all values are, else of names.
func (s *Series) axisX() parameter {
	x := parameter{axis: plot.Axis{Label: s.Parameter}}
	low, high := math.Inf(1), math.Inf(-1)
	for i, p := range s.Points {
		q, ok := parseQuantity(p.Value)
		if !ok || i > 0 && q.time != (x.axis.Unit == plot.Nanoseconds) {
			return s.names()
		}
		if q.time {
			x.axis.Unit = plot.Nanoseconds
		}
		low, high = min(low, float64(q.n)), max(high, float64(q.n))
		x.at = append(x.at, float64(q.n))
	}
	x.axis.Log = low > 0 && high/low >= 10
	return x
}

// names is the axis on which every value has the same room.
func (s *Series) names() parameter {
	x := parameter{axis: plot.Axis{Label: s.Parameter}}
	for i, p := range s.Points {
		x.axis.Names = append(x.axis.Names, p.Value)
		x.at = append(x.at, float64(i))
	}
	return x
}

// note says what the points are.
func (s *Series) note() string {
	c := s.first()
	if c.First == c.Last {
		return fmt.Sprintf("%s, seed %d", s.Scenario, c.First)
	}
	return fmt.Sprintf("%s, seeds %d-%d: the median, and from the lowest to the highest", s.Scenario, c.First, c.Last)
}
