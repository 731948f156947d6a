package simtest

import (
	"flag"
	"fmt"
	"os"
	"testing"
)

// TestMain fixes rapid's seed and number of cases, unless flags give them.
func TestMain(m *testing.M) {
	flag.Parse()
	given := map[string]bool{}
	flag.Visit(func(f *flag.Flag) { given[f.Name] = true })
	for _, setting := range []struct{ name, value string }{{"rapid.seed", "1"}, {"rapid.checks", "300"}} {
		if given[setting.name] {
			continue
		}
		if err := flag.Set(setting.name, setting.value); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
	}
	os.Exit(m.Run())
}
