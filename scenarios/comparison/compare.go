package comparison

import (
	"cmp"
	"context"

	"simrun/scenarios"
	"simrun/scenarios/parallel"
)

// Usual is the algorithms to compare if nothing is said.
func Usual() []string { return []string{"chandy-lamport", "abs"} }

// Range is seeds, both ends included.
type Range struct{ First, Last uint64 }

// Options is what to compare, and how.
type Options struct {
	Algorithms []string // two or more, as a rule; the differences are to the first that can run
	Seeds      *Range   // nil: the scenario's own seed
	Workers    int      // goroutines; below 1: one
	Progress   func(seeds int64)
}

// Of runs a scenario under each algorithm. One that cannot run it, on this graph or with
// these expectations, is refused. The error is what is wrong with the names, or with the
// scenario under every algorithm. When ctx ends it returns at once, with the first of the
// seeds, without a gap.
func Of(ctx context.Context, s *scenarios.Scenario, catalogue scenarios.Catalogue, o Options) (*Comparison, error) {
	if err := catalogue.CheckAlgorithms(o.Algorithms); err != nil {
		return nil, err
	}
	plans, c, err := resolve(s, catalogue, o.Algorithms)
	if err != nil {
		return nil, err
	}
	seeds := Range{c.First, c.First}
	if o.Seeds != nil {
		seeds = *o.Seeds
	}
	c.First, c.Last = seeds.First, seeds.First
	one := seeds.First == seeds.Last
	worker := func() func(uint64) []Run {
		w := newWorker(plans, one)
		return w.run
	}
	c.Interrupted = !parallel.Seeds(ctx, seeds.First, seeds.Last, max(1, o.Workers), worker, c.add, o.Progress)
	c.summarise()
	return c, nil
}

// resolve makes the plan of every algorithm; nil for one that is refused.
func resolve(s *scenarios.Scenario, catalogue scenarios.Catalogue, algorithms []string) ([]*scenarios.Plan, *Comparison, error) {
	c := &Comparison{Scenario: s.Name, Notes: []string{}}
	var plans []*scenarios.Plan
	var refusal error
	for _, name := range algorithms {
		a := Algorithm{Name: name, Runs: []Run{}}
		plan, err := s.Resolve(catalogue, scenarios.Overrides{Algorithm: name})
		if err != nil {
			why := err.Error()
			a.Refused, refusal, plan = &why, cmp.Or(refusal, err), nil
		} else if c.Reference == "" {
			c.Reference, c.First, c.Order = name, plan.Seed, plan.Scenario.Order
		}
		plans, c.Algorithms = append(plans, plan), append(c.Algorithms, a)
	}
	if c.Reference == "" {
		return nil, nil, refusal
	}
	return plans, c, nil
}

// ExitCode is the worst of the runs' exit codes: not as it should be, then
// inconclusive, then good.
func (c *Comparison) ExitCode() int {
	if c.Interrupted {
		return 130
	}
	code := 0
	for i := range c.Algorithms {
		a := &c.Algorithms[i]
		if a.Failing > 0 {
			return 1
		}
		for j := range a.Runs {
			if r := &a.Runs[j]; r.Verdict == scenarios.Inconclusive && r.Expected == nil {
				code = 3
			}
		}
	}
	return code
}
