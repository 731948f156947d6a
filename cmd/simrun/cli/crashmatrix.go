package cli

import (
	"runtime"

	"github.com/spf13/cobra"

	"simrun/scenarios"
	"simrun/scenarios/crashmatrix"
)

func (c *commands) crashmatrix() *cobra.Command {
	var o overrides
	var pairs bool
	cmd := oneFile(&cobra.Command{
		Use:   "crashmatrix FILE",
		Short: "Crash every node in every phase of a snapshot",
		Long: `Run a scenario once for every phase of a snapshot (simrun list shows them) and every
node, the coordinator among them if there is one, with a crash of that node in that
phase; and print whether the node came to that phase, which checkpoint was restored,
and the verdict. The faults of the file are left out. With --pairs also with two
crashes at a time, at most a thousand of them. A pair that was never reached is no
success. Exit code 1 if any run is violated.`,
		Example: `  simrun crashmatrix scenario.yaml
  simrun crashmatrix scenario.yaml --pairs --json`,
		RunE: func(_ *cobra.Command, args []string) error {
			ctx, stop := interruptible()
			defer stop()
			plan, err := await(ctx, func() (*scenarios.Plan, error) { return c.manyRuns(args[0], o) })
			if err != nil {
				return err
			}
			bar := newProgress(c.stderr, crashmatrix.Work(plan, pairs))
			matrix := crashmatrix.Of(ctx, plan, plan.Seed, crashmatrix.Options{Workers: runtime.GOMAXPROCS(0), Pairs: pairs, Progress: bar.update})
			stop()
			bar.clear()
			return c.measuredOut(matrix, matrix.Interrupted)
		},
	})
	c.addAlgorithm(cmd, &o.algorithm)
	addSeed(cmd, &o.seed)
	addSet(cmd, &o.set)
	cmd.Flags().BoolVar(&pairs, "pairs", false, "two crashes at a time, too")
	return cmd
}
