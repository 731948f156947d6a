package mutation

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// ExitCode is what a command that ran this returns: 1 if a wrong algorithm is not
// killed by the invariant that must, or a right one is accused; 3 if nobody can tell.
func (r *Result) ExitCode() int {
	code := 0
	for i := range r.Right {
		switch {
		case r.Right[i].Accusations > 0:
			code = 1
		case r.Right[i].Inconclusive > r.Right[i].GaveUp && code == 0:
			code = 3
		}
	}
	for i := range r.Wrong {
		if !r.Wrong[i].Killed {
			code = 1
		}
	}
	if r.Interrupted {
		code = 130
	}
	return code
}

// WriteText prints a result for people.
func (r *Result) WriteText(w io.Writer) error {
	var b strings.Builder
	if r.Seeds == 0 {
		b.WriteString("interrupted before the first scenario was done\n")
	} else {
		fmt.Fprintf(&b, "generated scenarios, seeds %d-%d", r.First, r.Last)
		if r.Interrupted {
			b.WriteString(", interrupted")
		}
		b.WriteByte('\n')
		r.writeWrong(&b)
		r.writeRight(&b)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (r *Result) writeWrong(b *strings.Builder) {
	if len(r.Wrong) == 0 {
		return
	}
	b.WriteString("\nwrong algorithms\n")
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "  no\talgorithm\t\texpected\tseeds\tmedian\tmost\tsmallest\tnodes\tchannels\tdeliveries\tothers\n")
	alive := 0
	var smallest *Wrong
	for i := range r.Wrong {
		w := &r.Wrong[i]
		if !w.Killed {
			alive++
			fmt.Fprintf(t, "  %d\t%s\talive\t%s\t0\t-\t-\t-\t-\t-\t-\t%s\n", w.Number, w.Algorithm, w.Expected, others(w))
			continue
		}
		k := w.Smallest
		fmt.Fprintf(t, "  %d\t%s\tkilled\t%s\t%d\t%d\t%d\tseed %d\t%d\t%d\t%d\t%s\n",
			w.Number, w.Algorithm, w.Expected, w.Kills, *w.Median, *w.Most, k.Seed, k.Nodes, k.Channels, k.Deliveries, others(w))
		if smallest == nil {
			smallest = w
		}
	}
	t.Flush()
	fmt.Fprintf(b, "%d of %d killed by the invariant that must catch them\n", len(r.Wrong)-alive, len(r.Wrong))
	if smallest != nil {
		name := r.family.Name(smallest.Smallest.Seed)
		fmt.Fprintf(b, "see one: %s -o %s && %s run %s --algorithm %s\n", smallest.Smallest.Print, name, r.program, name, smallest.Algorithm)
	}
}

// others is the invariants beside the expected one, with their seeds.
func others(w *Wrong) string {
	var parts []string
	for _, k := range w.By {
		if k.Invariant != w.Expected {
			parts = append(parts, fmt.Sprintf("%s %d", k.Invariant, k.Seeds))
		}
	}
	return strings.Join(parts, ", ")
}

func (r *Result) writeRight(b *strings.Builder) {
	if len(r.Right) == 0 {
		return
	}
	b.WriteString("\nright algorithms\n")
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "  algorithm\truns\thold\taccused\tinconclusive\tgave up\tdeliveries\tsnapshots\n")
	for i := range r.Right {
		a := &r.Right[i]
		fmt.Fprintf(t, "  %s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\n", a.Algorithm, a.Runs, a.Holds, a.Accusations, a.Inconclusive, a.GaveUp, a.Deliveries, a.Completed)
	}
	t.Flush()
	for i := range r.Right {
		a := &r.Right[i]
		fmt.Fprintf(b, "%s exercised: %s\n", a.Algorithm, a.Exercised)
	}
	for i := range r.Right {
		for _, x := range r.Right[i].Accused[:min(len(r.Right[i].Accused), 10)] {
			name := r.family.Name(x.Seed)
			fmt.Fprintf(b, "accused: %s of %s: %s -o %s && %s run %s --algorithm %s\n",
				r.Right[i].Algorithm, strings.Join(x.Invariants, ", "), x.Print, name, r.program, name, r.Right[i].Algorithm)
		}
	}
}
