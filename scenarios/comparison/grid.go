package comparison

import (
	"fmt"
	"slices"

	"simrun/scenarios"
)

// grid is the table of a comparison: a row of titles, and a row for each measure that any
// run has.
func (c *Comparison) grid() [][]string {
	if c.one() {
		return c.single()
	}
	return c.many()
}

// one says whether there is but one seed, asked for and run: then there are Results.
func (c *Comparison) one() bool {
	return slices.ContainsFunc(c.Algorithms, func(a Algorithm) bool { return len(a.Runs) > 0 && a.Runs[0].Result != nil })
}

// single has a column for each algorithm, with its values.
func (c *Comparison) single() [][]string {
	row := func(title string, cell func(r *Run) string) []string {
		cells := []string{title}
		for i := range c.Algorithms {
			text := "refused"
			if a := &c.Algorithms[i]; a.Refused == nil {
				text = cell(&a.Runs[0])
			}
			cells = append(cells, text)
		}
		return cells
	}
	rows := [][]string{c.head(), row("verdict", (*Run).verdict)}
	for _, m := range Measures() {
		if !c.Has(m.Key) {
			continue
		}
		rows = append(rows, row(m.Title, func(r *Run) string {
			text := m.Text(m.Of(&r.Measures), c.Order)
			if m.Key == "blocked_worst_ns" && r.WorstNode != "" {
				text += " (" + r.WorstNode + ")"
			}
			return text
		}))
	}
	return append(rows,
		row("digest", func(r *Run) string { return r.Result.Digest }),
		row("application digest", func(r *Run) string { return r.Result.ApplicationDigest }))
}

// head is the titles of single.
func (c *Comparison) head() []string {
	cells := []string{""}
	for i := range c.Algorithms {
		cells = append(cells, c.Algorithms[i].Name)
	}
	return cells
}

// verdict is a run's verdict, and whether it is the expected one.
func (r *Run) verdict() string {
	switch {
	case r.Expected == nil:
		return r.Verdict
	case *r.Expected:
		return r.Verdict + ", as expected"
	}
	return r.Verdict + ", not as expected"
}

// many has a column for each algorithm, with the medians, and behind all but the reference
// one with the paired differences.
func (c *Comparison) many() [][]string {
	titles, verdicts := []string{"median of the seeds"}, []string{"runs"}
	for i := range c.Algorithms {
		a := &c.Algorithms[i]
		titles, verdicts = append(titles, a.Name), append(verdicts, a.verdicts())
		if c.differs(a) {
			titles, verdicts = append(titles, "less "+c.Reference), append(verdicts, "")
		}
	}
	rows := [][]string{titles, verdicts}
	for _, m := range Measures() {
		if !c.Has(m.Key) {
			continue
		}
		row := []string{m.Title}
		for i := range c.Algorithms {
			row = append(row, c.cells(&m, &c.Algorithms[i])...)
		}
		rows = append(rows, row)
	}
	return rows
}

// differs says whether an algorithm has a column of differences.
func (c *Comparison) differs(a *Algorithm) bool { return a.Refused == nil && a.Name != c.Reference }

// Cell is the median of a measure over an algorithm's runs, and of how many if not all have it.
func (c *Comparison) Cell(m *Measure, a *Algorithm) string {
	if a.Refused != nil {
		return "refused"
	}
	s := a.Summary(m.Key)
	text := m.Text(s.Median, c.Order)
	if s.Runs > 0 && s.Runs < c.Seeds {
		text += fmt.Sprintf(" of %d", s.Runs)
	}
	return text
}

// Summary is that of a measure over the runs of an algorithm; without any runs one that
// says so.
func (a *Algorithm) Summary(key string) *Summary {
	i := slices.IndexFunc(a.Summaries, func(s Summary) bool { return s.Measure == key })
	if i < 0 {
		return &Summary{Measure: key}
	}
	return &a.Summaries[i]
}

// cells is what a measure is under an algorithm.
func (c *Comparison) cells(m *Measure, a *Algorithm) []string {
	cells := []string{c.Cell(m, a)}
	if !c.differs(a) {
		return cells
	}
	d := a.Summary(m.Key).Difference
	if d == nil {
		return append(cells, "-")
	}
	text := m.Signed(d.Median, c.Order)
	if d.Low != nil {
		text += fmt.Sprintf(" [%s, %s]", m.Signed(*d.Low, c.Order), m.Signed(*d.High, c.Order))
	}
	if d.Pairs < c.Seeds {
		text += fmt.Sprintf(" of %d", d.Pairs)
	}
	return append(cells, text)
}

// verdicts counts the runs of an algorithm by their verdicts.
func (a *Algorithm) verdicts() string {
	if a.Refused != nil {
		return "refused"
	}
	text := ""
	for _, n := range []struct {
		runs int64
		name string
	}{{a.Holds, scenarios.Holds}, {a.Violated, scenarios.Violated}, {a.Inconclusive, scenarios.Inconclusive}} {
		if n.runs == 0 {
			continue
		}
		if text != "" {
			text += ", "
		}
		text += fmt.Sprintf("%d %s", n.runs, n.name)
	}
	if a.Runs[0].Expected != nil {
		text += fmt.Sprintf("; %d as expected", a.Holds+a.Violated+a.Inconclusive-a.Failing)
	}
	return text
}
