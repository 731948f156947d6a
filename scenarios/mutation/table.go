package mutation

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"simrun/scenarios/generate"
	"simrun/scenarios/search"
)

// ExitCode is what a command that made the table returns: 1 if the portfolio does not
// kill a wrong algorithm that some strategy kills.
func (t *Table) ExitCode() int {
	if t.Interrupted {
		return 130
	}
	for i := range t.Wrong {
		if t.Wrong[i].missed() {
			return 1
		}
	}
	return 0
}

// WriteText prints the table for people.
func (t *Table) WriteText(w io.Writer) error {
	var b strings.Builder
	if t.Seeds == 0 {
		b.WriteString("interrupted before the first scenario was done\n")
		_, err := io.WriteString(w, b.String())
		return err
	}
	fmt.Fprintf(&b, "seeds to kill, median/worst, from every seed of %d-%d on", t.First, t.Last)
	if t.Interrupted {
		b.WriteString(", interrupted")
	}
	b.WriteString("\n\n")
	rows := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintf(rows, "  no\talgorithm\texpected\t%s\n", strings.Join(t.Strategies, "\t"))
	var never []string
	for i := range t.Wrong {
		x, kills := &t.Wrong[i], int64(0)
		fmt.Fprintf(rows, "  %d\t%s\t%s", x.Number, x.Algorithm, x.Expected)
		for j := range x.Hunts {
			kills += x.Hunts[j].Kills
			fmt.Fprintf(rows, "\t%s", &x.Hunts[j])
		}
		rows.Write([]byte("\n"))
		if kills == 0 {
			never = append(never, x.Algorithm)
		}
	}
	rows.Flush()
	if len(never) > 0 {
		fmt.Fprintf(&b, "\nkilled by no strategy: %s\n", strings.Join(never, ", "))
	}
	t.writeOne(&b)
	_, err := io.WriteString(w, b.String())
	return err
}

// String is a cell of the table.
func (h *Hunt) String() string {
	if h.Kills == 0 {
		return "-"
	}
	return fmt.Sprintf("%d/%d", *h.Median, *h.Worst)
}

// writeOne says how to see the first of all kills of the portfolio.
func (t *Table) writeOne(b *strings.Builder) {
	for i := range t.Wrong {
		for _, h := range t.Wrong[i].Hunts {
			if h.Strategy == search.Portfolio && h.Kills > 0 {
				name := generate.Open.Name(*h.First)
				fmt.Fprintf(b, "\nsee one: %s generate --seed %d%s -o %s && %s run %s --algorithm %s --strategy %s\n",
					t.program, *h.First, generate.Open.Flags, name, t.program, name, t.Wrong[i].Algorithm, search.Portfolio)
				return
			}
		}
	}
}
