package explain

import (
	"fmt"
	"slices"
	"strings"
)

// storiesMax is how many violations of a snapshot a text tells in full.
const storiesMax = 3

// Lines is the story of a snapshot. span words times. Violations that have been told
// are not told again, and those that are get into told.
func (s *Snapshot) Lines(span func(int64) string, told map[string]bool) []string {
	lines := []string{s.Brief()}
	if len(s.Violations) > 0 {
		lines = append(lines, "", "what is wrong")
		for i, stories := 0, 0; i < len(s.Violations); i++ {
			v := &s.Violations[i]
			switch {
			case told[v.subject()]:
				lines = append(lines, indent(append(v.Head(), "  (told above)"))...)
				continue
			case stories == storiesMax:
				lines = append(lines, indent(v.Head())...)
				continue
			}
			stories++
			told[v.subject()] = true
			lines = append(lines, indent(v.Lines())...)
		}
		if s.ViolationsMore > 0 {
			lines = append(lines, fmt.Sprintf("  and %s more in this snapshot", number(s.ViolationsMore, "violation")))
		}
	}
	lines = append(lines, "", "the cut: when each node recorded, first to last")
	lines = append(lines, indent(s.cutLines(span))...)
	if len(s.Channels) == 0 {
		return append(lines, "", s.noCase())
	}
	lines = append(lines, "", "the messages of each channel: sent and processed before or after its ends recorded")
	lines = append(lines, indent(s.caseLines())...)
	lines = append(lines, "", "why")
	return append(lines, s.whyLines()...)
}

// noCase says why there is no channel to put messages into the four cases.
func (s *Snapshot) noCase() string {
	switch s.ChannelsOpen {
	case 0:
		return "the graph has no channel, so nothing could be in flight"
	case 1:
		return "there is no cut through the only channel: an end of it has not recorded"
	}
	return fmt.Sprintf("there is no cut through any of the %d channels: an end of each has not recorded", s.ChannelsOpen)
}

