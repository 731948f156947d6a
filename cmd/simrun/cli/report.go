package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"simrun/scenarios/comparison"
	"simrun/scenarios/label"
	"simrun/scenarios/report"
	"simrun/scenarios/reproducer"
)

// reporting is what simrun report was asked for.
type reporting struct {
	overrides
	algorithms []string // nil: one run
	seeds      seedsFlag
	many       bool              // seeds were given
	compares   *comparison.Range // the seeds that are compared; nil: the scenario's own
	vary       varyFlags
	options    report.Options
	output     string
}

func (c *commands) report() *cobra.Command {
	var r reporting
	cmd := oneFile(&cobra.Command{
		Use:   "report FILE",
		Short: "Write a run as an HTML page: its space-time diagram, cuts, states and reasons",
		Long: `Run a scenario, or the run in a reproducer, and write it as one HTML file that needs
nothing else: its space-time diagram to walk through, the cut of every snapshot, the state
of every node, the verdict and its reasons. With --algorithms the page has the same run
under several, side by side, and what simrun compare has measured of them; so it does with
--seeds, and with --vary, which adds the plots of the series.

Of a long run a part is shown: the first events or, if something is violated and would not
be seen there, those around the first violation. What is left out is said on the page and
here. Exit codes are those of the run.`,
		Example: `  simrun report scenario.yaml -o report.html
  simrun report scenario.yaml                          # writes scenario.html beside it
  simrun report scenario.yaml --algorithms abs,chandy-lamport -o both.html
  simrun report scenario.yaml --seeds 1-200 -o both.html   # and what they cost, over many seeds
  simrun report scenario.yaml --vary snapshots.every=10ms..1s -o series.html
  simrun report scenario.yaml --from 250000 --events 50000 -o later.html
  simrun report failure.yaml -o failure.html           # what run --reproducer or sweep has written`,
		RunE: func(cmd *cobra.Command, args []string) error {
			r.many = cmd.Flags().Changed("seeds")
			if err := cmp.Or(r.check(), r.vary.check(cmd)); err != nil {
				return err
			}
			return c.reported(args[0], &r)
		},
	})
	c.addAlgorithm(cmd, &r.algorithm)
	cmd.Flags().StringSliceVar(&r.algorithms, "algorithms", nil, "compare these and show them side by side, two or more names with commas between them")
	c.completeAlgorithms(cmd, "algorithms")
	cmd.Flags().Var(&r.seeds, "seeds", "compare algorithms with the seeds from A to B; shown are the runs of the first")
	cmd.Flag("seeds").DefValue = ""
	r.vary.add(cmd)
	addAudit(cmd, &r.audit)
	addSeed(cmd, &r.seed)
	addSet(cmd, &r.set)
	addStrategy(cmd, &r.overrides)
	cmd.Flags().Var(&countFlag{&r.options.Events}, "events", fmt.Sprintf("show so many events of a run, at the most (default %d)", report.Events))
	cmd.Flags().Var(&countFlag{&r.options.From}, "from", "the first event to show, by its number in the run")
	cmd.Flags().VarP(&wordFlag{&r.output, "FILE", "name a file, or leave the flag out"}, "output", "o", "where the page is written, - for standard output; else beside FILE, as NAME.html")
	return cmd
}

// compared says whether several runs are asked for.
func (r *reporting) compared() bool { return r.algorithms != nil || r.many || r.vary.parameter != "" }

// check refuses flags that contradict each other, and finds out which seeds are compared.
func (r *reporting) check() (err error) {
	switch {
	case !r.compared():
		return nil
	case r.algorithm != "":
		return errors.New("--algorithm is for one run; --algorithms names those to compare")
	case r.audit || r.strategy != "" || r.depth.value != nil:
		return errors.New("--audit, --strategy and --depth are for one run; leave out --algorithms, --seeds and --vary")
	}
	r.compares, err = comparedSeeds(r.many, r.seeds, r.seed, &r.vary)
	return err
}

// reported writes the page of a file, and tells of it.
func (c *commands) reported(path string, r *reporting) error {
	if c.asJSON && r.output == "-" {
		return errors.New("--json and --output -: one of them has standard output; name a file for the page")
	}
	output := r.output
	if output == "" {
		var err error
		if output, err = pageName(path); err != nil {
			return err
		}
	}
	if output != "-" {
		if err := writable("output", output, []string{path}); err != nil {
			return err
		}
	}
	ctx, stop := interruptible()
	defer stop()
	var text bytes.Buffer
	var read []string
	page, err := await(ctx, func() (page *report.Page, err error) {
		if page, read, err = c.page(ctx, path, r); err != nil {
			return nil, err
		}
		return page, report.Write(&text, page)
	})
	if err != nil {
		return err
	}
	stop() // a file that is being written is not left behind half
	done, err := c.writePage(page, text.Bytes(), output, read)
	if err != nil {
		return err
	}
	if c.asJSON {
		return c.print(done)
	}
	return done.WriteText(c.stderr)
}

