package simtest

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"simrun/algorithms/chandylamport"
	"simrun/algorithms/mutants"
	"simrun/sim"
)

// wrong is a mutant by its name.
func wrong(t *testing.T, name string) sim.NewNode {
	t.Helper()
	for _, m := range mutants.All() {
		if m.Name == name {
			return m.New
		}
	}
	t.Fatalf("no mutant is named %s", name)
	return nil
}

// files is the names of a folder's files.
func files(t *testing.T, folder string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func want(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in\n%s", part, text)
		}
	}
}

// TestSaved: a run that was violated is told and kept; it is carried out first, under
// whatever name the algorithm has now; when the algorithm was mended all holds, and when
// it is wrong in another way that is found by itself.
func TestSaved(t *testing.T) {
	dir := t.TempDir()
	check := func(name, as string) (string, string) {
		x := experimentIn(t, dir, wrong(t, name), StronglyConnected(2, 6), Named(as))
		problems, note := x.check(1, 0)
		return strings.Join(problems, "\n"), note
	}
	first, _ := check("no-channel-state", "mine")
	want(t, first, "run 1 of 200 (seed 1) violates channel-state\n", "\nsmall: 2 nodes, ", "\n      n0  ", "begin 1, [1]",
		"mine, seed ", "It was\n    in flight when the cut passed", "\nverdict: violated\nreproduce: go test simrun/scenarios/simtest -run '^TestSaved$' -simrun.file ",
		"The small run is kept in testdata/simrun/TestSaved/channel-state-")
	if strings.Contains(first, "simrun run") || strings.Contains(first, "simrun replay") || strings.Contains(first, "more:") {
		t.Errorf("there is no program that could\n%s", first)
	}
	kept := files(t, filepath.Join(dir, "testdata", "simrun", "TestSaved"))
	if len(kept) != 1 {
		t.Fatal(kept)
	}
	again, _ := check("no-channel-state", "renamed")
	want(t, again, "testdata/simrun/TestSaved/"+kept[0]+" violates channel-state as before\n", "renamed, seed ", "reproduce: go test ")
	x := experimentIn(t, dir, chandylamport.New, StronglyConnected(2, 6), Named("mine"))
	if problems, note := x.check(1, 30); problems != nil || !strings.HasPrefix(note, "30 runs hold; ") {
		t.Errorf("%v %s", problems, note)
	}
	other, _ := check("early-done", "mine")
	want(t, other, "channel-state")
	if all := files(t, filepath.Join(dir, "testdata", "simrun", "TestSaved")); len(all) > 2 || all[0] != kept[0] && all[1] != kept[0] {
		t.Error(all)
	}
}

// TestUnreadable: what lies there and cannot be read fails the test, with what to do; what
// is no reproducer by its name, and the folder of a subtest, is left alone.
func TestUnreadable(t *testing.T) {
	dir := t.TempDir()
	x := experimentIn(t, dir, chandylamport.New, Runs(3))
	for name, text := range map[string]string{"sub/old.yaml": "nonsense", "notes.txt": "nonsense", "x.yaml": "reproducer: 1\ntool: test\n"} {
		if err := os.MkdirAll(filepath.Dir(x.home.path(name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(x.home.path(name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	problems, _ := x.check(1, 0)
	if len(problems) != 1 {
		t.Fatal(problems)
	}
	want(t, problems[0], "the reproducer is cut short", "delete testdata/simrun/TestUnreadable/x.yaml")
}

// TestFile: the reproducer that a flag names is told with everything; one that belongs to
// another test is not this test's business, and one from elsewhere is.
func TestFile(t *testing.T) {
	dir := t.TempDir()
	x := experimentIn(t, dir, wrong(t, "no-blocking"), Acyclic(2, 5), Aligned(), BackEdges(), Named("mine"))
	f := x.search(1, x.runs)
	text, holds := x.explained(f.file)
	want(t, text, "violates consistent-cut as before", "\nthe cut: when each node recorded, first to last\n", "reproduce: go test ")
	if holds {
		t.Error("it holds")
	}
	if strings.Contains(text, "--snapshot") {
		t.Errorf("there is no such flag\n%s", text)
	}
	for file, own := range map[string]bool{
		f.file: true, "testdata/simrun/TestFile/a.yaml": true, "testdata/simrun/TestOther/a.yaml": false,
		"testdata/simrun/TestFile/sub/a.yaml": false, "a.yaml": true, "/elsewhere/a.yaml": true,
	} {
		if _, got := x.asked(file); got != own {
			t.Errorf("%s: %t", file, got)
		}
	}
	text, holds = x.explained(filepath.Join(dir, "nothing.yaml"))
	want(t, text, "there is no such file")
	if holds {
		t.Error("it holds")
	}
}

// TestDeterministic: what is told and kept is the same to the last byte.
func TestDeterministic(t *testing.T) {
	var texts, kept [2]string
	for i := range texts {
		x := experimentIn(t, t.TempDir(), wrong(t, "log-twice"), BackEdges(), Aligned())
		f := x.search(1, x.runs)
		data, err := os.ReadFile(f.file)
		if err != nil {
			t.Fatal(err)
		}
		texts[i], kept[i] = strings.ReplaceAll(f.text, x.home.work, ""), string(data)
	}
	if texts[0] != texts[1] || kept[0] != kept[1] {
		t.Errorf("%s\n%s", texts[0], texts[1])
	}
}

// TestNotKept: where nothing can be written the run is told all the same, with the
// reproducer in the text and the seed in the command.
func TestNotKept(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "testdata"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	x := experimentIn(t, dir, wrong(t, "no-channel-state"))
	f := x.search(1, x.runs)
	want(t, f.text, "cannot be kept", "\nreproducer: 1\n", "\nchecksum: ", "-simrun.seed 1 -simrun.runs 1\n")
	if f.file != "" {
		t.Error(f.file)
	}
}

// TestWhole: a file that cannot be put in its place leaves nothing behind.
func TestWhole(t *testing.T) {
	h := home{work: t.TempDir(), folder: "a"}
	if err := os.MkdirAll(h.path("taken/x"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := h.write("taken", []byte("text")); err == nil {
		t.Error("a folder was replaced")
	}
	if err := h.write("free", []byte("text")); err != nil {
		t.Error(err)
	}
	if got, err := os.ReadFile(h.path("free")); err != nil || !bytes.Equal(got, []byte("text")) {
		t.Error(string(got), err)
	}
	if names := files(t, h.path("")); len(names) != 2 {
		t.Error(names)
	}
}
