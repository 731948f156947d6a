package topology

import (
	"flag"
	"fmt"
	"os"
	"testing"
)

// TestMain fixes rapid's seed and number of cases, so that plain "go test" tries
// the same graphs everywhere; flags on the command line win.
func TestMain(m *testing.M) {
	flag.Parse()
	given := make(map[string]bool)
	flag.Visit(func(f *flag.Flag) { given[f.Name] = true })
	for _, setting := range []struct{ name, value string }{{"rapid.seed", "1"}, {"rapid.checks", "2000"}} {
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
