package scenarios

import (
	"fmt"
	"io"
	"strings"

	"simrun/invariants/explain"
	"simrun/sim"
)

// Explained is a run with the reasons for its verdict: what simrun explain prints.
type Explained struct {
	Scenario   string `json:"scenario"`
	Seed       uint64 `json:"seed"`
	Algorithm  string `json:"algorithm"`
	Order      string `json:"order"`
	Verdict    string `json:"verdict"`
	Expected   *bool  `json:"expected"` // null: the scenario expects nothing
	Violations int    `json:"violations"`

	First     *explain.Violation  `json:"first"` // the first wrong event; null: nothing is wrong
	Others    []explain.Violation `json:"others"`
	Snapshots []explain.Snapshot  `json:"snapshots"`
	Reproduce string              `json:"reproduce"`

	result  *Result
	command string // that explains one snapshot, without its number
	one     bool   // a single snapshot was asked for
}

// othersMax is the most violations that belong to no snapshot and are told.
const othersMax = 8

// Explain runs the plan with a seed and explains the snapshot with this id or, if it
// is 0, every snapshot. The error is that there is no such snapshot.
func (r *Runner) Explain(seed uint64, id uint32) (*Explained, error) {
	notes := new(explain.Notes)
	x := r.execute(seed, notes)
	p := r.plan
	if n := len(x.history.Snapshots); int64(id) > int64(n) {
		return nil, &Error{Message: fmt.Sprintf("there is no snapshot %d in this run", id), Right: "it has " + plural(int64(n), "snapshot")}
	}
	res := p.result(x)
	out := &Explained{
		Scenario: p.Name, Seed: seed, Algorithm: p.Algorithm.Name, Order: p.Scenario.Order,
		Verdict: x.verdict, Expected: res.Expected, Violations: len(x.report.Violations) + x.report.Unlisted,
		Others: []explain.Violation{}, Snapshots: []explain.Snapshot{},
		Reproduce: p.reproduce(seed), result: res, command: p.command("explain", seed), one: id > 0,
	}
	explainer := explain.New(x.run, x.report, notes)
	for i := range x.report.Violations {
		v := &x.report.Violations[i]
		if i == 0 {
			out.First = explainer.Violation(v)
		} else if v.Snapshot == 0 && len(out.Others) < othersMax {
			out.Others = append(out.Others, *explainer.Violation(v))
		}
	}
	for i := range x.history.Snapshots {
		if id == 0 || int(id) == i+1 {
			out.Snapshots = append(out.Snapshots, *explainer.Snapshot(sim.SnapshotID(i + 1)))
		}
	}
	return out, nil
}

// ExitCode is that of the run.
func (e *Explained) ExitCode() int { return e.result.ExitCode() }

// WriteText prints the explanation for people.
func (e *Explained) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s, seed %d, order %s\n", e.Scenario, e.Algorithm, e.Seed, e.Order)
	b.WriteString("An event of a node is a step of its app, a send, an emission or a recording; they are counted from 1.\n")
	if e.First != nil && !e.one {
		b.WriteString("\nthe first wrong event\n")
		writeLines(&b, e.First.Lines())
	}
	told := e.First != nil
	for i := range e.Snapshots {
		s := &e.Snapshots[i]
		b.WriteByte('\n')
		if e.one || s.Verdict == Violated || len(s.Violations) > 0 {
			writeLines(&b, s.Lines(e.result.span))
			continue
		}
		writeLines(&b, []string{s.Brief()})
	}
	if len(e.Others) > 0 && !e.one {
		b.WriteString("\nalso wrong\n")
		for i := range e.Others {
			writeLines(&b, e.Others[i].Lines())
		}
	}
	_ = told
	_, err := io.WriteString(w, b.String())
	return err
}

func writeLines(b *strings.Builder, lines []string) {
	for _, line := range lines {
		b.WriteString(line)
		b.WriteByte('\n')
	}
}
