package audit_test

import (
	"path/filepath"
	"slices"
	"testing"

	"simrun/scenarios"
	"simrun/scenarios/generate"
)

var catalogue = scenarios.Default()

// holdsUp runs a plan with and without an audit: it is the same run, and nobody is accused.
func holdsUp(t *testing.T, name string, plan *scenarios.Plan) (deliveries int64) {
	t.Helper()
	plain, audited := plan.NewRunner().Run(plan.Seed), plan.Audited().NewRunner().Run(plan.Seed)
	if plain.Digest != audited.Digest || plain.Verdict != audited.Verdict || len(plain.Violations) != len(audited.Violations) {
		t.Errorf("%s: %s, %s; audited %s, %s: %v", name, plain.Digest, plain.Verdict, audited.Digest, audited.Verdict, audited.Violations)
	}
	if got := slices.Contains(audited.Checks, "conduct"); !got || slices.Contains(plain.Checks, "conduct") {
		t.Errorf("%s: the checks are %v, audited %v", name, plain.Checks, audited.Checks)
	}
	return audited.Deliveries
}

// TestFiles: in no scenario file is anybody accused, and the run is the same.
func TestFiles(t *testing.T) {
	files, err := filepath.Glob("../../testdata/scenarios/*.yaml")
	if err != nil || len(files) < 25 {
		t.Fatal(len(files), err)
	}
	for _, file := range files {
		s, err := scenarios.Load(catalogue, file)
		if err != nil {
			t.Fatal(err)
		}
		plan, err := s.Resolve(catalogue, scenarios.Overrides{})
		if err != nil {
			t.Fatal(err)
		}
		holdsUp(t, file, plan)
	}
}

// TestRight: no right algorithm is accused in generated scenarios, with a coordinator and
// transactional sinks and without.
func TestRight(t *testing.T) {
	runs, deliveries := 0, int64(0)
	for _, a := range catalogue.Algorithms {
		for seed := range uint64(25) {
			for _, family := range []func(uint64) *scenarios.Scenario{generate.Scenario, generate.Coordinated} {
				plan, err := family(seed).Resolve(catalogue, scenarios.Overrides{Algorithm: a.Name})
				if err != nil || a.Wrong {
					continue
				}
				runs++
				deliveries += holdsUp(t, a.Name, plan)
			}
		}
	}
	if runs < 100 || deliveries < 10_000 {
		t.Errorf("%d runs, %d deliveries", runs, deliveries)
	}
}
