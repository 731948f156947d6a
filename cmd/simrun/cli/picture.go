package cli

import (
	"io"

	"github.com/spf13/cobra"

	"simrun/scenarios/reproducer"
	"simrun/scenarios/shrink"
)

func (c *commands) picture() *cobra.Command {
	var o overrides
	cmd := oneFile(&cobra.Command{
		Use:    "picture FILE",
		Hidden: true,
		RunE: func(_ *cobra.Command, args []string) error {
			plan, err := c.plan(args[0], o)
			if err != nil {
				return err
			}
			r, _, err := reproducer.Of(c.catalogue, plan, plan.Seed, version())
			if err != nil {
				return err
			}
			_, err = io.WriteString(c.stdout, shrink.Picture(r))
			return err
		},
	})
	c.addAlgorithm(cmd, &o.algorithm)
	return cmd
}
