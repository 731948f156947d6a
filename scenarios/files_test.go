package scenarios

import (
	"context"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"simrun/invariants"
)

const scenarioFolder = "../testdata/scenarios"

// seedsPerFile is how many seeds every scenario file must meet its expectation
// with.
const seedsPerFile = 1000

// lesson is what a scenario file is there to show, beside its expectation.
type lesson struct {
	file       string
	algorithms []string                      // under which the expectation is met
	shown      func(*Result) bool            // true for every seed from 1 to 20
	mutants    map[string]string             // wrong algorithms, and what they violate with seed 1
	sometimes  map[string]func(*Result) bool // true for one of these seeds at least
	wrong      bool                          // the expectation is that the file's algorithm is caught
	repairs    []string                      // algorithms under which such a file holds, with seeds from 1 to 200
	spent      bool                          // all records are read before the last snapshot, on purpose: it lets the rest leave, say
	only       bool                          // no other algorithm can run it
}

// compared is the algorithms that can run the file, among those that are compared.
func (l *lesson) compared() []string {
	if l.only {
		return slices.Clone(l.algorithms)
	}
	return both()
}

// both is the two algorithms that most files are for.
func both() []string { return []string{"chandy-lamport", "abs"} }

// stored says whether any snapshot has messages of channels.
func stored(res *Result) bool {
	return slices.ContainsFunc(res.Snapshots, func(s SnapshotResult) bool { return s.ChannelMessages > 0 })
}

// blocked says whether any input was blocked.
func blocked(res *Result) bool {
	return slices.ContainsFunc(res.Snapshots, func(s SnapshotResult) bool { return s.Blocked > 0 })
}

