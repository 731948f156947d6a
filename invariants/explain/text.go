package explain

import (
	"fmt"
	"strings"
	"text/tabwriter"
)

// width is where sentences are broken.
const width = 100

// Lines is what is wrong, and its story.
func (v *Violation) Lines() []string { return append(v.Head(), v.Story()...) }

// Story is the reasons in a few lines.
func (v *Violation) Story() (lines []string) {
	add := func(sentence string) { lines = append(lines, wrap("  ", sentence)...) }
	if m := v.Message; m != nil && m.Case != "" {
		add(m.title())
	}
	if len(v.Chain) > 0 {
		add(v.chainTitle())
		for _, line := range table(v.Chain, func(e Event) []string { return []string{e.Node, fmt.Sprintf("event %d", e.Number), e.What} }) {
			lines = append(lines, "    "+line)
		}
	}
	for _, why := range v.Why {
		add(why + ".")
	}
	for i, d := range v.Differences {
		if i == listedMax {
			add("And " + number(len(v.Differences)-i, "field") + " more.")
			break
		}
		field := d.Field
		if field == "" {
			field = "the state"
		}
		add(fmt.Sprintf("- %s is %s, should be %s", field, short(string(d.Is)), short(string(d.ShouldBe))))
	}
	if v.Should != "" {
		add(v.Should + ".")
	}
	if len(v.Also) > 0 {
		add("The same channel, also: " + messages(v.Also) + ".")
	}
	return lines
}

// Head is what is wrong, in a sentence.
func (v *Violation) Head() []string { return wrap("", v.Invariant+": "+v.Detail) }

// subject is what a story is about: two with the same one need not be told twice.
func (v *Violation) subject() string {
	if v.Message == nil || v.Snapshot == nil {
		return v.Invariant + v.Detail
	}
	return fmt.Sprintf("%d %d %s", *v.Snapshot, v.Message.Number, v.Message.Channel)
}

// wrap breaks a text into lines, each with the indent.
func wrap(indent, text string) (lines []string) {
	line := indent
	for i, word := range strings.Split(text, " ") {
		if i > 0 && len(line)+1+len(word) > width {
			lines = append(lines, line)
			line = indent + "  "
		} else if i > 0 {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}

// cases says what the four cases mean.
var cases = map[string]string{
	BeforeBefore: "It is inside the cut: the recorded states have what it did",
	BeforeAfter:  "It was in flight when the cut passed, so the recorded state of the channel must have it",
	AfterBefore:  "An orphan: it crosses the cut backwards, which nothing may",
	AfterAfter:   "It is outside the cut, so the snapshot must not have it",
}

// title says where a message is to the cut.
func (m *Message) title() string {
	sent, processed, _ := strings.Cut(m.Case, "/")
	if processed = "processed " + processed + " " + m.To + " recorded"; m.Processed == nil {
		processed = "never processed"
	}
	text := fmt.Sprintf("Message %d on %s: sent %s %s recorded, %s (%s).", m.Number, m.Channel, sent, m.From, processed, m.Case)
	if m.Case == AfterAfter && m.Recorded == 0 {
		return text // nothing has it that should not
	}
	return text + " " + cases[m.Case] + "."
}

func (v *Violation) chainTitle() string {
	if v.Message != nil && v.Message.Case == AfterBefore {
		return "What happened, each before the next:"
	}
	if v.Invariant == "fifo" {
		return "What happened, first to last:"
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
