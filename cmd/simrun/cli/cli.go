package cli

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"simrun/scenarios"
	"simrun/scenarios/label"
)

// The exit codes, beside 0.
const (
	exitBadInput    = 2
	exitDiverged    = 4
	exitInterrupted = 130
)

// Main runs the command line and returns its exit code.
func Main(catalogue scenarios.Catalogue, args []string, stdout, stderr io.Writer) int {
	out := &output{w: stdout}
	c := &commands{catalogue: catalogue, stdout: out, stderr: stderr}
	return c.execute(args)
}

// execute carries out a command line, and returns its exit code.
func (c *commands) execute(args []string) int {
	root := c.root()
	root.SetArgs(args)
	err := root.Execute()
	if out, ok := c.stdout.(*output); ok && err == nil && out.failed != nil {
		err = fmt.Errorf("the output cannot be written: %w", out.failed)
	}
	switch {
	case errors.Is(err, errInterrupted):
		c.complain(err)
		return exitInterrupted
	case err != nil:
		c.complain(err)
		return exitBadInput
	}
	return c.exitCode
}

// commands is what the verbs share.
type commands struct {
	catalogue      scenarios.Catalogue
	stdout, stderr io.Writer
	asJSON         bool
	exitCode       int
	embeds         func(path string) ([]byte, bool) // scenarios that are part of the program; nil: files alone
}

func (c *commands) root() *cobra.Command {
	root := &cobra.Command{
		Use:   c.program(),
		Short: "Check snapshot algorithms on simulated runs, crashes and recoveries",
		Long: `simrun runs a distributed computation in one deterministic process, lets a
snapshot algorithm work on it, crashes nodes, restores them from the newest
snapshot, and decides for every snapshot and every recovery whether it was right.

Exit codes: 0 holds, or as the scenario expects; 1 violated, or not as expected;
2 bad usage or a bad file; 3 inconclusive; 4 the replay of a run has diverged; 130 interrupted.`,
		Example: `  simrun run scenario.yaml                   # one run, and the verdict
  simrun run scenario.yaml --algorithm abs   # the same under another algorithm
  simrun explain scenario.yaml               # the cut of every snapshot, and why it is right or wrong
  simrun report scenario.yaml -o report.html # a run to look at, as one HTML page
  simrun sweep scenario.yaml --seeds 1-1000  # many runs
  simrun replay failure.yaml                 # a run again, from the file that run or sweep has written
  simrun shrink failure.yaml                 # and as small as it can be
  simrun compare scenario.yaml               # both algorithms side by side, and what each costs
  simrun crashmatrix scenario.yaml           # a crash of every node in every phase
  simrun explore scenario.yaml               # every schedule of a small scenario
  simrun checkpoints chks                    # what run --checkpoint-dir has kept, and whether it is whole
  simrun validate scenario.yaml              # check the file, print it with all defaults
  simrun generate --seed 7                   # a scenario from a seed
  simrun mutants                             # wrong algorithms on many of them
  simrun lesson                              # short runs that teach one thing each
  simrun list                                # what a scenario can name`,
		Version:                    version(),
		SilenceErrors:              true,
		SilenceUsage:               true,
		SuggestionsMinimumDistance: 2,
	}
	root.SetOut(c.stdout)
	root.SetErr(c.stderr)
	root.SetHelpTemplate(helpTemplate)
	root.SetUsageTemplate(usageTemplate)
	root.SetVersionTemplate(c.program() + " {{.Version}}\n")
	root.SetFlagErrorFunc(flagError)
	root.PersistentFlags().BoolVar(&c.asJSON, "json", false, "print one JSON object")
	root.AddCommand(c.run(), c.explain(), c.report(), c.replay(), c.shrink(), c.checkpoints(), c.graph(), c.export(), c.sweep(), c.compare(), c.crashmatrix(), c.explore(), c.validate(), c.generate(), c.mutants(), c.lesson(), c.list())
	strictHelp(root)
	for _, cmd := range append(root.Commands(), root) {
		cmd.Example = strings.ReplaceAll(cmd.Example, "simrun", c.program())
	}
	return root
}

// program is the name that the catalogue gives the program.
func (c *commands) program() string { return cmp.Or(c.catalogue.Program, "simrun") }

