package scenarios

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Comparison is one scenario and seed under several algorithms.
type Comparison struct {
	Scenario string        `json:"scenario"`
	Seed     uint64        `json:"seed"`
	Runs     []ComparedRun `json:"runs"`
}

// ComparedRun is the run under one algorithm, or why there is none.
type ComparedRun struct {
	Algorithm string  `json:"algorithm"`
	Refused   *string `json:"refused"` // null: it was run
	Result    *Result `json:"result"`  // null: it was refused
}

// Compared is the algorithms to compare if nothing is said.
func Compared() []string { return []string{"chandy-lamport", "abs"} }

// checkCompared refuses a list of algorithms with which there is nothing to compare,
// and says all that is wrong with it.
func (c Catalogue) checkCompared(algorithms []string) error {
	if len(algorithms) == 0 {
		return &Error{Message: "no algorithm to compare is named", Right: c.chooseAlgorithm("")}
	}
	var problems []string
	unknown := ""
	for i, name := range algorithms {
		switch {
		case slices.Contains(algorithms[:i], name):
			problems = append(problems, "the algorithm "+quote(name)+" is named twice")
		case c.Algorithm(name) == nil:
			problems = append(problems, "no algorithm is named "+quote(name))
			unknown = cmp.Or(unknown, name)
		}
	}
	if problems == nil {
		return nil
	}
	right := "name each once"
	if unknown != "" || slices.Contains(algorithms, "") {
		right = c.chooseAlgorithm(unknown)
	}
	return &Error{Message: strings.Join(slices.Compact(problems), ", "), Right: right}
}

// Compare runs a scenario under each algorithm. One that cannot run it, on this
// graph or with these expectations, is refused. The error is what is wrong with
// the names, or with the scenario under every algorithm.
func (s *Scenario) Compare(c Catalogue, algorithms []string, seed *uint64) (*Comparison, error) {
	if err := c.checkCompared(algorithms); err != nil {
		return nil, err
	}
	out := &Comparison{Scenario: s.Name}
	var refusal error
	for _, name := range algorithms {
		run := ComparedRun{Algorithm: name}
		plan, err := s.Resolve(c, Overrides{Algorithm: name, Seed: seed})
		if err != nil {
			why := err.Error()
			run.Refused, refusal = &why, cmp.Or(refusal, err)
		} else {
			out.Seed = plan.Seed
			run.Result = plan.NewRunner().Run(plan.Seed)
		}
		out.Runs = append(out.Runs, run)
	}
	for _, run := range out.Runs {
		if run.Result != nil {
			return out, nil
		}
	}
	return nil, refusal
}

// ExitCode is the worst of the runs' exit codes: not as it should be, then
// inconclusive, then good.
func (c *Comparison) ExitCode() int {
	code := 0
	for _, run := range c.Runs {
		if run.Result == nil {
			continue
		}
		switch run.Result.ExitCode() {
		case 1:
			return 1
		case 3:
			code = 3
		}
	}
	return code
}

// measure is a line of the table.
type measure struct {
	name string
	of   func(*Result) string
}

// summary adds up a result's snapshots and recoveries.
type summary struct {
	complete, markers, stored, blocked, longest int64
	undone, replayed                            int64
}

func summarise(res *Result) (s summary) {
	for _, snapshot := range res.Snapshots {
		s.markers += snapshot.Markers
		s.stored += snapshot.ChannelMessages
		s.blocked += snapshot.Blocked
		if snapshot.Completed != nil {
			s.complete++
			if snapshot.Started != nil {
				s.longest = max(s.longest, *snapshot.Completed-*snapshot.Started)
			}
		}
	}
	for _, r := range res.Recoveries {
		s.undone += r.UndoneMessages
		s.replayed += r.Replayed
	}
	return s
}

func measures() []measure {
	number := func(of func(summary) int64) func(*Result) string {
		return func(res *Result) string { return fmt.Sprint(of(summarise(res))) }
	}
	span := func(of func(summary) int64) func(*Result) string {
		return func(res *Result) string { return res.span(of(summarise(res))) }
	}
	return []measure{
		{"verdict", func(res *Result) string { return res.Verdict + res.expectation() }},
		{"snapshots completed", func(res *Result) string {
			return fmt.Sprintf("%d of %d", summarise(res).complete, len(res.Snapshots))
		}},
		{"longest snapshot", span(func(s summary) int64 { return s.longest })},
		{"markers sent", number(func(s summary) int64 { return s.markers })},
		{"channel messages stored", number(func(s summary) int64 { return s.stored })},
		{"inputs blocked", span(func(s summary) int64 { return s.blocked })},
		{"recoveries", func(res *Result) string { return fmt.Sprint(len(res.Recoveries)) }},
		{"messages undone", number(func(s summary) int64 { return s.undone })},
		{"messages replayed", number(func(s summary) int64 { return s.replayed })},
		{"messages delivered", func(res *Result) string { return fmt.Sprint(res.Deliveries) }},
		{"virtual time", func(res *Result) string { return res.span(res.VirtualTime) }},
		{"digest", func(res *Result) string { return res.Digest }},
		{"application digest", func(res *Result) string { return res.ApplicationDigest }},
	}
}

// WriteText prints a comparison for people, a column for each algorithm.
func (c *Comparison) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: seed %d", c.Scenario, c.Seed)
	table(&b, "", func(w io.Writer) {
		for _, run := range c.Runs {
			fmt.Fprintf(w, "\t%s", run.Algorithm)
		}
		fmt.Fprintln(w)
		for _, m := range measures() {
			fmt.Fprint(w, m.name)
			for _, run := range c.Runs {
				cell := "refused"
				if run.Result != nil {
					cell = m.of(run.Result)
				}
				fmt.Fprintf(w, "\t%s", cell)
			}
			fmt.Fprintln(w)
		}
	})
	for _, run := range c.Runs {
		switch {
		case run.Refused != nil:
			fmt.Fprintf(&b, "\n%s is refused: %s\n", run.Algorithm, *run.Refused)
		case run.Result.ExitCode() != 0:
			fmt.Fprintf(&b, "\n%s\n", run.Result.Reproduce)
			run.Result.writeViolations(&b)
			for _, problem := range run.Result.Unmet {
				fmt.Fprintf(&b, "  not as expected: %s\n", problem)
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
