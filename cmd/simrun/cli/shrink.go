package cli

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"simrun/scenarios"
	"simrun/scenarios/reproducer"
	"simrun/scenarios/shrink"
)

func (c *commands) shrink() *cobra.Command {
	var o overrides
	var output string
	limits := shrink.Limits{Runs: shrinkRuns}
	cmd := oneFile(&cobra.Command{
		Use:   "shrink FILE",
		Short: "Make a failing run as small as it can be",
		Long: `Make a run that violates something as small as it can be: fewer nodes, channels,
faults, snapshots, inputs and steps. It violates the same invariant on the same kind of
object. FILE is a reproducer, or a scenario whose run is violated.

The smallest run is written as a reproducer, and drawn. If its scenario violates the same
by itself, with some seed, that is written too.`,
		Example: `  simrun shrink failure.yaml
  simrun shrink failure.yaml --output small.yaml
  simrun shrink scenario.yaml --seed 7 --algorithm mine`,
		RunE: func(_ *cobra.Command, args []string) error {
			report, err := interruptibly(func() (*shrink.Report, error) {
				return c.shrunk(args[0], o, limits, cmp.Or(output, smallName(args[0])))
			})
			if err != nil {
				return err
			}
			c.exitCode = 1 // what is left is violated
			return c.print(report)
		},
	})
	c.addAlgorithm(cmd, &o.algorithm)
	addAudit(cmd, &o.audit)
	addSeed(cmd, &o.seed)
	addSet(cmd, &o.set)
	cmd.Flags().Var(&wordFlag{&output, "FILE", "name a file, or leave the flag out"}, "output", "where the reproducer is written; else beside FILE, as NAME.small.yaml")
	cmd.Flags().IntVar(&limits.Runs, "runs", limits.Runs, "how many runs it may take")
	cmd.Flags().DurationVar(&limits.Time, "time", 0, "how long it may take, such as 10s; the result then depends on the machine")
	return cmd
}

// shrinkRuns is how many runs it may take to make one small, if nobody says otherwise.
const shrinkRuns = 30_000

func smallName(path string) string {
	return strings.TrimSuffix(strings.TrimSuffix(path, filepath.Ext(path)), ".run") + ".small.yaml"
}

// shrunk makes the run of a file smaller, and writes what comes of it.
func (c *commands) shrunk(path string, o overrides, limits shrink.Limits, output string) (*shrink.Report, error) {
	if limits.Runs < 1 || limits.Time < 0 {
		return nil, fmt.Errorf("--runs %d --time %v: write 1 run or more, and a time that is not negative", limits.Runs, limits.Time)
	}
	r, read, err := c.failing(path, o)
	if err != nil {
		return nil, err
	}
	scenario := strings.TrimSuffix(output, filepath.Ext(output)) + ".scenario.yaml"
	for _, name := range []string{output, scenario} {
		if err := writable("output", name, read); err != nil {
			return nil, err
		}
	}
	bar := &shrinking{w: progressTo(c.stderr)}
	limits.Progress = bar.update
	s, err := shrink.Shrink(c.catalogue, r, limits)
	bar.clear()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if err := writeReproducer(s.Reproducer, "output", output, read); err != nil {
		return nil, err
	}
	plan, ok := s.Alone(c.catalogue)
	if !ok {
		return s.Report(c.program(), output, ""), nil
	}
	if err := writeScenario(plan, scenario, read); err != nil {
		return nil, err
	}
	return s.Report(c.program(), output, scenario), nil
}

// failing is the reproducer in a file, or of the run of a scenario; and the files that
// were read.
func (c *commands) failing(path string, o overrides) (*reproducer.Reproducer, []string, error) {
	if reproducer.Recognized(path) {
		r, err := c.kept(path, o)
		return r, []string{path}, err
	}
	plan, err := c.plan(path, o)
	if err != nil {
		return nil, nil, err
	}
	r, _, err := reproducer.Of(c.catalogue, plan, plan.Seed, version())
	return r, plan.Files, err
}

// writeScenario writes the scenario of a plan to a file that is not one of those that
// were read.
func writeScenario(plan *scenarios.Plan, path string, read []string) error {
	return writeText(plan.WriteYAML, "scenario", "output", path, read)
}

// shrinking shows on a terminal how small the run has become.
type shrinking struct {
	w     io.Writer // nil: nobody is looking
	shown time.Time
}

func (s *shrinking) update(runs int, size shrink.Size) {
	if now := time.Now(); s.w != nil && now.Sub(s.shown) >= progressEvery {
		s.shown = now
		fmt.Fprintf(s.w, "\r\x1b[K%d runs: %v", runs, size)
	}
}

func (s *shrinking) clear() {
	if s.w != nil {
		fmt.Fprint(s.w, "\r\x1b[K")
	}
}
