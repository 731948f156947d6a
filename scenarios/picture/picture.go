package picture

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"simrun/scenarios/label"
	"simrun/scenarios/spacetime"
	"simrun/scenarios/units"
)

// The largest picture that is drawn.
const (
	maxNodes = 8
	maxRows  = 100
	maxName  = 16 // characters of a name
	maxCell  = 48 // characters of what a node does in a step
)

// Window is as much of a run as is looked at: steps have a few events each.
func Window() spacetime.Options {
	return spacetime.Options{Most: 100 * maxRows, StateBytes: 1}
}

// Of draws a run, and says below what it leaves out.
func Of(d *spacetime.Diagram) string {
	nodes := min(len(d.Graph.Nodes), maxNodes)
	p := &picture{diagram: d, parallel: parallel(d), cells: make([]string, nodes), lanes: make([]string, nodes), rowOf: make([]int, len(d.Events))}
	for v := range p.lanes {
		p.lanes[v] = "|"
	}
	for p.taken < len(d.Events) && p.event(int32(p.taken)) {
		p.taken++
	}
	p.flush()
	var b strings.Builder
	p.draw(&b)
	p.cuts(&b)
	p.left(&b)
	return b.String()
}

// picture is a picture that is being drawn.
type picture struct {
	diagram  *spacetime.Diagram
	parallel []bool   // by channel: another one has the same ends
	cells    []string // by node: the row that is being filled
	lanes    []string // by node: its line where nothing happens
	rows     [][]string
	at       []int64 // by row: when its first event happened
	rowOf    []int   // by event: its row, from 1; 0: none
	taken    int     // events
	cut      bool    // a cell is
}

// parallel is, by channel, whether another one has the same ends.
func parallel(d *spacetime.Diagram) []bool {
	first, is := map[[2]int32]int{}, make([]bool, len(d.Graph.Channels))
	for c, ch := range d.Graph.Channels {
		ends := [2]int32{ch.From, ch.To}
		if other, there := first[ends]; there {
			is[other], is[c] = true, true
		} else {
			first[ends] = c
		}
	}
	return is
}

// event puts an event into the row, or begins a new one with it. It says whether there was
// room.
func (p *picture) event(i int32) bool {
	e := &p.diagram.Events[i]
	text, begins := p.text(e)
	if text == "" || int(e.Node) >= len(p.cells) {
		return true
	}
	if together := e.Kind == spacetime.Restored && p.restoring(i); !together && (begins || p.elsewhere(e.Node)) {
		p.flush()
	}
	if len(p.rows) == maxRows {
		return false
	}
	if p.rowOf[i] = len(p.rows) + 1; p.rowOf[i] > len(p.at) {
		p.at = append(p.at, e.At)
	}
	if p.cells[e.Node] != "" {
		text = p.cells[e.Node] + ", " + text
	}
	p.cells[e.Node] = text
	switch e.Kind {
	case spacetime.Record, spacetime.Restored:
		p.lanes[e.Node] = "|"
		if e.Snapshot != 0 {
			p.lanes[e.Node] = fmt.Sprint(e.Snapshot)
		}
	case spacetime.Crash:
		p.lanes[e.Node] = "x"
	}
	return true
}

// restoring says whether the event before is of the same recovery: all of it is one row.
func (p *picture) restoring(i int32) bool {
	return i > 0 && p.diagram.Events[i-1].Kind == spacetime.Restored && p.diagram.Events[i-1].Incarnation == p.diagram.Events[i].Incarnation
}

// elsewhere says whether the row has something at another node.
func (p *picture) elsewhere(v int32) bool {
	for i, text := range p.cells {
		if text != "" && int32(i) != v {
			return true
		}
	}
	return false
}

// flush ends the row. Nodes that do nothing in it have their line.
func (p *picture) flush() {
	if !p.elsewhere(-1) {
		return
	}
	row := make([]string, len(p.cells))
	for v, text := range p.cells {
		if row[v] = text; text == "" {
			row[v] = p.lanes[v]
		}
		if utf8.RuneCountInString(row[v]) > maxCell {
			row[v], p.cut = label.Short(row[v], maxCell), true
		}
	}
	p.rows = append(p.rows, row)
	clear(p.cells)
}

// instants is, by row, when it happened; in chosen order, where there is no clock, nothing.
func (p *picture) instants() (texts []string, width int) {
	texts = make([]string, len(p.rows))
	for i := range p.rows {
		if p.diagram.Result.Order == "timed" {
			texts[i] = "  " + units.Duration(p.at[i]).Brief()
		}
		width = max(width, len(texts[i]))
	}
	return texts, width
}

// draw writes the rows, as wide as they need to be.
func (p *picture) draw(b *strings.Builder) {
	instants, widest := p.instants()
	head := make([]string, len(p.cells))
	width := make([]int, len(p.cells))
	for v := range head {
		head[v] = label.Short(p.diagram.Graph.Nodes[v], maxName)
		width[v] = utf8.RuneCountInString(head[v])
		for _, row := range p.rows {
			width[v] = max(width[v], utf8.RuneCountInString(row[v]))
		}
	}
	line := func(number, instant string, cells []string) {
		var text strings.Builder
		fmt.Fprintf(&text, "%4s%*s", number, widest, instant)
		for v, cell := range cells {
			text.WriteString("  " + cell + strings.Repeat(" ", width[v]-utf8.RuneCountInString(cell)))
		}
		b.WriteString(strings.TrimRight(text.String(), " ") + "\n")
	}
	line("", "", head)
	for i, row := range p.rows {
		line(fmt.Sprint(i+1), instants[i], row)
	}
}

// cuts says of every snapshot where its cut is, and what was in flight.
func (p *picture) cuts(b *strings.Builder) {
	d := p.diagram
	for i := range d.Snapshots {
		s := &d.Snapshots[i]
		var at []string
		for v := range p.cells {
			if event := s.Cut[v]; event != spacetime.None && p.rowOf[event] > 0 {
				at = append(at, fmt.Sprintf("%s in row %d", label.Short(d.Graph.Nodes[v], maxName), p.rowOf[event]))
			}
		}
		if at == nil {
			continue
		}
		fmt.Fprintf(b, "cut [%d], %s: %s", s.ID, s.Result.Verdict, strings.Join(at, ", "))
		for k, c := range s.Channels {
			between := ", "
			if k == 0 {
				between = "; recorded of channels: "
			}
			fmt.Fprintf(b, "%s%s from %s to %s", between, messages(c.Numbers), p.sender(c.Channel), p.end(d.Graph.Channels[c.Channel].To, spacetime.None))
		}
		b.WriteByte('\n')
	}
}

// maxNumbers is how many messages of a channel are listed.
const maxNumbers = 5

// messages lists recorded messages.
func messages(numbers []uint32) string {
	if len(numbers) == 1 {
		return fmt.Sprintf("message %d", numbers[0])
	}
	text := "messages"
	for i, n := range numbers {
		if i == maxNumbers {
			return fmt.Sprintf("%s and %d more", text, len(numbers)-i)
		}
		text += fmt.Sprintf(" %d", n)
	}
	return text
}

// left says what is left out.
func (p *picture) left(b *strings.Builder) {
	if more := p.diagram.Total - p.taken; more > 0 {
		fmt.Fprintf(b, "(%d more events are not drawn)\n", more)
	}
	if more := len(p.diagram.Graph.Nodes) - len(p.cells); more > 0 {
		fmt.Fprintf(b, "(%d more nodes are not drawn, and what happens there)\n", more)
	}
	if p.cut {
		b.WriteString("(what ends in \u2026 is cut)\n")
	}
}
