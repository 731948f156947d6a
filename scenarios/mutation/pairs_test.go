package mutation

import (
	"path/filepath"
	"slices"
	"testing"

	"simrun/scenarios"
)

// The mistakes in testdata/search are rare: by chance it takes more than fifty seeds in
// the middle of twenty repetitions until the invariant that must catch one of them does.
// The portfolio needs at most ten. What lies on neither side of the middle counts for the
// side that is worse for the portfolio.
func TestRareMistakes(t *testing.T) {
	files, err := filepath.Glob("../../testdata/search/*.yaml")
	if err != nil || len(files) < 5 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	const repetitions = 20
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			byChance := needed(t, file, "random", repetitions, 51)
			byPortfolio := needed(t, file, "portfolio", repetitions, 51)
			t.Log("by chance", byChance, "by the portfolio", byPortfolio)
			if got := byChance[repetitions/2-1]; got <= 50 {
				t.Errorf("%d seeds by chance, want more than 50", got)
			}
			if got := byPortfolio[repetitions/2]; got > 10 {
				t.Errorf("%d seeds by the portfolio, want at most 10", got)
			}
		})
	}
}

// needed is, for so many repetitions with seeds of their own, how many seeds a strategy
// takes to the violation that must come, at most so many, in ascending order.
func needed(t *testing.T, file, strategy string, repetitions, most int) (counts []int) {
	t.Helper()
	scenario, err := scenarios.Load(scenarios.Default(), file)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := scenario.Resolve(scenarios.Default(), scenarios.Overrides{Strategy: strategy})
	if err != nil {
		t.Fatal(err)
	}
	runner := plan.NewRunner()
	for r := range repetitions {
		n := 1
		for n < most && !slices.Contains(runner.Outcome(uint64(r*1000+n)).Broken, plan.Algorithm.Catches) {
			n++
		}
		counts = append(counts, n)
	}
	slices.Sort(counts)
	return counts
}