func lessons() []lesson {
	cl, abs, both := []string{"chandy-lamport"}, []string{"abs"}, both()
	return []lesson{
		{file: "abilene-bank.yaml", algorithms: cl, shown: func(res *Result) bool {
			return stored(res) && len(res.Snapshots[0].Initiators) == 3 && *res.Recoveries[0].Snapshot == 1
		}, mutants: map[string]string{"no-channel-state": "channel-state", "one-marker-closes-all": "channel-state"}},
		{file: "wordcount-crash.yaml", algorithms: abs, shown: func(res *Result) bool {
			return blocked(res) && !stored(res) && res.Snapshots[1].Verdict == "aborted" && *res.Recoveries[0].Snapshot == 1
		}, mutants: map[string]string{"no-blocking": "consistent-cut", "first-barrier": "channel-state"}},
		{file: "loop-crash.yaml", algorithms: abs, shown: func(res *Result) bool {
			return stored(res) && res.Recoveries[0].Replayed > 0 && res.Recoveries[1].Replayed > 0
		}, mutants: map[string]string{"no-backup-log": "channel-state", "log-until-last-barrier": "channel-state", "log-ignored": "fifo"}},
		{file: "flink-plan.yaml", algorithms: both, shown: func(res *Result) bool {
			return res.Nodes == 31 && res.Recoveries[0].Snapshot != nil && (res.Algorithm != "abs" || blocked(res) && !stored(res))
		}, mutants: map[string]string{"early-unblock": "consistent-cut"}},
		{file: "concurrent-snapshots.yaml", algorithms: cl, shown: func(res *Result) bool {
			return stored(res) && *res.Snapshots[0].Completed > *res.Snapshots[3].Started
		}, mutants: map[string]string{"no-ids": "termination"},
			sometimes: map[string]func(*Result) bool{"a later snapshot completes first": func(res *Result) bool {
				return *res.Snapshots[1].Completed < *res.Snapshots[0].Completed
			}}},
		{file: "crossing-snapshots.yaml", algorithms: cl, shown: func(res *Result) bool {
			return stored(res) && res.Snapshots[0].Initiators[0] == "a" && res.Snapshots[1].Initiators[0] == "c"
		}, mutants: map[string]string{"no-ids": "termination", "foreign-marker-dropped": "termination"}},
		{file: "ring-both.yaml", algorithms: both, shown: func(res *Result) bool {
			return stored(res) && (res.Algorithm == "abs") == blocked(res)
		}, mutants: map[string]string{"no-channel-state": "channel-state", "no-backup-log": "channel-state"}},
		{file: "even-odd-sums.yaml", algorithms: abs, shown: func(res *Result) bool { return blocked(res) && !stored(res) },
			mutants: map[string]string{"no-blocking": "consistent-cut"}},
		{file: "no-snapshot-yet.yaml", algorithms: both, shown: func(res *Result) bool {
			return res.Recoveries[0].Snapshot == nil && res.Snapshots[0].Verdict == "aborted" && res.Snapshots[1].Verdict == "holds"
		}},
		{file: "open-choices.yaml", algorithms: both, shown: func(res *Result) bool {
			return len(res.Snapshots) <= 3 && len(res.UnfiredFaults) == 0
		}, sometimes: map[string]func(*Result) bool{
			"a crash":             func(res *Result) bool { return len(res.Recoveries) > 0 },
			"a restored snapshot": func(res *Result) bool { return len(res.Recoveries) > 0 && res.Recoveries[0].Snapshot != nil },
			"a channel is kept":   stored,
			"another strategy":    func(res *Result) bool { return res.Search.Strategy == "pct" },
		}},
		{file: "in-transit.yaml", algorithms: cl, shown: stored, mutants: map[string]string{"no-channel-state": "channel-state"}},
		{file: "no-log-loop.yaml", algorithms: []string{"loop-no-log"}, wrong: true, shown: func(res *Result) bool {
			return !stored(res) && blocked(res) && violates(res, "channel-state") && !violates(res, "consistent-cut") && *res.Recoveries[0].Snapshot == 1
		}, repairs: []string{"loop-hold-outputs", "loop-hold-inputs", "abs"}},
		{file: "not-fifo-chandy-lamport.yaml", algorithms: cl, wrong: true, shown: func(res *Result) bool {
			return violates(res, "consistent-cut") && violates(res, "channel-state") && !violates(res, "fifo")
		}},
		{file: "not-fifo-abs.yaml", algorithms: abs, wrong: true, shown: func(res *Result) bool {
			return violates(res, "consistent-cut") && violates(res, "channel-state") && !violates(res, "fifo")
		}},
		{file: "lost-marker.yaml", algorithms: cl, wrong: true, shown: func(res *Result) bool {
			return res.Snapshots[0].Verdict == "holds" && res.Snapshots[1].Verdict == "pending" && res.Snapshots[2].Verdict == "holds"
		}},
		{file: "lost-message.yaml", algorithms: cl, wrong: true, shown: func(res *Result) bool {
			return says(res, "channel-state", "Missing: message 3") && !violates(res, "consistent-cut")
		}},
		{file: "duplicated-messages.yaml", algorithms: cl, wrong: true, shown: func(res *Result) bool {
			return says(res, "channel-state", "There more than once") && !violates(res, "consistent-cut") && !violates(res, "fifo")
		}},
		{file: "sink-initiator.yaml", algorithms: cl, wrong: true, shown: func(res *Result) bool {
			return says(res, "termination", "not recorded by S, T, J")
		}},
		{file: "aligned-back-edge.yaml", algorithms: []string{"aligned-back-edges"}, wrong: true, shown: func(res *Result) bool {
			return says(res, "termination", "waiting in a circle: H waits for the barrier of snapshot 1 on channel H->H#1, which H itself sends only when")
		}, repairs: abs},
		{file: "selective-receive.yaml", algorithms: cl, wrong: true, shown: func(res *Result) bool {
			return len(res.Violations) == 1 && res.End == "quiescent" && res.Deliveries == 4 &&
				says(res, "termination", "at rest with 1 message stranded on channel B->C#1: the App of C does not accept message 3")
		}},
		{file: "pending-timer.yaml", algorithms: both, shown: func(res *Result) bool {
			return *res.Recoveries[0].Snapshot == 1 && res.Recoveries[0].At == 7_000_000 && res.VirtualTime == 10_000_000
		}, spent: true},
		{file: "tracking-fan-in.yaml", algorithms: []string{"tracking"}, shown: func(res *Result) bool {
			return !blocked(res) && strings.HasPrefix(res.Ledger.Repeated[0], "S1:") && res.Ledger.EffectsLost == 0
		}, mutants: map[string]string{"no-blocking": "consistent-cut"}},
		{file: "tracking-chain.yaml", algorithms: []string{"tracking"}, shown: func(res *Result) bool {
			return !blocked(res) && !stored(res) && res.Ledger.OutputsDuplicated > 0
		}},
		{file: "stop-the-world.yaml", algorithms: []string{"stop-the-world", "abs"}, shown: func(res *Result) bool {
			return !stored(res) && blocked(res) == (res.Algorithm == "abs") && (*res.Snapshots[0].Swaps == 0) == (res.Algorithm != "abs")
		}},
		{file: "at-most-once.yaml", algorithms: []string{"no-snapshots"}, shown: func(res *Result) bool {
			return len(res.Snapshots) == 0 && res.Recoveries[0].Snapshot == nil && res.Ledger.EffectsLost > 50 && res.LostRecords == res.Ledger.EffectsLost
		}, spent: true},
		{file: "checkpoint-coordinator.yaml", algorithms: abs, shown: func(res *Result) bool {
			return came(res, outcomeCrash) == 2 && came(res, outcomeStored) == 2 && came(res, outcomeRetired) >= 2 && res.Recoveries[1].Snapshot != nil
		}},
		{file: "coordinator-crash.yaml", algorithms: abs, shown: func(res *Result) bool {
			return came(res, outcomeForgot) == 2 && len(res.Recoveries[0].Crashed) == 0 && res.Coordinator.Crashes == 2
		}},
		{file: "late-acknowledgement.yaml", algorithms: both, shown: func(res *Result) bool {
			return came(res, outcomeTimeout) > 0 && res.Coordinator.PartsDiscarded > 0 && res.Coordinator.Lost == 0
		}},
		{file: "store-failure.yaml", algorithms: both, shown: func(res *Result) bool {
			return came(res, outcomeDeclined) == 3 && res.Coordinator.Checkpoints[1].Node != nil && *res.Recoveries[0].Snapshot >= 4
		}},
		{file: "finished-source.yaml", algorithms: abs, only: true, spent: true, shown: func(res *Result) bool {
			last := res.Coordinator.Checkpoints[len(res.Coordinator.Checkpoints)-1]
			return res.Coordinator.Checkpoints[0].Finished == nil && len(last.Finished) == res.Nodes && res.Ledger.OutputsOnce > 0 && *res.Recoveries[0].Snapshot > 1
		}},
		{file: "transactional-wordcount.yaml", algorithms: abs, shown: func(res *Result) bool {
			return outOnce(res) && came(res, outcomeForgot) == 1 && *res.Recoveries[0].Snapshot == 2
		}, mutants: map[string]string{"no-commit-on-restore": "recovery", "retires-early": "coordinator"}, spent: true},
		{file: "transactional-loop.yaml", algorithms: abs, shown: func(res *Result) bool {
			return outOnce(res) && res.Recoveries[0].Replayed > 0 && res.Recoveries[1].Replayed > 0
		}, mutants: map[string]string{"no-backup-log": "channel-state"}, spent: true},
		{file: "transactional-flink-plan.yaml", algorithms: abs, shown: func(res *Result) bool {
			return outOnce(res) && came(res, outcomeCrash) == 1 && *res.Recoveries[1].Snapshot > *res.Recoveries[0].Snapshot
		}, mutants: map[string]string{"no-blocking": "consistent-cut"}, spent: true},
		{file: "partial-recovery.yaml", algorithms: []string{"abs", "stop-the-world"}, only: true, shown: func(res *Result) bool {
			return came(res, outcomeCrash) >= 1 && res.Ledger.OutputsOnce == res.Ledger.Records && len(res.Recoveries[1].Restarted) == 3
		}, mutants: map[string]string{"no-deduplication": "fifo"}},
		{file: "partial-recovery-merge.yaml", algorithms: abs, only: true, wrong: true, shown: func(res *Result) bool {
			return says(res, "recovery", "the replay was not deterministic: message") && strings.Contains(res.Violations[0].Detail, "merge->count#2 was sent again with another content")
		}},
		{file: "snapshot-interval.yaml", algorithms: []string{"abs", "stop-the-world", "chandy-lamport"}, spent: true, shown: func(res *Result) bool {
			return len(res.Snapshots) >= 4 && stored(res) == (res.Algorithm == "chandy-lamport") && blocked(res) == (res.Algorithm == "abs")
		}},
		{file: "skewed-keys.yaml", algorithms: both, shown: func(res *Result) bool {
			return stored(res) != blocked(res) && (res.Algorithm == "abs") == blocked(res)
		}, mutants: map[string]string{"no-blocking": "consistent-cut", "no-channel-state": "channel-state"}},
		{file: "cycle-both.yaml", algorithms: both, shown: func(res *Result) bool {
			return stored(res) && blocked(res) == (res.Algorithm == "abs") && res.Recoveries[0].Replayed > 0
		}, mutants: map[string]string{"no-backup-log": "channel-state"}},
		{file: "stored-channels.yaml", algorithms: both, shown: func(res *Result) bool {
			return (res.Snapshots[0].ChannelMessages > 10) == (res.Algorithm == "chandy-lamport") && stored(res) != blocked(res)
		}, mutants: map[string]string{"one-marker-closes-all": "channel-state"}},
		{file: "alignment-cost.yaml", algorithms: both, shown: func(res *Result) bool {
			return stored(res) != blocked(res) && (res.Algorithm != "abs" || res.Snapshots[0].Blocked > 20_000_000)
		}, mutants: map[string]string{"no-blocking": "consistent-cut"}},
		{file: "savepoint.yaml", algorithms: both, shown: func(res *Result) bool {
			c := res.Coordinator.Checkpoints
			return c[1].Savepoint && c[1].Outcome == outcomeStored && *c[1].Ended < 95_000_000 && *res.Recoveries[0].Snapshot == 1 &&
				c[0].Outcome == outcomeRetired && res.Ledger.OutputsDuplicated+res.Ledger.OutputsWaiting == 0
		}, spent: true},
	}
}

