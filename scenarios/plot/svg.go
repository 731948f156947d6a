package plot

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Sizes of a chart, in units of the viewBox. A chart grows with the page; these are its
// proportions, for reading from the last row.
const (
	width, height = 960, 480
	top, bottom   = 78, 68 // of the panel: title and label above, ticks and label below
	legend        = 236    // to the right of the panel
	letter        = 9.4    // about the width of a letter
	noteHeight    = 26
)

// Lines is the chart as an SVG document, which can also stand inside a page: its styles
// reach nothing else, and it has no ids.
func Lines(c Chart) []byte { return Page(c) }

// Page is several charts below one another, in one SVG document.
func Page(charts ...Chart) []byte {
	total := 0
	for i := range charts {
		total += charts[i].height()
	}
	s := &svg{}
	s.line(`<svg xmlns="http://www.w3.org/2000/svg" class="simrun-plot" viewBox="0 0 %d %d" role="img" aria-label="%s">`, width, total, escaped(titles(charts)))
	s.line("<style>%s</style>", style())
	s.line(`<rect class="paper" width="%d" height="%d"/>`, width, total)
	y := 0
	for i := range charts {
		s.line(`<g transform="translate(0 %d)">`, y)
		s.chart(&charts[i])
		s.line("</g>")
		y += charts[i].height()
	}
	s.line("</svg>")
	return s.Bytes()
}

// titles is the titles of the charts, for those who do not see them.
func titles(charts []Chart) string {
	var all []string
	for i := range charts {
		all = append(all, cut(charts[i].Title, 200))
	}
	return strings.Join(all, "; ")
}

// height is that of the chart with its note, which may take several lines, and with a
// legend that is longer than the panel is high.
func (c *Chart) height() int {
	least := height
	if c.empty() {
		least = 0
	}
	steps := 0
	for i := range c.Lines {
		steps += c.Lines[i].steps()
	}
	h := max(least, top+(steps+1)*legendStep+bottom)
	if n := len(c.notes()); n > 0 {
		h += noteHeight*n + 6
	}
	return h
}

// noteLetters is how many letters of a note are on a line.
const noteLetters = 110

// notes is the note in lines.
func (c *Chart) notes() (lines []string) {
	line := ""
	for _, word := range strings.Fields(c.Note) {
		word = cut(word, noteLetters)
		if line != "" && utf8.RuneCountInString(line)+utf8.RuneCountInString(word) >= noteLetters {
			lines, line = append(lines, line), ""
		}
		line = strings.TrimPrefix(line+" "+word, " ")
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// svg is a document that grows.
type svg struct{ bytes.Buffer }

func (s *svg) line(format string, args ...any) {
	fmt.Fprintf(s, format, args...)
	s.WriteByte('\n')
}

// text writes a text that is not longer than so many letters; the whole of it is shown when
// somebody points at it.
func (s *svg) text(class string, x, y float64, text string, letters int) {
	shown := cut(text, letters)
	if shown == text {
		s.line(`<text class="%s" x="%s" y="%s">%s</text>`, class, number(x), number(y), escaped(text))
		return
	}
	s.line(`<text class="%s" x="%s" y="%s"><title>%s</title>%s</text>`, class, number(x), number(y), escaped(cut(text, 1000)), escaped(shown))
}

// number is a coordinate with one digit after the point, which is finer than anybody sees.
func number(v float64) string { return strings.TrimSuffix(fmt.Sprintf("%.1f", v), ".0") }

// escaped is a text that XML can hold: what is no character there is replaced.
func escaped(text string) string {
	var b strings.Builder
	if err := xml.EscapeText(&b, []byte(text)); err != nil {
		panic(err) // a strings.Builder takes everything
	}
	return b.String()
}

// cut is a text that has no more than so many letters.
func cut(text string, letters int) string {
	if utf8.RuneCountInString(text) <= letters {
		return text
	}
	return string([]rune(text)[:max(letters-1, 1)]) + "…"
}
