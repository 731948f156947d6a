package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"simrun/scenarios"
	"simrun/scenarios/checkpoints"
	"simrun/scenarios/picture"
	"simrun/scenarios/reproducer"
	"simrun/scenarios/spacetime"
)

func (c *commands) run() *cobra.Command {
	var o overrides
	var trace, witness, keep string
	var twice, draw bool
	var k keeping
	cmd := oneFile(&cobra.Command{
		Use:   "run FILE",
		Short: "Run a scenario and judge it",
		Long: `Run a scenario, and print its snapshots, its crashes and recoveries, and the
verdict on them. On a violation the story of the first wrong event is told, and the
last line reproduces it.`,
		Example: `  simrun run scenario.yaml
  simrun run scenario.yaml --seed 42 --algorithm abs
  simrun run scenario.yaml --set snapshots.every=20ms --set network.delay=5ms
  simrun run scenario.yaml --json
  simrun run scenario.yaml --picture            # a short run, step by step
  simrun run scenario.yaml --trace trace.jsonl  # every event, one JSON object a line
  simrun run scenario.yaml --witness w.jsonl    # an order of events that passes through each snapshot
  simrun run scenario.yaml --reproducer r.yaml  # the run itself, for simrun replay
  simrun run scenario.yaml --twice              # and whether it is the same again
  simrun run scenario.yaml --audit              # and whether each of its handlers is
  simrun run scenario.yaml --checkpoint-dir chks                 # keep every complete snapshot as files
  simrun run scenario.yaml --checkpoint-dir chks --restore chks  # and go on from the newest`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := k.check(cmd); err != nil {
				return err
			}
			if k.restore != "" && (keep != "" || twice) {
				return errors.New("--restore: a run that begins with a checkpoint has no reproducer, and is not run twice")
			}
			plan, result, err := c.judged(args[0], o, &k, extras(&trace, &witness))
			if err != nil {
				return err
			}
			c.exitCode = result.ExitCode()
			if twice {
				if err := c.again(plan); err != nil {
					return err
				}
			}
			if keep != "" {
				if err := c.reproduced(plan, keep); err != nil {
					return err
				}
			}
			if draw {
				if result.Picture, err = interruptibly(func() (string, error) {
					return picture.Of(spacetime.Of(plan, plan.Seed, picture.Window())), nil
				}); err != nil {
					return err
				}
			}
			return c.print(result)
		},
	})
	c.addAlgorithm(cmd, &o.algorithm)
	addAudit(cmd, &o.audit)
	addSeed(cmd, &o.seed)
	addStrategy(cmd, &o)
	addSet(cmd, &o.set)
	cmd.Flags().Var(&wordFlag{&trace, "FILE", "name a file, or leave the flag out"}, "trace", "write every event to this file, as JSON Lines")
	cmd.Flags().Var(&wordFlag{&witness, "FILE", "name a file, or leave the flag out"}, "witness", "write, for every snapshot, a computation that passes through it to this file, as JSON Lines")
	cmd.Flags().Var(&wordFlag{&keep, "FILE", "name a file, or leave the flag out"}, "reproducer", "write the run, for simrun replay, to this file")
	cmd.Flags().BoolVar(&draw, "picture", false, "draw a short run as text: a column for each node, a row for each step")
	cmd.Flags().BoolVar(&twice, "twice", false, "carry the run out twice, and compare every step")
	k.addFlags(cmd)
	return cmd
}

// plan loads a scenario, or the run in a reproducer, and makes it ready to run.
func (c *commands) plan(path string, o overrides) (*scenarios.Plan, error) {
	if c.embeds == nil && reproducer.Recognized(path) {
		return c.recorded(path, o)
	}
	return c.manyRuns(path, o)
}

// manyRuns is the plan of a scenario, for a command that makes other runs of it: a
// reproducer is one run.
func (c *commands) manyRuns(path string, o overrides) (*scenarios.Plan, error) {
	scenario, err := c.scenario(path, o.set)
	if err != nil {
		return nil, err
	}
	plan, err := scenario.Resolve(c.catalogue, o.overrides())
	if err != nil {
		return nil, err
	}
	return o.audited(plan), nil
}

// scenario loads a scenario, and puts other values in place of some of its own.
func (c *commands) scenario(path string, set settingsFlag) (*scenarios.Scenario, error) {
	if c.embeds == nil && reproducer.Recognized(path) {
		return nil, fmt.Errorf("%s: a reproducer is one run, for replay, shrink, run, explain, report, graph and export; validate prints the scenario in it", path)
	}
	scenario, err := c.load(path)
	for _, x := range set {
		if err != nil {
			break
		}
		scenario, err = scenario.With(c.catalogue, x)
	}
	return scenario, err
}

