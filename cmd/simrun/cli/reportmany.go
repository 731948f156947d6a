package cli

import (
	"context"
	"fmt"
	"runtime"
	"strings"

	"simrun/scenarios"
	"simrun/scenarios/comparison"
	"simrun/scenarios/plot"
	"simrun/scenarios/report"
	"simrun/scenarios/series"
)

// sideBySide is the page of a scenario under several algorithms, with what was measured of
// them: a comparison, or a series of them. It returns the files that were read, too.
func (c *commands) sideBySide(ctx context.Context, path string, r *reporting) (*report.Page, []string, error) {
	scenario, err := c.scenario(path, r.set)
	if err != nil {
		return nil, nil, err
	}
	options := r.compare()
	bar := newProgress(c.stderr, uint64(max(1, len(r.vary.values)))*options.Seeds.Count())
	options.Progress = bar.update
	page := &report.Page{Title: scenario.Name, Tool: version()}
	measure := c.measureOnce
	if r.vary.parameter != "" {
		measure = c.measureSeries
	}
	compared, err := measure(ctx, scenario, r, options, page)
	bar.clear()
	if err != nil {
		return nil, nil, err
	}
	page.Replay = c.reportAgain(scenario.Name, compared, r)
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
	}
	return page, read, nil
}

// compare is what is to be compared for a page.
func (r *reporting) compare() comparison.Options {
	options := comparison.Options{Algorithms: r.algorithms, Seeds: r.compares, Workers: runtime.GOMAXPROCS(0)}
	if options.Algorithms == nil {
		options.Algorithms = comparison.Usual()
	}
	return options
}

// measureOnce compares, and puts the comparison into the page.
func (c *commands) measureOnce(ctx context.Context, s *scenarios.Scenario, _ *reporting, o comparison.Options, page *report.Page) (*comparison.Comparison, error) {
	compared, err := comparison.Of(ctx, s, c.catalogue, o)
	if err != nil {
		return nil, err
	}
	c.exitCode, page.Comparison, page.Text = compared.ExitCode(), compared, textOf(compared)
	withoutRuns(compared)
	return compared, nil
}

// measureSeries compares for every value, and puts the series and its plots into the page.
// It returns the comparison with the first value.
func (c *commands) measureSeries(ctx context.Context, s *scenarios.Scenario, r *reporting, o comparison.Options, page *report.Page) (*comparison.Comparison, error) {
	varied, err := series.Of(ctx, s, c.catalogue, series.Options{Parameter: r.vary.parameter, Values: r.vary.values, Measures: r.vary.measures, Compare: o})
	if err != nil {
		return nil, err
	}
	for _, chart := range varied.Charts() {
		page.Plots = append(page.Plots, report.Plot{Title: chart.Title, SVG: string(plot.Lines(chart))})
	}
	c.exitCode, page.Series, page.Text = varied.ExitCode(), varied, textOf(varied)
	for i := range varied.Points {
		withoutRuns(varied.Points[i].Comparison)
	}
	return varied.Points[0].Comparison, nil
}

// textOf is what a result prints for people.
func textOf(result printable) string {
	var b strings.Builder
	if err := result.WriteText(&b); err != nil {
		panic("cli: a text cannot be put together: " + err.Error()) // a Builder takes everything
	}
	return b.String()
}

// withoutRuns leaves out what a page does not show: the measures of every single run.
func withoutRuns(c *comparison.Comparison) {
	for i := range c.Algorithms {
		c.Algorithms[i].Runs = []comparison.Run{}
	}
}

// reportAgain is the command that makes a page of several algorithms again.
func (c *commands) reportAgain(name string, of *comparison.Comparison, r *reporting) string {
	var algorithms []string
	for i := range of.Algorithms {
		algorithms = append(algorithms, of.Algorithms[i].Name)
	}
	if strings.HasPrefix(name, "-") { // which would be taken for a flag
		name = "./" + name
	}
	words := []string{c.program(), "report", scenarios.ShellWord(name), "--algorithms", scenarios.ShellWord(strings.Join(algorithms, ","))}
	if of.First == of.Last {
		words = append(words, fmt.Sprintf("--seed %d", of.First))
	} else {
		words = append(words, fmt.Sprintf("--seeds %d-%d", of.First, of.Last))
	}
	if r.vary.parameter != "" {
		words = append(words, "--vary", scenarios.ShellWord(r.vary.parameter+"="+strings.Join(r.vary.values, ",")), "--measure", strings.Join(r.vary.names, ","))
	}
	for _, x := range r.set {
		words = append(words, "--set", scenarios.ShellWord(x.String()))
	}
	return strings.Join(words, " ")
}
