package cli

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"simrun/scenarios"
	"simrun/scenarios/checkpoints"
)

// exitDamaged says that a checkpoint is damaged: what was asked is answered, with no.
const exitDamaged = 1

func (c *commands) checkpoints() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "checkpoints DIR",
		Short: "List the checkpoints in a folder and verify them",
		Long: `List the checkpoints that run --checkpoint-dir has kept in a folder, or look at the
one that is named (DIR/chk-3). Every byte is verified. Exit codes: 0 all are whole;
1 one is damaged, with the file and the place; 2 the folder cannot be used.`,
		Example: `  simrun checkpoints chks
  simrun checkpoints chks/chk-3 --json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("checkpoints takes one folder, not %d: simrun checkpoints DIR", len(args))
			}
			return nil
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
		RunE: func(_ *cobra.Command, args []string) error {
			list, err := interruptibly(func() ([]checkpoints.Entry, error) { return checkpoints.List(args[0]) })
			if err != nil {
				return err
			}
			listing := newListing(args[0], list)
			if listing.Damaged > 0 {
				c.exitCode = exitDamaged
			}
			return c.print(listing)
		},
	}
	return cmd
}

// listing is what checkpoints prints.
type listing struct {
	Dir         string    `json:"dir"`
	Damaged     int       `json:"damaged"`
	Checkpoints []keptOne `json:"checkpoints"`
}

// keptOne is one checkpoint. What the metadata says is null or empty if it is damaged.
type keptOne struct {
	Path      string  `json:"path"`
	Snapshot  uint32  `json:"snapshot"`
	Scenario  string  `json:"scenario"`
	Digest    string  `json:"scenario_digest"`
	Algorithm string  `json:"algorithm"`
	Seed      uint64  `json:"seed"`
	Completed int64   `json:"completed_ns"`
	Tasks     int     `json:"tasks"`
	Bytes     int64   `json:"bytes"`
	Whole     bool    `json:"whole"`
	Problem   *string `json:"problem"` // null: it is whole
	File      *string `json:"file"`    // null: no file in particular
	Offset    *int64  `json:"offset"`  // in the file, of the first byte that is wrong
}

func newListing(dir string, list []checkpoints.Entry) *listing {
	out := &listing{Dir: dir, Checkpoints: []keptOne{}}
	for _, e := range list {
		one := keptOne{
			Path: e.Path, Snapshot: uint32(e.ID), Scenario: e.Identity.Name, Digest: e.Identity.Scenario,
			Algorithm: e.Identity.Algorithm, Seed: e.Identity.Seed, Completed: e.At,
			Tasks: e.Tasks, Bytes: e.Bytes, Whole: e.Problem == nil,
		}
		if e.Problem != nil {
			out.Damaged++
			problem := e.Problem.Error()
			one.Problem = &problem
		}
		var damage *checkpoints.Damage
		if errors.As(e.Problem, &damage) {
			one.Problem, one.File, one.Offset = &damage.What, &damage.File, &damage.Offset
		}
		out.Checkpoints = append(out.Checkpoints, one)
	}
	return out
}

// WriteText prints the list for people.
func (l *listing) WriteText(w io.Writer) error {
	var b strings.Builder
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "checkpoint\tcompleted\ttasks\tbytes\tof\t\n")
	for _, one := range l.Checkpoints {
		completed, tasks, size, of := "-", "-", "-", "-"
		if one.Tasks > 0 {
			completed, tasks, size = fmt.Sprint(one.Completed), fmt.Sprint(one.Tasks), fmt.Sprint(one.Bytes)
			of = fmt.Sprintf("%s, %s, seed %d", one.Scenario, one.Algorithm, one.Seed)
		}
		state := "whole"
		if !one.Whole {
			state = "DAMAGED"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\n", one.Path, completed, tasks, size, of, state)
	}
	t.Flush()
	for _, one := range l.Checkpoints {
		switch {
		case one.File != nil:
			fmt.Fprintf(&b, "%s: at byte %d: %s\n", *one.File, *one.Offset, *one.Problem)
		case one.Problem != nil:
			fmt.Fprintln(&b, *one.Problem)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// keeping is the flags of run about checkpoints.
type keeping struct {
	dir, restore string
	retain       int
}

func (k *keeping) addFlags(cmd *cobra.Command) {
	const leave = "name a folder, or leave the flag out"
	cmd.Flags().Var(&wordFlag{&k.dir, "DIR", leave}, "checkpoint-dir", "write every complete snapshot into this folder, as chk-<id>")
	cmd.Flags().Var(&wordFlag{&k.restore, "DIR", leave}, "restore", "begin with the newest checkpoint in this folder, or with the one named: DIR/chk-3")
	cmd.Flags().Var(&countFlag{&k.retain}, "retain", "keep the newest N checkpoints; all, if the flag is left out")
	for _, name := range []string{"checkpoint-dir", "restore"} {
		if err := cmd.MarkFlagDirname(name); err != nil {
			panic(err) // the flags were added above
		}
	}
}

// check refuses flags that do not go together.
func (k *keeping) check(cmd *cobra.Command) error {
	if k.retain > 0 && k.dir == "" {
		return errors.New("--retain says how many checkpoints --checkpoint-dir keeps; name a folder")
	}
	for _, name := range []string{"trace", "witness"} {
		if k.restore != "" && cmd.Flags().Changed(name) {
			return fmt.Errorf("--%s is about a run from its beginning, which a run with --restore does not have; leave one of them out", name)
		}
	}
	return nil
}

// countFlag is a flag with a number of 1 or more; 0: it was not given.
type countFlag struct{ value *int }

// String implements pflag.Value.
func (f *countFlag) String() string {
	if f.value == nil || *f.value == 0 {
		return ""
	}
	return strconv.Itoa(*f.value)
}

// Type implements pflag.Value.
func (f *countFlag) Type() string { return "N" }

// Set implements pflag.Value.
func (f *countFlag) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return fmt.Errorf("%q is no count; write 1 or more", text)
	}
	*f.value = n
	return nil
}

// restored is the plan of the run that begins with a checkpoint, if there is a path.
// Newer checkpoints that are damaged are passed over, and said.
func (c *commands) restored(plan *scenarios.Plan, path string) (*scenarios.Plan, error) {
	if path == "" {
		return plan, nil
	}
	id, err := plan.Identity()
	if err != nil {
		return nil, err
	}
	found, damaged, err := checkpoints.Find(path, id)
	if err != nil {
		return nil, err
	}
	for _, problem := range damaged {
		fmt.Fprintf(c.stderr, "%s: passed over, it is damaged: %v\n", c.program(), problem)
	}
	return plan.From(found)
}
