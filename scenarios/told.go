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

// Tells is Watch, and tells the reasons, until there are about so many bytes of them. Of
// those the violations have at most the half, told in their order; the violated snapshots
// come before the others.
func (r *Runner) Tells(seed uint64, watcher sim.Observer, bytes int) (*Result, *Told) {
	notes := &notesBeside{next: watcher}
	x := r.execute(seed, notes)
	r.watched = x.history
	res := r.plan.result(x)
	return res, tell(x, &notes.Notes, res, bytes)
}

// notesBeside takes notes, and passes on what it sees.
type notesBeside struct {
	explain.Notes
	next sim.Observer // nil: nobody else watches
}

// Observe implements sim.Observer.
func (n *notesBeside) Observe(ev *sim.Event) {
	n.Notes.Observe(ev)
	if n.next != nil {
		n.next.Observe(ev)
	}
}

// tell tells the reasons for the verdict on a run.
func tell(x *execution, notes *explain.Notes, res *Result, bytes int) *Told {
	explainer := explain.New(x.run, x.report, notes)
	out := &Told{Snapshots: make([][]string, len(res.Snapshots)), Violations: make([][]string, len(res.Violations))}
	left := bytes
	take := func(lines []string) []string {
		for _, line := range lines {
			left -= len(line) + 1
		}
		return append([]string{}, lines...)
	}
	for i := range res.Violations {
		if left <= bytes/2 {
			break
		}
		out.Violations[i] = take(explainer.Violation(&x.report.Violations[i]).Story())
	}
	for _, i := range violatedFirst(res.Snapshots) {
		if left <= 0 {
			break
		}
		s := explainer.Snapshot(sim.SnapshotID(res.Snapshots[i].ID))
		out.Snapshots[i] = take(s.Lines(res.span, map[string]bool{}))
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
