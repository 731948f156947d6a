package plot

import (
	"fmt"
	"strings"
)

// panel is the part of a chart that has the lines.
type panel struct {
	left, right, top, bottom float64
	x, y                     *scale
}

func (p *panel) at(x, y float64) (float64, float64) {
	return p.left + p.x.at(x)*(p.right-p.left), p.bottom - p.y.at(y)*(p.bottom-p.top)
}

// ticksX and ticksY are about how many ticks are below and on the left.
const ticksX, ticksY = 8, 6

// chart draws one chart, from the origin on.
func (s *svg) chart(c *Chart) {
	s.text("title", 24, 36, c.Title, 80)
	p := &panel{left: 24, right: width - legend - 20, top: top, bottom: height - bottom}
	if c.empty() {
		s.text("name", 24, top, nothing, 90)
		s.legend(c, 24, top+legendStep, 90)
	} else {
		p.x, p.y = c.scaleX(), c.scaleY(ticksY)
		p.left += 12 + letter*float64(longest(p.y.ticks))
		s.axes(c, p)
		for i := range c.Lines {
			s.band(&c.Lines[i], i, p)
		}
		for i := range c.Lines {
			s.drawLine(c, i, p)
		}
		s.legend(c, width-legend, top+8, 19)
	}
	for i, line := range c.notes() {
		s.text("note", 24, float64(c.height()-noteHeight*(len(c.notes())-i)+6), line, noteLetters)
	}
}

func longest(ticks []tick) (letters int) {
	for _, t := range ticks {
		letters = max(letters, len([]rune(t.text)))
	}
	return letters
}

// axes draws the grid, the ticks and the labels.
func (s *svg) axes(c *Chart, p *panel) {
	for _, t := range p.y.ticks {
		_, y := p.at(p.x.low, t.at)
		s.line(`<path class="grid" d="M%s %sH%s"/>`, number(p.left), number(y), number(p.right))
		s.text("tick end", p.left-10, y+6, t.text, 20)
	}
	slot := (p.right - p.left) / float64(max(len(p.x.ticks), 1))
	every := 1 + int(44/slot) // of names that are too close only some are written
	for i, t := range p.x.ticks {
		x, _ := p.at(t.at, p.y.low)
		s.line(`<path class="grid" d="M%s %sV%s"/>`, number(x), number(p.top), number(p.bottom))
		if i%every == 0 {
			s.text("tick middle", x, p.bottom+28, t.text, max(int(slot*float64(every)/letter), 3))
		}
	}
	s.line(`<path class="axis" d="M%s %sV%sH%s"/>`, number(p.left), number(p.top), number(p.bottom), number(p.right))
	s.text("label", 24, top-18, scaled(c.Y.Label, p.y), 60)
	s.text("label middle", (p.left+p.right)/2, p.bottom+56, scaled(c.X.Label, p.x), 60)
}

// scaled is a label with a word on the scale, which nobody should have to guess.
func scaled(label string, s *scale) string {
	if s.log {
		return label + " (logarithmic)"
	}
	return label
}

// band draws the intervals of a line: an area between their ends, or, where a point has no
// neighbour, a whisker.
func (s *svg) band(l *Line, i int, p *panel) {
	for _, run := range l.pieces() {
		var there, back strings.Builder
		wide := false
		for k, point := range run {
			x, high := p.at(point.X, point.High)
			fmt.Fprintf(&there, "L%s %s", number(x), number(high))
			point = run[len(run)-1-k]
			x, low := p.at(point.X, point.Low)
			fmt.Fprintf(&back, "L%s %s", number(x), number(low))
			wide = wide || point.Low < point.High
		}
		switch {
		case !wide:
		case len(run) > 1:
			s.line(`<path class="band c%d" d="M%s%sZ"/>`, i%len(light), there.String()[1:], back.String())
		default:
			x, low := p.at(run[0].X, run[0].Low)
			_, high := p.at(run[0].X, run[0].High)
			s.line(`<path class="whisker c%d" d="M%s %sh12m-6 0V%sm-6 0h12"/>`, i%len(light), number(x-6), number(low), number(high))
		}
	}
}

// drawLine draws a line and its points.
func (s *svg) drawLine(c *Chart, i int, p *panel) {
	runs := c.Lines[i].pieces()
	for _, run := range runs {
		var d strings.Builder
		for _, point := range run {
			x, y := p.at(point.X, point.Y)
			fmt.Fprintf(&d, "L%s %s", number(x), number(y))
		}
		s.line(`<path class="%s" d="M%s"/>`, look(i), d.String()[1:])
	}
	for _, run := range runs {
		for _, point := range run {
			x, y := p.at(point.X, point.Y)
			s.marker(i, x, y, c.says(i, point, p))
		}
	}
}

// says is what is told of a point to who points at it.
func (c *Chart) says(i int, point Point, p *panel) string {
	text := fmt.Sprintf("%s, %s %s: %s", cut(c.Lines[i].Name, 100), cut(c.X.Label, 100), p.x.name(point.X), p.y.text(point.Y, point.Y))
	if point.Low < point.High {
		text += fmt.Sprintf(" (%s to %s)", p.y.text(point.Low, point.Low), p.y.text(point.High, point.High))
	}
	return text
}

// name is a value of the parameter in words.
func (s *scale) name(v float64) string {
	if i := int(v); len(s.axis.Names) > 0 && i >= 0 && i < len(s.axis.Names) {
		return cut(s.axis.Names[i], 100)
	}
	return s.text(v, v)
}

// legendStep is the distance of two lines of the legend.
const legendStep = 30

// steps is how many lines of the legend a line takes: one that has no points says why.
func (l *Line) steps() int {
	if l.isAbsent() {
		return 2
	}
	return 1
}

// legend draws the names of the lines, each with its marker and dash.
func (s *svg) legend(c *Chart, x, y float64, letters int) {
	for i := range c.Lines {
		l := &c.Lines[i]
		switch {
		case !l.isAbsent():
			s.line(`<path class="%s" d="M%s %sh44"/>`, look(i), number(x), number(y))
			s.marker(i, x+22, y, "")
			s.text("name", x+56, y+6, l.Name, letters)
		case c.empty():
			s.text("absent", x, y+6, l.Name, letters)
			s.text("absent", x, y+legendStep, l.reason(), letters)
		default:
			s.text("absent", x+56, y+6, l.Name, letters)
			s.text("absent", x+56, y+legendStep-2, l.reason(), letters+2)
		}
		y += float64(legendStep * l.steps())
	}
}
