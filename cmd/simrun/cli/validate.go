package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"simrun/scenarios"
)

func (c *commands) validate() *cobra.Command {
	var o overrides
	cmd := oneFile(&cobra.Command{
		Use:   "validate FILE",
		Short: "Check a scenario and print it with every default filled in",
		Long: `Check a scenario, and print it with every default filled in: a scenario that
gives the same run. Files that it names are looked for from its own folder on.`,
		Example: `  simrun validate scenario.yaml
  simrun validate scenario.yaml --algorithm abs  # with the back-edges that ABS would use`,
		RunE: func(_ *cobra.Command, args []string) error {
			plan, err := interruptibly(func() (*scenarios.Plan, error) { return c.plan(args[0], o) })
			if err != nil {
				return err
			}
			return c.print(resolved{plan})
		},
	})
	c.addAlgorithm(cmd, &o.algorithm)
	addSeed(cmd, &o.seed)
	addSet(cmd, &o.set)
	addStrategy(cmd, &o)
	return cmd
}

// resolved prints a plan's scenario.
type resolved struct{ plan *scenarios.Plan }

// WriteText implements what commands.print wants.
func (r resolved) WriteText(w io.Writer) error {
	if _, err := fmt.Fprintf(w, "# resolved from %s\n", strings.ReplaceAll(r.plan.Name, "\n", " ")); err != nil {
		return err
	}
	return r.plan.WriteYAML(w)
}

// MarshalJSON implements json.Marshaler.
func (r resolved) MarshalJSON() ([]byte, error) { return r.plan.MarshalJSON() }
