package cli

import (
	"fmt"
	"io"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"simrun/scenarios/comparison"
)

func (c *commands) compare() *cobra.Command {
	var seed seedFlag
	var seeds seedsFlag
	var form tableForm
	var set settingsFlag
	var vary varyFlags
	algorithms := comparison.Usual()
	cmd := oneFile(&cobra.Command{
		Use:   "compare FILE",
		Short: "Run a scenario under several algorithms, side by side",
		Long: `Run the same scenario with the same seed under several algorithms, measure what each
of them costs, and print one table. The algorithm that the file names is ignored. The
runs are paired: the graph, the input from outside, the random numbers of the apps and the
delays of the messages are the same, so that what differs is the algorithm's doing.

With --seeds it does so with every seed of a range, on all cores, and prints medians, and
for every algorithm after the first the median of the paired differences, with an interval.
Ctrl-C ends it at once, with what is known so far.

With --vary it does that for every value of one parameter of the file, such as
snapshots.every, network.delay, graph.parallelism or network.channels.a->b.delay, and
prints, for some of the measures, a table and a plot over the values. A value is what the
file could have in this place, none (which takes the key out; snapshots.every=none is no
snapshots), or a range: 10ms..1s takes 10ms, 20ms, 50ms, 100ms and so on, 1..8 all of them,
10ms..100ms/10ms steps of 10ms. --plot writes the plots to a file, as SVG.`,
		Example: `  simrun compare scenario.yaml
  simrun compare scenario.yaml --seeds 1-200
  simrun compare scenario.yaml --seeds 1-200 --csv > measures.csv
  simrun compare scenario.yaml --vary snapshots.every=10ms..1s --plot interval.svg
  simrun compare scenario.yaml --vary graph.parallelism=1..8 --seeds 1-50 --measure latency_p99,markers
  simrun compare scenario.yaml --seed 7 --json
  simrun compare scenario.yaml --algorithms abs,no-blocking`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := form.check(c.asJSON); err != nil {
				return err
			}
			if err := vary.check(cmd); err != nil {
				return err
			}
			options := comparison.Options{Algorithms: algorithms, Workers: runtime.GOMAXPROCS(0)}
			var err error
			if options.Seeds, err = comparedSeeds(cmd.Flags().Changed("seeds"), seeds, seed, &vary); err != nil {
				return err
			}
			if vary.parameter != "" {
				return c.varyAll(args[0], set, vary, options, form)
			}
			return c.compareAll(args[0], set, options, form)
		},
	})
	addSeed(cmd, &seed)
	addSet(cmd, &set)
	cmd.Flags().Var(&seeds, "seeds", fmt.Sprintf("seeds from A to B, both included; without it one seed, the file's, or with --vary 1-%d", varySeeds))
	cmd.Flag("seeds").DefValue = ""
	cmd.Flags().StringSliceVar(&algorithms, "algorithms", algorithms, "what to compare, two or more names with commas between them")
	c.completeAlgorithms(cmd, "algorithms")
	form.add(cmd)
	vary.add(cmd)
	vary.addPlot(cmd)
	return cmd
}

// compareAll compares and prints.
func (c *commands) compareAll(path string, set settingsFlag, options comparison.Options, form tableForm) error {
	ctx, stop := interruptible()
	defer stop()
	bar := newProgress(c.stderr, options.Seeds.Count())
	options.Progress = bar.update
	setup, err := await(ctx, func() (*comparison.Setup, error) {
		scenario, err := c.scenario(path, set)
		if err != nil {
			return nil, err
		}
		return comparison.Prepare(scenario, c.catalogue, options)
	})
	if err != nil {
		return err
	}
	result := setup.Run(ctx)
	stop()
	bar.clear()
	if err := c.endedEarly(result.Interrupted, result.Seeds); err != nil {
		return err
	}
	c.exitCode = result.ExitCode()
	if form.csv { // which has no room for it
		for _, a := range result.Algorithms {
			if a.Refused != nil {
				c.complain(fmt.Errorf("%s is refused: %s", a.Name, *a.Refused))
			}
		}
	}
	return form.print(c, result)
}

// tableForm is how a table is printed, if not for people or as JSON.
type tableForm struct{ csv, markdown bool }

func (f *tableForm) add(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.csv, "csv", false, "print a line for each algorithm, seed and measure, with commas")
	cmd.Flags().BoolVar(&f.markdown, "markdown", false, "print the table in GitHub's Markdown")
}

// check refuses two forms at once.
func (f *tableForm) check(asJSON bool) error {
	var given []string
	for _, form := range []struct {
		name string
		on   bool
	}{{"--json", asJSON}, {"--csv", f.csv}, {"--markdown", f.markdown}} {
		if form.on {
			given = append(given, form.name)
		}
	}
	if len(given) > 1 {
		return fmt.Errorf("%s: the output has one form; choose one of them", strings.Join(given, " and "))
	}
	return nil
}

// tabular is a result that has a table.
type tabular interface {
	printable
	WriteCSV(io.Writer) error
	WriteMarkdown(io.Writer) error
}

// print prints a result in this form.
func (f *tableForm) print(c *commands, result tabular) error {
	switch {
	case f.csv:
		return result.WriteCSV(c.stdout)
	case f.markdown:
		return result.WriteMarkdown(c.stdout)
	}
	return c.print(result)
}
