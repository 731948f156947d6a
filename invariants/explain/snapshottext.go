package explain

import (
	"fmt"
	"strings"
)

// Lines is the story of a snapshot. span words times.
func (s *Snapshot) Lines(span func(int64) string) []string {
	lines := []string{s.Brief()}
	if len(s.Violations) > 0 {
		lines = append(lines, "", "what is wrong")
		for i := range s.Violations {
			lines = append(lines, indent(s.Violations[i].Lines())...)
		}
		if s.ViolationsMore > 0 {
			lines = append(lines, fmt.Sprintf("  and %s more in this snapshot", number(s.ViolationsMore, "violation")))
		}
	}
	lines = append(lines, "", "the cut: when each node recorded, first to last")
	lines = append(lines, indent(s.cutLines(span))...)
	lines = append(lines, "", "the messages of each channel: sent and processed before or after its sender and its receiver recorded")
	lines = append(lines, indent(s.caseLines())...)
	lines = append(lines, "", "why")
	return append(lines, indent(s.whyLines())...)
}

// Brief is the snapshot in a line.
func (s *Snapshot) Brief() string {
	text := fmt.Sprintf("snapshot %d: %s", s.ID, s.Verdict)
	if s.Because != "" {
		text += ", " + s.Because
	}
	if s.Incarnation > 0 {
		text += fmt.Sprintf(" (in incarnation %d: after recovery %d)", s.Incarnation, s.Incarnation)
	}
	recorded, stored, orphans := 0, 0, 0
	for _, r := range s.Cut {
		if r.Recorded != nil {
			recorded++
		}
	}
	for _, c := range s.Channels {
		stored += c.Stored
		orphans += c.Orphans.count()
	}
	if recorded < len(s.Cut) {
		text += fmt.Sprintf("; %d of the %s listed have recorded", recorded, number(len(s.Cut), "node"))
	}
	if stored > 0 {
		text += fmt.Sprintf("; %s in flight stored", number(stored, "message"))
	}
	if orphans > 0 {
		text += "; " + number(orphans, "orphan")
	}
	return text
}

func indent(lines []string) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = strings.TrimRight("  "+line, " ")
	}
	return out
}

// stateMax is the longest state that the table of the cut has room for.
const stateMax = 60

func (s *Snapshot) cutLines(span func(int64) string) []string {
	states := true
	for _, r := range s.Cut {
		states = states && len(readable(string(r.State))) <= stateMax
	}
	head := []string{"node", "recorded as its", "at", "made by", "records read"}
	if states {
		head = append(head, "state")
	}
	rows := [][]string{head}
	for _, r := range s.Cut {
		if r.Recorded == nil {
			rows = append(rows, []string{r.Node, "never", "-", "-", "-"})
			continue
		}
		row := []string{r.Node, fmt.Sprintf("event %d", r.Recorded.Number), span(r.At), r.By, fmt.Sprint(r.Records)}
		if states {
			row = append(row, readable(string(r.State)))
		}
		rows = append(rows, row)
	}
	lines := table(rows, func(row []string) []string { return row })
	if s.NodesMore > 0 {
		lines = append(lines, fmt.Sprintf("and %s more", number(s.NodesMore, "node")))
	}
	return lines
}

// readable is JSON without what only machines need.
func readable(state string) string {
	return strings.NewReplacer(`"`, "", ",", ", ", ":", " ", "{", "", "}", "").Replace(state)
}

func (s *Snapshot) caseLines() []string {
	rows := [][]string{
		{"sent/processed", BeforeBefore, BeforeAfter, AfterBefore, AfterAfter, ""},
		{"channel", "inside the cut", "in flight", "orphans", "later", "recorded"},
	}
	for _, c := range s.Channels {
		name := c.Name
		if c.BackEdge {
			name += " (back-edge)"
		}
		if !c.Cut {
			rows = append(rows, []string{name, "?", "?", "?", "?", recordedList(c.Recorded, c.Stored)})
			continue
		}
		mark := ""
		if !c.Right {
			mark = "  wrong"
		}
		rows = append(rows, []string{name, c.Inside.String(), c.InFlight.String(), c.Orphans.String(), c.Later.String(),
			recordedList(c.Recorded, c.Stored) + mark})
	}
	lines := table(rows, func(row []string) []string { return row })
	if s.ChannelsMore > 0 {
		lines = append(lines, fmt.Sprintf("and %s more, on which nothing was in flight and nothing is wrong", number(s.ChannelsMore, "channel")))
	}
	return append(lines, "",
		"before/before: the recorded states have what it did",
		"before/after (or never): it was under way when the cut passed, and has to be recorded with its channel",
		"after/before: an orphan, processed inside the cut and sent outside: right snapshots have none",
		"after/after: none of this snapshot's business")
}

// recordedList is what a channel's recorded state holds.
func recordedList(list []uint32, stored int) string {
	var r Ranges
	for _, n := range list {
		r.add(n)
	}
	text := r.String()
	if stored > len(list) {
		text += fmt.Sprintf(" and %d more", stored-len(list))
	}
	return text
}

func (s *Snapshot) whyLines() []string {
	var lines []string
	for _, c := range s.Channels {
		lines = append(lines, fmt.Sprintf("%s: %s", c.Name, c.Why))
	}
	return append(lines, s.rule())
}

// rule is the reason for all channels: the algorithm's.
func (s *Snapshot) rule() string {
	if s.aligned {
		return "A node records when the barrier has come on every input that is no back-edge, and keeps blocked those where it has come:" +
			" so all that was sent in front of a barrier is processed, and nothing from behind it. What a back-edge brings until its own barrier is logged."
	}
	return "A node that records puts its markers on the channels in the same step: what it sent before is in front of them, what it sends later behind." +
		" The receiver records at the latest when the first marker comes, and stores what it then processes from a channel until that channel's marker."
}
