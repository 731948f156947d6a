package cli

import (
	"context"
	"io"
	"runtime"

	"simrun/scenarios"
	"simrun/scenarios/export"
)

// exportVerdicts writes the verdicts on scenarios as test results.
func (c *commands) exportVerdicts(paths []string, o *exporting) error {
	ctx, stop := interruptible()
	defer stop()
	var cases []export.Case
	var read []string
	for _, path := range paths {
		of, files, err := c.verdicts(ctx, path, o)
		if err != nil {
			return err
		}
		cases, read = append(cases, of...), append(read, files...)
	}
	return c.deliver(func(w io.Writer) error { return export.JUnit(w, cases) }, "junit file", o.path, read)
}

// verdicts is what becomes of a scenario under every algorithm, and the files that were
// read. An algorithm that cannot run it is refused if another one can.
func (c *commands) verdicts(ctx context.Context, path string, o *exporting) (cases []export.Case, read []string, err error) {
	names := o.algorithms
	if names == nil {
		names = []string{o.algorithm}
	}
	var refusal error
	for _, name := range names {
		under := o.overrides
		under.algorithm = name
		plan, err := await(ctx, func() (*scenarios.Plan, error) {
			if o.swept {
				return c.manyRuns(path, under)
			}
			return c.plan(path, under)
		})
		switch {
		case err == errInterrupted:
			return nil, nil, err
		case err != nil:
			refusal = err
			cases = append(cases, export.Case{Scenario: path, Algorithm: name, Refused: err.Error()})
			continue
		}
		read = plan.Files
		one, err := c.verdict(ctx, plan, o)
		if err != nil {
			return nil, nil, err
		}
		cases = append(cases, one)
	}
	if read == nil {
		return nil, nil, refusal
	}
	return cases, read, nil
}

// verdict is the outcome of a plan's run or, if seeds are given, of its runs.
func (c *commands) verdict(ctx context.Context, plan *scenarios.Plan, o *exporting) (export.Case, error) {
	one := export.Case{Scenario: plan.Name, Algorithm: plan.Algorithm.Name}
	seed := plan.Seed
	if o.swept {
		bar := newProgress(c.stderr, o.seeds.last-o.seeds.first+1)
		one.Sweep = plan.Sweep(ctx, o.seeds.first, o.seeds.last, runtime.GOMAXPROCS(0), bar.update)
		bar.clear()
		if one.Sweep.Interrupted {
			return one, errInterrupted
		}
		c.exitCode = worse(c.exitCode, one.Sweep.ExitCode())
		if len(one.Sweep.FailingSeeds) == 0 {
			return one, nil
		}
		seed = one.Sweep.FailingSeeds[0]
	}
	var err error
	one.Result, err = await(ctx, func() (*scenarios.Result, error) { return plan.NewRunner().Run(seed), nil })
	if err == nil && one.Sweep == nil {
		c.exitCode = worse(c.exitCode, one.Result.ExitCode())
	}
	return one, err
}
