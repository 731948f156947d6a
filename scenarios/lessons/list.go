package lessons

import (
	"fmt"
	"io"
	"strings"
)

// List is the lessons, to be shown.
type List struct {
	Lessons []*Lesson `json:"lessons"`
	Program string    `json:"-"` // the name that people know
}

// WriteText prints the list for people.
func (l *List) WriteText(w io.Writer) error {
	var b strings.Builder
	for _, one := range l.Lessons {
		fmt.Fprintf(&b, "%2d  %s\n", one.Number, one.Title)
		wrap(&b, "    ", one.Question)
	}
	fmt.Fprintf(&b, "\n%s lesson 1 shows the first\n", l.Program)
	_, err := io.WriteString(w, b.String())
	return err
}