// load loads the scenario in a file, or one that is part of the program.
func (c *commands) load(path string) (*scenarios.Scenario, error) {
	if c.embeds != nil {
		if text, ok := c.embeds(path); ok {
			return scenarios.Parse(c.catalogue, path, text)
		}
	}
	return scenarios.Load(c.catalogue, path)
}

// recorded is the plan of a run that stands in a reproducer.
func (c *commands) recorded(path string, o overrides) (*scenarios.Plan, error) {
	r, err := c.kept(path, o)
	if err != nil {
		return nil, err
	}
	return o.audited(r.Plan), nil
}

// kept is the reproducer in a file.
func (c *commands) kept(path string, o overrides) (*reproducer.Reproducer, error) {
	if !o.none() {
		return nil, fmt.Errorf("%s: a reproducer is one run; --algorithm, --seed, --strategy, --depth and --set are for scenarios", path)
	}
	return reproducer.Read(c.catalogue, path)
}

// reproduced writes the reproducer of a plan's run.
func (c *commands) reproduced(plan *scenarios.Plan, to string) error {
	_, err := interruptibly(func() (bool, error) { return c.keepReproducer(plan, plan.Seed, to) })
	return err
}

// again carries a plan's run out twice more, and compares.
func (c *commands) again(plan *scenarios.Plan) error {
	divergence, err := interruptibly(func() (*scenarios.Divergence, error) {
		_, course := plan.NewRunner().Record(plan.Seed)
		_, divergence := plan.NewRunner().Follow(plan.Seed, course, false)
		return divergence, nil
	})
	if divergence != nil {
		c.exitCode = exitDiverged
		fmt.Fprintf(c.stderr, "%s: the run is not deterministic: %v\n", c.program(), divergence)
	}
	return err
}

// judged runs the scenario of a file, and writes the files that have names.
func (c *commands) judged(path string, o overrides, k *keeping, wanted []extra) (*scenarios.Plan, *scenarios.Result, error) {
	ctx, stop := interruptible()
	defer stop()
	plan, err := await(ctx, func() (*scenarios.Plan, error) { return c.plan(path, o) })
	if err != nil {
		return nil, nil, err
	}
	var store *checkpoints.Store
	plan, err = await(ctx, func() (*scenarios.Plan, error) {
		plan, err := c.restored(plan, k.restore)
		if err == nil && k.dir != "" {
			store, err = plan.Keep(k.dir, k.retain)
		}
		return plan, err
	})
	if err != nil {
		return nil, nil, err
	}
	result, err := writing(ctx, plan, store, slices.DeleteFunc(wanted, func(o extra) bool { return *o.path == "" }))
	return plan, result, err
}

// extra is a file that a run can write.
type extra struct {
	flag, what string
	path       *string // "": it is not written
	to         func(*scenarios.Files, io.Writer)
}

// extras is the files that run can write, and where their names come to stand.
func extras(trace, witness *string) []extra {
	return []extra{
		{"trace", "trace", trace, func(f *scenarios.Files, w io.Writer) { f.Trace = w }},
		{"witness", "file of witnesses", witness, func(f *scenarios.Files, w io.Writer) { f.Witness = w }},
	}
}

// writing runs with files, which appear when they are whole. If it is interrupted
// before, or fails, nothing is left behind.
func writing(ctx context.Context, plan *scenarios.Plan, store *checkpoints.Store, wanted []extra) (result *scenarios.Result, err error) {
	files := scenarios.Files{Checkpoints: store, Tool: version()}
	var created []*file
	defer func() {
		if err != nil {
			for _, f := range created {
				f.abandon()
			}
		}
	}()
	for i, o := range wanted {
		if err := keepInput(o.flag, *o.path, plan.Files); err != nil {
			return nil, err
		}
		if i > 0 && filepath.Clean(*o.path) == filepath.Clean(*wanted[0].path) {
			return nil, fmt.Errorf("--%s and --%s name the same file, %s", wanted[0].flag, o.flag, *o.path)
		}
		f, err := await(ctx, func() (*file, error) { return createFile(*o.path) }) // a pipe waits for its reader
		if err != nil {
			return nil, err
		}
		created = append(created, f)
		o.to(&files, f.f)
	}
	result, err = await(ctx, func() (*scenarios.Result, error) {
		for _, f := range created {
			defer f.abandonOnPanic()
		}
		runner := plan.NewRunner()
		result, err := runner.Write(plan.Seed, files)
		if err == nil {
			runner.Tell(result)
		}
		return result, err
	})
	for _, f := range created {
		if err == nil {
			err = f.commit()
		}
	}
	var unkept *checkpoints.Failure
	if err != nil && !errors.Is(err, errInterrupted) && !errors.As(err, &unkept) {
		var what []string
		for _, o := range wanted {
			what = append(what, "the "+o.what)
		}
		err = fmt.Errorf("%s cannot be written: %w", strings.Join(what, " or "), err)
	}
	return result, err
}
