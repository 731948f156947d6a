package scenarios

import (
	"slices"
	"strings"
	"testing"
)

// TestTold: what a program is told of a snapshot is what explain prints of it; with little
// room the violations come first, then the violated snapshots.
func TestTold(t *testing.T) {
	plan := mustResolve(t, "algorithm: no-channel-state\n"+strings.Replace(triangle, "at: [10ms]", "at: [10ms, 45ms, 50ms]", 1))
	res := plan.NewRunner().Run(plan.Seed)
	_, all := plan.NewRunner().Tells(plan.Seed, nil, 1<<20)
	if len(all.Snapshots) != len(res.Snapshots) || len(all.Violations) != len(res.Violations) || len(res.Violations) < 2 || len(all.Legend) == 0 {
		t.Fatalf("told of %d of %d snapshots, %d of %d violations", len(all.Snapshots), len(res.Snapshots), len(all.Violations), len(res.Violations))
	}
	bytes, held := 0, 0
	for i, lines := range all.Snapshots {
		explained, err := plan.NewRunner().Explain(plan.Seed, res.Snapshots[i].ID)
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		if err := explained.WriteText(&text); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(text.String(), "\n"+strings.Join(lines, "\n")+"\n") {
			t.Errorf("of snapshot %d is told\n%s\nexplain says\n%s", i, strings.Join(lines, "\n"), text.String())
		}
		if res.Snapshots[i].Verdict != Violated {
			held++
		}
	}
	for i, lines := range all.Violations {
		if len(lines) == 0 {
			t.Errorf("violation %d has no story", i)
		}
		bytes += len(strings.Join(lines, "\n"))
	}
	if held == 0 || held == len(res.Snapshots) {
		t.Fatalf("%d of %d snapshots hold; both are needed", held, len(res.Snapshots))
	}
	_, few := plan.NewRunner().Tells(plan.Seed, nil, 2*bytes+200)
	for i, lines := range few.Snapshots {
		if lines != nil && !slices.Equal(lines, all.Snapshots[i]) {
			t.Errorf("with little room snapshot %d is told in another way", i)
		}
		if lines != nil && res.Snapshots[i].Verdict != Violated && slices.ContainsFunc(few.Snapshots, func(lines []string) bool { return lines == nil }) {
			t.Errorf("snapshot %d, which holds, is told although there is no room for all", i)
		}
	}
	_, half := plan.NewRunner().Tells(plan.Seed, nil, bytes)
	if untold := func(lines []string) bool { return lines == nil }; !slices.ContainsFunc(half.Violations, untold) || !slices.ContainsFunc(half.Snapshots, func(lines []string) bool { return lines != nil }) {
		t.Error("the violations take the room of the snapshots")
	}
	if _, none := plan.NewRunner().Tells(plan.Seed, nil, 0); slices.ContainsFunc(append(none.Snapshots, none.Violations...), func(lines []string) bool { return lines != nil }) {
		t.Error("without room something is told")
	}
}