// Tell is Lines for a violation that is told first.
func (v *Violation) Tell(told map[string]bool) []string {
	told[v.subject()] = true
	return v.Lines()
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
	recorded := 0
	for _, r := range s.Cut {
		if r.Recorded != nil {
			recorded++
		}
	}
	if recorded < len(s.Cut) {
		text += fmt.Sprintf("; recorded by %d of %s", recorded, number(len(s.Cut)+s.NodesMore, "node")) // these come first
	}
	if s.Stored > 0 {
		text += "; " + number(s.Stored, "message") + " in flight stored"
	}
	if s.Orphans > 0 {
		text += "; " + number(s.Orphans, "orphan")
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
const stateMax = 64

func (s *Snapshot) cutLines(span func(int64) string) []string {
	states, timers := true, false
	for _, r := range s.Cut {
		states, timers = states && len(readable(string(r.State))) <= stateMax, timers || len(r.Timers) > 0
	}
	head := []string{"node", "recorded as its", "at", "made by", "records read"}
	if timers {
		head = append(head, "timers due")
	}
	if states {
		head = append(head, "state")
	}
	rows := [][]string{head}
	for _, r := range s.Cut {
		if r.Recorded == nil {
			rows = append(rows, append([]string{r.Node, "never"}, slices.Repeat([]string{"-"}, len(head)-2)...))
			continue
		}
		row := []string{r.Node, fmt.Sprintf("event %d", r.Recorded.Number), span(r.At), r.By, fmt.Sprint(r.Records)}
		if timers {
			row = append(row, r.timersDue(span))
		}
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

// timersMax is how many timers of a node the table of the cut has room for.
const timersMax = 3

func (r *Recording) timersDue(span func(int64) string) string {
	if len(r.Timers) == 0 {
		return "-"
	}
	var due []string
	for _, t := range r.Timers[:min(len(r.Timers), timersMax)] {
		due = append(due, span(t.Due))
	}
	if more := len(r.Timers) - len(due) + r.TimersMore; more > 0 {
		due[len(due)-1] += fmt.Sprintf(" and %d more", more)
	}
	return strings.Join(due, ", ")
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
	if s.CrossedMore > 0 {
		lines = append(lines, fmt.Sprintf("and %s more with something in flight, or wrong", number(s.CrossedMore, "channel")))
	}
	if s.ChannelsMore > 0 {
		lines = append(lines, fmt.Sprintf("and %s more, on which nothing was in flight and nothing is wrong", number(s.ChannelsMore, "channel")))
	}
	if s.ChannelsOpen > 0 {
		lines = append(lines, fmt.Sprintf("and %s more, of which an end has not recorded", number(s.ChannelsOpen, "channel")))
	}
	return lines
}

// Legend says what the four cases and the rule of the algorithm are.
func (s *Snapshot) Legend() []string {
	return append([]string{
		"before/before: sent and processed inside the cut, so the recorded states have what it did",
		"before/after (or never): in flight when the cut passed, so it has to be recorded with its channel",
		"after/before: an orphan, processed inside the cut and sent outside; a consistent cut has none",
		"after/after: outside the cut, none of the snapshot's business"}, s.rule()...)
}

// recordedList is what a channel's recorded state holds: 13, 14-28 x2.
func recordedList(list []uint32, stored int) string {
	if stored == 0 {
		return "-"
	}
	var parts []string
	at := 0
	for at < len(list) && len(parts) < rangesMax {
		run, times := Ranges{{list[at], list[at]}}, repeats(list[at:])
		for at += times; at < len(list) && list[at] == run[0][1]+1 && repeats(list[at:]) == times; at += times {
			run[0][1]++
		}
		text := run.String()
		if times > 1 {
			text += fmt.Sprintf(" x%d", times)
		}
		parts = append(parts, text)
	}
	text := strings.Join(parts, ", ")
	if stored > at {
		text += fmt.Sprintf(" and %d more", stored-at)
	}
	return text
}

// repeats is how often the first of the numbers comes before another one does.
func repeats(numbers []uint32) int {
	n := 1
	for n < len(numbers) && numbers[n] == numbers[0] {
		n++
	}
	return n
}

// reasonsMax is how many channels with nothing in flight are told one by one.
const reasonsMax = 4

func (s *Snapshot) whyLines() (lines []string) {
	var alike []string
	for i, c := range s.Channels {
		why := wrap("  ", fmt.Sprintf("%s: %s.", c.Name, c.Why))
		if c.Right && len(c.InFlight) == 0 && i >= reasonsMax && i < len(s.Channels)-1 || len(alike) > 0 {
			alike = append(alike, c.Name)
			continue
		}
		lines = append(lines, why...)
	}
	if len(alike) > 0 {
		lines = append(lines, wrap("  ", fmt.Sprintf("The other %d: the receiver had processed all that the sender had sent, each when it recorded. Nothing was in flight.",
			len(alike)))...)
	}
	return lines
}

// rule is the reason for all channels: the algorithm's.
func (s *Snapshot) rule() []string {
	if s.aligned {
		return wrap("", "The rule: a node records when the barrier has come on every input that is no back-edge, and keeps those blocked where it has come."+
			" So it has processed all that was sent in front of the barriers, and nothing from behind one. What a back-edge brings until its own barrier is logged.")
	}
	if s.again {
		return wrap("", "The rule: a node records when the barrier has come on every input that is no back-edge, and reads on meanwhile."+
			" So it has processed all that was sent in front of the barriers, and perhaps something from behind one: an orphan, which is sent again after a restore, and takes effect twice."+
			" At-least-once allows that. What a back-edge brings until its own barrier is logged.")
	}
	return wrap("", "The rule: a node that records puts its markers on its channels in the same step. So what it sent before is in front of them, and what it sends later behind."+
		" A node records at the latest when the first marker comes, and stores what it then processes from a channel until the marker of that channel.")
}
