package scenarios

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"testing"

	"simrun/sim"
)

func exercisedBy(t *testing.T, file, algorithm string) Exercised {
	t.Helper()
	plan := mustLoad(t, file, algorithm)
	return plan.NewRunner().Run(plan.Seed).Exercised
}

func exercisedByText(t *testing.T, text string) Exercised {
	t.Helper()
	plan := mustResolve(t, text)
	return plan.NewRunner().Run(plan.Seed).Exercised
}

// TestExercisedByFiles: every count in a run that has it, and zero in one that has not.
func TestExercisedByFiles(t *testing.T) {
	for _, c := range []struct {
		file, algorithm string
		want            Exercised
	}{
		{"abilene-bank.yaml", "", Exercised{ChannelStates: 2, CrashesWhileOpen: 1, SnapshotRestores: 1, Requeues: 1}},
		{"wordcount-crash.yaml", "", Exercised{Alignments: 6, CrashesWhileOpen: 1, SnapshotRestores: 1}},
		{"even-odd-sums.yaml", "", Exercised{Alignments: 4, SnapshotRestores: 1}},
		{"loop-crash.yaml", "", Exercised{BackupLogs: 3, CrashesWhileOpen: 1, SnapshotRestores: 2, Replays: 2}},
		{"loop-crash.yaml", "chandy-lamport", Exercised{ChannelStates: 3, CrashesWhileOpen: 1, SnapshotRestores: 2, Requeues: 2}},
		{"concurrent-snapshots.yaml", "", Exercised{ChannelStates: 4, Overlaps: 4}},
		{"no-snapshot-yet.yaml", "", Exercised{ChannelStates: 1, CrashesWhileOpen: 1, InitialRestores: 1}},
	} {
		if got := exercisedBy(t, c.file, c.algorithm); got != c.want {
			t.Errorf("%s under %q: %v, want %v", c.file, c.algorithm, got, c.want)
		}
	}
}

// TestCrashesWhileRecovering: a crash counts between another one and the restore, and
// in the restore itself; not if it comes at the same instant as the other, and not
// after the restore.
func TestCrashesWhileRecovering(t *testing.T) {
	for faults, want := range map[string]int64{
		"{crash: n1, at: 70ms, down: 10ms}, {crash: n2, at: 75ms}":                              1,
		"{crash: n1, at: 70ms, down: 10ms}, {crash: n1, at: 75ms}":                              1, // it is down already
		"{crash: n1, at: 70ms, down: 10ms}, {crash: [n2, n3], at: 75ms}, {crash: n0, at: 77ms}": 2,
		"{crash: n1, at: 70ms, down: 10ms}, {crash: n1, at: 75ms, after-outputs: 0}":            1, // in its Recover
		"{crash: n1, at: 70ms, down: 0ns}, {crash: n1, at: 70ms, after-outputs: 0}":             1,
		"{crash: [n1, n2], at: 70ms, down: 10ms}":                                               0,
		"{crash: n1, at: 70ms, down: 10ms}, {crash: n2, at: 70ms}":                              0,
		"{crash: n1, at: 70ms, down: 10ms}, {crash: n2, at: 81ms}":                              0,
	} {
		if got := exercisedByText(t, "faults: ["+faults+"]"); got.CrashesWhileRecovering != want {
			t.Errorf("%s: %v, want %d crashes during a recovery", faults, got, want)
		}
	}
}

// TestCrashesWhileOpen: a snapshot is open when a node has recorded it and until it is
// complete. What happens at the instant of the crash does not count, if it is not the
// crashed node that recorded.
func TestCrashesWhileOpen(t *testing.T) {
	for fault, want := range map[string]int64{
		"{crash: n0, when: {phase: recorded, snapshot: 1}}":             1, // the first to record
		"{crash: [n0, n3], when: {phase: recorded, snapshot: 1}}":       1, // one crash
		"{crash: n3, when: {phase: before-record, snapshot: 1}}":        1,
		"{crash: n0, when: {phase: before-record, snapshot: 1}}":        0,
		"{crash: n3, at: 50ms}":                                         0, // the trigger comes after it
		"{crash: n3, at: 49ms}":                                         0,
		"{crash: n3, at: 90ms}":                                         0,
		"{crash: n3, at: 51ms, down: 90ms}, {crash: n2, at: 60ms}":      2,
		"{crash: n3, at: 49ms, down: 20ms}, {crash: n2, at: 50500us}":   1,
		"{crash: n3, at: 51ms, down: 1ms}, {crash: n2, at: 53ms}":       1, // it was aborted between them
		"{crash: n3, at: 51ms, down: 0ns}, {crash: n2, at: 51000001ns}": 1,
	} {
		if got := exercisedByText(t, "faults: ["+fault+"]"); got.CrashesWhileOpen != want {
			t.Errorf("%s: %v, want %d crashes in the middle of a snapshot", fault, got, want)
		}
	}
}

