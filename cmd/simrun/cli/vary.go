package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"simrun/scenarios/comparison"
	"simrun/scenarios/series"
)

// varySeeds is with how many seeds every value is compared if nothing is said: enough to
// see how far they lie apart, and few enough to wait for.
const varySeeds = 20

// varyFlags is what compare is to vary, and what it tells of it.
type varyFlags struct {
	parameter string // "": nothing is varied
	values    []string
	names     []string
	measures  []comparison.Measure
	plot      string
}

// String implements pflag.Value.
func (f *varyFlags) String() string { return "" }

// Type implements pflag.Value.
func (f *varyFlags) Type() string { return "KEY=VALUES" }

// Set implements pflag.Value.
func (f *varyFlags) Set(text string) error {
	const right = "write a parameter of the file and its values, such as snapshots.every=10ms..1s"
	parameter, values, given := strings.Cut(text, "=")
	switch {
	case f.parameter != "":
		return fmt.Errorf("%s is varied already; a series is over one parameter, and --set changes others", f.parameter)
	case !given || parameter == "":
		return errors.New(right)
	}
	list, err := series.Values(values)
	if err != nil {
		return err
	}
	f.parameter, f.values = parameter, list
	return nil
}

func (f *varyFlags) add(cmd *cobra.Command) {
	cmd.Flags().Var(f, "vary", "compare for each of these values of a parameter of the file")
	cmd.Flags().StringSliceVar(&f.names, "measure", series.Usual(), "with --vary: what is told of it, names with commas between them")
}

func (f *varyFlags) addPlot(cmd *cobra.Command) {
	cmd.Flags().Var(&wordFlag{&f.plot, "FILE", "name a file, or leave the flag out"}, "plot", "with --vary: write the plots to this file, as SVG")
}

// check refuses flags that have no meaning, and measures that there are not.
func (f *varyFlags) check(cmd *cobra.Command) (err error) {
	for _, name := range []string{"measure", "plot"} {
		if f.parameter == "" && cmd.Flags().Changed(name) {
			return fmt.Errorf("--%s is of a series; name what to vary, too, such as --vary snapshots.every=10ms..1s", name)
		}
	}
	if len(f.names) == 0 {
		return errors.New("--measure: it is empty; name measures, such as latency_p99,markers, or leave the flag out")
	}
	f.measures, err = series.NamedMeasures(f.names)
	return err
}

// comparedSeeds is the seeds that are compared: a range, if one was given, or one seed, or
// those of a series; nil: the scenario's own.
func comparedSeeds(many bool, seeds seedsFlag, seed seedFlag, vary *varyFlags) (*comparison.Range, error) {
	switch {
	case many && seed.value != nil:
		return nil, errors.New("--seed and --seeds: name one seed, or a range of them")
	case many:
		return &comparison.Range{First: seeds.first, Last: seeds.last}, nil
	case seed.value != nil:
		return &comparison.Range{First: *seed.value, Last: *seed.value}, nil
	case vary.parameter != "":
		return &comparison.Range{First: 1, Last: varySeeds}, nil
	}
	return nil, nil
}

// endedEarly tells that a comparison was interrupted; if nothing is known by then, that is
// the end of the command.
func (c *commands) endedEarly(interrupted bool, seeds int64) error {
	switch {
	case interrupted && seeds == 0:
		return errInterrupted
	case interrupted:
		c.complain(errInterrupted)
	}
	return nil
}

// varyAll compares for every value, and prints.
func (c *commands) varyAll(path string, set settingsFlag, vary varyFlags, compare comparison.Options, form tableForm) error {
	ctx, stop := interruptible()
	defer stop()
	bar := newProgress(c.stderr, uint64(len(vary.values))*compare.Seeds.Count())
	compare.Progress = bar.update
	setup, err := await(ctx, func() (*series.Setup, error) {
		scenario, err := c.scenario(path, set)
		if err != nil {
			return nil, err
		}
		return series.Prepare(scenario, c.catalogue, series.Options{Parameter: vary.parameter, Values: vary.values, Measures: vary.measures, Compare: compare})
	})
	if err != nil {
		return err
	}
	if vary.plot != "" {
		if err := writable("plot", vary.plot, setup.Files()); err != nil {
			return err
		}
	}
	result := setup.Run(ctx)
	stop()
	bar.clear()
	if err := c.endedEarly(result.Interrupted, result.Points[0].Comparison.Seeds); err != nil {
		return err
	}
	c.exitCode = result.ExitCode()
	if vary.plot != "" {
		if err := writeText(result.WriteSVG, "plot", "plot", vary.plot, setup.Files()); err != nil {
			c.without(err, vary.plot)
		}
	}
	return form.print(c, result)
}
