package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"simrun/scenarios"
	"simrun/scenarios/search"
	"simrun/scenarios/shrink"
)

func (c *commands) sweep() *cobra.Command {
	var o overrides
	var searching bool
	seeds := seedsFlag{1, 1000}
	var reproducer string
	cmd := oneFile(&cobra.Command{
		Use:   "sweep FILE",
		Short: "Run a scenario with many seeds",
		Long: `Run a scenario with every seed of a range, each its own run, on all cores. The
result is the same on any number of them. Ctrl-C ends it at once, with what is known so far.

If runs fail, the first of them is written to a file that simrun replay carries out again:
NAME-SEED.run.yaml in the current folder, if it can be written, unless --reproducer names
another.

With --search or --strategy the order of steps is searched for violations: by a
portfolio of strategies that take turns from seed to seed, or by one. What fails is
listed with the strategy that found it, and the line that repeats it alone, and the first
of them is made as small as it can be, as by simrun shrink. The scenario
must have order: chosen: in order: timed instants decide the order, and what says when a
snapshot or a fault comes has no meaning without them.`,
		Example: `  simrun sweep scenario.yaml --seeds 1-1000
  simrun sweep scenario.yaml --seeds 1-1000 --algorithm abs --json
  simrun sweep scenario.yaml --search --seeds 1-100
  simrun sweep scenario.yaml --seeds 1-100 --audit`,
		RunE: func(_ *cobra.Command, args []string) error {
			if searching {
				if o.strategy != "" {
					return errors.New("--search and --strategy: the search is by the portfolio, or by the strategy that you name")
				}
				o.strategy = search.Portfolio
			}
			ctx, stop := interruptible()
			defer stop()
			plan, err := await(ctx, func() (*scenarios.Plan, error) { return c.manyRuns(args[0], o) })
			if err != nil {
				return err
			}
			if reproducer != "" {
				if err := writable("reproducer", reproducer, plan.Files); err != nil {
					return err
				}
			}
			bar := newProgress(c.stderr, seeds.last-seeds.first+1)
			sweep := plan.Sweep(ctx, seeds.first, seeds.last, runtime.GOMAXPROCS(0), bar.update)
			stop()
			bar.clear()
			if sweep.Interrupted {
				c.complain(errInterrupted)
			}
			c.exitCode = sweep.ExitCode()
			if len(sweep.FailingSeeds) > 0 {
				if err := c.keepFailing(sweep, plan, o, reproducer); err != nil {
					c.without(err, reproducer)
				}
			}
			return c.print(sweep)
		},
	})
	c.addAlgorithm(cmd, &o.algorithm)
	addStrategy(cmd, &o)
	addSet(cmd, &o.set)
	cmd.Flags().BoolVar(&searching, "search", false, "choose the order by the portfolio of strategies; the scenario must have order: chosen")
	addAudit(cmd, &o.audit)
	cmd.Flags().Var(&seeds, "seeds", "seeds from A to B, both included")
	cmd.Flags().Var(&wordFlag{&reproducer, "FILE", "name a file, or leave the flag out"}, "reproducer", "write the first failing run to this file")
	return cmd
}

// keepFailing writes the first failing run of a sweep, and, if it was searched for, the
// smallest that violates the same.
func (c *commands) keepFailing(sweep *scenarios.Sweep, plan *scenarios.Plan, o overrides, asked string) error {
	seed := sweep.FailingSeeds[0]
	path := cmp.Or(asked, reproducerName(plan.Name, seed))
	violated, err := c.keepReproducer(plan, seed, path)
	if err != nil {
		return err
	}
	sweep.Reproducer = path
	if violated && o.strategy != "" {
		if err := c.makeSmall(sweep); err != nil {
			c.complain(err) // such as Ctrl-C; what the sweep has found is told all the same
		}
	}
	return nil
}

// makeSmall makes the run that a search has found as small as it can be.
func (c *commands) makeSmall(sweep *scenarios.Sweep) error {
	report, err := interruptibly(func() (*shrink.Report, error) {
		return c.shrunk(sweep.Reproducer, overrides{}, shrink.Limits{Runs: shrinkRuns}, smallName(sweep.Reproducer))
	})
	if err != nil {
		return err
	}
	var text strings.Builder
	if err := report.WriteText(&text); err != nil {
		return err
	}
	sweep.Small, sweep.Picture = report.Reproducer, text.String()
	return nil
}

// reproducerName is the file to which the run of a scenario with a seed is written.
func reproducerName(scenario string, seed uint64) string {
	return runName(scenario, strconv.FormatUint(seed, 10))
}

// runName is the file to which a run of a scenario is written.
func runName(scenario, which string) string {
	base := filepath.Base(scenario)
	return fmt.Sprintf("%s-%s.run.yaml", strings.TrimSuffix(base, filepath.Ext(base)), which)
}

// progress shows how far a sweep is, on one line of a terminal.
type progress struct {
	w     io.Writer // nil: nobody is looking
	total uint64
	shown time.Time
}

func newProgress(w io.Writer, total uint64) *progress {
	return &progress{w: progressTo(w), total: total, shown: time.Now()}
}

// progressTo is w if it is a terminal on which a line can be written again and again, or
// nil.
func progressTo(w io.Writer) io.Writer {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) || os.Getenv("TERM") == "dumb" {
		return nil
	}
	return w
}

// progressEvery is how often the line is written.
const progressEvery = 100 * time.Millisecond

func (p *progress) update(done int64) {
	if p.w == nil {
		return
	}
	if now := time.Now(); now.Sub(p.shown) >= progressEvery {
		p.shown = now
		fmt.Fprintf(p.w, "\r%d of %d runs", done, p.total)
	}
}

func (p *progress) clear() {
	if p.w != nil {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