// page carries out the runs of a page. It returns the files that were read, too.
func (c *commands) page(ctx context.Context, path string, r *reporting) (*report.Page, []string, error) {
	if r.compared() {
		return c.sideBySide(ctx, path, r)
	}
	if !reproducer.Recognized(path) {
		plan, err := c.manyRuns(path, r.overrides)
		if err != nil {
			return nil, nil, err
		}
		run := report.Of(plan, plan.Seed, r.options)
		c.exitCode = run.Diagram.Result.ExitCode()
		return c.pageOf(plan.Name, run), plan.Files, nil
	}
	kept, err := c.kept(path, r.overrides)
	if err != nil {
		return nil, nil, err
	}
	run := report.Of(r.audited(kept.Plan), kept.Plan.Seed, r.options)
	c.exitCode = run.Diagram.Result.ExitCode()
	if digest := run.Diagram.Result.Digest; digest != kept.Digest {
		c.exitCode = exitDiverged
		run.Notes = append(run.Notes, fmt.Sprintf("This is not the run that was kept: its digest is %s and not %s; simrun replay names the first step that differs.", digest, kept.Digest))
	}
	return c.pageOf(path, run), []string{path}, nil
}

func (c *commands) pageOf(title string, runs ...report.Run) *report.Page {
	return &report.Page{Title: title, Tool: version(), Replay: runs[0].Diagram.Result.Reproduce, Runs: runs}
}

// reported is a page that was written.
type reported struct {
	Report string        `json:"report"`
	Bytes  int           `json:"bytes"`
	Runs   []reportedRun `json:"runs"`
}

// reportedRun is a run on a page.
type reportedRun struct {
	Algorithm string   `json:"algorithm"`
	Seed      uint64   `json:"seed"`
	Verdict   string   `json:"verdict"`
	First     int      `json:"first"`
	Events    int      `json:"events"`
	Total     int      `json:"events_of_run"`
	Notes     []string `json:"notes"`
}

// writePage writes a page to a file, or to standard output.
func (c *commands) writePage(page *report.Page, text []byte, output string, read []string) (*reported, error) {
	done := &reported{Report: output, Bytes: len(text)}
	var err error
	if output == "-" {
		if _, err = c.stdout.Write(text); err != nil {
			err = fmt.Errorf("the output cannot be written: %w", err)
		}
	} else {
		err = writeText(func(w io.Writer) error {
			_, err := w.Write(text)
			return err
		}, "page", "output", output, read)
	}
	for i := range page.Runs {
		d := page.Runs[i].Diagram
		done.Runs = append(done.Runs, reportedRun{d.Result.Algorithm, d.Result.Seed, d.Result.Verdict, d.First, len(d.Events), d.Total, append([]string{}, page.Runs[i].Notes...)})
	}
	return done, err
}

// WriteText prints a line about the page, and what it leaves out.
func (r *reported) WriteText(w io.Writer) error {
	var b strings.Builder
	events := 0
	for i := range r.Runs {
		events += r.Runs[i].Events
	}
	name := r.Report
	if name == "-" {
		name = "standard output"
	}
	fmt.Fprintf(&b, "%s: %d bytes, %d events\n", name, r.Bytes, events)
	for i := range r.Runs {
		for _, note := range r.Runs[i].Notes {
			fmt.Fprintf(&b, "  %s: %s\n", r.Runs[i].Algorithm, note)
		}
	}
	_, err := io.WriteString(w, label.Lines(b.String()))
	return err
}

// pageName is where the page of a file is written if nobody says so. What stands there
// already must be such a page.
func pageName(path string) (string, error) {
	info, err := os.Stat(path)
	device := strings.HasPrefix(filepath.ToSlash(filepath.Clean(path)), "/dev/") // standard input, whatever it is
	if device || err == nil && !info.Mode().IsRegular() {
		return "", fmt.Errorf("report %s needs a name for the page: -o report.html", path)
	}
	name := strings.TrimSuffix(strings.TrimSuffix(path, filepath.Ext(path)), ".run") + ".html"
	if f, err := os.Open(name); err == nil {
		defer f.Close()
		if !report.Recognized(f) {
			return "", fmt.Errorf("%s is there already, and is no page of simrun; name another file with -o, or this one if it is to be replaced", name)
		}
	}
	return name, nil
}
