package plot

import (
	"fmt"
	"strings"
	"testing"
)

// over is a chart with one line.
func over(x, y Axis, points ...Point) *Chart {
	return &Chart{X: x, Y: y, Lines: []Line{{Name: "a", Points: points}}}
}

func texts(ticks []tick) string {
	var all []string
	for _, t := range ticks {
		all = append(all, t.text)
	}
	return strings.Join(all, " ")
}

func TestTicks(t *testing.T) {
	time, log := Axis{Unit: Nanoseconds}, Axis{Unit: Nanoseconds, Log: true}
	for _, test := range []struct {
		x    Axis
		a, b float64
		want string
	}{
		{log, 10e6, 1e9, "10ms 20ms 50ms 100ms 200ms 500ms 1s"},
		{log, 1, 1e12, "1ns 100ns 10us 1ms 100ms 10s 1000s"},
		{log, 10e6, 20e6, "10ms 12ms 14ms 16ms 18ms 20ms"},
		{log, 0, 1e9, "0 0.2s 0.4s 0.6s 0.8s 1s"},
		{time, 0, 100e6, "0 20ms 40ms 60ms 80ms 100ms"},
		{time, 5e6, 5e6, "5ms"},
		{Axis{}, 1, 8, "1 2 3 4 5 6 7 8"},
		{Axis{}, 0, 60_000, "0 10k 20k 30k 40k 50k 60k"},
		{Axis{}, 0.1, 0.3, "0.1 0.15 0.2 0.25 0.3"},
		{Axis{}, -5, 5, "-4 -2 0 2 4"},
		{Axis{Unit: Percent}, 0, 30, "0 5% 10% 15% 20% 25% 30%"},
		{Axis{Unit: Bytes}, 0, 4096, "0 1kB 2kB 3kB 4kB"},
		{Axis{Names: []string{"none", "10ms"}}, 0, 1, "none 10ms"},
	} {
		if got := texts(over(test.x, Axis{}, At(test.a, 1), At(test.b, 1)).scaleX().ticks); got != test.want {
			t.Errorf("from %v to %v: %s; want %s", test.a, test.b, got, test.want)
		}
	}
}

// TestLeftSide: from 0 on and up to a tick, unless it is logarithmic.
func TestLeftSide(t *testing.T) {
	for _, test := range []struct {
		y         Axis
		low, high float64
		want      string
	}{
		{Axis{}, 950, 1180, "0 to 1200: 0 200 400 600 800 1000 1200"},
		{Axis{}, 0, 0, "0 to 1: 0 0.2 0.4 0.6 0.8 1"},
		{Axis{}, -30, -10, "-30 to 0: -30 -25 -20 -15 -10 -5 0"},
		{Axis{Unit: Nanoseconds}, 0, 12.9e6, "0 to 1.5e+07: 0 5ms 10ms 15ms"},
		{Axis{Unit: Nanoseconds, Log: true}, 3e3, 4e9, "2000 to 5e+09: 10us 100us 1ms 10ms 100ms 1s"},
		{Axis{Log: true}, 0, 100, "0 to 100: 0 20 40 60 80 100"},
	} {
		s := over(Axis{}, test.y, Point{1, test.low, test.low, test.high}).scaleY(ticksY)
		if got := fmt.Sprintf("%v to %v: %s", s.low, s.high, texts(s.ticks)); got != test.want {
			t.Errorf("from %v to %v: %s; want %s", test.low, test.high, got, test.want)
		}
	}
}

// TestText is a chart in a terminal: markers where the points are, a number where several
// lines meet, dots between them, ticks below and on the left.
func TestText(t *testing.T) {
	c := Chart{Title: "stored", X: Axis{Label: "parallelism"}, Y: Axis{}, Lines: []Line{
		{Name: "chandy-lamport", Points: []Point{At(1, 0), At(2, 30), At(3, 100)}},
		{Name: "abs", Points: []Point{At(1, 0), At(2, 0), Missing(3)}},
		{Name: "tracking", Absent: "refused"},
	}}
	want := strings.TrimPrefix(`
stored
  100 |                                                            .o
      |                                                         ...
      |                                                      ...
      |                                                   ...
      |                                                ...
      |                                              ..
      |                                           ...
   50 |                                        ...
      |                                     ...
      |                                  ...
      |                             ...o.
      |                     ........
      |              .......
      |      ........
    0 |  2.............................x
      +--+-----------------------------+----------------------------+--
         1                             2                            3
       parallelism
  o chandy-lamport
  x abs
    tracking: refused
  2 and so on: that many in one place
`, "\n")
	if got := Text(c); got != want {
		t.Errorf("the chart is\n%s", got)
	}
}
