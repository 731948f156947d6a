// Package plot draws lines over one parameter: as an SVG that stands alone or inside a
// page, and as text for a terminal.
//
// It is no general library for plots: a Chart is one panel, with one scale on each side and
// a few lines, and all decisions (ticks, colours, sizes) are made here. Lines are told apart
// by marker and dash as well as by colour, and the colours are those of Okabe and Ito, which
// people see differently whatever their eyes are. The same chart gives the same bytes.
//
//	c := plot.Chart{
//		Title: "throughput",
//		X:     plot.Axis{Label: "snapshots.every", Unit: plot.Nanoseconds, Log: true},
//		Y:     plot.Axis{Label: "records a second"},
//		Lines: []plot.Line{{Name: "abs", Points: []plot.Point{plot.At(10e6, 95), plot.At(100e6, 99)}}},
//	}
//	svg := plot.Lines(c)
//	fmt.Print(plot.Text(c))
package plot