// helpTemplate puts the examples first: most people look for nothing else.
const helpTemplate = `{{with or .Long .Short}}{{. | trimTrailingWhitespaces}}{{end}}
{{if .HasExample}}
Examples:
{{.Example}}
{{end}}{{if or .Runnable .HasSubCommands}}
{{.UsageString}}{{end}}`

// usageTemplate is cobra's without the examples, which stand above it.
const usageTemplate = `Usage:
  {{if .Runnable}}{{.UseLine}}{{else}}{{.CommandPath}} COMMAND{{end}}
{{if .HasAvailableSubCommands}}
Commands:{{range .Commands}}{{if or .IsAvailableCommand (eq .Name "help")}}
  {{rpad .Name .NamePadding}} {{.Short}}{{end}}{{end}}
{{end}}{{if .HasAvailableLocalFlags}}
Flags:
{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}
{{end}}{{if .HasAvailableInheritedFlags}}
Flags of every command:
{{.InheritedFlags.FlagUsages | trimTrailingWhitespaces}}
{{end}}`

// complain says what is wrong, with the place in the file if there is one.
func (c *commands) complain(err error) {
	fmt.Fprintf(c.stderr, "%s: %s\n", c.program(), label.Lines(strings.TrimRight(err.Error(), "\n")))
	var at *scenarios.Error
	if errors.As(err, &at) {
		fmt.Fprint(c.stderr, at.Excerpt())
	}
}

// print writes a result, as JSON if that is asked for.
func (c *commands) print(result printable) error { return c.write(c.stdout, result) }

// printable is a result for people; encoding/json knows how to print it for programs.
type printable interface{ WriteText(io.Writer) error }

func (c *commands) write(w io.Writer, result printable) error {
	if !c.asJSON {
		return result.WriteText(w)
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false) // channels are named a->b
	encoder.SetIndent("", "  ")
	return encoder.Encode(result)
}

// oneFile wants one scenario file and completes it.
func oneFile(cmd *cobra.Command) *cobra.Command {
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		switch len(args) {
		case 1:
			if args[0] == "-" {
				return fmt.Errorf("%s -: name a file; /dev/stdin is standard input, ./- a file with this name", cmd.Name())
			}
			return nil
		case 0:
			return fmt.Errorf("%s needs a scenario file: %s", cmd.Name(), cmd.UseLine())
		}
		return fmt.Errorf("%s takes one scenario file, not %d: %s", cmd.Name(), len(args), cmd.UseLine())
	}
	cmd.ValidArgsFunction = func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return []string{"yaml", "yml", "json"}, cobra.ShellCompDirectiveFilterFileExt
	}
	return cmd
}

// strictHelp makes unknown topics of help and completion errors, as unknown commands
// are.
func strictHelp(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		switch cmd.Name() {
		case "help":
			cmd.RunE = func(_ *cobra.Command, args []string) error {
				topic, rest, err := root.Find(args)
				if err != nil || len(rest) > 0 {
					return fmt.Errorf("no help on %q; there are %s", strings.Join(args, " "), commandNames(root))
				}
				topic.InitDefaultHelpFlag()
				topic.InitDefaultVersionFlag()
				return topic.Help()
			}
		case "completion":
			cmd.Args = cobra.ArbitraryArgs
			cmd.RunE = func(cmd *cobra.Command, args []string) error {
				if len(args) > 0 {
					return fmt.Errorf("no completion for %q; there are %s", args[0], commandNames(cmd))
				}
				return cmd.Help()
			}
		}
	}
}

func commandNames(parent *cobra.Command) string {
	var names []string
	for _, cmd := range parent.Commands() {
		if cmd.IsAvailableCommand() {
			names = append(names, cmd.Name())
		}
	}
	return strings.Join(names, ", ")
}

// flagError says what an unknown flag might have been.
func flagError(cmd *cobra.Command, err error) error {
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) && invalid.GetFlag().Value.Type() == "bool" {
		return fmt.Errorf("--%s=%s: write --%[1]s, or nothing", invalid.GetFlag().Name, invalid.GetValue())
	}
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return err
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if near := scenarios.Closest(unknown.GetSpecifiedName(), names); near != "" {
		return fmt.Errorf("%w; did you mean --%s?", err, near)
	}
	return fmt.Errorf("%w; %s --help shows the flags", err, cmd.CommandPath())
}
