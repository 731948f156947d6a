package cli

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"simrun/scenarios"
	"simrun/scenarios/export"
	"simrun/scenarios/spacetime"
)

// exporting is what export is told.
type exporting struct {
	overrides
	format, path string
	algorithms   []string
	seeds        seedsFlag // of junit
	swept        bool      // with all of them, and not with the scenario's own
}

func (c *commands) export() *cobra.Command {
	var o exporting
	cmd := oneFile(&cobra.Command{
		Use:   "export FILE --format WORD",
		Short: "Write a run in the format of another tool",
		Long: `Write the run of a scenario, or of a reproducer, in the format of another tool:

  jsonl     every event as JSON Lines, for jq and programs of one's own
  shiviz    for ShiViz, which compares several algorithms with one another
  perfetto  a trace that Perfetto opens (ui.perfetto.dev)
  mermaid   a sequence diagram, for Markdown pages
  dot       a space-time diagram that Graphviz draws (neato -n2)
  junit     the verdicts as test results for a CI server, of several files and seeds

Where a format has a limit, what is left out is said on standard error and in the file.
The exit code is that of the run.`,
		Example: `  simrun export scenario.yaml --format jsonl | jq 'select(.kind == "record")'
  simrun export scenario.yaml --format shiviz --algorithms chandy-lamport,abs -o both.log
  simrun export scenario.yaml --format perfetto -o trace.json
  simrun export scenario.yaml --format mermaid
  simrun export scenario.yaml --format dot | neato -n2 -Tsvg -o run.svg
  simrun export *.yaml --format junit --algorithms chandy-lamport,abs --seeds 1-100 -o junit.xml`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := c.checkExport(cmd, &o, args); err != nil {
				return err
			}
			switch o.format {
			case "jsonl":
				return c.exportTrace(args[0], &o)
			case "junit":
				return c.exportVerdicts(args, &o)
			}
			return c.exportDiagrams(args[0], &o)
		},
	})
	single := cmd.Args
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) > 1 && o.format == "junit" {
			args = args[:1]
		}
		return single(cmd, args)
	}
	addChoice(cmd, &o.format, "format", "what to write", "jsonl", "shiviz", "perfetto", "mermaid", "dot", "junit")
	addOutput(cmd, &o.path)
	c.addAlgorithm(cmd, &o.algorithm)
	cmd.Flags().StringSliceVar(&o.algorithms, "algorithms", nil, "several, with commas between them; for shiviz, perfetto and junit")
	c.completeAlgorithms(cmd, "algorithms")
	addSeed(cmd, &o.seed)
	cmd.Flags().Var(&o.seeds, "seeds", "many runs, with seeds from A to B; for junit")
	cmd.Flag("seeds").DefValue = ""
	addSet(cmd, &o.set)
	addStrategy(cmd, &o.overrides)
	return cmd
}

// checkExport refuses flags that do not go together.
func (c *commands) checkExport(cmd *cobra.Command, o *exporting, args []string) error {
	switch given := cmd.Flags().Changed; {
	case o.format == "":
		return fmt.Errorf("export needs a format: %s", cmd.UseLine())
	case c.asJSON:
		return fmt.Errorf("--json: export writes %s; --format jsonl writes JSON, and run --json the result", o.format)
	case given("algorithms") && given("algorithm"):
		return errors.New("--algorithm and --algorithms: name one or several")
	case given("algorithms") && slices.Contains([]string{"jsonl", "mermaid", "dot"}, o.format):
		return fmt.Errorf("--algorithms: a file of the format %s has one run; name the algorithm with --algorithm", o.format)
	case given("seeds") && o.format != "junit":
		return fmt.Errorf("--seeds: a file of the format %s has one run; name the seed with --seed", o.format)
	case given("seeds") && given("seed"):
		return errors.New("--seed and --seeds: name one or several")
	}
	if given := o.algorithms; given != nil {
		if err := c.catalogue.CheckAlgorithms(given); err != nil {
			return err
		}
	}
	o.swept = cmd.Flags().Changed("seeds")
	if o.path == "" {
		return nil
	}
	return writable("output", o.path, args)
}

// exportTrace writes the trace of a run, event by event.
func (c *commands) exportTrace(path string, o *exporting) error {
	if o.path != "" {
		trace := extra{"output", "trace", &o.path, func(f *scenarios.Files, w io.Writer) { f.Trace = w }}
		_, result, err := c.judged(path, o.overrides, &keeping{}, []extra{trace})
		if err == nil {
			c.exitCode = result.ExitCode()
		}
		return err
	}
	result, err := interruptibly(func() (*scenarios.Result, error) {
		plan, err := c.plan(path, o.overrides)
		if err != nil {
			return nil, err
		}
		return plan.NewRunner().Write(plan.Seed, scenarios.Files{Trace: c.stdout, Tool: version()})
	})
	if err == nil {
		c.exitCode = result.ExitCode()
	}
	return err
}

// plans is the plan of a file under each of the algorithms that are named, or of its own.
func (c *commands) plans(path string, o *exporting) ([]*scenarios.Plan, error) {
	if o.algorithms == nil {
		plan, err := c.plan(path, o.overrides)
		return []*scenarios.Plan{plan}, err
	}
	var plans []*scenarios.Plan
	for _, name := range o.algorithms {
		under := o.overrides
		under.algorithm = name
		plan, err := c.plan(path, under)
		if err != nil {
			return nil, fmt.Errorf("under %s: %w", name, err)
		}
		plans = append(plans, plan)
	}
	return plans, nil
}

// diagrams is how many events a file of a format has at the most, and how it is written.
var diagrams = map[string]struct {
	events int
	write  func(io.Writer, []*spacetime.Diagram) ([]string, error)
}{
	"shiviz":   {export.ShiVizEvents, export.ShiViz},
	"perfetto": {export.PerfettoEvents, export.Perfetto},
	"mermaid":  {export.MermaidEvents, one(export.Mermaid)},
	"dot":      {export.DOTEvents, one(export.DOT)},
}

// one is a format of which a file has one run.
func one(write func(io.Writer, *spacetime.Diagram) ([]string, error)) func(io.Writer, []*spacetime.Diagram) ([]string, error) {
	return func(w io.Writer, runs []*spacetime.Diagram) ([]string, error) { return write(w, runs[0]) }
}

// exportDiagrams writes the space-time diagrams of runs.
func (c *commands) exportDiagrams(path string, o *exporting) error {
	format := diagrams[o.format]
	var text strings.Builder
	var left, read []string
	runs, err := interruptibly(func() (runs []*spacetime.Diagram, err error) {
		plans, err := c.plans(path, o)
		if err != nil {
			return nil, err
		}
		read = plans[0].Files
		for _, plan := range plans {
			runs = append(runs, spacetime.Of(plan, plan.Seed, export.Window(format.events/len(plans))))
		}
		left, err = format.write(&text, runs)
		return runs, err
	})
	if err != nil {
		return err
	}
	for _, d := range runs {
		c.exitCode = worse(c.exitCode, d.Result.ExitCode())
	}
	c.remark(o.path, left)
	return c.deliver(func(w io.Writer) error {
		_, err := io.WriteString(w, text.String())
		return err
	}, o.format+" file", o.path, read)
}

// worse is the worse of two exit codes: not as it should be, then inconclusive, then good.
func worse(a, b int) int {
	if a == 1 || b == 1 {
		return 1
	}
	return max(a, b)
}
