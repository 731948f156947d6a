package cli

import (
	"errors"
	"runtime"

	"github.com/spf13/cobra"

	"simrun/scenarios"
	"simrun/scenarios/generate"
	"simrun/scenarios/mutation"
)

func (c *commands) mutants() *cobra.Command {
	var algorithm string
	var right, coordinator, strategies bool
	seeds := seedsFlag{1, 200}
	cmd := &cobra.Command{
		Use:   "mutants",
		Short: "See wrong algorithms caught, and right ones not accused",
		Long: `Run every wrong algorithm over the generated scenarios of a range of seeds until the
invariant that must catch it does, and every right one over the same scenarios: none
may be accused. With --coordinator these are other scenarios and other wrong ones: of
the coordinator, of its tasks, of transactional sinks. Seeds are how many catch it; median and most are how many it takes
from any of them on. Exit code 1 if a wrong algorithm is alive, or caught by other
invariants only, or a right one accused.

With --strategies the scenarios are in chosen order and leave crashes and snapshots to
the search, and the table says how many seeds each strategy takes to catch each wrong
algorithm, in the middle and at worst. Exit code 1 if the portfolio misses one that some
strategy catches.`,
		Example: `  simrun mutants
  simrun mutants --seeds 1-1000 --algorithm no-blocking --json
  simrun mutants --right --seeds 1-100000  # a long search for false alarms
  simrun mutants --coordinator             # wrong coordinators, tasks of one, and sinks
  simrun mutants --right --coordinator --seeds 1-100000
  simrun mutants --strategies              # how long each way to choose the order takes`,
		Args:              cobra.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(*cobra.Command, []string) error {
			switch {
			case strategies && right:
				return errors.New("--strategies and --right: strategies are measured by the wrong algorithms that they catch")
			case strategies && coordinator:
				return errors.New("--strategies and --coordinator: the scenarios that strategies are measured on have no coordinator")
			}
			algorithms, err := c.measured(algorithm, right, family(coordinator))
			if err != nil {
				return err
			}
			ctx, stop := interruptible()
			defer stop()
			bar := newProgress(c.stderr, seeds.last-seeds.first+1)
			if strategies {
				table := mutation.Strategies(ctx, c.catalogue, algorithms, strategyNames(), seeds.first, seeds.last, runtime.GOMAXPROCS(0), bar.update)
				stop()
				bar.clear()
				return c.measuredOut(table, table.Interrupted)
			}
			result := mutation.On(ctx, family(coordinator), c.catalogue, algorithms, seeds.first, seeds.last, runtime.GOMAXPROCS(0), bar.update)
			stop()
			bar.clear()
			return c.measuredOut(result, result.Interrupted)
		},
	}
	c.addAlgorithm(cmd, &algorithm)
	cmd.Flags().Lookup("algorithm").Usage = "only this algorithm (simrun list shows them)"
	cmd.Flags().BoolVar(&right, "right", false, "only the right algorithms")
	cmd.Flags().BoolVar(&strategies, "strategies", false, "compare the strategies that choose the order of steps")
	addCoordinator(cmd, &coordinator)
	cmd.Flags().Var(&seeds, "seeds", "seeds from A to B, both included")
	return cmd
}

// measuredOut prints what was measured, and says if it was interrupted.
func (c *commands) measuredOut(result interface {
	printable
	ExitCode() int
}, interrupted bool) error {
	if interrupted {
		c.complain(errInterrupted)
	}
	c.exitCode = result.ExitCode()
	return c.print(result)
}

// family is the scenarios that are run.
func family(coordinator bool) generate.Family {
	if coordinator {
		return generate.Managed
	}
	return generate.Plain
}

// addCoordinator adds the flag that chooses the family.
func addCoordinator(cmd *cobra.Command, coordinator *bool) {
	cmd.Flags().BoolVar(coordinator, "coordinator", false, "scenarios with a checkpoint coordinator, lost control messages and a store that fails")
}

// measured is the algorithms that are asked for.
func (c *commands) measured(name string, right bool, family generate.Family) (list []scenarios.Algorithm, err error) {
	if name != "" {
		if right {
			return nil, errors.New("--algorithm and --right: name one algorithm, or take all right ones")
		}
		a, err := c.catalogue.Named(name)
		if err != nil {
			return nil, err
		}
		switch {
		case family.Suits(a):
			return []scenarios.Algorithm{*a}, nil
		case a.Coordinated:
			return nil, errors.New(a.Name + " works only under a coordinator; add --coordinator")
		}
		return nil, errors.New(a.Name + " cannot give a snapshot up, as a coordinator asks; leave out --coordinator")
	}
	for _, a := range c.catalogue.Algorithms {
		if family.Suits(&a) && !(a.Wrong && right) {
			list = append(list, a)
		}
	}
	return list, nil
}
