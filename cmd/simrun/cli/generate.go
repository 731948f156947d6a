package cli

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"simrun/scenarios"
	"simrun/scenarios/generate"
)

func (c *commands) generate() *cobra.Command {
	var seed seedFlag
	var path string
	var coordinator, open bool
	cmd := &cobra.Command{
		Use:   "generate --seed N",
		Short: "Print the generated scenario of a seed",
		Long: `Print the small scenario that a seed stands for, one of those that mutants runs. It
names a default algorithm; run it under any other with --algorithm.`,
		Example: `  simrun generate --seed 7
  simrun generate --seed 7 -o generated-7.yaml && simrun run generated-7.yaml --algorithm abs`,
		Args:              cobra.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(*cobra.Command, []string) error {
			if seed.value == nil {
				return fmt.Errorf("generate needs a seed: %s generate --seed 7", c.program())
			}
			from := family(coordinator)
			if open && coordinator {
				return errors.New("--search and --coordinator: these are different scenarios; name one")
			}
			if open {
				from = generate.Open
			}
			plan, err := from.Scenario(*seed.value).Resolve(c.catalogue, scenarios.Overrides{})
			if err != nil {
				return err
			}
			scenario := generated{resolved{plan}}
			if path == "" {
				return c.print(scenario)
			}
			out, err := createFile(path)
			if err != nil {
				return err
			}
			if err = c.write(out.f, scenario); err == nil {
				err = out.commit()
			}
			if err != nil {
				out.abandon()
				return fmt.Errorf("%s: the file cannot be written: %w", path, err)
			}
			return nil
		},
	}
	cmd.Flags().Var(&seed, "seed", "seed of the scenario and of its run")
	addCoordinator(cmd, &coordinator)
	cmd.Flags().BoolVar(&open, "search", false, "a scenario in chosen order that leaves snapshots and crashes to a search")
	cmd.Flags().VarP(&wordFlag{&path, "FILE", "name a file, or leave the flag out"}, "output", "o", "write it to this file, instead of standard output")
	return cmd
}

// generated is resolved with another first line.
type generated struct{ resolved }

// WriteText implements what commands.print wants.
func (g generated) WriteText(w io.Writer) error {
	if _, err := fmt.Fprintf(w, "# generated from seed %d\n", g.plan.Seed); err != nil {
		return err
	}
	return g.plan.WriteYAML(w)
}
