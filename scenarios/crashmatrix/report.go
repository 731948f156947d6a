package crashmatrix

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"simrun/invariants"
	"simrun/scenarios"
	"simrun/scenarios/label"
)

// ExitCode is what a command that made this matrix returns.
func (m *Matrix) ExitCode() int {
	verdicts := map[string]bool{}
	for i := range m.Cells {
		verdicts[m.Cells[i].Verdict] = true
	}
	if m.Pairs != nil {
		for i := range m.Pairs.Runs {
			verdicts[m.Pairs.Runs[i].Verdict] = true
		}
	}
	switch {
	case m.Interrupted:
		return 130
	case verdicts[scenarios.Violated]:
		return 1
	case verdicts[scenarios.Inconclusive]:
		return 3
	}
	return 0
}

// WriteText prints a matrix for people.
func (m *Matrix) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s, seed %d", label.Plain(m.Scenario), m.Algorithm, m.Seed)
	if m.Interrupted {
		b.WriteString(", interrupted")
	}
	b.WriteByte('\n')
	if m.FaultsLeft > 0 {
		b.WriteString("the faults of the scenario are left out\n")
	}
	b.WriteByte('\n')
	m.writeGrid(&b)
	b.WriteString(legend)
	m.writeSummary(&b)
	if m.Pairs != nil {
		m.Pairs.write(&b)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

const legend = `
2: restored from checkpoint 2 (0: from the initial state; 1,2: from one after the other), and holds
outputs = exactly once, + at least once, - at most once, ! neither; nothing: there are none, or no restore
VIOLATED, inconclusive: the verdict; never: the node did not come to this phase; a dot: it has no such phase
`

// writeGrid prints a row for each node.
func (m *Matrix) writeGrid(b *strings.Builder) {
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "node\t%s\n", strings.Join(m.Phases, "\t"))
	for v, name := range m.Nodes {
		row := []string{name}
		for p := range m.Phases {
			text := "?" // interrupted
			if i := p*len(m.Nodes) + v; i < len(m.Cells) {
				text = m.Cells[i].short()
			}
			row = append(row, text)
		}
		fmt.Fprintln(t, strings.Join(row, "\t"))
	}
	t.Flush()
}

// short is a cell of the grid.
func (c *Cell) short() string {
	switch {
	case !c.Possible:
		return "."
	case c.Verdict == scenarios.Violated:
		return "VIOLATED"
	case !c.Reached:
		return "never"
	case c.Verdict == scenarios.Inconclusive:
		return c.Verdict
	}
	return c.checkpoints() + mark(c.Outputs)
}

// checkpoints is what the restores went back to.
func (r *Outcome) checkpoints() string {
	if len(r.Restored) == 0 {
		return "none"
	}
	ids := make([]string, len(r.Restored))
	for i, id := range r.Restored {
		ids[i] = fmt.Sprint(id)
	}
	if n := len(ids); n > listedRestores {
		return fmt.Sprintf("%s,..%s(%d)", ids[0], ids[n-1], n)
	}
	return strings.Join(ids, ",")
}

// listedRestores is how many restores a cell names before it counts them.
const listedRestores = 3

// mark is how often outputs left, in one sign.
func mark(outputs string) string {
	switch invariants.Guarantee(outputs) {
	case invariants.ExactlyOnce:
		return "="
	case invariants.AtLeastOnce:
		return "+"
	case invariants.AtMostOnce:
		return "-"
	case invariants.Unreliable:
		return "!"
	}
	return ""
}

// Count is how many cells came to what.
type Count struct {
	Possible, Reached, Holds, Violated, Inconclusive int
}

// Count counts the cells.
func (m *Matrix) Count() (n Count) {
	for i := range m.Cells {
		c := &m.Cells[i]
		n.Possible += one(c.Possible)
		n.Reached += one(c.Reached)
		n.Holds += one(c.Reached && c.Verdict == scenarios.Holds)
		n.Violated += one(c.Verdict == scenarios.Violated)
		n.Inconclusive += one(c.Verdict == scenarios.Inconclusive)
	}
	return n
}

func one(is bool) int {
	if is {
		return 1
	}
	return 0
}

func (m *Matrix) writeSummary(b *strings.Builder) {
	n := m.Count()
	fmt.Fprintf(b, "\n%d pairs of a phase and a node: %d reached, %d never; of those reached %d hold\n", n.Possible, n.Reached, n.Possible-n.Reached, n.Holds)
	for _, phase := range m.Phases {
		var nodes []string
		for i := range m.Cells {
			if c := &m.Cells[i]; c.Phase == phase && c.Possible && !c.Reached {
				nodes = append(nodes, c.Node)
			}
		}
		if len(nodes) > 0 {
			fmt.Fprintf(b, "never reached: %s at %s\n", phase, strings.Join(nodes, ", "))
		}
	}
	for i := range m.Cells {
		m.Cells[i].complain(b)
	}
}

// complain says what is wrong with a run, if something is.
func (r *Outcome) complain(b *strings.Builder) {
	if r.Verdict == scenarios.Violated {
		fmt.Fprintf(b, "VIOLATED: %s: %s\n", strings.Join(r.Faults, "; "), strings.Join(r.Violated, ", "))
	}
	if r.Verdict == scenarios.Inconclusive {
		fmt.Fprintf(b, "inconclusive: %s\n", strings.Join(r.Faults, "; "))
	}
}

func (p *Pairs) write(b *strings.Builder) {
	fmt.Fprintf(b, "\ntwo at a time: %d pairs of those reached, %d run, %d left out\n", p.Of, len(p.Runs), p.LeftOut)
	violated, outputs := 0, map[string]int{}
	for i := range p.Runs {
		violated += one(p.Runs[i].Verdict == scenarios.Violated)
		outputs[p.Runs[i].Outputs]++
	}
	fmt.Fprintf(b, "both crashes reached in %d, one in %d, none in %d; %d violated\n", p.Both, p.One, p.Neither, violated)
	var names []string
	for name := range outputs {
		if name != "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		fmt.Fprintf(b, "outputs %s in %d\n", strings.ReplaceAll(name, "-", " "), outputs[name])
	}
	for i := range p.Runs {
		p.Runs[i].complain(b)
	}
}
