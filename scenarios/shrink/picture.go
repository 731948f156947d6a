package shrink

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"simrun/scenarios"
	"simrun/scenarios/reproducer"
	"simrun/sim"
)

// The largest picture that is drawn.
const (
	pictureNodes = 8
	pictureRows  = 80
)

// Picture draws a small run as text: a column for each node, a row for each step, in the
// order in which they are taken.
//
//	in 3     External record 3 is processed      <2 a    message 2 of a is processed
//	>2 b     message 2 is sent to b              out 1   record 1 leaves the system
//	[1]      the state is recorded, snapshot 1   <M1 a   the marker of snapshot 1 of a is taken
//	M1>b     the marker is sent to b             block a the input from a is blocked
//	drop 2 a message 2 of a has come before, and is dropped
func Picture(r *reproducer.Reproducer) string {
	p := &picture{plan: r.Plan, cells: make([]string, len(r.Plan.Graph.Nodes))}
	if len(p.cells) > pictureNodes {
		return fmt.Sprintf("(no picture of %d nodes; at most %d are drawn)\n", len(p.cells), pictureNodes)
	}
	r.Plan.Along(r.Course, r.Path).NewRunner().Watch(r.Plan.Seed, p)
	p.flush()
	return p.draw()
}

// picture is the Observer that fills the columns.
type picture struct {
	plan  *scenarios.Plan
	cells []string // of the row that is being filled
	rows  [][]string
	more  int // rows that are not drawn
}

// Observe implements sim.Observer.
func (p *picture) Observe(ev *sim.Event) {
	if ev.Kind == sim.EventRestore {
		p.flush()
		text := "from the beginning"
		if ev.Restore.Snapshot != nil {
			text = fmt.Sprintf("to [%d]", ev.Restore.Snapshot.ID)
		}
		for v := range p.cells {
			if ev.Restore.Restarted(int32(v)) {
				p.cells[v] = text
			}
		}
		p.flush()
		return
	}
	text, begins := p.text(ev)
	if text == "" || ev.Node < 0 || int(ev.Node) >= len(p.cells) {
		return
	}
	if begins || p.elsewhere(ev.Node) {
		p.flush()
	}
	if p.cells[ev.Node] != "" {
		text = p.cells[ev.Node] + ", " + text
	}
	p.cells[ev.Node] = text
}

// text says an event in a word or two, and whether a step begins with it.
func (p *picture) text(ev *sim.Event) (text string, begins bool) {
	switch ev.Kind {
	case sim.EventExternal:
		return fmt.Sprintf("in %d", ev.Number), true
	case sim.EventProcess:
		return fmt.Sprintf("<%d %s", ev.Number, p.sender(ev.Channel)), true
	case sim.EventDrop:
		return fmt.Sprintf("drop %d %s", ev.Number, p.sender(ev.Channel)), true
	case sim.EventTimer:
		return fmt.Sprintf("timer %d", ev.Timer), true
	case sim.EventMarker:
		return fmt.Sprintf("<M%d %s", ev.Snapshot, p.sender(ev.Channel)), true
	case sim.EventEnd:
		return "<end " + p.sender(ev.Channel), true
	case sim.EventEndSent:
		return "end>" + p.receiver(ev.Channel), false
	case sim.EventInitiate:
		return fmt.Sprintf("begin %d", ev.Snapshot), true
	case sim.EventCrash:
		return "CRASH", true
	case sim.EventSend:
		return fmt.Sprintf(">%d %s", ev.Number, p.receiver(ev.Channel)), false
	case sim.EventMarkerSent:
		return fmt.Sprintf("M%d>%s", ev.Snapshot, p.receiver(ev.Channel)), false
	case sim.EventEmit:
		return fmt.Sprintf("out %d", ev.Number), false
	case sim.EventRecord:
		return fmt.Sprintf("[%d]", ev.Snapshot), false
	case sim.EventBlock:
		return "block " + p.sender(ev.Channel), false
	case sim.EventUnblock:
		return "unblock " + p.sender(ev.Channel), false
	case sim.EventLose:
		return fmt.Sprintf("lost on the way to %s", p.receiver(ev.Channel)), false
	}
	return "", false
}

func (p *picture) sender(c int32) string {
	return p.plan.Graph.Nodes[p.plan.Graph.Channels[c].From] + p.parallel(c)
}

func (p *picture) receiver(c int32) string {
	return p.plan.Graph.Nodes[p.plan.Graph.Channels[c].To] + p.parallel(c)
}

// parallel is the id of a channel that has the same ends as another.
func (p *picture) parallel(c int32) string {
	for i, ch := range p.plan.Graph.Channels {
		if int32(i) != c && ch == p.plan.Graph.Channels[c] {
			return fmt.Sprintf("#%d", c)
		}
	}
	return ""
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

// flush ends the row.
func (p *picture) flush() {
	empty := true
	for _, text := range p.cells {
		empty = empty && text == ""
	}
	switch {
	case empty:
	case len(p.rows) == pictureRows:
		p.more++
	default:
		p.rows = append(p.rows, append([]string(nil), p.cells...))
	}
	clear(p.cells)
}

func (p *picture) draw() string {
	width := make([]int, len(p.cells))
	for v, name := range p.plan.Graph.Nodes {
		width[v] = utf8.RuneCountInString(name)
		for _, row := range p.rows {
			width[v] = max(width[v], utf8.RuneCountInString(row[v]))
		}
	}
	var b strings.Builder
	line := func(cells []string) {
		var text strings.Builder
		for v, cell := range cells {
			text.WriteString("  " + cell + strings.Repeat(" ", width[v]-utf8.RuneCountInString(cell)))
		}
		b.WriteString(strings.TrimRight(text.String(), " ") + "\n")
	}
	line(p.plan.Graph.Nodes)
	for _, row := range p.rows {
		cells := make([]string, len(row))
		for v, cell := range row {
			if cells[v] = cell; cell == "" {
				cells[v] = "|"
			}
		}
		line(cells)
	}
	if p.more > 0 {
		fmt.Fprintf(&b, "  and %d more steps\n", p.more)
	}
	return b.String()
}
