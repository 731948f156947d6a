package report

import (
	"strings"
)

// summary is what the page says of a run without any script.
type summary struct {
	Name, Scenario, Order, Seed, Verdict, Expected, Reproduce string

	Violations []string
	Notes      []string
	Text       string // what simrun run prints
}

// listed is the most violations that a summary has.
const listed = 5

func (p *Page) summaries() (all []summary) {
	for i := range p.Runs {
		res := p.Runs[i].Diagram.Result
		s := summary{Name: res.Algorithm, Scenario: res.Scenario, Order: res.Order, Seed: decimal(res.Seed), Verdict: res.Verdict, Reproduce: res.Reproduce, Notes: p.Runs[i].Notes}
		if res.Expected != nil {
			s.Expected = map[bool]string{true: ", as expected", false: ", not as expected"}[*res.Expected]
		}
		for k := range min(listed, len(res.Violations)) {
			s.Violations = append(s.Violations, res.Violations[k].Invariant+": "+res.Violations[k].Detail)
		}
		var text strings.Builder
		if res.WriteText(&text) == nil { // a Builder takes everything
			s.Text = text.String()
		}
		all = append(all, s)
	}
	return all
}
