package cli

import (
	"context"
	"fmt"
	"runtime"
	"strings"

	"simrun/scenarios"
	"simrun/scenarios/comparison"
	"simrun/scenarios/report"
)

// sideBySide is the page of a scenario under several algorithms, with their comparison. It
// returns the files that were read, too.
func (c *commands) sideBySide(ctx context.Context, path string, r *reporting) (*report.Page, []string, error) {
	scenario, err := c.scenario(path)
	if err != nil {
		return nil, nil, err
	}
	compared, err := c.comparedFor(ctx, scenario, r)
	if err != nil {
		return nil, nil, err
	}
	c.exitCode = compared.ExitCode()
	var text strings.Builder
	if err := compared.WriteText(&text); err != nil {
		return nil, nil, err
	}
	page := &report.Page{Title: scenario.Name, Tool: version(), Replay: c.reportAgain(scenario.Name, compared, r), Comparison: compared, Text: text.String()}
	var read []string
	for i := range compared.Algorithms {
		a := &compared.Algorithms[i]
		if a.Refused != nil {
			continue
		}
		plan, err := scenario.Resolve(c.catalogue, scenarios.Overrides{Algorithm: a.Name, Seed: &compared.First})
		if err != nil {
			return nil, nil, err
		}
		page.Runs, read = append(page.Runs, report.Of(plan, plan.Seed, r.options)), append(read, plan.Files...)
		for k := range a.Runs {
			a.Runs[k].Result = nil // the page has it with the run
		}
	}
	return page, read, nil
}

// comparedFor compares for a page.
func (c *commands) comparedFor(ctx context.Context, s *scenarios.Scenario, r *reporting) (*comparison.Comparison, error) {
	options := comparison.Options{Algorithms: r.algorithms, Workers: runtime.GOMAXPROCS(0)}
	if options.Algorithms == nil {
		options.Algorithms = comparison.Usual()
	}
	switch {
	case r.many:
		options.Seeds = &comparison.Range{First: r.seeds.first, Last: r.seeds.last}
	case r.seed.value != nil:
		options.Seeds = &comparison.Range{First: *r.seed.value, Last: *r.seed.value}
	}
	bar := newProgress(c.stderr, options.Seeds.Count())
	defer bar.clear()
	options.Progress = bar.update
	return comparison.Of(ctx, s, c.catalogue, options)
}

// reportAgain is the command that makes a page of a comparison again.
func (c *commands) reportAgain(name string, of *comparison.Comparison, r *reporting) string {
	var algorithms []string
	for i := range of.Algorithms {
		algorithms = append(algorithms, of.Algorithms[i].Name)
	}
	seeds := fmt.Sprintf("--seed %d", of.First)
	if r.many {
		seeds = fmt.Sprintf("--seeds %d-%d", r.seeds.first, r.seeds.last)
	}
	if strings.HasPrefix(name, "-") { // which would be taken for a flag
		name = "./" + name
	}
	return fmt.Sprintf("%s report %s %s --algorithms %s", c.program(), scenarios.ShellWord(name), seeds, scenarios.ShellWord(strings.Join(algorithms, ",")))
}
