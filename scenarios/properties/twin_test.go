package properties_test

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"simrun/invariants"
	"simrun/invariants/twin"
	"simrun/scenarios"
	"simrun/sim"
)

// twinSnapshots is how long TestTwinAgrees goes on:
//
//	go test ./scenarios/properties -run TwinAgrees -twin.snapshots 200000 -timeout 0 -v
var twinSnapshots = flag.Int("twin.snapshots", 12000, "how many complete snapshots TestTwinAgrees has both checkers judge")

// leftOut is the invariants of which the twin says nothing.
var leftOut = []string{"monotone-cuts", "conservation", "termination", "coordinator", "non-interference"}

// kindOf is the invariant that a snapshot violates for a reason of the twin.
var kindOf = map[twin.Reason]string{
	twin.Unrecorded: "consistent-cut", twin.Twice: "consistent-cut", twin.Orphan: "consistent-cut", twin.WrongCount: "consistent-cut",
	twin.Missing: "channel-state", twin.Extra: "channel-state", twin.Reordered: "channel-state", twin.Altered: "channel-state",
	twin.Unattached: "channel-state",
	twin.NoRow:      "state-truth", twin.WrongState: "state-truth", twin.WrongOffset: "state-truth", twin.WrongTimers: "state-truth",
	twin.NotAligned: "abs-staged",
}

// TestTwinAgrees: two checkers that share nothing but the definitions say the same of
// every complete snapshot of right and wrong algorithms, of damaged histories too, and
// of every restore.
func TestTwinAgrees(t *testing.T) {
	count := newTwinCount()
	var checker invariants.Checker
	draw := newAlgorithms()
	for i := 1; count.snapshots < *twinSnapshots; i++ {
		r := trials.Example(i)
		r.config.MaxSteps = min(r.config.MaxSteps, 3000)
		a := draw.next(r.aligned(), i)
		r.algorithm, r.config.NewNode = a.Name, a.New
		word := sim.Word(i)
		channels := unreliably(&word, &r.config)
		h := runOf(t, r)
		damage := ""
		if word.Below(3) == 0 {
			damage = damaged(&word, h)
			if word.Below(2) == 0 {
				damage = strings.Trim(damage+", "+damaged(&word, h), ", ")
			}
		}
		run := invariants.Of(&r.config, h)
		run.Aligned = a.Aligned
		report := checker.Check(run, leftOut)
		judgement := twin.Judge(&twin.Run{
			Graph: r.config.Graph, NewApp: r.config.NewApp, NewSource: r.config.NewSource, BackEdge: r.config.BackEdge,
			Unreliable: r.config.Unreliable, Aligned: a.Aligned, Replay: r.config.Replay, History: h,
		})
		if wrong := disagreement(report, judgement); wrong != "" {
			t.Fatalf("example %d: %s\ndamage: %s\nthe twin finds the first %d of %d rows legal; the checker says %v\nthe run:\n%s",
				i, wrong, damage, judgement.Legal, len(h.Rows), report.Violations, r)
		}
		count.look(a, channels, damage, judgement)
	}
	count.judge(t)
}

// unreliably lets channels of one run in four fail, and says whether it did.
func unreliably(word *sim.Word, cfg *sim.Config) bool {
	if word.Below(4) > 0 || len(cfg.Graph.From) == 0 {
		return false
	}
	cfg.Unreliable = make([]sim.Unreliable, len(cfg.Graph.From))
	for ch := range cfg.Unreliable {
		u := &cfg.Unreliable[ch]
		u.Reorder = word.Below(3) == 0
		if word.Below(3) == 0 {
			u.Lose.PerMillion = uint32(word.Below(100_000))
		}
		if word.Below(3) == 0 {
			u.Duplicate.PerMillion = uint32(word.Below(200_000))
		}
	}
	return true
}

// algorithms deals out the algorithms of the catalogue: every other time a right one.
// The twin knows no other promise than exactly-once, and these runs have no coordinator.
type algorithms struct {
	lists [2][2][]scenarios.Algorithm // by: has barriers, is wrong
	dealt [2][2]int
}

