package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"simrun/scenarios"
	"simrun/scenarios/reproducer"
)

func (c *commands) replay() *cobra.Command {
	var goOn bool
	var choices string
	cmd := oneFile(&cobra.Command{
		Use:   "replay FILE...",
		Short: "Carry a run out again from its reproducer, and say whether it is the same",
		Long: `Carry a run out again from its reproducer, and compare every step and digest. If all
is the same the exit code is that of the run: 1 for the violation that the reproducer is
about. If it is not, the first step that differs is named, and the exit code is 4.

Of several files only those are told that are not the same.`,
		Example: `  simrun run scenario.yaml --reproducer failure.yaml  # writes one
  simrun replay failure.yaml
  simrun replay failure.yaml --continue               # after a change, to see what becomes of the run now
  simrun replay failure.yaml --choices chosen.yaml    # the same events in chosen order, without a clock
  simrun explain failure.yaml                         # run and explain take reproducers too`,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 && choices != "" {
				return errors.New("--choices is for one reproducer")
			}
			var outcomes reproducer.Outcomes
			for _, path := range args {
				outcome, err := interruptibly(func() (*reproducer.Outcome, error) { return c.replayed(path, goOn, choices) })
				if err != nil {
					return err
				}
				outcomes = append(outcomes, outcome)
			}
			c.exitCode = outcomes.ExitCode()
			if len(outcomes) == 1 {
				return c.print(outcomes[0])
			}
			return c.print(outcomes)
		},
	})
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return fmt.Errorf("replay needs a reproducer: %s", cmd.UseLine())
		}
		return nil
	}
	cmd.Flags().BoolVar(&goOn, "continue", false, "where the run differs, go on as it would without the reproducer")
	cmd.Flags().Var(&wordFlag{&choices, "FILE", "name a file, or leave the flag out"}, "choices", "write the same events in chosen order to this reproducer")
	return cmd
}

// replayed carries out one reproducer and, if it is asked for, writes its choices.
func (c *commands) replayed(path string, goOn bool, choices string) (*reproducer.Outcome, error) {
	r, err := reproducer.Read(c.catalogue, path)
	if err != nil {
		return nil, err
	}
	outcome := r.Replay(goOn)
	if choices != "" && outcome.Outcome == reproducer.Reproduced {
		err = c.writeChoices(r, choices, path)
	}
	return outcome, err
}

// writeChoices writes the reproducer of the same events in chosen order.
func (c *commands) writeChoices(r *reproducer.Reproducer, path, read string) error {
	chosen, err := r.Choices(c.catalogue)
	if err != nil {
		return fmt.Errorf("%s: %w", read, err)
	}
	return writeReproducer(chosen, "choices", path, []string{read})
}

// writeReproducer writes a reproducer to a file that is not one of those that were read.
func writeReproducer(r *reproducer.Reproducer, flag, path string, read []string) error {
	return writeText(r.Write, "reproducer", flag, path, read)
}

// keepReproducer writes the reproducer of a plan's run with a seed, and says whether
// something is violated in it.
func (c *commands) keepReproducer(plan *scenarios.Plan, seed uint64, path string) (violated bool, err error) {
	r, _, err := reproducer.Of(c.catalogue, plan, seed, version())
	if err != nil {
		return false, err
	}
	return r.Violation != nil, writeReproducer(r, "reproducer", path, plan.Files)
}
