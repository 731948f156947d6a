package plot

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"
)

// Sizes of a chart in a terminal: with the texts on the left it fits into 80 columns.
const (
	columns = 64
	rows    = 15
)

// signs are the markers in a terminal, by line. Cells in which several lines meet have the
// number of these in their place.
const signs = "ox+*#@%&=$"

// grid is the cells of a chart in a terminal.
type grid struct {
	chart *Chart
	x, y  *scale
	// Of each cell the lines that have a point in it, as bits, and whether a line passes.
	marked  [rows][columns]uint64
	crossed [rows][columns]bool
}

// Text is the chart for a terminal, in ASCII and without colours. Its lines end with line
// feeds.
func Text(c Chart) string {
	var b strings.Builder
	if c.Title != "" {
		fmt.Fprintf(&b, "%s\n", oneLine(c.Title))
	}
	c.Lines = withoutIntervals(c.Lines)
	crowded := false
	if c.empty() {
		fmt.Fprintf(&b, "  %s\n", nothing)
	} else {
		g := &grid{chart: &c, x: c.scaleX(), y: c.scaleY(4)}
		g.fill()
		g.write(&b)
		crowded = g.crowded()
	}
	for i := range c.Lines {
		l := &c.Lines[i]
		if l.isAbsent() {
			fmt.Fprintf(&b, "    %s: %s\n", cut(oneLine(l.Name), 40), oneLine(l.reason()))
		} else {
			fmt.Fprintf(&b, "  %c %s\n", signs[i%len(signs)], oneLine(l.Name))
		}
	}
	if crowded {
		fmt.Fprintf(&b, "  2 and so on: that many in one place\n")
	}
	if c.Note != "" {
		fmt.Fprintf(&b, "  %s\n", oneLine(c.Note))
	}
	return b.String()
}

// withoutIntervals is the lines with nothing but their values: there is no room for more.
func withoutIntervals(lines []Line) []Line {
	bare := slices.Clone(lines)
	for i := range bare {
		bare[i].Points = nil
		for _, p := range lines[i].Points {
			bare[i].Points = append(bare[i].Points, At(p.X, p.Y))
		}
	}
	return bare
}

// oneLine is a text that stays on its line and moves nothing else there.
func oneLine(text string) string {
	return cut(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
			return ' '
		}
		return r
	}, text), 120)
}

// cell is where a value is.
func (g *grid) cell(x, y float64) (row, column int) {
	column = int(math.Round(g.x.at(x) * (columns - 1)))
	row = rows - 1 - int(math.Round(g.y.at(y)*(rows-1)))
	return min(max(row, 0), rows-1), min(max(column, 0), columns-1)
}

// fill puts the lines into the cells.
func (g *grid) fill() {
	for i := range g.chart.Lines {
		for _, run := range g.chart.Lines[i].pieces() {
			for k, p := range run {
				row, column := g.cell(p.X, p.Y)
				g.marked[row][column] |= 1 << (i % 64)
				if k > 0 {
					g.join(run[k-1], p)
				}
			}
		}
	}
}

// join marks the cells that a line crosses from one point to the next, one in each column.
func (g *grid) join(a, b Point) {
	row0, column0 := g.cell(a.X, a.Y)
	row1, column1 := g.cell(b.X, b.Y)
	if column1 < column0 {
		row0, column0, row1, column1 = row1, column1, row0, column0
	}
	for column := column0 + 1; column < column1; column++ {
		row := row0 + int(math.Round(float64((row1-row0)*(column-column0))/float64(column1-column0)))
		g.crossed[row][column] = true
	}
}

// crowded says whether several lines have a point in one cell.
func (g *grid) crowded() bool {
	for row := range rows {
		for column := range columns {
			if bits.OnesCount64(g.marked[row][column]) > 1 {
				return true
			}
		}
	}
	return false
}

// write writes the cells with the axes.
func (g *grid) write(b *strings.Builder) {
	label := make(map[int]string)
	margin := 0
	for _, t := range g.y.ticks {
		row, _ := g.cell(g.x.low, t.at)
		label[row] = t.text
		margin = max(margin, len(t.text))
	}
	for row := range rows {
		line := fmt.Sprintf("  %*s |", margin, label[row])
		for column := range columns {
			line += string(g.sign(row, column))
		}
		fmt.Fprintf(b, "%s\n", strings.TrimRight(line, " "))
	}
	axis, below := []byte(strings.Repeat("-", columns)), []rune(strings.Repeat(" ", columns+24))
	free := 0
	for _, t := range g.x.ticks {
		_, column := g.cell(t.at, g.y.low)
		axis[column] = '+'
		text := []rune(cut(oneLine(t.text), 16))
		from := max(column-len(text)/2, 0)
		if from < free {
			continue // it would run into the one before it
		}
		free = from + len(text) + 1
		copy(below[from:], text)
	}
	fmt.Fprintf(b, "  %*s +%s\n", margin, "", axis)
	fmt.Fprintf(b, "  %*s  %s\n", margin, "", strings.TrimRight(string(below), " "))
	fmt.Fprintf(b, "  %*s  %s\n", margin, "", oneLine(scaled(g.chart.X.Label, g.x)))
}

// sign is what stands in a cell.
func (g *grid) sign(row, column int) byte {
	lines := g.marked[row][column]
	count := bits.OnesCount64(lines)
	switch {
	case count == 1:
		return signs[bits.TrailingZeros64(lines)%len(signs)]
	case count > 1:
		return byte('0' + min(count, 9))
	case g.crossed[row][column]:
		return '.'
	}
	return ' '
}
