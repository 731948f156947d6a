package series

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"simrun/scenarios/comparison"
	"simrun/scenarios/label"
	"simrun/scenarios/plot"
)

// WriteText prints a series for people: of each measure a table and a chart.
func (s *Series) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", s.heading())
	for _, m := range s.told() {
		fmt.Fprintf(&b, "\n%s\n", s.title(&m))
		t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		for _, row := range s.table(&m) {
			fmt.Fprintln(t, "  "+strings.Join(row, "\t"))
		}
		t.Flush()
		chart := s.chart(&m)
		chart.Title, chart.Note = "", "" // they stand above
		fmt.Fprintf(&b, "\n%s", plot.Text(chart))
	}
	for _, line := range s.remarks() {
		fmt.Fprintf(&b, "\n%s\n", line)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// heading says what was run.
func (s *Series) heading() string {
	c := s.first()
	text := fmt.Sprintf("%s: %s, %d values", label.Plain(s.Scenario), s.Parameter, len(s.Points))
	if c.First == c.Last {
		text += fmt.Sprintf(", seed %d", c.First)
	} else {
		text += fmt.Sprintf(", seeds %d-%d", c.First, c.Last)
	}
	text += ", order " + c.Order
	if s.Interrupted {
		text += ", interrupted"
	}
	return text
}

// title is a measure as it stands above its table.
func (s *Series) title(m *comparison.Measure) string {
	if c := s.first(); c.First != c.Last {
		return m.Title + ", median of the seeds"
	}
	return m.Title
}

// table has a row for each value and a column for each algorithm.
func (s *Series) table(m *comparison.Measure) [][]string {
	head := []string{s.Parameter}
	for _, a := range s.first().Algorithms {
		head = append(head, a.Name)
	}
	rows := [][]string{head}
	for _, p := range s.Points {
		row := []string{p.Value}
		for i := range p.Comparison.Algorithms {
			row = append(row, p.Comparison.Cell(m, &p.Comparison.Algorithms[i]))
		}
		rows = append(rows, row)
	}
	return rows
}

// remarks is what is to be said below, each thing once: what is not measured and why, what
// was refused, and which runs are not as they should be.
func (s *Series) remarks() (lines []string) {
	say := func(line string) {
		if !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	told := s.told()
	for _, key := range s.Measures {
		if !slices.ContainsFunc(told, func(m comparison.Measure) bool { return m.Key == key }) {
			say("note: no run has the measure " + comparison.MeasureOf(key).Title)
		}
	}
	for _, p := range s.Points {
		for _, note := range p.Comparison.Notes {
			say("note: " + note)
		}
	}
	for i := range s.first().Algorithms {
		if refusal := s.refusal(i); refusal != "" {
			say(refusal)
		}
		for _, p := range s.Points {
			if a := &p.Comparison.Algorithms[i]; a.Failing > 0 {
				say(fmt.Sprintf("%s fails with %s=%s and %d of %d seeds, the first is %d:\n%s",
					a.Name, s.Parameter, p.Value, a.Failing, p.Comparison.Seeds, *a.FirstFailing, a.Reproduce))
			}
		}
	}
	return lines
}

// refusal says with which values an algorithm is refused, and why with the first of them.
func (s *Series) refusal(i int) string {
	var values []string
	why := ""
	for _, p := range s.Points {
		if a := &p.Comparison.Algorithms[i]; a.Refused != nil {
			values, why = append(values, p.Value), cmp.Or(why, *a.Refused)
		}
	}
	switch name := s.first().Algorithms[i].Name; len(values) {
	case 0:
		return ""
	case len(s.Points):
		return fmt.Sprintf("%s is refused: %s", name, why)
	default:
		return fmt.Sprintf("%s is refused with %s: %s", name, strings.Join(values, ", "), why)
	}
}

// WriteMarkdown prints a series as tables of GitHub's Markdown, one for each measure.
func (s *Series) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", comparison.InMarkdown(s.heading()))
	for _, m := range s.told() {
		fmt.Fprintf(&b, "\n%s:\n\n%s", comparison.InMarkdown(s.title(&m)), comparison.MarkdownTable(s.table(&m)))
	}
	for _, line := range s.remarks() {
		fmt.Fprintf(&b, "\n%s\n", comparison.InMarkdown(line))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteSVG writes the charts, below one another, as one SVG document.
func (s *Series) WriteSVG(w io.Writer) error {
	charts := s.Charts()
	if len(charts) == 0 {
		charts = []plot.Chart{{Title: s.Parameter, Note: s.note()}}
	}
	_, err := w.Write(plot.Page(charts...))
	return err
}

// WriteCSV prints the rows of all comparisons, with the parameter and its value in front.
func (s *Series) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	if err := out.Write(append([]string{"parameter", "value_of_parameter"}, comparison.Header()...)); err != nil {
		return err
	}
	for _, p := range s.Points {
		for _, row := range p.Comparison.Rows() {
			if err := out.Write(append([]string{s.Parameter, p.Value}, row...)); err != nil {
				return err
			}
		}
	}
	out.Flush()
	return out.Error()
}
