package export

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"simrun/scenarios/label"
	"simrun/scenarios/spacetime"
	"simrun/sim"
)

// The largest diagram that is written for Mermaid, which takes no text of more characters
// and draws messages below each other.
const (
	MermaidMessages   = 500
	MermaidCharacters = 50_000
	MermaidEvents     = 100 * MermaidMessages // of which the first messages are taken
)

// mermaidName is how many characters of a name are shown: participants stand side by side.
const mermaidName = 24

// mermaidReserve is how many characters are kept for the end of a diagram that is cut.
const mermaidReserve = 400

// Mermaid writes a run as a sequence diagram. A message is an arrow where it is processed:
// solid of the application, dashed of a snapshot. What is lost, and what a recovery took
// back on its way, has a cross at its end and stands where it was sent. Recordings, crashes
// and recoveries are notes, and while snapshots are under way there is a rectangle. What no
// message and no cut has to do with is left out: records from outside and to outside,
// timers, inputs that are blocked.
func Mermaid(w io.Writer, d *spacetime.Diagram) (left []string, err error) {
	m := &mermaid{diagram: d, shown: make([]bool, d.Lanes()), last: lastOfSnapshots(d), under: map[sim.SnapshotID]bool{}}
	head := "sequenceDiagram\n    %% " + mermaidText(label.Short(run(d)+": "+verdict(d), verdictLength)) + "\n"
	m.size = mermaidReserve + len(head)
	i := 0
	for i < len(d.Events) && m.event(int32(i)) {
		i++
	}
	if m.open {
		m.body.WriteString("    end\n")
	}
	if i < len(d.Events) || !d.Whole() {
		left = append(left, fmt.Sprintf("%s: %d messages, up to event %d of %d; Mermaid takes %d characters, and more than %d messages are hard to read",
			d.Result.Algorithm, m.messages, i, d.Total, MermaidCharacters, MermaidMessages))
		fmt.Fprintf(&m.body, "    Note over %s: %s\n", m.everybody(), mermaidText(fmt.Sprintf("cut here, at event %d of %d", i, d.Total)))
	}
	_, err = io.WriteString(w, head+m.participants()+m.body.String())
	return left, err
}

// mermaid is a diagram that is being written.
type mermaid struct {
	diagram *spacetime.Diagram
	body    strings.Builder
	shown   []bool // by lane: it is a participant
	size    int    // characters, with the reserve

	messages int
	last     map[sim.SnapshotID]int32 // the last event that is about it
	under    map[sim.SnapshotID]bool  // it is under way
	open     bool                     // a rectangle is
	recovery int                      // how many have their note
}

// lastOfSnapshots is, by snapshot, the last event that is about it.
func lastOfSnapshots(d *spacetime.Diagram) map[sim.SnapshotID]int32 {
	last := map[sim.SnapshotID]int32{}
	for i := range d.Events {
		if e := &d.Events[i]; category(e.Kind) == "snapshot" {
			last[e.Snapshot] = int32(i)
		}
	}
	return last
}

// participants declares the lanes that have something, in the order of the graph. Their
// names are texts; what stands for them in the diagram is a number.
func (m *mermaid) participants() string {
	var b strings.Builder
	for v, shown := range m.shown {
		if shown {
			b.WriteString(m.participant(v))
		}
	}
	return b.String()
}

func (m *mermaid) participant(v int) string {
	return fmt.Sprintf("    participant p%d as %s\n", v, mermaidText(label.Short(m.diagram.Lane(int32(v)), mermaidName)))
}

// everybody is the participants from the first to the last.
func (m *mermaid) everybody() string {
	first, last := -1, 0
	for v, shown := range m.shown {
		if shown {
			last = v
			if first < 0 {
				first = v
			}
		}
	}
	if first < 0 { // nothing happened: there is one to say it
		first, m.shown[0] = 0, true
	}
	return across(int32(first), int32(last))
}

// across is the lanes over which a note stands.
func across(first, last int32) string {
	if first == last {
		return fmt.Sprintf("p%d", first)
	}
	return fmt.Sprintf("p%d,p%d", first, last)
}

