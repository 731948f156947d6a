package topology

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// longNumber keeps the fuzzer from asking, rightly, for gigabytes of subtasks.
var longNumber = regexp.MustCompile(`\d{3}|[eE]\d`)

// FuzzRead holds every reader to its promise: a well-formed graph or an *Error
// about the file, and never a panic.
func FuzzRead(f *testing.F) {
	for _, name := range []string{"abilene.dot", "click-stream.flinkplan.json"} {
		data, err := os.ReadFile(filepath.Join("..", "testdata", "graphs", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	for _, text := range []string{
		"a b\n\"c d\" -- a # x\n", "a\nb\na b", `a "\"\\"`,
		"strict digraph { a -> {b c} -> a [dir=both]; subgraph s { edge [dir=back] a -> a } }",
		"graph \"x\" { a:n -- <b<i>c</i>> }", "digraph{/*", "digraph { a -> b [dir=\"\\\n\"]", "graph { {a b} -> c }",
		onePlan(2, 3, "RESCALE"), onePlan(2, 3, "FORWARD"), `{"nodes":[null,{"id":null,"inputs":[null]}]}`, `{"plan":null,"nodes":3}`,
		`{"nodes":[{"id":"a","parallelism":1,"inputs":[{"id":"a"},{"id":"b"}]}]}`, `[`, `"`, `{"Nodes":[{"ID":"a"}]}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, file := range []string{"x.edges", "x.dot", "x.json"} {
			if file == "x.json" && longNumber.Match(data) {
				continue
			}
			g, err := Read(file, data)
			if err == nil {
				checkWellFormed(t, g)
				CheckBackEdges(g, DefaultInitiators(g), BackEdges(g, DefaultInitiators(g)))
				continue
			}
			var e *Error
			if !errors.As(err, &e) || e.File != file || e.Msg == "" {
				t.Errorf("%T for %s: %v", err, file, err)
			} else {
				_ = e.Excerpt()
			}
		}
	})
}
