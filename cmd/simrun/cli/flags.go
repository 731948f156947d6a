package cli

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"simrun/scenarios"
)

// overrides are the flags that say something instead of the file.
type overrides struct {
	algorithm string
	seed      seedFlag
	strategy  string
	depth     depthFlag
	set       settingsFlag
	audit     bool
}

// none says that nothing but an audit is asked for, which any run can have.
func (o *overrides) none() bool {
	return o.overrides() == scenarios.Overrides{} && len(o.set) == 0
}

func (c *commands) addAlgorithm(cmd *cobra.Command, algorithm *string) {
	cmd.Flags().Var(&wordFlag{algorithm, "NAME", "name an algorithm, or leave the flag out"}, "algorithm", "snapshot algorithm, instead of the file's (simrun list shows them)")
	c.completeAlgorithms(cmd, "algorithm")
}

func (c *commands) completeAlgorithms(cmd *cobra.Command, flag string) {
	names := cobra.FixedCompletions(c.catalogue.AlgorithmNames(), cobra.ShellCompDirectiveNoFileComp)
	if err := cmd.RegisterFlagCompletionFunc(flag, names); err != nil {
		panic(err) // the flag was added the line before
	}
}

func addSeed(cmd *cobra.Command, seed *seedFlag) {
	cmd.Flags().Var(seed, "seed", "seed of the run, instead of the file's")
}

func addAudit(cmd *cobra.Command, audit *bool) {
	cmd.Flags().BoolVar(audit, "audit", false, "carry every handler out again on copies, and see that nothing depends on more than states and inputs")
}

func (o *overrides) overrides() scenarios.Overrides {
	return scenarios.Overrides{Algorithm: o.algorithm, Seed: o.seed.value, Strategy: o.strategy, Depth: o.depth.value}
}

// audited is a plan whose runs are audited if that is asked for.
func (o *overrides) audited(p *scenarios.Plan) *scenarios.Plan {
	if o.audit {
		return p.Audited()
	}
	return p
}

// addSet adds the flag that puts values in place of those of the file.
func addSet(cmd *cobra.Command, set *settingsFlag) {
	cmd.Flags().Var(set, "set", "another value in place of the file's, or none, such as snapshots.every=20ms; may be repeated")
}

// settingsFlag is a flag that may be given several times: values in place of the file's.
type settingsFlag []scenarios.Setting

// String implements pflag.Value.
func (f *settingsFlag) String() string { return "" }

// Type implements pflag.Value.
func (f *settingsFlag) Type() string { return "KEY=VALUE" }

// Set implements pflag.Value.
func (f *settingsFlag) Set(text string) error {
	x, err := scenarios.ParseSetting(text)
	if err == nil {
		*f = append(*f, x)
	}
	return err
}

// addStrategy adds the flags that say how a run of chosen order chooses.
func addStrategy(cmd *cobra.Command, o *overrides) {
	names := strategyNames()
	cmd.Flags().Var(&wordFlag{&o.strategy, "NAME", "name a strategy, or leave the flag out"}, "strategy", "how to choose the next step, of a scenario with order: chosen: "+strings.Join(names, ", "))
	cmd.Flags().Var(&o.depth, "depth", "of pct (ordered steps) and delay (delays)")
	if err := cmd.RegisterFlagCompletionFunc("strategy", cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // the flag was added some lines before
	}
}

// strategyNames is the names of the strategies.
func strategyNames() (names []string) {
	for _, s := range scenarios.SearchStrategies() {
		names = append(names, s.Name)
	}
	return names
}

// depthFlag is a flag with a small number, or not given.
type depthFlag struct{ value *int }

// String implements pflag.Value.
func (f *depthFlag) String() string {
	if f.value == nil {
		return ""
	}
	return strconv.Itoa(*f.value)
}

// Type implements pflag.Value.
func (f *depthFlag) Type() string { return "D" }

// Set implements pflag.Value.
func (f *depthFlag) Set(text string) error {
	depth, err := strconv.Atoi(text)
	if err != nil {
		return fmt.Errorf("%q is no depth; write a number such as 3", text)
	}
	f.value = &depth
	return nil
}

// wordFlag is a flag with a word, which cannot be empty: to leave the flag out means
// something else.
type wordFlag struct {
	value      *string
	kind, want string
}

// String implements pflag.Value.
func (f *wordFlag) String() string {
	if f.value == nil {
		return ""
	}
	return *f.value
}

// Type implements pflag.Value.
func (f *wordFlag) Type() string { return f.kind }

// Set implements pflag.Value.
func (f *wordFlag) Set(text string) error {
	if text == "" {
		return errors.New("it is empty; " + f.want)
	}
	*f.value = text
	return nil
}

// seedFlag is a flag with a seed: any number of 64 bits, or not given.
type seedFlag struct{ value *uint64 }

// String implements pflag.Value.
func (f *seedFlag) String() string {
	if f.value == nil {
		return ""
	}
	return strconv.FormatUint(*f.value, 10)
}

// Type implements pflag.Value.
func (f *seedFlag) Type() string { return "N" }

// Set implements pflag.Value.
func (f *seedFlag) Set(text string) error {
	seed, err := parseSeed(text)
	if err == nil {
		f.value = &seed
	}
	return err
}

func parseSeed(text string) (uint64, error) {
	seed, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is no seed; write a number from 0 to %d", text, uint64(math.MaxUint64))
	}
	return seed, nil
}

// seedsFlag is a flag with a range of seeds.
type seedsFlag struct{ first, last uint64 }

// String implements pflag.Value.
func (f *seedsFlag) String() string { return fmt.Sprintf("%d-%d", f.first, f.last) }

// Type implements pflag.Value.
func (f *seedsFlag) Type() string { return "A-B" }

// Set implements pflag.Value.
func (f *seedsFlag) Set(text string) error {
	low, high, isRange := strings.Cut(text, "-")
	if !isRange {
		high = low
	}
	first, err := parseSeed(low)
	if err != nil {
		return fmt.Errorf("%w, or a range such as 1-1000", err)
	}
	last, err := parseSeed(high)
	if err != nil {
		return fmt.Errorf("%w, or a range such as 1-1000", err)
	}
	if first > last {
		return fmt.Errorf("the range %s is empty; write the smaller seed first", text)
	}
	if last-first > math.MaxInt64-1 {
		return fmt.Errorf("the range %s has too many seeds; write at most 2^63-1", text)
	}
	*f = seedsFlag{first, last}
	return nil
}
