package comparison

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"simrun/scenarios"
	"simrun/scenarios/parallel"
)

// Usual is the algorithms to compare if nothing is said.
func Usual() []string { return []string{"chandy-lamport", "abs"} }

// Range is seeds, both ends included.
type Range struct{ First, Last uint64 }

// Count is how many seeds there are; without a range one.
func (r *Range) Count() uint64 {
	if r == nil {
		return 1
	}
	return r.Last - r.First + 1
}

// Options is what to compare, and how.
type Options struct {
	Algorithms []string // two or more, as a rule; the differences are to the first that can run
	Seeds      *Range   // nil: the scenario's own seed
	Workers    int      // goroutines; below 1: one
	Progress   func(seeds int64)
}

// Setup is a comparison that is ready to run.
type Setup struct {
	options Options
	plans   []*scenarios.Plan // nil: refused
	begun   Comparison
}

// Of is Prepare and Run.
func Of(ctx context.Context, s *scenarios.Scenario, catalogue scenarios.Catalogue, o Options) (*Comparison, error) {
	setup, err := Prepare(s, catalogue, o)
	if err != nil {
		return nil, err
	}
	return setup.Run(ctx), nil
}

// Prepare makes the plan of every algorithm. One that cannot run the scenario, on this
// graph or with these expectations, is refused. The error is what is wrong with the names,
// or with the scenario under every algorithm.
func Prepare(s *scenarios.Scenario, catalogue scenarios.Catalogue, o Options) (*Setup, error) {
	if err := catalogue.CheckAlgorithms(o.Algorithms); err != nil {
		return nil, err
	}
	setup := &Setup{options: o, begun: Comparison{Scenario: s.Name, Notes: []string{}}}
	c := &setup.begun
	var refusal error
	for _, name := range o.Algorithms {
		a := Algorithm{Name: name, Runs: []Run{}, Summaries: []Summary{}}
		plan, err := s.Resolve(catalogue, scenarios.Overrides{Algorithm: name})
		if err != nil {
			a.Refused, refusal = new(err.Error()), cmp.Or(refusal, err)
			plan = nil
		} else if c.Reference == "" {
			c.Reference, c.First, c.Order = name, plan.Seed, plan.Scenario.Order
		}
		setup.plans, c.Algorithms = append(setup.plans, plan), append(c.Algorithms, a)
	}
	if c.Reference == "" {
		return nil, refusal
	}
	return setup, nil
}

// Files is every file that the comparison was made from.
func (s *Setup) Files() []string {
	for _, p := range s.plans {
		if p != nil {
			return p.Files
		}
	}
	return nil
}

// Run runs the scenario under each algorithm with each seed. When ctx ends it returns at
// once, with the first of the seeds, without a gap.
func (s *Setup) Run(ctx context.Context) *Comparison {
	c := s.begun
	c.Algorithms = slices.Clone(c.Algorithms)
	seeds := Range{c.First, c.First}
	if s.options.Seeds != nil {
		seeds = *s.options.Seeds
	}
	c.First, c.Last = seeds.First, seeds.First
	one := seeds.First == seeds.Last
	delayOf := sync.OnceValue(func() string { return newWorker(s.plans, nil, false).kind(seeds.First) })
	work := func() func(uint64) paired { return newWorker(s.plans, delayOf, one).run }
	c.Interrupted = !parallel.Seeds(ctx, seeds.First, seeds.Last, max(1, s.options.Workers), work, c.add, s.options.Progress)
	c.summarise()
	return &c
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
