package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"

	"github.com/spf13/cobra"

	"simrun/scenarios"
	"simrun/scenarios/lessons"
)

func (c *commands) lesson() *cobra.Command {
	var into string
	cmd := &cobra.Command{
		Use:   "lesson [N]",
		Short: "Short runs that teach one thing each",
		Long: `List the lessons, or show one: a page of text, and what its commands print, which are
carried out while it is shown. The scenarios are part of the program. With --write they
and the page are written into a folder, to be changed and run again; files that are there
already and say something else stay as they are.`,
		Example: `  simrun lesson                   # what there is
  simrun lesson 3                 # the third, its commands carried out
  simrun lesson 3 --write mine    # its files, to try things out
  simrun lesson --json`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return fmt.Errorf("lesson takes one number, not %d: %s", len(args), cmd.UseLine())
			}
			return nil
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) (numbers []string, _ cobra.ShellCompDirective) {
			for _, l := range lessons.All() {
				if len(args) == 0 {
					numbers = append(numbers, cobra.CompletionWithDesc(strconv.Itoa(l.Number), l.Title))
				}
			}
			return numbers, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			all := lessons.All()
			if len(args) == 0 {
				if into != "" {
					return errors.New("--write: name the lesson whose files are to be written, such as lesson 3")
				}
				return c.print(&lessons.List{Lessons: all, Program: c.program()})
			}
			n, err := strconv.Atoi(args[0])
			if err != nil || n < 1 || n > len(all) {
				return fmt.Errorf("there is no lesson %q; write a number from 1 to %d", args[0], len(all))
			}
			if into != "" {
				return c.writeLesson(all[n-1], into)
			}
			shown, err := interruptibly(func() (*lessons.Shown, error) { return all[n-1].Show(c.program(), c.embedded), nil })
			if err != nil {
				return err
			}
			return c.print(shown)
		},
	}
	cmd.Flags().Var(&wordFlag{&into, "DIR", "name a folder, or leave the flag out"}, "write", "write the files of the lesson into this folder")
	return cmd
}

// embedded carries out a command of a lesson, on the scenarios that are part of the program.
func (c *commands) embedded(args []string) (output string, exitCode int) {
	var printed bytes.Buffer
	inner := &commands{catalogue: c.catalogue, stdout: &printed, stderr: &printed, embeds: lessons.Read}
	exitCode = inner.execute(args)
	return printed.String(), exitCode
}

// written is what lesson --write prints.
type written struct {
	Written []string `json:"written"`

	program string
}

// WriteText implements printable.
func (l written) WriteText(w io.Writer) error {
	for _, name := range l.Written {
		verb := ""
		if filepath.Ext(name) != ".md" {
			verb = l.program + " run "
		}
		if _, err := fmt.Fprintf(w, "%s%s\n", verb, scenarios.ShellWord(name)); err != nil {
			return err
		}
	}
	return nil
}

// writeLesson writes the files of a lesson into a folder, which is made if need be.
func (c *commands) writeLesson(l *lessons.Lesson, into string) error {
	out := written{program: c.program()}
	texts := map[string][]byte{}
	for _, name := range append([]string{l.Page}, l.Files...) {
		text, _ := lessons.Read(name)
		target := filepath.Join(into, path.Base(name))
		switch there, err := os.ReadFile(target); {
		case err == nil && !bytes.Equal(there, text):
			return fmt.Errorf("%s: this file is there already, and is not that of the lesson; name another folder", target)
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return fmt.Errorf("--write: %w; name another folder", err)
		}
		texts[target] = text
		out.Written = append(out.Written, target)
	}
	if err := os.MkdirAll(into, 0o777); err != nil {
		return fmt.Errorf("--write: %w; name another folder", err)
	}
	for _, target := range out.Written {
		text := func(w io.Writer) error {
			_, err := w.Write(texts[target])
			return err
		}
		if err := writeText(text, "file", "write", target, nil); err != nil {
			return err
		}
	}
	return c.print(out)
}
