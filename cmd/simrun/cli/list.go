package cli

import "github.com/spf13/cobra"

func (c *commands) list() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List what a scenario can name",
		Long:  "List the algorithms, apps, graph generators, distributions, faults, phases and invariants that a scenario can name.",
		Example: `  simrun list
  simrun list --json`,
		Args:              cobra.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(*cobra.Command, []string) error { return c.print(c.catalogue.List()) },
	}
}