// TestOverlaps: also with snapshots that are not next to each other, and not over a
// restore.
func TestOverlaps(t *testing.T) {
	snapshot := func(incarnation uint8, triggered, completed int64) *sim.Snapshot {
		s := &sim.Snapshot{Incarnation: incarnation, TriggeredAt: triggered, StartedAt: triggered, CompletedAt: completed, Status: sim.Complete}
		if completed < 0 {
			s.Status = sim.Aborted
		}
		return s
	}
	unheard := snapshot(0, 12, -1)
	unheard.StartedAt = -1
	for _, c := range []struct {
		name      string
		snapshots []*sim.Snapshot
		want      int64
	}{
		{"one after the other", []*sim.Snapshot{snapshot(0, 10, 20), snapshot(0, 20, 30), snapshot(0, 31, 40)}, 0},
		{"two of three", []*sim.Snapshot{snapshot(0, 10, 20), snapshot(0, 19, 30), snapshot(0, 31, 40)}, 2},
		{"a chain", []*sim.Snapshot{snapshot(0, 10, 20), snapshot(0, 19, 30), snapshot(0, 29, 40)}, 3},
		{"one around two", []*sim.Snapshot{snapshot(0, 10, 90), snapshot(0, 20, 30), snapshot(0, 40, 50)}, 3},
		{"one that is aborted", []*sim.Snapshot{snapshot(0, 10, -1), snapshot(0, 20, 30), snapshot(1, 40, 50)}, 2},
		{"aborted before the next", []*sim.Snapshot{snapshot(0, 10, -1), snapshot(1, 20, 30)}, 0},
		{"one that nobody recorded", []*sim.Snapshot{snapshot(0, 10, 20), unheard, snapshot(0, 30, 40)}, 0},
		{"round one that nobody recorded", []*sim.Snapshot{snapshot(0, 10, 20), unheard, snapshot(0, 15, 40)}, 2},
	} {
		var got Exercised
		if got.addOverlaps(c.snapshots, endings(c.snapshots, nil)); got.Overlaps != c.want {
			t.Errorf("%s: %d, want %d", c.name, got.Overlaps, c.want)
		}
	}
}

// TestExercisedNames: the counts have one name each, the same in JSON, in scenarios
// and in messages, and none is forgotten.
func TestExercisedNames(t *testing.T) {
	var x Exercised
	var names []string
	for i, e := range x.exercises() {
		names = append(names, e.name)
		*e.count = int64(i + 1)
	}
	if json, yaml := keysOfJSON(x), keys(reflect.TypeOf(x)); !slices.Equal(names, json) || !slices.Equal(names, yaml) {
		t.Errorf("%v, in JSON %v, in scenarios %v", names, json, yaml)
	}
	for i := range reflect.TypeOf(x).NumField() {
		if got := reflect.ValueOf(x).Field(i).Int(); got != int64(i+1) {
			t.Errorf("%s counts another field: %d", names[i], got)
		}
	}
}

// TestSweepExercised: a sweep has the sums of its runs.
func TestSweepExercised(t *testing.T) {
	plan := mustLoad(t, "abilene-bank.yaml", "")
	runner := plan.NewRunner()
	var want Exercised
	completed := int64(0)
	for seed := uint64(3); seed <= 12; seed++ {
		res := runner.Run(seed)
		want.Add(&res.Exercised)
		for _, s := range res.Snapshots {
			completed += one(s.Completed != nil)
		}
	}
	sweep := plan.Sweep(context.Background(), 3, 12, 2, nil)
	if sweep.Exercised != want || sweep.Completed != completed || want.ChannelStates < 20 || want.Requeues != 10 {
		t.Errorf("%d snapshots, %v; the runs have %d, %v", sweep.Completed, sweep.Exercised, completed, want)
	}
}

// TestSweepOfNothing: a sweep says so if its runs show nothing.
func TestSweepOfNothing(t *testing.T) {
	for text, want := range map[string]string{
		"snapshots: {every: 0ns}":                                 "exercised: nothing\nnote: no snapshot completed, so that none was judged\n",
		"snapshots: {every: 0ns}\nfaults: [{crash: n1, at: 9ms}]": "exercised: 3 restores from the initial state\nnote: no snapshot completed",
		"network: {delay: {constant: 1ns}}":                       "exercised: nothing\nnote: the snapshots had nothing to get wrong: ",
		"version: 1":                                              "messages in flight\ndigest: ",
	} {
		var b strings.Builder
		sweep := mustResolve(t, text).Sweep(context.Background(), 1, 3, 1, nil)
		if err := sweep.WriteText(&b); err != nil || sweep.Holds != 3 || !strings.Contains(b.String(), want) {
			t.Errorf("%v: %s has no %q", err, b.String(), want)
		}
	}
}

// TestExpectExercised: an expectation is met by as many and by more, and says what is
// missing.
func TestExpectExercised(t *testing.T) {
	const scenario = "snapshots: {at: [50ms, 100ms]}\nfaults: [{crash: n1, at: 90ms}]\nexpect: {exercised: "
	for counts, unmet := range map[string][]string{
		"{}": nil,
		"{channel_states: 1, snapshot_restores: 1, replays: 0}": nil,
		"{channel_states: 2, requeues: 1}":                      nil,
		"{alignments: 1, channel_states: 1, replays: 1}": {
			"0 alignments that blocked, expected at least 1", "0 restores with a log to replay, expected at least 1"},
	} {
		plan := mustResolve(t, scenario+counts+"}")
		res := plan.NewRunner().Run(1)
		if !slices.Equal(res.Unmet, unmet) || *res.Expected != (unmet == nil) {
			t.Errorf("%s: unmet is %q, want %q; %v", counts, res.Unmet, unmet, res.Exercised)
		}
		if good := plan.NewRunner().Outcome(1).Good; good != (unmet == nil) {
			t.Errorf("%s: a sweep says %v", counts, good)
		}
		text := resolvedText(t, plan)
		if again := resolvedText(t, mustResolve(t, text)); again != text {
			t.Errorf("%s\nresolves to\n%s", text, again)
		}
	}
}
