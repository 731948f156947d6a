package mutation

import (
	"bytes"
	"context"
	"encoding/json"
	"runtime"
	"slices"
	"strings"
	"testing"

	"simrun/scenarios"
	"simrun/scenarios/search"
)

// timedOnly is the wrong algorithms that no run of chosen order shows: they are caught by
// a comparison with the same run without snapshots, instant by instant.
var timedOnly = []string{"held-back", "held-after-restore"}

// TestPortfolioKills: the portfolio catches every wrong algorithm that shows in chosen
// order within a hundred seeds.
func TestPortfolioKills(t *testing.T) {
	table := tabulated(t, scenarios.Default().Algorithms, []string{search.Portfolio}, 100, runtime.GOMAXPROCS(0))
	for _, w := range table.Wrong {
		h := w.Hunts[0]
		if slices.Contains(timedOnly, w.Algorithm) != (h.Kills == 0) {
			t.Errorf("%d %s: killed by %d of 100 seeds", w.Number, w.Algorithm, h.Kills)
		}
	}
	if table.ExitCode() != 0 || len(table.Wrong) < 40 {
		t.Errorf("exit code %d for %d wrong algorithms", table.ExitCode(), len(table.Wrong))
	}
}

// tabulated is the table of some algorithms over the seeds up to a last one.
func tabulated(t *testing.T, algorithms []scenarios.Algorithm, strategies []string, last uint64, workers int) *Table {
	t.Helper()
	c := scenarios.Default()
	some := slices.DeleteFunc(slices.Clone(algorithms), func(a scenarios.Algorithm) bool { return a.Coordinated })
	table := Strategies(context.Background(), c, some, strategies, 1, last, workers, nil)
	if table.Seeds != int64(last) || table.Interrupted {
		t.Fatalf("%d seeds, interrupted %t", table.Seeds, table.Interrupted)
	}
	return table
}

// TestTable: it is the same on any number of cores, and says what it has to.
func TestTable(t *testing.T) {
	c := scenarios.Default()
	some := []scenarios.Algorithm{*c.Algorithm("no-blocking"), *c.Algorithm("abs"), *c.Algorithm("late-markers"), *c.Algorithm("held-back")}
	strategies := []string{search.Random, search.PCT, search.Portfolio}
	table := tabulated(t, some, strategies, 24, 1)
	one, _ := json.Marshal(table)
	if three, _ := json.Marshal(tabulated(t, some, strategies, 24, 3)); !bytes.Equal(one, three) {
		t.Errorf("on three cores %s\ninstead of %s", three, one)
	}
	var b bytes.Buffer
	if err := table.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	for _, says := range []string{
		"seeds to kill, median/worst, from every seed of 1-24 on\n", " no algorithm expected random pct portfolio\n",
		"\n 1 late-markers consistent-cut ", "\n 14 held-back non-interference - - -\n", "killed by no strategy: held-back\n",
		"see one: simrun generate --seed ",
	} {
		if !strings.Contains(squeezed(b.String()), says) {
			t.Errorf("no %q in\n%s", says, b.String())
		}
	}
}

// TestPortfolioMisses: the exit code says that the portfolio has missed what another
// strategy has killed.
func TestPortfolioMisses(t *testing.T) {
	table := &Table{Seeds: 9, Wrong: []Hunted{{Hunts: []Hunt{{Strategy: search.PCT, Kills: 1}, {Strategy: search.Portfolio}}}}}
	if table.ExitCode() != 1 {
		t.Errorf("exit code %d", table.ExitCode())
	}
	table.Wrong[0].Hunts[1].Kills = 1
	if table.ExitCode() != 0 {
		t.Errorf("exit code %d", table.ExitCode())
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	table = Strategies(ctx, scenarios.Default(), nil, nil, 1, 1<<40, 2, nil)
	var b bytes.Buffer
	if err := table.WriteText(&b); err != nil || table.ExitCode() != 130 || !strings.Contains(b.String(), "before the first") {
		t.Errorf("%v, exit code %d: %s", err, table.ExitCode(), b.String())
	}
}
