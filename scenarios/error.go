package scenarios

import (
	"errors"
	"fmt"
	"strings"

	"simrun/scenarios/label"
	"simrun/topology"
)

// Error is what is wrong with a scenario, or with a file that it names. Line and
// Column count from 1 and are 0 where there is no position to point at.
type Error struct {
	File         string
	Line, Column int
	Message      string // what is wrong
	Right        string // what would be right; may be empty
	Source       string // the line of the file, if Line is known
	Unsuited     bool   // the scenario is right, but not for this algorithm
}

// Error is everything but the excerpt, on one line.
func (e *Error) Error() string {
	where := label.Plain(e.File)
	if e.Line > 0 {
		where = fmt.Sprintf("%s:%d:%d", where, e.Line, e.Column)
	}
	text := e.Message
	if e.Right != "" {
		text += "; " + e.Right
	}
	if where == "" {
		return text
	}
	return where + ": " + text
}

// Most of a line that an excerpt shows: runes before the column, and in all.
const (
	excerptBefore = 60
	excerptWidth  = 100
)

// Excerpt is the line of the file with a caret below the column, or nothing
// where the position is not known. Of a long line it shows the part around the
// column.
func (e *Error) Excerpt() string {
	if e.Line == 0 {
		return ""
	}
	line := []rune(strings.ToValidUTF8(e.Source, "\ufffd"))
	caret := min(max(e.Column-1, 0), len(line))
	from := 0
	if len(line) > excerptWidth {
		from = max(0, caret-excerptBefore)
	}
	shown := line[from:min(len(line), from+excerptWidth)]
	var text, below strings.Builder
	for i, r := range shown {
		if r < ' ' || r == 0x7f { // tabs too: one column is one character here
			r = ' '
		}
		text.WriteString(label.Plain(string(r)))
		if from+i < caret {
			below.WriteByte(' ')
		}
	}
	head := fmt.Sprintf("%4d | ", e.Line)
	return head + strings.TrimRight(text.String(), " ") + "\n" + strings.Repeat(" ", len(head)) + below.String() + "^\n"
}

// fromTopology makes an error about a graph file an Error.
func fromTopology(err error) *Error {
	var t *topology.Error
	if errors.As(err, &t) {
		return &Error{File: t.File, Line: t.Line, Column: t.Column, Message: t.Msg, Source: t.Source}
	}
	return &Error{Message: err.Error()}
}
