package lessons

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// Shown is a lesson with what its commands print.
type Shown struct {
	Lesson
	Runs []Run  `json:"runs"`
	Text string `json:"text"` // the page as people are shown it
}

// Run is a command of a lesson that was carried out.
type Run struct {
	Command  string `json:"command"`
	ExitCode int    `json:"exit_code"`
	Output   string `json:"output"`
}

// Show carries out the commands of the page, each by the words behind the name of the
// program, and puts what they print below them. program is the name that people know.
func (l *Lesson) Show(program string, carryOut func(args []string) (output string, exitCode int)) *Shown {
	s := &Shown{Lesson: *l, Runs: []Run{}}
	var b strings.Builder
	fmt.Fprintf(&b, "Lesson %d: %s\n\n", l.Number, l.Title)
	wrap(&b, "", l.Question)
	last := paragraph
	for _, p := range l.blocks {
		if p.kind != item || last != item {
			b.WriteByte('\n')
		}
		last = p.kind
		switch p.kind {
		case heading:
			fmt.Fprintf(&b, "%s\n%s\n", p.text, strings.Repeat("-", utf8.RuneCountInString(p.text)))
		case code:
			for line := range strings.Lines(p.text + "\n") {
				b.WriteString("    " + line)
			}
		case command:
			args := strings.Fields(p.text)[1:]
			run := Run{Command: strings.Join(append([]string{program}, args...), " ")}
			run.Output, run.ExitCode = carryOut(args)
			s.Runs = append(s.Runs, run)
			fmt.Fprintf(&b, "    $ %s\n", run.Command)
			for line := range strings.Lines(partsOf(run.Output, p.only)) {
				b.WriteString(strings.TrimRight("    "+line, " \n") + "\n")
			}
		default:
			mark := ""
			if p.kind == item {
				mark = "- "
			}
			var text []string
			for _, c := range p.claims {
				text = append(text, strings.ReplaceAll(c.Text, "simrun ", program+" "))
			}
			wrap(&b, mark, strings.Join(text, " "))
		}
	}
	fmt.Fprintf(&b, "\nThe files of this lesson, in the sources; %s lesson %d --write DIR writes them into a folder:\n", program, l.Number)
	for _, name := range append([]string{l.Page}, l.Files...) {
		fmt.Fprintf(&b, "  %s\n", name)
	}
	s.Text = b.String()
	return s
}

// WriteText prints the lesson for people.
func (s *Shown) WriteText(w io.Writer) error {
	_, err := io.WriteString(w, s.Text)
	return err
}

// partsOf is the parts of an output that begin with some of these, however many spaces there
// are; what is left out between them is said, and so is a beginning that no part has.
func partsOf(output string, only []string) string {
	if only == nil {
		return output
	}
	var shown []string
	left, seen := false, make([]bool, len(only))
	for _, part := range strings.Split(strings.Trim(output, "\n"), "\n\n") {
		words := strings.Join(strings.Fields(part), " ")
		i := slices.IndexFunc(only, func(begins string) bool { return strings.HasPrefix(words, begins) })
		if i < 0 {
			left = true
			continue
		}
		if left {
			part = "...\n" + part
		}
		left, seen[i] = false, true
		shown = append(shown, part)
	}
	if left {
		shown = append(shown, "...")
	}
	for i, begins := range only {
		if !seen[i] {
			shown = append(shown, NoPart+begins)
		}
	}
	return strings.Join(shown, "\n\n") + "\n"
}

// NoPart stands in a page in front of a beginning that no part of a command's output has: the
// page is out of date.
const NoPart = "no part begins with "

// width is that of a page.
const width = 90

// noBreak stands for a space at which no line ends.
const noBreak = "\x00"

// wrap writes a text in lines that are not too long; those behind the first are indented like
// the first one behind its mark. A number keeps its unit beside it.
func wrap(b *strings.Builder, mark, text string) {
	indent := strings.Repeat(" ", len(mark))
	line := mark
	for _, word := range strings.Fields(strings.ReplaceAll(text, " ms", noBreak+"ms")) {
		word = strings.ReplaceAll(word, noBreak, " ")
		switch {
		case len(line) == len(mark):
			line += word
		case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width:
			b.WriteString(line + "\n")
			line = indent + word
		default:
			line += " " + word
		}
	}
	b.WriteString(line + "\n")
}
