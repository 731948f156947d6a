package cli

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"simrun/scenarios"
)

func (c *commands) explain() *cobra.Command {
	var o overrides
	var snapshot snapshotFlag
	cmd := oneFile(&cobra.Command{
		Use:   "explain FILE",
		Short: "Run a scenario and say why its snapshots are right or wrong",
		Long: `Run a scenario, and say why it is judged as it is. Of a snapshot: the cut (when each
node recorded, and what made it), every channel's messages by the four cases (sent, and
processed, before or after the cut), and why what was recorded is right or wrong. Of a
violation: the message, who sent and who processed it, the chain of events that proves
it, and which marker or barrier should have come first.

Without --snapshot every snapshot is told in a line, those that are violated in full.`,
		Example: `  simrun explain scenario.yaml
  simrun explain scenario.yaml --snapshot 2
  simrun explain scenario.yaml --seed 42 --algorithm no-blocking
  simrun explain scenario.yaml --json`,
		RunE: func(_ *cobra.Command, args []string) error {
			ctx, stop := interruptible()
			defer stop()
			explained, err := await(ctx, func() (*scenarios.Explained, error) {
				plan, err := c.plan(args[0], o)
				if err != nil {
					return nil, err
				}
				return plan.NewRunner().Explain(plan.Seed, snapshot.id)
			})
			if err != nil {
				return err
			}
			c.exitCode = explained.ExitCode()
			return c.print(explained)
		},
	})
	c.addAlgorithm(cmd, &o.algorithm)
	addAudit(cmd, &o.audit)
	addSeed(cmd, &o.seed)
	addSet(cmd, &o.set)
	addStrategy(cmd, &o)
	cmd.Flags().Var(&snapshot, "snapshot", "the snapshot to explain in full, by its id")
	return cmd
}

// snapshotFlag is a flag with the id of a snapshot; 0: not given.
type snapshotFlag struct{ id uint32 }

// String implements pflag.Value.
func (f *snapshotFlag) String() string {
	if f.id == 0 {
		return ""
	}
	return strconv.FormatUint(uint64(f.id), 10)
}

// Type implements pflag.Value.
func (f *snapshotFlag) Type() string { return "K" }

// Set implements pflag.Value.
func (f *snapshotFlag) Set(text string) error {
	id, err := strconv.ParseUint(text, 10, 32)
	if err != nil || id == 0 {
		return fmt.Errorf("%q is no snapshot; write a number from 1 on", text)
	}
	f.id = uint32(id)
	return nil
}
