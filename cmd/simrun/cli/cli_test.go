package cli

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"simrun/scenarios"
)

var update = flag.Bool("update", false, "write what the commands print into the scripts")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"simrun": func() { os.Exit(Main(scenarios.Default(), os.Args[1:], os.Stdout, os.Stderr)) },
	})
}

// TestScripts runs the commands as a user does: testdata/script holds one script
// for each verb, and some for what they have in common. "code N simrun ..." runs a
// command that must exit with N. $SCENARIOS is the folder of the scenario files.
func TestScripts(t *testing.T) {
	folder, err := filepath.Abs("../../../testdata/scenarios")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("SCENARIOS", folder)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"code": code, "working": working, "edit": edit},
	})
}

// working waits until the commands in the background have computed for a second: they
// are well under way then, however busy the machine is.
func working(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 0 {
		ts.Fatalf("usage: working")
	}
	for _, cmd := range ts.BackgroundCmds() {
		for computed(cmd.Process.Pid) < time.Second {
			time.Sleep(50 * time.Millisecond)
		}
	}
}

// edit replaces the first occurrence of a text in a file.
func edit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: edit FILE OLD NEW")
	}
	before := ts.ReadFile(args[0])
	if !strings.Contains(before, args[1]) {
		ts.Fatalf("%s does not have %q", args[0], args[1])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Replace(before, args[1], args[2], 1)), 0o666))
}

// computed is how long a process has computed; a second where nothing tells.
func computed(pid int) time.Duration {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		time.Sleep(time.Second)
		return time.Second
	}
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	ticks, err := strconv.Atoi(fields[11]) // in user mode, a hundred a second
	if err != nil {
		return time.Second
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}

// code runs a command and checks its exit code exactly.
func code(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: code N command ...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// TestNamesAreShown: what a terminal would obey in the name of a file is shown to people, by
// every verb and in every complaint.
func TestNamesAreShown(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder) // where a sweep writes what fails
	file := func(name, text string) string {
		path := filepath.Join(folder, name+"\x1b[31m\r\u202e.yaml")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Skipf("no file can have such a name here: %v", err)
		}
		return path
	}
	good := file("good", "graph: {generate: ring, nodes: 2}\napp: {kind: bank, transfers: 2}\nsnapshots: {at: [8ms]}\n")
	bad := file("bad", "seed: none of these\n")
	for _, args := range [][]string{
		{"run", good}, {"run", good, "--algorithm", "no-channel-state"}, {"run", bad}, {"run", folder + "/none\x1b.yaml"}, {"run", good, "--trace", folder + "/none\x1b/t"},
		{"explain", good}, {"graph", good}, {"sweep", good, "--seeds", "1-2", "--algorithm", "no-channel-state"}, {"crashmatrix", good}, {"explore", good, "--set", "order=chosen", "--set", "snapshots.at=none"},
		{"report", good, "-o", folder + "/page\x1b.html"}, {"compare", good}, {"compare", good, "--seeds", "1-2", "--markdown"}, {"compare", good, "--algorithms", "no-channel-state,abs"},
		{"compare", good, "--algorithms", "chandy-lamport,stop-the-world"}, {"compare", good, "--vary", "graph.nodes=2,3", "--seeds", "1-2"},
		{"compare", good, "--vary", "graph.nodes=2,3", "--seeds", "1-2", "--markdown"},
	} {
		var stdout, stderr strings.Builder
		Main(scenarios.Default(), args, &stdout, &stderr)
		text := stdout.String() + stderr.String()
		if strings.ContainsAny(text, "\x1b\r\u202e") {
			t.Errorf("%q: a terminal would obey\n%q", args, text)
		}
		if !strings.Contains(text, "\u241b") && !strings.Contains(text, `\033`) {
			t.Errorf("%q does not name the file:\n%s", args, text)
		}
	}
}
