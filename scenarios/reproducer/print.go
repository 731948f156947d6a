package reproducer

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// Outcomes is what became of several.
type Outcomes []*Outcome

// ExitCode is 4 if one is not the same, else 1 if one is violated, else 3 if nobody can
// tell of one, else 0.
func (o Outcomes) ExitCode() int {
	for _, code := range []int{4, 1, 3} {
		if slices.ContainsFunc(o, func(one *Outcome) bool { return one.ExitCode() == code }) {
			return code
		}
	}
	return 0
}

// WriteText prints a line for each that is not the same, and counts the others.
func (o Outcomes) WriteText(w io.Writer) error {
	same := 0
	for _, one := range o {
		if one.Outcome == Reproduced {
			same++
			continue
		}
		if _, err := fmt.Fprintf(w, "%s: %s: %s\n", one.Reproducer, strings.ReplaceAll(one.Outcome, "-", " "), one.why()); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w, "%d of %d reproduced, to the same digest and verdict\n", same, len(o))
	return err
}

// why says what is not the same.
func (o *Outcome) why() string {
	if o.Divergence != nil {
		return o.Divergence.Error()
	}
	return o.Difference
}

// WriteText prints an outcome for people.
func (o *Outcome) WriteText(w io.Writer) error {
	if o.Result != nil {
		if err := o.Result.WriteText(w); err != nil {
			return err
		}
		if _, err := io.WriteString(w, "\n"); err != nil {
			return err
		}
	}
	var b strings.Builder
	switch {
	case o.Outcome == Reproduced:
		fmt.Fprintf(&b, "reproduced: all %d steps of %s, to the same digest and verdict\n", o.Steps, o.Reproducer)
	case o.Divergence != nil:
		d := o.Divergence
		fmt.Fprintf(&b, "diverged at step %d of %d of %s (written by simrun %s)\n  expected: %s\n  instead:  %s\n", d.Step, o.Steps, o.Reproducer, o.Tool, d.Expected, d.Instead)
		if o.Result == nil {
			b.WriteString("the run was ended there; --continue lets it go on\n")
		}
	default:
		fmt.Fprintf(&b, "%s: %s (%s, written by simrun %s)\n", strings.ReplaceAll(o.Outcome, "-", " "), o.Difference, o.Reproducer, o.Tool)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
