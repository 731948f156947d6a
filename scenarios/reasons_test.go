package scenarios

import (
	"fmt"
	"strings"
	"testing"

	"simrun/sim"
)

// TestEveryVerdictHasItsReason: of a snapshot or recovery that is violated either
// some violation speaks, or it says from what it follows.
func TestEveryVerdictHasItsReason(t *testing.T) {
	followed := map[string]int{}
	run := func(name string, plan *Plan) {
		runner := plan.NewRunner()
		for seed := uint64(1); seed <= 20; seed++ {
			checkReasons(t, fmt.Sprintf("%s under %s, seed %d", name, plan.Algorithm.Name, seed), runner.Run(seed), followed)
		}
	}
	for _, l := range lessons() {
		for _, mutant := range mutantNames(l) {
			run(l.file, mustLoad(t, l.file, mutant))
		}
	}
	run("ring-both.yaml", mustLoad(t, "ring-both.yaml", "log-after-input"))
	run("even-odd-sums.yaml", mustLoad(t, "even-odd-sums.yaml", "reordered-buffer"))
	run("inline", mustResolve(t, reorderedThenCrash))
	run("inline", mustResolve(t, "algorithm: no-channel-state\nchecks: {off: [fifo]}\nfaults: [{crash: n1, at: 90ms}]"))
	for _, from := range reasons {
		if followed[from] == 0 {
			t.Errorf("no verdict is %q", from)
		}
	}
}

// reorderedThenCrash goes wrong once, and after the crash nothing else does.
const reorderedThenCrash = `
algorithm: reordered-buffer
graph: {nodes: [source, a, b, sink], channels: [[source, a], [source, b], [a, sink], [b, sink]]}
app: {kind: sums, records: 60, every: 1ms}
network: {delay: {uniform: [1ms, 2ms]}, channels: {source->b: {delay: {uniform: [8ms, 12ms]}}}}
snapshots: {at: [20ms]}
faults: [{crash: sink, at: 55ms}]
`

var reasons = []string{"recorded after the first illegal event: fifo, message ", "after the first illegal event: fifo, message ", "from violated snapshot 1"}

func checkReasons(t *testing.T, run string, res *Result, followed map[string]int) {
	named := map[string]bool{}
	for _, v := range res.Violations {
		if v.Snapshot != nil {
			named[fmt.Sprint("snapshot ", *v.Snapshot)] = true
		}
		if v.Recovery != nil {
			named[fmt.Sprint("recovery ", *v.Recovery)] = true
		}
	}
	check := func(what, verdict, because string) {
		if (verdict == Violated) != (named[what] || because != "") {
			t.Errorf("%s: %s is %s, named %v, because %q", run, what, verdict, named[what], because)
		}
		for _, from := range reasons {
			if strings.HasPrefix(because, from) {
				followed[from]++
			}
		}
	}
	for _, s := range res.Snapshots {
		if s.Verdict != "aborted" && s.Verdict != "pending" {
			check(fmt.Sprint("snapshot ", s.ID), s.Verdict, s.Because)
		}
	}
	for i, r := range res.Recoveries {
		check(fmt.Sprint("recovery ", i), r.Verdict, r.Because)
	}
}

// TestFirstWrongEventFirst: what is wrong of one snapshot comes before what is
// wrong of a later one, whatever the invariants are.
func TestFirstWrongEventFirst(t *testing.T) {
	res := mustResolve(t, "algorithm: no-channel-state\nsnapshots: {every: 20ms}").NewRunner().Run(1)
	last, invariants := uint32(0), map[string]bool{}
	for _, v := range res.Violations {
		if v.Snapshot == nil || *v.Snapshot < last {
			t.Errorf("after snapshot %d: %+v", last, v)
			continue
		}
		last = *v.Snapshot
		invariants[v.Invariant] = true
	}
	if last < 3 || len(invariants) < 2 {
		t.Errorf("violations up to snapshot %d, of %v: the run tests nothing", last, invariants)
	}
}

// TestLimitsAreNamed: a run that is cut short says by which limit.
func TestLimitsAreNamed(t *testing.T) {
	for end, want := range map[sim.End]string{
		sim.StepLimit:     "the run ended at its limit of 50 steps (steps: in the file)",
		sim.RecoveryLimit: "the run ended at its limit of 250 recoveries, the most that a run may have",
		sim.GaveUp:        "the run ended when the coordinator gave up: the restart strategy allows no more restarts",
		sim.OpenLimit:     "the run ended at its limit of 10000 snapshots under way at once",
		sim.TimeLimit:     "the run ended at the end of virtual time, which is 36028797.018s",
		sim.Settled:       "the run ended after the stop, with no snapshot pending",
	} {
		res := mustResolve(t, "steps: 50").NewRunner().Run(1)
		if end != sim.StepLimit {
			res.End = endNames[end]
		}
		var b strings.Builder
		if err := res.WriteText(&b); err != nil || !strings.Contains(b.String(), want) {
			t.Errorf("%v: no %q in\n%s", err, want, b.String())
		}
	}
}
