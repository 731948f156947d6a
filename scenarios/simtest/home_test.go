package simtest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"simrun/scenarios"
)

// TestFolders: every test has a folder of its own below testdata/simrun, whatever it is
// called.
func TestFolders(t *testing.T) {
	seen := map[string]string{}
	for _, name := range []string{"TestA", "TestA/b", "TestA/b/c", "TestA/b_c", "TestA/b:c", "TestA/b%3ac", "TestA/..", "TestA/.", "TestA/..b", "TestA//b", "TestA/ü", `TestA/\x00`, "TestA/#00", "TestÄ", "TestA/*?"} {
		folder := homeOf(name).folder
		below, err := filepath.Rel(all, folder)
		if err != nil || !filepath.IsLocal(below) || below == "." {
			t.Errorf("%s: %s", name, folder)
		}
		if seen[folder] != "" {
			t.Errorf("%s and %s have the folder %s", seen[folder], name, folder)
		}
		seen[folder] = name
		for c := range strings.SplitSeq(filepath.ToSlash(below), "/") {
			if strings.ContainsAny(c, `:*?"<>|\`) || strings.HasPrefix(c, ".") {
				t.Errorf("%s: %s", name, folder)
			}
		}
	}
}

// TestCommands: the commands name the package, the test and nothing but it, and the file
// as go test finds it.
func TestCommands(t *testing.T) {
	t.Run("with (odd) $characters' in it", func(t *testing.T) {
		h := homeOf(t.Name())
		const run = `go test simrun/scenarios/simtest -run '^TestCommands$/^with_\(odd\)_\$characters'\''_in_it$' `
		if got, want := h.again(h.path("x.yaml")), run+"-simrun.file testdata/simrun/TestCommands/with_%28odd%29_%24characters%27_in_it/x.yaml"; got != want {
			t.Errorf("%s\ninstead of\n%s", got, want)
		}
		if got := h.seedAgain(7); got != run+"-simrun.seed 7 -simrun.runs 1" {
			t.Error(got)
		}
		if got := h.again("/tmp/x.yaml"); got != run+"-simrun.file /tmp/x.yaml" {
			t.Error(got)
		}
		h.work = t.TempDir() // as if the binary had been started from there
		if got := h.again(h.path("x.yaml")); !strings.Contains(got, "-simrun.file "+scenarios.ShellWord(h.path("x.yaml"))) {
			t.Error(got)
		}
	})
	if h := homeOf("TestNowhere"); h.pkg != "" || h.command("-x") != "go test -run '^TestNowhere$' -x" {
		t.Error(h.command("-x"))
	}
}

// TestStarted: a test that changes the working directory does not move the reproducers.
func TestStarted(t *testing.T) {
	before := homeOf(t.Name()).path("")
	t.Chdir(t.TempDir())
	if got := homeOf(t.Name()).path(""); got != before {
		t.Error(got)
	}
	if _, err := os.Stat(filepath.Join(filepath.Dir(filepath.Dir(filepath.Dir(before))), "home_test.go")); err != nil {
		t.Error(err)
	}
}

// TestSecondCheck: of two Checks in one test the second is refused; when a test is over
// it may be run again.
func TestSecondCheck(t *testing.T) {
	t.Run("once", func(t *testing.T) {
		if !enter(t) || enter(t) {
			t.Error("the first is refused, or the second is not")
		}
		t.Run("sub", func(t *testing.T) {
			if !enter(t) {
				t.Error("a subtest is refused")
			}
		})
		if enter(t) {
			t.Error("the second is not refused any more")
		}
	})
	for test := range entered.tests {
		if strings.HasPrefix(test, t.Name()) {
			t.Errorf("%s is not over", test)
		}
	}
}
