package cli

import (
	"github.com/spf13/cobra"

	"simrun/scenarios"
)

func (c *commands) compare() *cobra.Command {
	var seed seedFlag
	algorithms := scenarios.Compared()
	cmd := oneFile(&cobra.Command{
		Use:   "compare FILE",
		Short: "Run a scenario under several algorithms, side by side",
		Long: `Run the same scenario with the same seed under several algorithms, and print one
table. The algorithm that the file names is ignored.`,
		Example: `  simrun compare scenario.yaml
  simrun compare scenario.yaml --seed 7 --json
  simrun compare scenario.yaml --algorithms abs,no-blocking`,
		RunE: func(_ *cobra.Command, args []string) error {
			comparison, err := interruptibly(func() (*scenarios.Comparison, error) {
				scenario, err := c.scenario(args[0])
				if err != nil {
					return nil, err
				}
				return scenario.Compare(c.catalogue, algorithms, seed.value)
			})
			if err != nil {
				return err
			}
			c.exitCode = comparison.ExitCode()
			return c.print(comparison)
		},
	})
	addSeed(cmd, &seed)
	cmd.Flags().StringSliceVar(&algorithms, "algorithms", algorithms, "what to compare, two or more names with commas between them")
	c.completeAlgorithms(cmd, "algorithms")
	return cmd
}
