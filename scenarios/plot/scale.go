package plot

import (
	"math"
	"strconv"
)

// scale puts values on a side of the chart.
type scale struct {
	axis      Axis
	log       bool
	whole     bool // all values are whole numbers, so that others make no ticks
	low, high float64
	ticks     []tick
}

// tick is a value on an axis with its text.
type tick struct {
	at   float64
	text string
}

// at is where a value lies on the side, from 0 to 1.
func (s *scale) at(v float64) float64 {
	if s.log {
		return (math.Log(v) - math.Log(s.low)) / (math.Log(s.high) - math.Log(s.low))
	}
	return (v - s.low) / (s.high - s.low)
}

// scaleX is the scale of the parameter: from the first value to the last, with some room.
func (c *Chart) scaleX() *scale {
	s := &scale{axis: c.X}
	if n := len(c.X.Names); n > 0 {
		s.low, s.high = -0.5, float64(n)-0.5
		for i, name := range c.X.Names {
			s.ticks = append(s.ticks, tick{float64(i), name})
		}
		return s
	}
	s.low, s.high = c.extent(func(p Point) (float64, float64) { return p.X, p.X })
	s.log = c.X.Log && s.low > 0
	s.whole = c.X.Unit == Number && c.wholeX()
	s.ticks = s.nice(ticksX)
	if s.log {
		factor := math.Pow(s.high/s.low, 0.04)
		s.widen(s.low/factor, s.high*factor, s.low/2, s.high*2)
	} else {
		room := (s.high - s.low) * 0.04
		s.widen(s.low-room, s.high+room, s.low-1, s.high+1)
	}
	return s
}

// scaleY is the scale of what was measured: from 0 on, unless it is logarithmic, and up to
// the tick above the highest.
func (c *Chart) scaleY(ticks int) *scale {
	s := &scale{axis: c.Y}
	s.low, s.high = c.extent(func(p Point) (float64, float64) { return p.Low, p.High })
	s.log = c.Y.Log && s.low > 0
	if s.log {
		s.low, s.high = below125(s.low), above125(s.high)
		s.widen(s.low, s.high, s.low/10, s.high*10)
		s.ticks = s.nice(ticks)
		return s
	}
	s.low = min(s.low, 0) // so that a small difference is no cliff
	s.high = max(s.high, 0)
	s.widen(s.low, s.high, 0, 1)
	step := stepFor(s.high-s.low, ticks)
	s.low, s.high = math.Floor(s.low/step)*step, math.Ceil(s.high/step)*step
	s.ticks = s.nice(ticks)
	return s
}

// wholeX says whether all values of the parameter are whole numbers.
func (c *Chart) wholeX() bool {
	whole := true
	c.each(func(_ int, p Point) { whole = whole && p.X == math.Trunc(p.X) })
	return whole
}

// widen sets the ends, which must not be the same.
func (s *scale) widen(low, high, otherLow, otherHigh float64) {
	if low == high {
		low, high = otherLow, otherHigh
	}
	s.low, s.high = low, high
}

// extent is the lowest and the highest of something of all points.
func (c *Chart) extent(of func(Point) (low, high float64)) (low, high float64) {
	first := true
	c.each(func(_ int, p Point) {
		a, b := of(p)
		if first {
			low, high, first = a, b, false
		}
		low, high = min(low, a), max(high, b)
	})
	return low, high
}

// nice is about so many ticks between the ends: 1, 2 or 5 times a power of ten, or steps of
// such a number.
func (s *scale) nice(most int) (list []tick) {
	if s.log && s.high/s.low >= 5 {
		return s.powers(most)
	}
	if s.low == s.high {
		return []tick{{s.low, s.text(s.low, s.high)}}
	}
	step := stepFor(s.high-s.low, most)
	if s.whole {
		step = max(step, 1)
	}
	for k := math.Ceil(s.low/step - 1e-9); k*step <= s.high+step*1e-9; k++ {
		list = append(list, tick{k * step, s.text(k*step, s.high)})
	}
	return list
}

// powers is the ticks of a logarithmic scale.
func (s *scale) powers(most int) (list []tick) {
	from, to := math.Floor(math.Log10(s.low)), math.Ceil(math.Log10(s.high))
	within := func(mantissas []float64, every float64) (values []float64) {
		for exponent := from; exponent <= to; exponent += every {
			for _, m := range mantissas {
				if v := times10(m, exponent); v >= s.low*(1-1e-9) && v <= s.high*(1+1e-9) {
					values = append(values, v)
				}
			}
		}
		return values
	}
	values := within([]float64{1, 2, 5}, 1)
	for every := 1.0; len(values) > most+3; every++ {
		values = within([]float64{1}, every)
	}
	for _, v := range values {
		list = append(list, tick{v, s.text(v, v)})
	}
	return list
}

// times10 is m times a power of ten, exact where it can be.
func times10(m, exponent float64) float64 {
	if exponent < 0 {
		return m / math.Pow(10, -exponent)
	}
	return m * math.Pow(10, exponent)
}

// stepFor is the step of about so many ticks over a length.
func stepFor(length float64, ticks int) float64 { return above125(length / float64(ticks)) }

// above125 is the least of 1, 2 and 5 times a power of ten that is not below v.
func above125(v float64) float64 {
	exponent := math.Floor(math.Log10(v))
	for _, m := range []float64{1, 2, 5} {
		if up := times10(m, exponent); up >= v*(1-1e-9) {
			return up
		}
	}
	return times10(1, exponent+1)
}

// below125 is the greatest of 1, 2 and 5 times a power of ten that is not above v.
func below125(v float64) float64 {
	exponent := math.Floor(math.Log10(v))
	down := times10(1, exponent)
	for _, m := range []float64{2, 5, 10} {
		if up := times10(m, exponent); up <= v*(1+1e-9) {
			down = up
		}
	}
	return down
}

// unitNames is, by unit, the sizes that have a name of their own, from the largest on.
var unitNames = map[Unit][]struct {
	size float64
	name string
}{
	Nanoseconds: {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}, {1, "ns"}},
	Bytes:       {{1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}, {1, "B"}},
	Percent:     {{1, "%"}},
	Number:      {{1e9, "G"}, {1e6, "M"}, {1e4, "k"}, {1, ""}},
}

// text is a value of the axis with its unit. The unit is that in which another one, as a
// rule the largest on the axis, is a number from 1 on.
func (s *scale) text(v, largest float64) string {
	if v == 0 {
		return "0"
	}
	for _, u := range unitNames[s.axis.Unit] {
		size := u.size
		if math.Abs(largest) >= size*(1-1e-9) || size == 1 {
			if u.name == "k" {
				size = 1e3 // 5000 is 5000, but 20000 is 20k
			}
			return strconv.FormatFloat(rounded(v/size), 'f', -1, 64) + u.name
		}
	}
	return ""
}

// rounded has six digits that count, so that 0.1+0.2 is 0.3.
func rounded(v float64) float64 {
	short, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 6, 64), 64)
	return short
}
