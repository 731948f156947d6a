package cli

import (
	"context"
	"fmt"
	"io"

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
		RunE: func(cmd *cobra.Command, args []string) error {
			plan, err := c.plan(args[0], o)
			if err != nil {
				return err
			}
			if trace == "" {
				return c.finish(cmd.Context(), nil, func(io.Writer) (*scenarios.Result, error) {
					return plan.NewRunner().Run(plan.Seed), nil
				})
			}
			out, err := createFile(trace)
			if err != nil {
				return err
			}
			return c.finish(cmd.Context(), out, func(w io.Writer) (*scenarios.Result, error) {
				return plan.NewRunner().Trace(plan.Seed, w)
			})
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

// finish runs and prints, unless it is interrupted before: then nothing is left
// behind. out is nil if there is no trace.
func (c *commands) finish(ctx context.Context, out *file, run func(io.Writer) (*scenarios.Result, error)) error {
	type ended struct {
		result *scenarios.Result
		err    error
	}
	end := make(chan ended, 1)
	go func() { // a panic in here is meant to end the process
		defer out.abandonOnPanic()
		result, err := run(out.writer())
		end <- ended{result, err}
	}()
	select {
	case <-ctx.Done():
		out.abandon()
		fmt.Fprintln(c.stderr, "simrun: interrupted")
		c.exitCode = exitInterrupted
		return nil
	case e := <-end:
		if e.err == nil {
			e.err = out.commit()
		}
		if e.err != nil {
			out.abandon()
			return fmt.Errorf("the trace cannot be written: %w", e.err)
		}
		c.exitCode = e.result.ExitCode()
		return c.print(e.result)
	}
}
