package export

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"simrun/scenarios"
	"simrun/scenarios/spacetime"
)

// load is the plan of a scenario file.
func load(t *testing.T, file, algorithm string) *scenarios.Plan {
	t.Helper()
	s, err := scenarios.Load(scenarios.Default(), filepath.Join("../../testdata/scenarios", file))
	if err != nil {
		t.Fatal(err)
	}
	return resolve(t, s, algorithm)
}

func resolve(t *testing.T, s *scenarios.Scenario, algorithm string) *scenarios.Plan {
	t.Helper()
	p, err := s.Resolve(scenarios.Default(), scenarios.Overrides{Algorithm: algorithm})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func parse(t *testing.T, text string) *scenarios.Plan {
	t.Helper()
	s, err := scenarios.Parse(scenarios.Default(), "s.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return resolve(t, s, "")
}

// diagram is the run of a plan, as much of it as a file takes that has so many events.
func diagram(p *scenarios.Plan, events int) *spacetime.Diagram {
	return spacetime.Of(p, p.Seed, Window(events))
}

// files is every scenario file.
func files(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../../testdata/scenarios/*.yaml")
	if err != nil || len(files) < 30 {
		t.Fatalf("%d scenario files, %v", len(files), err)
	}
	for i := range files {
		files[i] = filepath.Base(files[i])
	}
	return files
}

// written is what is written, and what of the run is left out.
func written(t *testing.T, write func(io.Writer) ([]string, error)) (string, []string) {
	t.Helper()
	var b, again strings.Builder
	left, err := write(&b)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := write(&again); err != nil || again.String() != b.String() {
		t.Errorf("other bytes the second time, %v", err)
	}
	return b.String(), left
}

// strangeNames are names that a file can give a node.
var strangeNames = []string{
	`<b>&amp;"x"</b>`, `'); alert(1) //`, "\u05e9\u05dc\u05d5\u05dd", "a->b", `c\d`, "c\\n", `q\q"q`, "]]>", "{x|y}", "end", "END", "endless", "the end", "graph", `"`, "#", ";", "a b", "a_b", "%%{init}%%",
	"constructor", "__proto__", "toString", "participant", "p1 ->> p2: x", "Note over p0: x", "rect", "-", "\u65e5\u672c", strings.Repeat("W", 256), "=== x ===", `{"n":1}`, " ", "&#0;", "\U0001f600",
}

// strange is a scenario of which the nodes have strange names: a ring, with a crash.
func strange(t *testing.T) *scenarios.Plan {
	names, err := json.Marshal(strangeNames)
	if err != nil {
		t.Fatal(err)
	}
	var channels [][2]string
	for i := range strangeNames {
		channels = append(channels, [2]string{strangeNames[i], strangeNames[(i+1)%len(strangeNames)]})
	}
	list, err := json.Marshal(channels)
	if err != nil {
		t.Fatal(err)
	}
	return parse(t, fmt.Sprintf("graph: {nodes: %s, channels: %s}\napp: {kind: bank, transfers: 3, every: 20ms}\nsnapshots: {at: [20ms]}\nfaults: [{crash: \"end\", at: 150ms}]\nstop: {at: 200ms}", names, list))
}

// unseen is a diagram of which the names hold what no file can give a node.
func unseen(t *testing.T) *spacetime.Diagram {
	d := diagram(parse(t, "graph: {generate: ring, nodes: 6}\nsnapshots: {at: [20ms]}\nstop: {at: 60ms}"), 300)
	d.Graph.Nodes = []string{"a\nb", "a\u2028b", "\u202egnitirw", "\xff\x00", strings.Repeat("<&\">", 2500), "\x1b[31m"}
	return d
}

// mustReject damages a file in some way and wants a checker to see it.
func mustReject(t *testing.T, what, text, old, by string, check func(string) error) {
	t.Helper()
	if !strings.Contains(text, old) {
		t.Fatalf("%s: the file does not have %q", what, old)
	}
	if err := check(strings.Replace(text, old, by, 1)); err == nil {
		t.Errorf("%s: %q in place of %q is not noticed", what, by, old)
	}
}
