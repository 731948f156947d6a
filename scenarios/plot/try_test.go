package plot

import (
	"fmt"
	"os"
	"testing"
)

func TestTry(t *testing.T) {
	c := Chart{Title: "throughput", Note: "Lines: median of 50 seeds. Bands: from the lowest to the highest.",
		X: Axis{Label: "snapshots.every", Unit: Nanoseconds, Log: true}, Y: Axis{Label: "records a second"},
		Lines: []Line{
			{Name: "no-snapshots", Points: []Point{At(10e6, 1200), At(20e6, 1200), At(50e6, 1200), At(100e6, 1200), At(1e9, 1200)}},
			{Name: "stop-the-world", Points: []Point{{10e6, 300, 250, 350}, {20e6, 500, 470, 560}, {50e6, 800, 750, 840}, {100e6, 1000, 980, 1020}, {1e9, 1150, 1150, 1180}}},
			{Name: "abs", Points: []Point{{10e6, 1000, 950, 1050}, {20e6, 1100, 1070, 1160}, Missing(50e6), {100e6, 1200, 1180, 1220}, {1e9, 1190, 1150, 1200}}},
			{Name: "chandy-lamport", Points: []Point{{10e6, 1200, 1195, 1205}, At(20e6, 1200), At(50e6, 1200), At(100e6, 1200), At(1e9, 1200)}},
			{Name: "loop-hold-outputs & <b>", Absent: "refused"},
		}}
	d := c
	d.X = Axis{Label: "network.delay", Names: []string{"1ms", "{uniform: [1ms, 5ms]}", "none", "a", "b"}}
	d.Title = "delay added, p99"
	d.Y = Axis{Label: "ms", Unit: Nanoseconds}
	d.Lines = nil
	for i, n := range []string{"one", "two", "three", "four", "five", "six", "seven", "eight"} {
		l := Line{Name: n}
		for k := range 5 {
			l.Points = append(l.Points, At(float64(k), float64(i+1)*3e5*float64(k+1)))
		}
		d.Lines = append(d.Lines, l)
	}
	e := c
	e.Lines = e.Lines[4:]
	os.WriteFile("/tmp/vt/try.svg", Page(c, d, e), 0o644)
	fmt.Print(Text(c), Text(d), Text(e))
}
