package explain

import (
	"fmt"
	"strings"
	"text/tabwriter"
)

// Lines is the story of a violation in a few lines.
func (v *Violation) Lines() []string {
	lines := []string{v.Invariant + ": " + v.Detail}
	add := func(format string, args ...any) { lines = append(lines, "  "+fmt.Sprintf(format, args...)) }
	if m := v.Message; m != nil {
		add("%s", m.title())
	}
	if len(v.Chain) > 0 {
		add("%s", v.chainTitle())
		for _, line := range table(v.Chain, func(e Event) []string { return []string{e.Node, fmt.Sprintf("event %d", e.Number), e.What} }) {
			add("  %s", line)
		}
	}
	for _, why := range v.Why {
		add("%s.", why)
	}
	for i, d := range v.Differences {
		if i == listedMax {
			add("and %s more", number(len(v.Differences)-i, "field"))
			break
		}
		field := d.Field
		if field == "" {
			field = "the state"
		}
		add("%s is %s, should be %s", field, short(string(d.Is)), short(string(d.ShouldBe)))
	}
	if v.Should != "" {
		add("%s.", v.Should)
	}
	return lines
}

// cases says what the four cases mean.
var cases = map[string]string{
	BeforeBefore: "inside the cut",
	BeforeAfter:  "in flight across the cut, so it must be in the recorded state of the channel",
	AfterBefore:  "an orphan: it crosses the cut backwards, which nothing may",
	AfterAfter:   "outside the cut, it has nothing to do with this snapshot",
}

// title says where a message is to the cut.
func (m *Message) title() string {
	text := fmt.Sprintf("Message %d on %s", m.Number, m.Channel)
	if m.Case == "" {
		return text + ":"
	}
	sent, processed, _ := strings.Cut(m.Case, "/")
	if m.Processed == nil {
		processed = "never"
	} else {
		processed += " " + m.To + " did"
	}
	return fmt.Sprintf("%s: sent %s %s recorded, processed %s (%s): %s.", text, sent, m.From, processed, m.Case, cases[m.Case])
}

func (v *Violation) chainTitle() string {
	if v.Message != nil && v.Message.Case == AfterBefore {
		return "What happened, each before the next:"
	}
	return "What happened at each node, in its order:"
}

// table lays out one line for each thing, in columns.
func table[T any](things []T, cells func(T) []string) []string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, thing := range things {
		fmt.Fprintln(w, strings.Join(cells(thing), "\t"))
	}
	w.Flush()
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return lines
}

// capital begins a sentence.
func capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// shortMax is the longest state that a text shows.
const shortMax = 120

func short(text string) string {
	if len(text) > shortMax {
		return strings.ToValidUTF8(text[:shortMax], "") + fmt.Sprintf("... (%d bytes more)", len(text)-shortMax)
	}
	return text
}
