package scenarios

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTraceNamesToolAndScenario: the header of a trace has the version of the program and
// the hash of the scenario, which depends on what decides a run, and on nothing else.
func TestTraceNamesToolAndScenario(t *testing.T) {
	folder := t.TempDir()
	hash := func(scenario, edges string, o Overrides) string {
		t.Helper()
		for name, text := range map[string]string{"s.yaml": scenario, "g.edges": edges} {
			if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		s, err := Load(Default(), filepath.Join(folder, "s.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		p, err := s.Resolve(Default(), o)
		if err != nil {
			t.Fatal(err)
		}
		var trace strings.Builder
		if _, err := p.NewRunner().Write(p.Seed, Files{Trace: &trace, Tool: "v1.2.3"}); err != nil {
			t.Fatal(err)
		}
		line, _, _ := strings.Cut(trace.String(), "\n")
		var h traceHeader
		if err := json.Unmarshal([]byte(line), &h); err != nil {
			t.Fatal(err)
		}
		if h.Tool != "v1.2.3" || len(h.Hash) != 32 {
			t.Fatalf("%s", line)
		}
		return h.Hash
	}
	seven := uint64(7)
	first := hash("graph: {file: g.edges}", "a b", Overrides{})
	for what, other := range map[string]string{
		"a comment":         hash("graph: {file: g.edges} # here", "a b", Overrides{}),
		"the seed":          hash("graph: {file: g.edges}", "a b", Overrides{Seed: &seven}),
		"the algorithm":     hash("graph: {file: g.edges}", "a b", Overrides{Algorithm: "no-channel-state"}),
		"what is expected":  hash("graph: {file: g.edges}\nexpect: {verdict: holds}", "a b", Overrides{}),
		"a default written": hash("graph: {file: g.edges}\norder: timed", "a b", Overrides{}),
	} {
		if other != first {
			t.Errorf("%s makes another hash", what)
		}
	}
	for what, other := range map[string]string{
		"another graph in the file": hash("graph: {file: g.edges}", "a b\nb a", Overrides{}),
		"another stop":              hash("graph: {file: g.edges}\nstop: {at: 90ms}", "a b", Overrides{}),
	} {
		if other == first {
			t.Errorf("%s makes no other hash", what)
		}
	}
}
