package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"simrun/scenarios"
)

func (c *commands) run() *cobra.Command {
	var o overrides
	var trace string
	cmd := oneFile(&cobra.Command{
		Use:   "run FILE",
		Short: "Run a scenario and judge it",
		Long: `Run a scenario, and print its snapshots, its crashes and recoveries, and the
verdict on them. On a violation the story of the first wrong event is told, and the
last line reproduces it.`,
		Example: `  simrun run scenario.yaml
  simrun run scenario.yaml --seed 42 --algorithm abs
  simrun run scenario.yaml --json
  simrun run scenario.yaml --trace trace.jsonl  # every event, one JSON object a line`,
		RunE: func(_ *cobra.Command, args []string) error {
			result, err := c.judged(args[0], o, trace)
			if err != nil {
				return err
			}
			c.exitCode = result.ExitCode()
			return c.print(result)
		},
	})
	c.addAlgorithm(cmd, &o.algorithm)
	addSeed(cmd, &o.seed)
	cmd.Flags().Var(&wordFlag{&trace, "FILE", "name a file, or leave the flag out"}, "trace", "write every event to this file, as JSON Lines")
	return cmd
}

// plan loads a scenario and makes it ready to run.
func (c *commands) plan(path string, o overrides) (*scenarios.Plan, error) {
	scenario, err := scenarios.Load(c.catalogue, path)
	if err != nil {
		return nil, err
	}
	return scenario.Resolve(c.catalogue, o.overrides())
}

// judged runs the scenario of a file, with a trace if it has a name.
func (c *commands) judged(path string, o overrides, trace string) (*scenarios.Result, error) {
	ctx, stop := interruptible()
	defer stop()
	plan, err := await(ctx, func() (*scenarios.Plan, error) { return c.plan(path, o) })
	switch {
	case err != nil:
		return nil, err
	case trace != "":
		return traced(ctx, plan, trace)
	}
	return await(ctx, func() (*scenarios.Result, error) {
		runner := plan.NewRunner()
		result := runner.Run(plan.Seed)
		runner.Tell(result)
		return result, nil
	})
}

// traced runs with a trace, which appears when it is whole. If it is interrupted
// before, or fails, nothing is left behind.
func traced(ctx context.Context, plan *scenarios.Plan, path string) (*scenarios.Result, error) {
	if err := keepInput(path, plan.Files); err != nil {
		return nil, err
	}
	out, err := await(ctx, func() (*file, error) { return createFile(path) }) // a pipe waits for its reader
	if err != nil {
		return nil, err
	}
	result, err := await(ctx, func() (*scenarios.Result, error) {
		defer out.abandonOnPanic()
		runner := plan.NewRunner()
		result, err := runner.Trace(plan.Seed, out.f)
		if err == nil {
			runner.Tell(result)
		}
		return result, err
	})
	if err == nil {
		err = out.commit()
	}
	if err != nil {
		out.abandon()
		if !errors.Is(err, errInterrupted) {
			err = fmt.Errorf("the trace cannot be written: %w", err)
		}
		return nil, err
	}
	return result, nil
}