// outOnce says that every output has left exactly once.
func outOnce(res *Result) bool {
	return res.Ledger.Outputs == string(invariants.ExactlyOnce) && res.Ledger.OutputsWaiting == 0
}

// came is how many checkpoints came to this.
func came(res *Result, outcome string) (n int) {
	for _, c := range res.Coordinator.Checkpoints {
		n += int(one(c.Outcome == outcome))
	}
	return n
}

// TestScenarioFiles runs every scenario file with many seeds: each must come out
// as it expects, and show what it is there to show.
func TestScenarioFiles(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(scenarioFolder, "*.yaml"))
	if err != nil || len(files) != len(lessons()) {
		t.Fatalf("%d scenario files and %d lessons, %v", len(files), len(lessons()), err)
	}
	seeds := uint64(seedsPerFile)
	if testing.Short() {
		seeds = 50
	}
	for _, l := range lessons() {
		t.Run(l.file, func(t *testing.T) {
			for _, algorithm := range l.algorithms {
				plan := mustLoad(t, l.file, algorithm)
				sweep := plan.Sweep(context.Background(), 1, seeds, runtime.GOMAXPROCS(0), nil)
				holds := int64(seeds)
				if l.wrong {
					holds = 0
				}
				if sweep.Holds != holds || len(sweep.FailingSeeds) > 0 {
					t.Errorf("%s: %d of %d hold; not as expected: seeds %v", algorithm, sweep.Holds, seeds, sweep.FailingSeeds)
				}
				l.check(t, plan)
			}
			for _, repair := range l.repairs {
				if sweep := mustLoad(t, l.file, repair).Sweep(context.Background(), 1, 200, runtime.GOMAXPROCS(0), nil); sweep.Holds != 200 {
					t.Errorf("%s: %d of 200 hold", repair, sweep.Holds)
				}
			}
			for mutant, invariant := range l.mutants {
				if res := mustLoad(t, l.file, mutant).NewRunner().Run(1); !violates(res, invariant) {
					t.Errorf("%s does not violate %s", mutant, invariant)
				}
			}
		})
	}
}

