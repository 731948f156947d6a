package scenarios

import (
	"path/filepath"
	"strings"
	"testing"
)

// mustResolve makes a plan of a scenario's text, as if it were a file of the
// folder testdata/scenarios.
func mustResolve(t testing.TB, text string) *Plan {
	t.Helper()
	p, err := resolveText(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func resolveText(text string) (*Plan, error) {
	c := Default()
	s, err := Parse(c, filepath.Join(scenarioFolder, "test.yaml"), []byte(text))
	if err != nil {
		return nil, err
	}
	return s.Resolve(c, Overrides{})
}

// mustLoad makes a plan of one of the scenario files.
func mustLoad(t testing.TB, file, algorithm string) *Plan {
	t.Helper()
	c := Default()
	s, err := Load(c, filepath.Join(scenarioFolder, file))
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.Resolve(c, Overrides{Algorithm: algorithm})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func resolvedText(t testing.TB, p *Plan) string {
	t.Helper()
	var b strings.Builder
	if err := p.WriteYAML(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
