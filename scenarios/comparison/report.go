package comparison

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"simrun/scenarios/label"
)

// WriteText prints a comparison for people.
func (c *Comparison) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n\n", label.Plain(c.Scenario), c.heading())
	if c.Seeds > 0 {
		t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		for _, row := range c.grid() {
			fmt.Fprintln(t, strings.Join(row, "\t"))
		}
		t.Flush()
	}
	for _, line := range c.remarks() {
		fmt.Fprintf(&b, "\n%s\n", line)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// heading says what was run.
func (c *Comparison) heading() string {
	text := fmt.Sprintf("seed %d", c.First)
	switch {
	case c.Seeds == 0:
		return text + ", interrupted before the first runs ended"
	case c.First != c.Last:
		text = fmt.Sprintf("seeds %d-%d", c.First, c.Last)
	}
	text += ", order " + c.Order
	if c.DelayOf != "" {
		text += "; delay and throughput of " + c.DelayOf + ", against the run without snapshots and faults"
	}
	if c.Interrupted {
		text += ", interrupted"
	}
	return text
}

// remarks is what is to be said below the table, a paragraph each.
func (c *Comparison) remarks() (lines []string) {
	if c.Seeds > 0 && !c.one() {
		lines = append(lines, c.legend())
	}
	for _, note := range c.Notes {
		lines = append(lines, "note: "+note)
	}
	for i := range c.Algorithms {
		switch a := &c.Algorithms[i]; {
		case a.Refused != nil:
			lines = append(lines, fmt.Sprintf("%s is refused: %s", a.Name, *a.Refused))
		case c.one() && a.Runs[0].Result.ExitCode() != 0:
			lines = append(lines, a.Runs[0].failure())
		case a.Failing > 0:
			lines = append(lines, fmt.Sprintf("%s fails with %d of %d seeds, the first is %d:\n%s", a.Name, a.Failing, c.Seeds, *a.FirstFailing, a.Reproduce))
		}
	}
	return lines
}

// legend says what stands in the columns of differences.
func (c *Comparison) legend() string {
	for i := range c.Algorithms {
		for _, s := range c.Algorithms[i].Summaries {
			if d := s.Difference; d != nil && d.Low != nil {
				return "less " + c.Reference + ": the median of the differences with the same seed, and an interval that has the median\n" +
					"of all seeds in it with a confidence of at least " + decimal(leastConfidence, 4) + "% (" + decimal(d.Confidence, 4) + "% of " + strconv.FormatInt(d.Pairs, 10) + ")"
			}
		}
	}
	return "less " + c.Reference + ": the median of the differences with the same seed; of fewer than six there is no interval"
}

// failure says how to run a run again, and what is not as it should be.
func (r *Run) failure() string {
	var b strings.Builder
	b.WriteString(r.Result.Reproduce + "\n")
	r.Result.WriteFindings(&b)
	return strings.TrimSuffix(b.String(), "\n")
}

// WriteMarkdown prints a comparison as a table of GitHub's Markdown.
func (c *Comparison) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", InMarkdown(c.Scenario), c.heading())
	if c.Seeds > 0 {
		b.WriteString("\n" + MarkdownTable(c.grid()))
	}
	for _, line := range c.remarks() {
		b.WriteString("\n" + InMarkdown(line) + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Header is the titles of Rows.
func Header() []string {
	return []string{"scenario", "algorithm", "seed", "verdict", "measure", "unit", "value", "node"}
}

// Rows is a row for each algorithm, seed and measure, with exact values; the value is
// empty where there is nothing to measure. node is the one that blocked_worst_ns is of.
// An algorithm that is refused has one row, with this word as its verdict.
func (c *Comparison) Rows() (rows [][]string) {
	scenario := strings.ToValidUTF8(c.Scenario, "\ufffd") // as in JSON
	for i := range c.Algorithms {
		a := &c.Algorithms[i]
		if a.Refused != nil {
			rows = append(rows, []string{scenario, a.Name, "", "refused", "", "", "", ""})
		}
		for j := range a.Runs {
			r := &a.Runs[j]
			for _, m := range Measures() {
				value, node := "", ""
				if v := m.Of(&r.Measures); v != nil {
					value = strconv.FormatInt(*v, 10)
				}
				if m.Key == "blocked_worst_ns" {
					node = r.WorstNode
				}
				rows = append(rows, []string{scenario, a.Name, strconv.FormatUint(r.Seed, 10), r.Verdict, m.Key, string(m.UnitIn(c.Order)), value, node})
			}
		}
	}
	return rows
}

// WriteCSV prints Header and Rows as RFC 4180 says, but with line feeds alone.
func (c *Comparison) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	if err := out.Write(Header()); err != nil {
		return err
	}
	if err := out.WriteAll(c.Rows()); err != nil {
		return err
	}
	return out.Error()
}