func newAlgorithms() *algorithms {
	d := new(algorithms)
	for _, a := range scenarios.Default().Algorithms {
		if a.Promise != "" || a.Coordinated {
			continue
		}
		list := &d.lists[index(a.BackEdges)][index(a.Wrong)]
		*list = append(*list, a)
	}
	return d
}

func (d *algorithms) next(barriers bool, i int) *scenarios.Algorithm {
	list, dealt := d.lists[index(barriers)][i%2], &d.dealt[index(barriers)][i%2]
	*dealt++
	return &list[*dealt%len(list)]
}

func index(second bool) int {
	if second {
		return 1
	}
	return 0
}

// runOf runs a run; an algorithm that the engine stops is a mistake of the test.
func runOf(t *testing.T, r *trial) *sim.History {
	defer func() {
		if cause := recover(); cause != nil {
			t.Fatalf("%v\nin the run\n%s", cause, r)
		}
	}()
	return engineOf(t, &r.config).Run()
}

// disagreement says in what the two differ.
func disagreement(report *invariants.Report, judgement *twin.Judgement) string {
	if len(report.Snapshots) != len(judgement.Snapshots) || len(report.Restores) != len(judgement.Restores) {
		return "they do not judge the same things"
	}
	for i, v := range judgement.Snapshots {
		id, verdict := sim.SnapshotID(i+1), report.Snapshots[i]
		judged := verdict == invariants.Holds || verdict == invariants.Violated
		switch {
		case judged != v.Judged || judged && (verdict == invariants.Holds) != v.Holds():
			return fmt.Sprintf("snapshot %d: the checker says %s, the twin %q", id, verdict, v.Reasons)
		case !judged:
		case v.Has(twin.Illegal):
			if report.SnapshotBecause[i] == "" && len(kindsFound(report, id)) == 0 {
				return fmt.Sprintf("snapshot %d: the checker does not say why it is violated", id)
			}
		case report.SnapshotBecause[i] != "":
			return fmt.Sprintf("snapshot %d: the checker says %q, the twin %q", id, report.SnapshotBecause[i], v.Reasons)
		default:
			found, want := kindsFound(report, id), kindsOf(v)
			// From a cut that is noted wrongly the checker goes on, and what it finds
			// then is as it may be.
			if v.Has(twin.WrongCount) || v.Has(twin.NoRow) {
				want = []string{kindOf[twin.NoRow]}
				if v.Has(twin.WrongCount) {
					want = []string{kindOf[twin.WrongCount]}
				}
				found = slices.DeleteFunc(found, func(kind string) bool { return !slices.Contains(want, kind) })
			}
			if !slices.Equal(found, want) {
				return fmt.Sprintf("snapshot %d: the checker finds that it violates %q, the twin %q, because of %q", id, found, want, v.Reasons)
			}
		}
	}
	for k, v := range judgement.Restores {
		if verdict := report.Restores[k]; (verdict == invariants.Holds) != v.Holds() {
			return fmt.Sprintf("restore %d: the checker says %s, the twin %q", k+1, verdict, v.Reasons)
		}
	}
	return ""
}

// kindsFound is the invariants that the checker says a snapshot itself violates.
func kindsFound(report *invariants.Report, id sim.SnapshotID) (kinds []string) {
	for _, v := range report.Violations {
		if v.Snapshot == id && slices.Contains([]string{"consistent-cut", "channel-state", "state-truth", "abs-staged"}, v.Invariant) {
			kinds = append(kinds, v.Invariant)
		}
	}
	slices.Sort(kinds)
	return slices.Compact(kinds)
}

// kindsOf is what the twin says it violates.
func kindsOf(v twin.Verdict) (kinds []string) {
	for _, reason := range v.Reasons {
		kinds = append(kinds, kindOf[reason])
	}
	slices.Sort(kinds)
	return slices.Compact(kinds)
}
