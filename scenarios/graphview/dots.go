package graphview

import (
	"fmt"

	"simrun/scenarios/label"
)

// The largest drawing of dots.
const (
	dotNodes    = 10_000
	dotChannels = 2_000
	dotStep     = 16 // between dots
)

// dots draws a graph that is too large for names: its nodes are dots on a grid, in the
// order of the graph. It returns what is left out, and writes that into the drawing.
func (s *svg) dots(g *Graph) (left []string) {
	shown := min(len(g.Nodes), dotNodes)
	left = append(left, fmt.Sprintf("the graph is large: nodes are drawn as dots, in the order of the graph; names are drawn up to %d nodes and %d channels", drawnNodes, drawnChannels))
	if rest := len(g.Nodes) - shown; rest > 0 {
		left = append(left, fmt.Sprintf("%s left out, and their channels; the first %d are drawn", count(rest, "node"), shown))
	}
	lines := len(g.Channels) <= dotChannels
	if !lines {
		left = append(left, fmt.Sprintf("all %d channels are left out; up to %d are drawn", len(g.Channels), dotChannels))
	}
	row := 1
	for row*row < shown {
		row++
	}
	at := func(v int) (x, y int) {
		return margin + dotStep/2 + v%row*dotStep, titleRoom + dotStep/2 + v/row*dotStep
	}
	_, bottom := at(shown - 1)
	bottom += 2 * dotStep
	words := "large dot: initiates snapshots; square: records from outside"
	width := 2*margin + max(row*dotStep, 8*titleLabel)
	s.begin(g, width, bottom+margin+20*(len(left)+1))
	for c := range g.Channels {
		ends := g.topology.Channels[c]
		if !lines || int(ends.From) >= shown || int(ends.To) >= shown {
			continue
		}
		x, y := at(int(ends.From))
		toX, toY := at(int(ends.To))
		fmt.Fprintf(s, `<g><title>%s</title><path class="%s" d="M%d %dL%d %d" marker-end="url(#tip)"/></g>`+"\n",
			escape(g.Channels[c].describe()), g.Channels[c].class(), x, y, toX, toY)
	}
	for v := range shown {
		s.dot(&g.Nodes[v], at, v)
	}
	s.text("legend", margin, bottom, words)
	for i, sentence := range left {
		s.text("legend", margin, bottom+20*(i+1), label.Plain(sentence))
	}
	s.WriteString("</svg>\n")
	return left
}

// dot draws a node without its name.
func (s *svg) dot(n *Node, at func(int) (int, int), v int) {
	x, y := at(v)
	half := 3
	if n.Initiator {
		half = 6
	}
	fmt.Fprintf(s, "<g><title>%s</title>", escape(n.describe()))
	if n.Source {
		fmt.Fprintf(s, `<rect class="dot" x="%d" y="%d" width="%d" height="%d"/>`, x-half, y-half, 2*half, 2*half)
	} else {
		fmt.Fprintf(s, `<circle class="dot" cx="%d" cy="%d" r="%d"/>`, x, y, half)
	}
	s.WriteString("</g>\n")
}
