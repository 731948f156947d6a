package graphview

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"simrun/scenarios/label"
)

// The largest graph that is drawn with names and lines to follow; of a larger one nodes are
// dots.
const (
	drawnNodes    = 200
	drawnChannels = 600
	drawnBends    = 6000
)

// WriteSVG draws the graph, and returns what of it is left out, in sentences.
func (g *Graph) WriteSVG(w io.Writer) (left []string, err error) {
	var d *drawing
	if len(g.Nodes) <= drawnNodes && len(g.Channels) <= drawnChannels {
		d = layered(g, drawnBends)
	}
	var s svg
	if d == nil {
		left = s.dots(g)
	} else {
		s.layers(d)
	}
	_, err = w.Write(s.Bytes())
	return left, err
}

// svg is a drawing that is being written.
type svg struct{ bytes.Buffer }

// style is for light and dark screens, and for paper.
const style = `<style>
text{font-family:system-ui,sans-serif;fill:#1b1f24}
.paper{fill:#fff}
.title{font-size:15px;font-weight:600}
.legend{font-size:11px;fill:#57606a}
.name{font-size:12px;text-anchor:middle;dominant-baseline:central}
.id{font-size:10px;fill:#57606a}
.box{fill:#f6f8fa;stroke:#1b1f24;stroke-width:1.3}
.frame{fill:none;stroke:#1b1f24}
.dot{fill:#57606a}
.line{fill:none;stroke:#57606a;stroke-width:1.2}
.tip{fill:#57606a}
.back{stroke-dasharray:7 4}
.slow{stroke-width:2.8}
.bad{stroke:#bc4c00;stroke-dasharray:2 3}
.bad.back{stroke-dasharray:8 3 2 3}
@media (prefers-color-scheme:dark){
text{fill:#e6edf3}
.paper{fill:#0d1117}
.legend,.id{fill:#9da7b3}
.box{fill:#161b22;stroke:#e6edf3}
.frame{stroke:#e6edf3}
.dot,.tip{fill:#9da7b3}
.line{stroke:#9da7b3}
.bad{stroke:#ff9b5e}
}
</style>
<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path class="tip" d="M0 0L8 4L0 8Z"/></marker></defs>
`

// begin writes the head, and the title.
func (s *svg) begin(g *Graph, width, height int) {
	fmt.Fprintf(s, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" role="img">`+"\n", width, height, width, height)
	fmt.Fprintf(s, "<title>%s</title>\n%s", escape(label.Short(g.title(), titleLabel)), style)
	fmt.Fprintf(s, `<rect class="paper" width="%d" height="%d"/>`+"\n", width, height)
	s.text("title", margin, 26, label.Short(g.title(), titleLabel))
}

func (s *svg) text(class string, x, y int, text string) {
	fmt.Fprintf(s, `<text class="%s" x="%d" y="%d">%s</text>`+"\n", class, x, y, escape(text))
}

// escape is a text as XML has it.
func escape(text string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(text)) // a Builder takes everything
	return b.String()
}

// layers draws a graph in columns.
func (s *svg) layers(d *drawing) {
	d.place()
	r := d.route()
	words := d.graph.legend()
	width := max(r.width, 2*margin+small*len(words), 2*margin+8*min(titleLabel, len(d.graph.title())))
	s.begin(d.graph, width, r.height+2*margin+20)
	for c := range d.graph.Channels {
		ch := &d.graph.Channels[c]
		path, x, y := r.path(c)
		fmt.Fprintf(s, `<g><title>%s</title><path class="%s" d="%s" marker-end="url(#tip)"/>`, escape(ch.describe()), ch.class(), path)
		fmt.Fprintf(s, `<text class="id" x="%d" y="%d">%s</text></g>`+"\n", x+5, y-4, escape(label.Short(ch.text(), channelLabel)))
	}
	for v := range d.graph.Nodes {
		s.node(r, v)
	}
	s.text("legend", margin, r.height+margin+20, words)
	s.WriteString("</svg>\n")
}

// node draws a node: pointed to the right if records come to it from outside, and framed
// twice if it initiates snapshots.
func (s *svg) node(r *routes, v int) {
	n, column := &r.graph.Nodes[v], r.column[v]
	left, right, half := r.left[column], r.right[column], r.box[v].height/2
	fmt.Fprintf(s, "<g><title>%s</title>", escape(n.describe()))
	s.outline("box", n, left, right, r.centre[v], half)
	if n.Initiator {
		s.outline("frame", n, left+4, right-4, r.centre[v], half-4)
	}
	fmt.Fprintf(s, `<text class="name" x="%d" y="%d">%s</text></g>`+"\n", (left+right)/2, r.centre[v], escape(label.Short(n.Name, nodeLabel)))
}

func (s *svg) outline(class string, n *Node, left, right, middle, half int) {
	if !n.Source {
		fmt.Fprintf(s, `<rect class="%s" x="%d" y="%d" width="%d" height="%d" rx="4"/>`, class, left, middle-half, right-left, 2*half)
		return
	}
	fmt.Fprintf(s, `<path class="%s" d="M%d %dH%dL%d %dL%d %dH%dZ"/>`, class, left, middle-half, right-9, right, middle, right-9, middle+half, left)
}

// class is the stroke of a channel.
func (c *Channel) class() string {
	class := "line"
	for _, of := range []struct {
		is   bool
		name string
	}{{c.BackEdge, "back"}, {c.Delay != "", "slow"}, {c.unreliable(), "bad"}} {
		if of.is {
			class += " " + of.name
		}
	}
	return class
}

// describe is everything that there is to say of a channel.
func (c *Channel) describe() string {
	text := fmt.Sprintf("%s -> %s #%d", label.Plain(c.From), label.Plain(c.To), c.ID)
	if remarks := c.remarks(true); remarks != "" {
		text += ": " + remarks
	}
	return text
}

// describe is everything that there is to say of a node.
func (n *Node) describe() string {
	text := label.Plain(n.Name)
	if remarks := n.remarks(); remarks != "" {
		text += ": " + remarks
	}
	return text
}

// legend explains the shapes and strokes that the drawing has.
func (g *Graph) legend() string {
	var words []string
	add := func(is bool, word string) {
		if is {
			words = append(words, word)
		}
	}
	var initiator, source, back, bad, slow bool
	for v := range g.Nodes {
		initiator, source = initiator || g.Nodes[v].Initiator, source || g.Nodes[v].Source
	}
	for c := range g.Channels {
		ch := &g.Channels[c]
		back, bad, slow = back || ch.BackEdge, bad || ch.unreliable(), slow || ch.Delay != ""
	}
	add(initiator, "framed twice: initiates snapshots")
	add(source, "pointed: records from outside")
	add(back, "dashed: back-edge")
	add(bad, "dotted: unreliable")
	add(slow, "thick: delay of its own")
	return strings.Join(words, "; ")
}
