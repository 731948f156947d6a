package simrun_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func readme(t *testing.T) string {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestReadmeOutput: the output in the README is that of its commands.
func TestReadmeOutput(t *testing.T) {
	for before, args := range map[string][]string{
		"The first prints:\n\n```\n": {"run", "testdata/scenarios/wordcount-crash.yaml"},
		"\nprints:\n\n```\n":         {"explain", "testdata/scenarios/in-transit.yaml", "--snapshot", "1"},
	} {
		_, text, _ := strings.Cut(readme(t), before)
		want, _, _ := strings.Cut(text, "```")
		out, err := exec.Command("go", append([]string{"run", "./cmd/simrun"}, args...)...).Output()
		if command := "go run ./cmd/simrun " + strings.Join(args, " "); !strings.Contains(readme(t), command+"\n") {
			t.Errorf("the README does not have %s", command)
		}
		if err != nil || string(out) != want {
			t.Errorf("%v, and it prints\n%s", err, out)
		}
	}
}

// TestReadmeAlgorithm: the algorithm in the README, copied into a module of its own
// as the README says, compiles, is right, and is judged.
func TestReadmeAlgorithm(t *testing.T) {
	dir := t.TempDir()
	root, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)\n`([a-z_/]+\\.go)`:\n\n```go\n(.*?)```").FindAllStringSubmatch(readme(t), -1)
	if len(blocks) != 3 {
		t.Fatalf("%d files in the README", len(blocks))
	}
	files := map[string]string{"ring.yaml": `
graph: {generate: random, nodes: 8, degree: 3}
app: {kind: bank, transfers: 60, every: 3ms}
snapshots: {every: 40ms}
faults: [{crash: n1, at: 130ms}]
expect: {verdict: holds, snapshots: 3, recoveries: 1}
`, "late.yaml": "expect: {recoveries: 1}\nfaults: [{crash: n1, when: {phase: recorded, snapshot: 99}}]"}
	for _, block := range blocks {
		files[block[1]] = block[2]
	}
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	// go mod tidy would look for the tests of every module; go.sum is all it adds.
	sums, err := os.ReadFile("go.sum")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o666); err != nil {
		t.Fatal(err)
	}
	run := func(code int, args ...string) string {
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
		out, err := cmd.CombinedOutput()
		if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != code {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	run(0, "go", "mod", "init", "mysim")
	run(0, "go", "mod", "edit", "-require", "simrun@v0.0.0", "-replace", "simrun="+root)
	run(0, "go", "build", "-o", "mysim.exe", ".")
	program := filepath.Join(dir, "mysim.exe")
	run(0, "go", "vet", "./...")
	run(0, "go", "test", "./mine")
	run(0, program, "run", filepath.Join(root, "testdata", "scenarios", "ring-both.yaml"), "--algorithm", "mine")
	run(0, program, "sweep", "ring.yaml", "--algorithm", "mine", "--seeds", "1-50")
	for _, part := range []string{"\nreproduce: mysim.exe run late.yaml --seed 1 --algorithm mine\n", "not as expected: fault 0 never fired"} {
		if out := run(1, program, "run", "late.yaml", "--algorithm", "mine"); !strings.Contains(out, part) {
			t.Errorf("no %q in\n%s", part, out)
		}
	}
	if out := run(2, program, "run", "nope.yaml"); !strings.HasPrefix(out, "mysim.exe: nope.yaml: there is no such file") {
		t.Error(out)
	}
}