func (l lesson) check(t *testing.T, plan *Plan) {
	seen := map[string]bool{}
	runner := plan.NewRunner()
	for seed := uint64(1); seed <= 20; seed++ {
		res := runner.Run(seed)
		if !l.shown(res) {
			t.Errorf("%s, seed %d: the file does not show what it should", plan.Algorithm.Name, seed)
		}
		for name, f := range l.sometimes {
			seen[name] = seen[name] || f(res)
		}
	}
	for name := range l.sometimes {
		if !seen[name] {
			t.Errorf("%s: never seen: %s", plan.Algorithm.Name, name)
		}
	}
}

func violates(res *Result, invariant string) bool {
	for _, v := range res.Violations {
		if v.Invariant == invariant {
			return true
		}
	}
	return false
}

// says is whether a violation of an invariant says something.
func says(res *Result, invariant, detail string) bool {
	for _, v := range res.Violations {
		if v.Invariant == invariant && strings.Contains(v.Detail, detail) {
			return true
		}
	}
	return false
}

// TestResolvedFilesRunAlike: the resolved form of every file, as YAML and as JSON,
// is a scenario that gives the same run, and resolves to itself.
func TestResolvedFilesRunAlike(t *testing.T) {
	for _, l := range lessons() {
		for _, algorithm := range append(l.compared(), l.algorithms[0]) {
			plan := mustLoad(t, l.file, algorithm)
			want := plan.NewRunner().Run(plan.Seed).Digest
			yaml := resolvedText(t, plan)
			json, err := plan.MarshalJSON()
			if err != nil {
				t.Fatal(err)
			}
			for _, text := range []string{yaml, string(json)} {
				again := mustResolve(t, text)
				if got := again.NewRunner().Run(again.Seed).Digest; got != want {
					t.Errorf("%s under %s: the resolved form runs differently:\n%s", l.file, algorithm, text)
				}
				if got := resolvedText(t, again); got != yaml {
					t.Errorf("%s under %s: the resolved form resolves to something else:\n%s\ninstead of\n%s", l.file, algorithm, got, yaml)
				}
			}
		}
	}
}
