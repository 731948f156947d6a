package simtest

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write what the tutorial's commands print into it")

const tutorial = "../../docs/tutorial.md"

// module is a module of one's own in a folder of its own, that uses this one.
func module(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("compiles a module")
	}
	t.Parallel()
	dir := t.TempDir()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	// go mod tidy would look for the tests of every module; go.sum is all it adds.
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	put(t, dir, "go.sum", string(sums))
	shell(t, dir, "go mod init mysim")
	shell(t, dir, "go mod edit -require simrun@v0.0.0 -replace 'simrun="+root+"'")
	return dir
}

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// shell runs a command line in a folder, and returns what it prints, without what differs
// from run to run: how long tests took.
func shell(t *testing.T, dir, command string) string {
	t.Helper()
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Fatalf("%s: %v", command, err)
	}
	text := regexp.MustCompile(`\d+\.\d\ds`).ReplaceAllString(string(out), "0.10s")
	return regexp.MustCompile(`\t(\d+\.\d+s|\(cached\))\n`).ReplaceAllString(text, "\t0.100s\n")
}

// TestTutorial: the code of the tutorial is that of its folder, and in a module of one's
// own its commands print what the page says.
func TestTutorial(t *testing.T) {
	dir := module(t)
	data, err := os.ReadFile(tutorial)
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	setup, _, _ := strings.Cut(page, "\n## ")
	for line := range strings.Lines(setup) {
		if command, ok := strings.CutPrefix(line, "    "); ok && !strings.Contains(string(readme), command) {
			t.Errorf("the README does not say %s", command)
		}
	}
	commands := 0
	for _, block := range regexp.MustCompile("(?s)(?:\n`([a-z_/]+\\.go)`(, mended)?:\n)?\n(```(?:go)?\n)(.*?)```").FindAllStringSubmatch(page, -1) {
		name, mended, fence, text := block[1], block[2] != "", block[3], block[4]
		switch {
		case mended:
			whole, err := os.ReadFile("tutorial/mended/mine.go")
			if err != nil {
				t.Fatal(err)
			}
			for part := range strings.SplitSeq(text, "\n\n") {
				if !strings.Contains(string(whole), "\n"+strings.TrimSpace(part)+"\n") {
					t.Errorf("the mended algorithm does not have\n%s", part)
				}
			}
			put(t, dir, name, string(whole))
		case name == "mine/mine.go":
			whole, err := os.ReadFile("tutorial/wrong/mine.go")
			if err != nil {
				t.Fatal(err)
			}
			page = differs(t, page, fence, text, string(whole))
			put(t, dir, name, string(whole))
		case name != "":
			put(t, dir, name, text)
		default:
			commands++
			line, _, _ := strings.Cut(text, "\n")
			page = differs(t, page, fence, text, line+"\n"+shell(t, dir, strings.TrimPrefix(line, "$ ")))
		}
	}
	if commands != 3 {
		t.Errorf("%d commands", commands)
	}
	for _, told := range regexp.MustCompile("(?m)^- `([^`]*)`:").FindAllStringSubmatch(page, -1) {
		if strings.Count(page, told[1]) < 2 {
			t.Errorf("the picture does not have %s", told[1])
		}
	}
	if *update {
		if err := os.WriteFile(tutorial, []byte(page), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// differs compares a block of the page with what it should be. With -update it is put in
// its place.
func differs(t *testing.T, page, fence, got, want string) string {
	t.Helper()
	if got != want && !*update {
		t.Errorf("the page should have (go test ./scenarios/simtest -run Tutorial -update)\n%s", want)
	}
	return strings.Replace(page, fence+got+"```", fence+want+"```", 1)
}

// TestModule: in a module of one's own, a fuzz test finds the mistake, too, and says how to
// see it again; which works, also from another folder; a kept file that is broken fails the
// test; and two Checks in one test are refused.
func TestModule(t *testing.T) {
	dir := module(t)
	for _, name := range []string{"wrong", "mended"} {
		text, err := os.ReadFile("tutorial/" + name + "/mine.go")
		if err != nil {
			t.Fatal(err)
		}
		put(t, dir, name+"/mine.go", strings.ReplaceAll(string(text), "package mine", "package "+name))
	}
	put(t, dir, "all_test.go", `package mysim

import (
	"testing"

	"mysim/mended"
	"mysim/wrong"
	"pgregory.net/rapid"
	"simrun/scenarios/simtest"
)

func FuzzWrong(f *testing.F) { simtest.Fuzz(f, wrong.New, simtest.StronglyConnected(2, 4)) }

func TestTwice(t *testing.T) {
	simtest.Check(t, mended.New, simtest.StronglyConnected(2, 4), simtest.Snapshots(1, 1), simtest.Runs(5))
	simtest.Check(t, mended.New, simtest.StronglyConnected(2, 4), simtest.Snapshots(1, 1), simtest.Runs(5))
}

func TestSub(t *testing.T) {
	t.Run("two, side by side", func(t *testing.T) {
		for _, name := range []string{"a b", "a:b"} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				simtest.Check(t, wrong.New, simtest.StronglyConnected(2, 4), simtest.Snapshots(1, 1))
			})
		}
	})
}

func TestRapid(t *testing.T) {
	rapid.Check(t, simtest.Property(wrong.New, simtest.StronglyConnected(2, 4), simtest.Snapshots(1, 1)))
}
`)
	shell(t, dir, "go test -c -o all.test .")
	fuzz := shell(t, dir, "./all.test -test.run FuzzWrong")
	want(t, fuzz, "the run violates ", "reproduce: go test mysim -run '^FuzzWrong$' -simrun.file testdata/simrun/FuzzWrong/", "which was told above")
	again := shell(t, dir, "./all.test -test.run FuzzWrong")
	want(t, again, "violates ", " as before")
	line := regexp.MustCompile(`reproduce: (.*)`).FindStringSubmatch(fuzz)
	if line == nil {
		t.Fatal(fuzz)
	}
	want(t, shell(t, dir, line[1]), "violates ", " as before", "--- FAIL: FuzzWrong", "the cut: when each node recorded")

	want(t, shell(t, dir, "./all.test -test.run TestTwice"), "simtest: a second Check in one test")
	want(t, shell(t, dir, "./all.test -test.run TestTwice -test.count 2 -simrun.file nothing.yaml"), "nothing.yaml: there is no such file")

	sub := shell(t, dir, "mkdir -p elsewhere && cd elsewhere && ../all.test -test.run TestSub")
	want(t, sub, "-run '^TestSub$/^two,_side_by_side$/^a_b$' -simrun.file "+dir+"/elsewhere/testdata/simrun/TestSub/two%2c_side_by_side/a_b/",
		"-run '^TestSub$/^two,_side_by_side$/^a:b$' -simrun.file "+dir+"/elsewhere/testdata/simrun/TestSub/two%2c_side_by_side/a%3ab/")
	line = regexp.MustCompile(`reproduce: (.*a:b.*)`).FindStringSubmatch(sub)
	if line == nil {
		t.Fatal(sub)
	}
	want(t, shell(t, dir, line[1]), " as before", "--- FAIL: TestSub/two,_side_by_side/a:b")

	want(t, shell(t, dir, "./all.test -test.run TestRapid -rapid.seed 1"), "[rapid] failed after", "the run violates ", "-simrun.file testdata/simrun/TestRapid/")
}
