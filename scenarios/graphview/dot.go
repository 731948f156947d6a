package graphview

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"simrun/scenarios/label"
	"simrun/topology"
)

// Most characters of a label that a drawing shows.
const (
	nodeLabel    = 24
	channelLabel = 40
	titleLabel   = 120
)

// WriteDOT writes the whole graph in the DOT language. Its nodes and channels have the
// order of the graph, and their names as identifiers, so that it can be read as the graph
// of a scenario again.
func (g *Graph) WriteDOT(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "digraph %s {\n", topology.QuoteDOT(label.Plain(g.Name)))
	fmt.Fprintf(b, "  graph [rankdir=LR, labelloc=t, label=%s];\n", topology.LabelDOT(label.Short(g.title(), titleLabel)))
	b.WriteString("  // twice framed: initiates snapshots; arrow-shaped: records from outside\n")
	b.WriteString("  // dashed: back-edge; dotted: unreliable; bold: has a delay of its own\n")
	b.WriteString("  node [shape=box];\n")
	ids := g.identifiers()
	for v := range g.Nodes {
		n := &g.Nodes[v]
		var shape string
		if n.Source {
			shape += ", shape=cds"
		}
		if n.Initiator {
			shape += ", peripheries=2"
		}
		tip := label.Plain(n.Name)
		if remarks := n.remarks(); remarks != "" {
			tip += ": " + remarks
		}
		fmt.Fprintf(b, "  %s [label=%s, tooltip=%s%s];\n", ids[v], topology.LabelDOT(label.Short(n.Name, nodeLabel)), topology.LabelDOT(tip), shape)
	}
	for c := range g.Channels {
		ch, ends := &g.Channels[c], g.topology.Channels[c]
		fmt.Fprintf(b, "  %s -> %s [label=%s%s];\n", ids[ends.From], ids[ends.To], topology.LabelDOT(label.Short(ch.text(), channelLabel)), ch.stroke())
	}
	b.WriteString("}\n")
	return b.Flush()
}

// title is what is said of the graph in a drawing of it.
func (g *Graph) title() string {
	return fmt.Sprintf("%s: %s, %s", g.Name, count(len(g.Nodes), "node"), count(len(g.Channels), "channel"))
}

// text is the id of a channel and what is unusual about it, but for what its stroke says.
func (c *Channel) text() string {
	text := fmt.Sprintf("#%d", c.ID)
	if remarks := c.remarks(false); remarks != "" {
		text += " " + remarks
	}
	return text
}

// stroke is how the line of a channel looks.
func (c *Channel) stroke() string {
	var styles []string
	if c.BackEdge {
		styles = append(styles, "dashed")
	} else if c.unreliable() {
		styles = append(styles, "dotted")
	}
	if c.Delay != "" {
		styles = append(styles, "bold")
	}
	attributes := ""
	if styles != nil {
		attributes = fmt.Sprintf(`, style="%s"`, strings.Join(styles, ","))
	}
	if c.BackEdge {
		attributes += ", constraint=false"
	}
	return attributes
}

// identifiers is the nodes as DOT names them: each its own, also where the name of one
// cannot be written and becomes that of another.
func (g *Graph) identifiers() []string {
	ids, taken := make([]string, len(g.Nodes)), make(map[string]bool, len(g.Nodes))
	for v := range g.Nodes {
		id := topology.QuoteDOT(label.Plain(g.Nodes[v].Name))
		for again := 2; taken[id]; again++ {
			id = topology.QuoteDOT(fmt.Sprintf("%s (%d)", label.Plain(g.Nodes[v].Name), again))
		}
		taken[id] = true
		ids[v] = id
	}
	return ids
}
