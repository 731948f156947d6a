package comparison

import (
	"context"
	"path/filepath"
	"testing"

	"simrun/scenarios"
)

const scenarioFolder = "../../testdata/scenarios"

// parse reads a scenario's text.
func parse(t testing.TB, text string) *scenarios.Scenario {
	t.Helper()
	s, err := scenarios.Parse(scenarios.Default(), filepath.Join(scenarioFolder, "test.yaml"), []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// load reads a scenario file.
func load(t testing.TB, file string) *scenarios.Scenario {
	t.Helper()
	s, err := scenarios.Load(scenarios.Default(), filepath.Join(scenarioFolder, file))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// compare compares algorithms on a scenario, with its own seed if none are given.
func compare(t testing.TB, s *scenarios.Scenario, seeds *Range, algorithms ...string) *Comparison {
	t.Helper()
	c, err := Of(context.Background(), s, scenarios.Default(), Options{Algorithms: algorithms, Seeds: seeds, Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	return c
}
