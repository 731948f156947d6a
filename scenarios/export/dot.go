package export

import (
	"bufio"
	"fmt"
	"io"
	"slices"

	"simrun/scenarios/label"
	"simrun/scenarios/spacetime"
	"simrun/topology"
)

// DOTEvents is how many events a space-time diagram in DOT has at the most.
const DOTEvents = 3000

// How far events and lanes are from each other, in points.
const (
	dotStep = 36
	dotLane = 90
)

// DOT writes a run as a space-time diagram in the DOT language, with the place of every
// event: Graphviz draws it, as neato -n2, and has nothing to lay out. To the right is the
// logical order: an event stands one step behind the last of its lane and behind what it
// received, so that every arrow leads to the right. Recordings are boxes, joined to a line
// for each snapshot: its cut.
func DOT(w io.Writer, d *spacetime.Diagram) (left []string, err error) {
	b := bufio.NewWriter(w)
	left = cut(d, fmt.Sprintf("a drawing by Graphviz has up to %d", DOTEvents))
	title := label.Short(run(d)+": "+verdict(d), verdictLength)
	for _, sentence := range left {
		title += " (" + sentence + ")"
	}
	b.WriteString("// draw it with: neato -n2 -Tsvg\n")
	fmt.Fprintf(b, "digraph %s {\n", topology.QuoteDOT(label.Plain(d.Graph.Name)))
	fmt.Fprintf(b, "  graph [splines=line, outputorder=edgesfirst, labelloc=t, label=%s];\n", topology.LabelDOT(title))
	b.WriteString("  node [shape=circle, width=0.12, height=0.12, fixedsize=true, label=\"\", style=filled, fillcolor=black, fontsize=9];\n")
	b.WriteString("  edge [arrowsize=0.6, fontsize=8];\n")
	steps := order(d)
	lanes := used(d)
	for k, v := range lanes {
		fmt.Fprintf(b, "  lane%d [shape=plaintext, style=\"\", fixedsize=false, label=%s, tooltip=%s, pos=\"%d,%d!\"];\n",
			k, topology.LabelDOT(lane(d, v)), topology.LabelDOT(lane(d, v)), -2*dotStep, -k*dotLane)
	}
	last := make([]string, len(lanes))
	for k := range last {
		last[k] = fmt.Sprintf("lane%d", k)
	}
	for i := range d.Events {
		e := &d.Events[i]
		k, _ := slices.BinarySearch(lanes, e.Node)
		fmt.Fprintf(b, "  e%d [tooltip=%s, pos=\"%d,%d!\"%s];\n", i, topology.LabelDOT(fmt.Sprintf("%s: %s", lane(d, e.Node), say(d, e))), steps[i]*dotStep, -k*dotLane, dotShape(e))
		fmt.Fprintf(b, "  %s -> e%d [arrowhead=none, color=gray60];\n", last[k], i)
		last[k] = fmt.Sprintf("e%d", i)
		if e.Kind.Receives() && e.Peer != spacetime.None {
			fmt.Fprintf(b, "  e%d -> e%d [%s];\n", e.Peer, i, dotArrow(&d.Events[e.Peer]))
		}
	}
	dotCuts(b, d)
	b.WriteString("}\n")
	return left, b.Flush()
}

// order is by event its place in the logical order (Lamport 1978): one more than that of
// the event before it on its lane, and than that of the one that sent what it received.
func order(d *spacetime.Diagram) []int {
	steps, last := make([]int, len(d.Events)), make([]int, d.Lanes())
	for i := range d.Events {
		e := &d.Events[i]
		steps[i] = last[e.Node] + 1
		if e.Kind.Receives() && e.Peer != spacetime.None {
			steps[i] = max(steps[i], steps[e.Peer]+1)
		}
		last[e.Node] = steps[i]
	}
	return steps
}

// used is the lanes that have events, ascending.
func used(d *spacetime.Diagram) (lanes []int32) {
	for i := range d.Events {
		lanes = append(lanes, d.Events[i].Node)
	}
	slices.Sort(lanes)
	return slices.Compact(lanes)
}

// dotShape is how an event looks: a recording is a box with the snapshot's number, what a
// marker does a diamond, a crash and a recovery a word.
func dotShape(e *spacetime.Event) string {
	shape := ""
	switch e.Kind {
	case spacetime.Record:
		shape = fmt.Sprintf(`, shape=box, width=0.26, height=0.2, fillcolor=white, label="%d"`, e.Snapshot)
	case spacetime.MarkerSent, spacetime.Marker:
		shape = `, shape=diamond, width=0.16, height=0.16`
	case spacetime.Crash:
		shape = `, shape=box, width=0.5, height=0.2, fillcolor=black, fontcolor=white, label="crash"`
	case spacetime.Restored:
		shape = `, shape=box, width=0.6, height=0.2, fillcolor=white, label="restored"`
	case spacetime.External, spacetime.Emit, spacetime.Timer:
		shape = `, fillcolor=white`
	}
	if e.Undone != spacetime.None {
		shape += `, color=gray60, fontcolor=gray60`
	}
	return shape
}

// dotArrow is how the arrow of something that was sent looks.
func dotArrow(sent *spacetime.Event) string {
	switch sent.Kind {
	case spacetime.MarkerSent:
		return fmt.Sprintf(`style=dashed, arrowhead=diamond, label="%d"`, sent.Snapshot)
	case spacetime.ControlSent:
		return `style=dotted, arrowhead=open`
	case spacetime.Close:
		return `arrowhead=tee`
	}
	return `arrowhead=normal`
}

// dotCuts joins the recordings of every snapshot, from node to node.
func dotCuts(b *bufio.Writer, d *spacetime.Diagram) {
	for i := range d.Snapshots {
		before := spacetime.None
		for _, event := range d.Snapshots[i].Cut {
			if event == spacetime.None {
				continue
			}
			if before != spacetime.None {
				fmt.Fprintf(b, "  e%d -> e%d [arrowhead=none, style=bold, color=\"#0969da\", tooltip=\"cut of snapshot %d\"];\n", before, event, d.Snapshots[i].ID)
			}
			before = event
		}
	}
}
