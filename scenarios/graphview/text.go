package graphview

import (
	"bufio"
	"fmt"
	"io"

	"simrun/scenarios/label"
)

// WriteText writes the graph as a list: each node, and below it a line for every channel
// that it sends on.
func (g *Graph) WriteText(w io.Writer) error {
	b := bufio.NewWriter(w)
	backEdges, unreliable, slow := 0, 0, 0
	outputs := make([][]int32, len(g.Nodes))
	for c := range g.Channels {
		ch := &g.Channels[c]
		outputs[g.topology.Channels[c].From] = append(outputs[g.topology.Channels[c].From], int32(c))
		backEdges += one(ch.BackEdge)
		unreliable += one(ch.unreliable())
		slow += one(ch.Delay != "")
	}
	fmt.Fprintf(b, "%s: %s\n", label.Plain(g.Scenario), g.Algorithm)
	fmt.Fprintf(b, "%s: %s, %s", label.Plain(g.Name), count(len(g.Nodes), "node"), count(len(g.Channels), "channel"))
	if backEdges > 0 {
		fmt.Fprintf(b, ", %s", count(backEdges, "back-edge"))
		if !g.backEdges {
			fmt.Fprintf(b, " (of which %s takes no notice)", g.Algorithm)
		}
	}
	if unreliable > 0 {
		fmt.Fprintf(b, ", %s", count(unreliable, "unreliable channel"))
	}
	if slow > 0 {
		fmt.Fprintf(b, ", %s with own delay", count(slow, "channel"))
	}
	b.WriteString("\n\n")
	for v := range g.Nodes {
		b.WriteString(label.Plain(g.Nodes[v].Name))
		aside(b, g.Nodes[v].remarks())
		for _, c := range outputs[v] {
			fmt.Fprintf(b, "  -> %s #%d", label.Plain(g.Channels[c].To), c)
			aside(b, g.Channels[c].remarks(true))
		}
	}
	return b.Flush()
}

// aside ends a line with a remark.
func aside(b *bufio.Writer, remark string) {
	if remark != "" {
		b.WriteString("  (" + remark + ")")
	}
	b.WriteByte('\n')
}

func one(is bool) int {
	if is {
		return 1
	}
	return 0
}

func count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}
