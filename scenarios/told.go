package scenarios

import (
	"cmp"
	"slices"

	"simrun/invariants/explain"
	"simrun/sim"
)

// Told is the reasons for the verdict on a run in lines for people, for programs that show
// them beside the run. What nil stands for was left out.
type Told struct {
	Snapshots  [][]string // by Result.Snapshots: what simrun explain prints of it
	Violations [][]string // by Result.Violations: the story of it, which may have no lines
	Legend     []string   // what the words in the tables mean; nil: there are no tables
}

// Told runs the plan with a seed and tells the reasons, until there are about so many
// bytes of them. Of those the violations have at most the half, told in their order; the
// violated snapshots come before the others.
func (r *Runner) Told(seed uint64, bytes int) *Told {
	notes := new(explain.Notes)
	x := r.execute(seed, notes)
	res := r.plan.result(x)
	explainer := explain.New(x.run, x.report, notes)
	out := &Told{Snapshots: make([][]string, len(res.Snapshots)), Violations: make([][]string, len(res.Violations))}
	left := bytes
	tell := func(lines []string) []string {
		for _, line := range lines {
			left -= len(line) + 1
		}
		return append([]string{}, lines...)
	}
	for i := range res.Violations {
		if left <= bytes/2 {
			break
		}
		out.Violations[i] = tell(explainer.Violation(&x.report.Violations[i]).Story())
	}
	for _, i := range violatedFirst(res.Snapshots) {
		if left <= 0 {
			break
		}
		s := explainer.Snapshot(sim.SnapshotID(res.Snapshots[i].ID))
		out.Snapshots[i] = tell(s.Lines(res.span, map[string]bool{}))
		if out.Legend == nil && len(s.Channels) > 0 {
			out.Legend = s.Legend()
		}
	}
	return out
}

// violatedFirst is the places of snapshots, those first that are violated.
func violatedFirst(snapshots []SnapshotResult) []int {
	places := make([]int, len(snapshots))
	for i := range places {
		places[i] = i
	}
	slices.SortStableFunc(places, func(a, b int) int {
		return cmp.Compare(one(snapshots[b].Verdict == Violated), one(snapshots[a].Verdict == Violated))
	})
	return places
}
