package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"simrun/scenarios"
)

// choiceFlag is a flag with one of a few words.
type choiceFlag struct {
	value *string
	words []string
}

// addChoice adds such a flag.
func addChoice(cmd *cobra.Command, value *string, name, usage string, words ...string) {
	cmd.Flags().Var(&choiceFlag{value, words}, name, usage+": "+strings.Join(words, ", "))
	if err := cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // the flag was added the line before
	}
}

// String implements pflag.Value.
func (f *choiceFlag) String() string {
	if f.value == nil {
		return ""
	}
	return *f.value
}

// Type implements pflag.Value.
func (f *choiceFlag) Type() string { return "WORD" }

// Set implements pflag.Value.
func (f *choiceFlag) Set(text string) error {
	if slices.Contains(f.words, text) {
		*f.value = text
		return nil
	}
	if near := scenarios.Closest(text, f.words); near != "" {
		return fmt.Errorf("did you mean %s? There are %s", near, strings.Join(f.words, ", "))
	}
	return fmt.Errorf("write one of %s", strings.Join(f.words, ", "))
}
