package cli

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"simrun/scenarios"
	"simrun/scenarios/graphview"
	"simrun/scenarios/label"
)

func (c *commands) graph() *cobra.Command {
	var o overrides
	var format, path string
	cmd := oneFile(&cobra.Command{
		Use:   "graph FILE",
		Short: "Show the graph of a scenario",
		Long: `Show the graph of a scenario: its nodes and channels, where snapshots begin, where
records come from outside, which channels are back-edges, which fail, and which have
delays of their own. As a list, in the DOT language, or drawn as SVG.

Without --format the name of the output says what is written (.dot, .gv, .svg); else it is
a list.`,
		Example: `  simrun graph scenario.yaml
  simrun graph scenario.yaml -o graph.svg
  simrun graph scenario.yaml --format dot | dot -Tpdf -o graph.pdf
  simrun graph scenario.yaml --algorithm abs  # with the back-edges that ABS would use`,
		RunE: func(_ *cobra.Command, args []string) error {
			if c.asJSON && format != "" {
				return fmt.Errorf("--json and --format %s: the output has one form; choose one of them", format)
			}
			plan, err := interruptibly(func() (*scenarios.Plan, error) { return c.plan(args[0], o) })
			if err != nil {
				return err
			}
			g := graphview.Of(plan)
			write := g.WriteText
			switch {
			case c.asJSON:
				write = func(w io.Writer) error { return c.write(w, g) }
			case format == "dot" || format == "" && named(path, ".dot", ".gv"):
				write = g.WriteDOT
			case format == "svg" || format == "" && named(path, ".svg"):
				write = func(w io.Writer) error {
					left, err := g.WriteSVG(w)
					c.remark(path, left)
					return err
				}
			}
			return c.deliver(write, "graph", path, plan.Files)
		},
	})
	c.addAlgorithm(cmd, &o.algorithm)
	addSeed(cmd, &o.seed)
	addSet(cmd, &o.set)
	addChoice(cmd, &format, "format", "what to write", "text", "dot", "svg")
	addOutput(cmd, &path)
	return cmd
}

// addOutput adds the flag that names the file of a result.
func addOutput(cmd *cobra.Command, path *string) {
	cmd.Flags().VarP(&wordFlag{path, "FILE", "name a file, or leave the flag out"}, "output", "o", "write it to this file, instead of standard output")
}

// named says whether the name of a file ends in one of these ways.
func named(path string, endings ...string) bool {
	for _, ending := range endings {
		if strings.EqualFold(filepath.Ext(path), ending) {
			return true
		}
	}
	return false
}

// deliver writes a result to a file that is not one of those that were read, or to
// standard output if no file is named.
func (c *commands) deliver(write func(io.Writer) error, what, path string, read []string) error {
	if path == "" {
		return write(c.stdout)
	}
	return writeText(write, what, "output", path, read)
}

// remark says on standard error what of a result is left out.
func (c *commands) remark(path string, left []string) {
	for _, sentence := range left {
		fmt.Fprintf(c.stderr, "%s: %s: %s\n", c.program(), label.Plain(cmp.Or(path, "note")), label.Plain(sentence))
	}
}
