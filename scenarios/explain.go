package scenarios

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"simrun/invariants/explain"
	"simrun/scenarios/label"
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

	First  *explain.Violation  `json:"first"`  // the first wrong event; null: nothing is wrong
	Others []explain.Violation `json:"others"` // those about no snapshot
	// How many more of these there are.
	OthersMore int                `json:"others_not_listed"`
	Snapshots  []explain.Snapshot `json:"snapshots"`
	Reproduce  string             `json:"reproduce"`

	result  *Result
	command string // that explains one snapshot, without its number; "": there is none
	one     bool   // a single snapshot was asked for
}

// othersMax is the most violations that belong to no snapshot and are told.
const othersMax = 5

// Explain runs the plan with a seed and explains the snapshot with this id or, if it
// is 0, every snapshot. The error is that there is no such snapshot.
func (r *Runner) Explain(seed uint64, id uint32) (*Explained, error) {
	notes := new(explain.Notes)
	return r.plan.explained(r.execute(seed, notes), notes, id)
}

func (p *Plan) explained(x *execution, notes *explain.Notes, id uint32) (*Explained, error) {
	if n := len(x.history.Snapshots); int64(id) > int64(n) {
		return nil, &Error{Message: fmt.Sprintf("there is no snapshot %d in this run", id), Right: "it has " + plural(int64(n), "snapshot")}
	}
	res := p.result(x)
	out := &Explained{
		Scenario: p.Name, Seed: x.seed, Algorithm: p.Algorithm.Name, Order: p.Scenario.Order,
		Verdict: x.verdict, Expected: res.Expected, Violations: len(x.report.Violations) + x.report.Unlisted,
		Others: []explain.Violation{}, Snapshots: []explain.Snapshot{},
		Reproduce: p.reproduce(x.seed), result: res, one: id > 0,
	}
	if p.repeat == "" {
		out.command = p.command("explain", x.seed)
	}
	explainer := explain.New(x.run, x.report, notes)
	for i := range x.report.Violations {
		v := &x.report.Violations[i]
		if i == 0 {
			out.First = explainer.Violation(v)
		} else if v.Snapshot == 0 && len(out.Others) == othersMax {
			out.OthersMore++
		} else if v.Snapshot == 0 {
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

// Tell adds the story of the first wrong event to the result of a run. What markers
// did is only known to somebody who watched, so the run is done again.
func (r *Runner) Tell(res *Result) {
	if res.Verdict != Violated || r.plan.restored != "" {
		return // of a run that begins in the middle the causes are not known
	}
	notes := new(explain.Notes)
	x := r.execute(res.Seed, notes)
	if x.report.Holds() || x.report.Violations[0].Detail != res.Violations[0].Detail {
		return // somebody depends on more than the seed
	}
	first := explain.New(x.run, x.report, notes).Violation(&x.report.Violations[0])
	res.story = first.Story()
	if r.plan.repeat == "" {
		res.explain = explainCommand(r.plan.command("explain", res.Seed), first)
	}
}

// explainCommand is the command that explains a violation, with its snapshot if it
// is about one.
func explainCommand(command string, v *explain.Violation) string {
	if v.Snapshot == nil || command == "" {
		return command
	}
	return fmt.Sprintf("%s --snapshot %d", command, *v.Snapshot)
}

// ExitCode is that of the run.
func (e *Explained) ExitCode() int { return e.result.ExitCode() }

// fullMax is how many violated snapshots are told in full if none is asked for.
const fullMax = 3

// WriteText prints the explanation for people.
func (e *Explained) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s, seed %d, order %s\n", label.Plain(e.Scenario), e.Algorithm, e.Seed, e.Order)
	fmt.Fprintf(&b, "verdict: %s%s\n", e.Verdict, e.result.expectation())
	b.WriteString("An event of a node is a step of its app, a send, an emission or a recording, counted from 1.\n")
	told := make(map[string]bool)
	if e.First != nil && !e.one {
		b.WriteString("\nthe first wrong event\n")
		writeLines(&b, e.First.Tell(told))
		fmt.Fprintf(&b, "  replay: %s\n", cmp.Or(explainCommand(e.command, e.First), e.Reproduce))
	}
	e.writeSnapshots(&b, told)
	e.writeOthers(&b)
	if !e.one && len(e.Snapshots) > 0 && e.command != "" {
		fmt.Fprintf(&b, "\none snapshot in full: %s --snapshot K\n", e.command)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeSnapshots tells a snapshot in full if it was asked for or is violated, else in
// a line.
func (e *Explained) writeSnapshots(b *strings.Builder, told map[string]bool) {
	full, brief, tables := 0, false, false
	lines, more := 0, 0
	for i := range e.Snapshots {
		s := &e.Snapshots[i]
		if !e.one && (len(s.Violations) == 0 || full == fullMax) {
			if lines == listedSnapshots {
				more++
				continue
			}
			lines++
			if !brief {
				b.WriteByte('\n')
			}
			brief = true
			writeLines(b, []string{s.Brief()})
			continue
		}
		full, brief, tables = full+1, false, tables || len(s.Channels) > 0
		b.WriteByte('\n')
		writeLines(b, s.Lines(e.result.span, told))
	}
	if more > 0 {
		fmt.Fprintf(b, "and %s more\n", plural(int64(more), "snapshot"))
	}
	if tables {
		b.WriteByte('\n')
		writeLines(b, e.Snapshots[0].Legend())
	}
}

// writeOthers lists the violations that are about no snapshot.
func (e *Explained) writeOthers(b *strings.Builder) {
	if e.one || len(e.Others) == 0 {
		return
	}
	b.WriteString("\nalso wrong, and about no single snapshot\n")
	for i := range e.Others {
		writeLines(b, e.Others[i].Head())
	}
	if e.OthersMore > 0 {
		fmt.Fprintf(b, "and %d more\n", e.OthersMore)
	}
}

func writeLines(b *strings.Builder, lines []string) {
	for _, line := range lines {
		b.WriteString(line)
		b.WriteByte('\n')
	}
}
