package cli

import (
	"cmp"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"simrun/scenarios"
	"simrun/scenarios/explore"
)

func (c *commands) explore() *cobra.Command {
	var o overrides
	var options explore.Options
	var whole bool
	var keep string
	cmd := oneFile(&cobra.Command{
		Use:   "explore FILE",
		Short: "Visit every schedule of a small scenario",
		Long: `Visit every schedule of a small scenario in order: chosen, and say which snapshots a
run could record, which of them are wrong, and the shortest schedule that leads to a
violation. Every snapshot of the file may begin at any moment, whether it is one of any: 1
or of at: [1]; nothing stops the input but its own end. What the file expects of one run does not count.

Of steps that lead to the same in any order only some orders are visited; all that is
found is the same with --no-reduction. Exit code 0 if every schedule was visited and
nothing is violated, 1 if something is, 3 if a limit came first.

The run of the first violation is written to a file that simrun replay and simrun shrink
take: NAME-explored.run.yaml in the current folder, unless --reproducer names another.`,
		Example: `  simrun explore scenario.yaml
  simrun explore scenario.yaml --snapshots           # all that could be recorded
  simrun explore scenario.yaml --algorithm abs --max-states 1000000 --time 60s --json`,
		RunE: func(_ *cobra.Command, args []string) error {
			ctx, stop := interruptible()
			defer stop()
			plan, err := await(ctx, func() (*scenarios.Plan, error) { return c.manyRuns(args[0], o) })
			if err != nil {
				return err
			}
			if keep != "" {
				if err := writable("reproducer", keep, plan.Files); err != nil {
					return err
				}
			}
			bar := newProgress(c.stderr, 0)
			options.Seed, options.Full, options.Progress = plan.Seed, whole, bar.states
			result, err := explore.Run(ctx, plan, options)
			stop()
			bar.clear()
			if err != nil {
				return err
			}
			if result.Interrupted() {
				c.complain(errInterrupted)
			}
			c.exitCode = result.ExitCode()
			if err := c.keepExplored(result, plan, keep); err != nil {
				c.without(err, keep)
			}
			return c.print(result)
		},
	})
	c.addAlgorithm(cmd, &o.algorithm)
	addSeed(cmd, &o.seed)
	addSet(cmd, &o.set)
	flags := cmd.Flags()
	flags.Var(&wordFlag{&keep, "FILE", "name a file, or leave the flag out"}, "reproducer", "write the run of the violation to this file")
	flags.Var(&countFlag{&options.MaxStates}, "max-states", "end when so many states are found")
	flags.Var(&countFlag{&options.MaxDepth}, "max-depth", "leave out what takes more steps than these")
	flags.Var(&timeFlag{&options.Time}, "time", "end after so long, such as 60s")
	flags.BoolVar(&whole, "no-reduction", false, "take every step from every state")
	flags.BoolVar(&options.Snapshots, "snapshots", false, "list the distinct snapshots that a run could record")
	return cmd
}

// keepExplored writes the run of the violation that a search has found, if it has.
func (c *commands) keepExplored(result *explore.Result, plan *scenarios.Plan, path string) error {
	r, err := result.Reproducer(c.catalogue, version())
	if err != nil || r == nil {
		return err
	}
	path = cmp.Or(path, runName(plan.Name, "explored"))
	if err := writeReproducer(r, "reproducer", path, plan.Files); err != nil {
		return err
	}
	result.Kept = path
	return nil
}

// states shows how many states a search has found.
func (p *progress) states(n int64) {
	if p.w == nil {
		return
	}
	if now := time.Now(); now.Sub(p.shown) >= progressEvery {
		p.shown = now
		fmt.Fprintf(p.w, "\r%d states", n)
	}
}

// timeFlag is a flag with a time to wait; 0: not given.
type timeFlag struct{ value *time.Duration }

// String implements pflag.Value.
func (f *timeFlag) String() string {
	if f.value == nil || *f.value == 0 {
		return ""
	}
	return f.value.String()
}

// Type implements pflag.Value.
func (f *timeFlag) Type() string { return "D" }

// Set implements pflag.Value.
func (f *timeFlag) Set(text string) error {
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return fmt.Errorf("%q is no time; write a number with a unit, such as 60s", text)
	}
	*f.value = d
	return nil
}
