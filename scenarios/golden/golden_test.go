// Package golden_test holds the digests of a fixed list of runs against a file.
// They are the same on every processor, in every order of the runs, for good: a
// change that moves one changes what every recorded seed means, and has to say so.
//
//	go test ./scenarios/golden -update                  # writes the file anew
//	GOARCH=386 go test ./scenarios/golden               # the same digests with an int of 32 bits
//	GOOS=js GOARCH=wasm go test -exec="$(go env GOROOT)/lib/wasm/go_js_wasm_exec" ./scenarios/golden
package golden_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"simrun/invariants"
	"simrun/sim"
)

var update = flag.Bool("update", false, "write the golden file anew")

var goldenFile = filepath.Join("..", "..", "testdata", "golden", "digests.txt")

const header = `# The digests of a fixed list of runs, with what happened in them: all events,
# application events, steps, complete snapshots, restores. Written by
# go test ./scenarios/golden -update
`

func TestGolden(t *testing.T) {
	var b strings.Builder
	b.WriteString(header)
	for _, c := range configurations(t) {
		first := run(t, c)
		b.WriteString(line(c, first))
		if again := run(t, c); line(c, again) != line(c, first) {
			t.Errorf("%s: not the same again", c.name)
		}
		if completed(first) == 0 || c.crashes != (len(first.Restores) > 0) {
			t.Errorf("%s: %d complete snapshots, %d restores", c.name, completed(first), len(first.Restores))
		}
	}
	if *update {
		if err := os.WriteFile(goldenFile, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	golden, err := os.ReadFile(goldenFile)
	if err != nil {
		t.Fatal(err)
	}
	for _, difference := range differences(string(golden), b.String()) {
		t.Error(difference)
	}
}

// differences is what a reader must see of two lists of lines that differ.
func differences(golden, got string) (found []string) {
	a, b := strings.Split(golden, "\n"), strings.Split(got, "\n")
	at := func(lines []string, i int) string {
		if i < len(lines) {
			return lines[i]
		}
		return "(no line)"
	}
	for i := range max(len(a), len(b)) {
		if want, got := at(a, i), at(b, i); want != got {
			found = append(found, fmt.Sprintf("line %d:\nwant %s\ngot  %s", i+1, want, got))
		}
	}
	return found
}

func TestDifferences(t *testing.T) {
	for _, test := range []struct {
		golden, got string
		found       int
	}{
		{"a\nb\n", "a\nb\n", 0}, {"a\nb\n", "a\nc\n", 1}, {"a\nb\n", "a\n", 2}, {"", "a\n", 2}, {"a\nb", "b\na", 2},
	} {
		if found := differences(test.golden, test.got); len(found) != test.found {
			t.Errorf("%q and %q: found %q", test.golden, test.got, found)
		}
	}
}

func line(c *configuration, h *sim.History) string {
	return fmt.Sprintf("%-52s %016x %016x %6d %3d %2d\n",
		c.name, h.Digest, h.ApplicationDigest, h.Steps, completed(h), len(h.Restores))
}

// run runs a configuration; a digest of a run that is wrong is worth nothing.
func run(t *testing.T, c *configuration) *sim.History {
	t.Helper()
	e, err := sim.New(&c.Config)
	if err != nil {
		t.Fatalf("%s: %v", c.name, err)
	}
	h := e.Run()
	judged := invariants.Of(&c.Config, h)
	judged.Aligned = c.aligned
	report := invariants.Check(judged, nil)
	if c.Unreliable != nil { // what becomes of snapshots then is not for this test
		report = invariants.Check(judged, []string{"consistent-cut", "channel-state", "monotone-cuts", "termination", "reachability"})
	}
	if !report.Holds() || h.End != sim.Quiescent {
		t.Errorf("%s: ends as %d, with %v", c.name, h.End, report.Violations)
	}
	return h
}

func completed(h *sim.History) (n int) {
	for _, s := range h.Snapshots {
		if s.Status == sim.Complete {
			n++
		}
	}
	return n
}