// event writes what happened, if it is one of those that the diagram has. It says whether
// there was room.
func (m *mermaid) event(i int32) bool {
	d := m.diagram
	e := &d.Events[i]
	var text string
	if category(e.Kind) == "snapshot" && !m.under[e.Snapshot] {
		m.under[e.Snapshot] = true
		if !m.open {
			text = "    rect rgba(128, 128, 160, 0.15)\n"
		}
	}
	lanes := []int32{e.Node}
	switch from, to, arrow, words := m.arrow(i); {
	case arrow != "":
		m.messages++
		lanes = []int32{from, to}
		text += fmt.Sprintf("    p%d%sp%d: %s\n", from, arrow, to, mermaidText(words))
	case e.Kind == spacetime.Initiate, e.Kind == spacetime.Record, e.Kind == spacetime.Crash:
		text += fmt.Sprintf("    Note over p%d: %s\n", e.Node, mermaidText(say(d, e)))
	case e.Kind == spacetime.Restored && m.recovery < len(d.Restores) && d.Restores[m.recovery].Event == i:
		first, last := restarted(d, m.recovery)
		m.recovery++
		lanes = []int32{first, last}
		text += fmt.Sprintf("    Note over %s: %s\n", across(first, last), mermaidText(fmt.Sprintf("recovery %d: %s", m.recovery, say(d, e))))
	default:
		lanes = nil
	}
	if m.under[e.Snapshot] && m.last[e.Snapshot] == i {
		if delete(m.under, e.Snapshot); len(m.under) == 0 {
			text += "    end\n"
		}
	}
	return m.add(text, lanes)
}

// add adds lines, if there is room for them and for the participants that they are about.
func (m *mermaid) add(text string, lanes []int32) bool {
	m.size += utf8.RuneCountInString(text)
	for _, v := range lanes {
		if !m.shown[v] {
			m.size += utf8.RuneCountInString(m.participant(int(v)))
		}
	}
	if m.size > MermaidCharacters || m.messages > MermaidMessages {
		m.messages = min(m.messages, MermaidMessages)
		return false
	}
	for _, v := range lanes {
		m.shown[v] = true
	}
	m.body.WriteString(text)
	m.open = len(m.under) > 0
	return true
}

// restarted is the first and the last of the lanes that a recovery put back.
func restarted(d *spacetime.Diagram, recovery int) (first, last int32) {
	if nodes := d.Restores[recovery].Restarted; nodes != nil {
		return nodes[0], nodes[len(nodes)-1]
	}
	return 0, int32(len(d.Graph.Nodes)) - 1
}

// arrow is the arrow that an event has in the diagram; "" if it has none.
func (m *mermaid) arrow(i int32) (from, to int32, arrow, words string) {
	d := m.diagram
	e := &d.Events[i]
	line, what := "-", fmt.Sprintf("message %d", e.Number)
	switch e.Kind {
	case spacetime.MarkerSent, spacetime.Marker:
		line, what = "--", fmt.Sprintf("marker %d", e.Snapshot)
	case spacetime.Close, spacetime.Ended:
		what = "end of stream"
	case spacetime.ControlSent, spacetime.ControlReceived:
		line, what = "--", e.Word+ofSnapshot(e)
	case spacetime.Send, spacetime.Process:
	case spacetime.Drop:
		what += ", dropped"
	case spacetime.Lost:
		if e.Snapshot != 0 {
			line, what = "--", fmt.Sprintf("marker %d", e.Snapshot)
		}
		what += ", lost"
	default:
		return 0, 0, "", ""
	}
	switch {
	case e.Kind.Receives() && e.Peer != spacetime.None:
		return d.Events[e.Peer].Node, e.Node, line + ">>", what
	case e.Kind == spacetime.Lost:
		return e.Node, d.Graph.Channels[e.Channel].To, line + "x", what
	case !e.Kind.Sends() || e.Peer != spacetime.None || e.Channel == spacetime.None || m.lostNext(i):
		return 0, 0, "", ""
	case e.Undone != spacetime.None:
		return e.Node, d.Graph.Channels[e.Channel].To, line + "x", fmt.Sprintf("%s, taken back by recovery %d", what, e.Undone+1)
	}
	return e.Node, d.Graph.Channels[e.Channel].To, line + ")", what + ", still under way"
}

// lostNext says whether what an event sends is lost, which the next one tells.
func (m *mermaid) lostNext(i int32) bool {
	return int(i)+1 < len(m.diagram.Events) && m.diagram.Events[i+1].Kind == spacetime.Lost
}

// mermaidText is a text in a diagram. Whatever could be something else than text is written
// by its number, and so is the word that ends a rectangle.
func mermaidText(text string) string {
	var b strings.Builder
	word := func(from string) string { // the letters and digits with which a text begins
		return from[:len(from)-len(strings.TrimLeftFunc(from, isWord))]
	}
	for text = label.Plain(text); text != ""; {
		w := word(text)
		if strings.EqualFold(w, "end") {
			fmt.Fprintf(&b, "#%d;", w[0])
			w, text = w[1:], text[1:]
		}
		b.WriteString(w)
		if text = text[len(w):]; text == "" {
			break
		}
		r, size := utf8.DecodeRuneInString(text)
		if r > 0x7f || strings.ContainsRune(" .,()/", r) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "#%d;", r)
		}
		text = text[size:]
	}
	return b.String()
}

func isWord(r rune) bool {
	return r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
}
