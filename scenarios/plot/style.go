package plot

import (
	"fmt"
	"strings"
)

// The colours of Okabe and Ito, in an order in which those that come first are far apart
// and can be seen on the paper: on a dark one blue cannot, nor yellow on a light one.
var (
	light = []string{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#000000", "#e69f00", "#56b4e9"}
	dark  = []string{"#56b4e9", "#d55e00", "#009e73", "#cc79a7", "#ffffff", "#e69f00", "#f0e442"}
)

// dashes are the patterns of lines. The first is whole: a dashed one that lies on it can be
// seen, and so can what it lies on.
var dashes = []string{"none", "9 6", "2 6", "14 5 3 5", "18 8"}

// widths are those of the first lines, and the last is that of all others: what lies on another
// line leaves its edges to be seen.
var widths = []string{"4.5", "3.6", "3", "2.6", "2.2", "1.8"}

// look is the classes of a line.
func look(i int) string {
	return fmt.Sprintf("line c%d d%d w%d", i%len(light), i%len(dashes), min(i, len(widths)-1))
}

// shapes are the markers, as paths around the origin. Their number has no common factor with
// those of colours and dashes, so that hundreds of lines are different.
var shapes = []string{
	"M-7 0a7 7 0 1 0 14 0a7 7 0 1 0-14 0Z",
	"M-6-6h12v12h-12Z",
	"M0-8L8 6H-8Z",
	"M0-9L8 0L0 9L-8 0Z",
	"M0 8L-8-6H8Z",
	"M-7-3h4v-4h6v4h4v6h-4v4h-6v-4h-4Z",
	"M0-9L3-3L9 0L3 3L0 9L-3 3L-9 0L-3-3Z",
	"M-4-8h8l4 8l-4 8h-8l-4-8Z",
}

// marker draws the marker of a line. Those of the first lines are larger, so that they can
// be seen below others at the same place.
func (s *svg) marker(i int, x, y float64, says string) {
	size := number(max(1.4-0.2*float64(i), 0.7))
	if says != "" {
		says = "<title>" + escaped(says) + "</title>"
	}
	s.line(`<path class="marker c%d" transform="translate(%s %s)scale(%s)" d="%s">%s</path>`, i%len(light), number(x), number(y), size, shapes[i%len(shapes)], says)
}

// style is the styles, which reach only inside a plot. Whoever puts one into a page with
// light and dark of its own sets color-scheme there, as this follows what the reader's
// system prefers.
func style() string {
	const all = ".simrun-plot"
	var b strings.Builder
	rule := func(selector, format string, args ...any) {
		fmt.Fprintf(&b, "%s%s{%s}", all, selector, fmt.Sprintf(format, args...))
	}
	rule("", "--ink:#1b1f24;--dim:#57606a;--faint:#d8dee4;--paper:#ffffff;font:17px system-ui,'Segoe UI','DejaVu Sans',sans-serif;max-width:100%%;background:var(--paper)")
	rule(" .paper", "fill:var(--paper)")
	rule(" text", "fill:var(--ink);unicode-bidi:isolate")
	rule(" .title", "font-size:23px;font-weight:600")
	rule(" .label", "fill:var(--dim)")
	rule(" .tick", "font-size:16px")
	rule(" .middle", "text-anchor:middle")
	rule(" .end", "text-anchor:end")
	rule(" .note", "fill:var(--dim);font-size:16px")
	rule(" .absent", "fill:var(--dim);font-style:italic;font-size:16px")
	rule(" .grid", "stroke:var(--faint);fill:none")
	rule(" .axis", "stroke:var(--dim);fill:none;stroke-width:1.5")
	rule(" .line", "fill:none;stroke-linejoin:round")
	rule(" .band", "stroke:none;fill-opacity:.15")
	rule(" .whisker", "fill:none;stroke-width:2")
	rule(" .marker", "stroke:var(--paper);stroke-width:1.5")
	for i, wide := range widths {
		rule(fmt.Sprintf(" .w%d", i), "stroke-width:%s", wide)
	}
	for i, dash := range dashes {
		rule(fmt.Sprintf(" .d%d", i), "stroke-dasharray:%s", dash)
	}
	colours := func(list []string) {
		for i, colour := range list {
			rule(fmt.Sprintf(" .c%d", i), "--c:%s", colour)
		}
	}
	colours(light)
	rule(" .line", "stroke:var(--c)")
	rule(" .whisker", "stroke:var(--c)")
	rule(" .band", "fill:var(--c)")
	rule(" .marker", "fill:var(--c)")
	b.WriteString("@media (prefers-color-scheme:dark){")
	rule("", "--ink:#f0f3f6;--dim:#b1bac4;--faint:#343b44;--paper:#12161b")
	colours(dark)
	b.WriteString("}")
	return b.String()
}
