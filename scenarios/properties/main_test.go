// Package properties_test tries the right algorithms on thousands of random runs:
// any graph, any app, any delays, snapshots and crashes that fall everywhere. All
// invariants must hold on every run, and a run must be the same every time. The
// same runs must convict wrong algorithms and wrong apps.
//
//	go test ./scenarios/properties -run Hold -rapid.seed 7 -rapid.checks 100000
//
// It says nothing about scenario files, and measures nothing.
package properties_test

import (
	"flag"
	"fmt"
	"os"
	"testing"
)

// TestMain fixes rapid's seed and the number of runs, so that a plain "go test"
// tries the same runs everywhere; flags on the command line win.
func TestMain(m *testing.M) {
	flag.Parse()
	given := map[string]bool{}
	flag.Visit(func(f *flag.Flag) { given[f.Name] = true })
	for _, setting := range []struct{ name, value string }{{"rapid.seed", "1"}, {"rapid.checks", "20000"}} {
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
