package cli

import (
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
verdict on them. On a violation the last line reproduces it.`,
		Example: `  simrun run scenario.yaml
  simrun run scenario.yaml --seed 42 --algorithm abs
  simrun run scenario.yaml --json
  simrun run scenario.yaml --trace trace.jsonl  # every event, one JSON object a line`,
		RunE: func(_ *cobra.Command, args []string) error {
			plan, err := c.plan(args[0], o)
			if err != nil {
				return err
			}
			if trace != "" {
				return c.traced(plan, trace)
			}
			return c.report(plan.NewRunner().Run(plan.Seed))
		},
	})
	c.addAlgorithm(cmd, &o.algorithm)
	addSeed(cmd, &o.seed)
	cmd.Flags().StringVar(&trace, "trace", "", "write every event to this `FILE`, as JSON Lines")
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

func (c *commands) report(result *scenarios.Result) error {
	c.exitCode = result.ExitCode()
	return c.print(result)
}

// traced runs with a trace, which appears when it is whole. If it is interrupted
// before, or fails, nothing is left behind.
func (c *commands) traced(plan *scenarios.Plan, path string) error {
	if err := keepInput(path, plan.Files); err != nil {
		return err
	}
	out, err := createFile(path)
	if err != nil {
		return err
	}
	ctx, stop := interruptible()
	defer stop()
	var result *scenarios.Result
	end := make(chan error, 1)
	go func() { // a panic in here is meant to end the process
		defer out.abandonOnPanic()
		var err error
		result, err = plan.NewRunner().Trace(plan.Seed, out.f)
		end <- err
	}()
	select {
	case <-ctx.Done():
		out.abandon()
		fmt.Fprintf(c.stderr, "%s: interrupted\n", c.program())
		c.exitCode = exitInterrupted
		return nil
	case err := <-end:
		if err == nil {
			err = out.commit()
		}
		if err != nil {
			out.abandon()
			return fmt.Errorf("the trace cannot be written: %w", err)
		}
		return c.report(result)
	}
}
