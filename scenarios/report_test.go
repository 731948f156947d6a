package scenarios

import (
	"encoding/json"
	"strings"
	"testing"
)

// reported is a result with something of everything.
func reported() *Result {
	number := func(n int64) *int64 { return &n }
	id := func(n uint32) *uint32 { return &n }
	no, channel := false, int32(4)
	return &Result{
		Scenario: "a b.yaml", Seed: 18446744073709551615, Algorithm: "abs", Order: timed, App: "loop", Graph: "inline", Nodes: 6, Channels: 1,
		Verdict: Violated, Expected: &no, Unmet: []string{"the verdict is violated, expected holds"}, End: "quiescent",
		Digest: digest(1), ApplicationDigest: digest(0xfedcba9876543210), VirtualTime: 1_234_567_890, Steps: 99, Deliveries: 1, LostRecords: 2,
		Exercised: Exercised{ChannelStates: 1, Alignments: 2, CrashesWhileOpen: 1, InitialRestores: 2},
		Checks:    []string{"fifo", "recovery"},
		Snapshots: []SnapshotResult{
			{ID: 1, Initiators: []string{"a"}, Started: number(0), Completed: number(20_050_000), Markers: 7, ChannelMessages: 3, Blocked: 999, Swaps: number(42), Verdict: Holds},
			{ID: 2, Initiators: []string{"a", "b", "c", "d", "e", "f"}, Started: number(30_000_001), Markers: 1, Verdict: "aborted"},
			{ID: 3, Initiators: []string{"a"}, Verdict: "pending"},
		},
		Recoveries: []RecoveryResult{
			{CrashedAt: 25_000_000, At: 30_000_000, Incarnation: 1, Snapshot: id(1), Crashed: []string{"a", "b"}, Aborted: []uint32{2}, UndoneMessages: 1, UndoneRecords: 4, Replayed: 3, Verdict: Holds},
			{CrashedAt: 60_000_000, At: 61_000_000, Incarnation: 2, Crashed: []string{"c"}, Verdict: Violated, Because: "after the first illegal event: fifo"},
		},
		UnfiredFaults: []string{"crash d at 9s"},
		Violations: []ViolationResult{
			{Invariant: "fifo", Snapshot: id(1), Channel: &channel, Numbers: []uint32{5}, Detail: "the first"},
			{Invariant: "fifo", Snapshot: id(1), Detail: "the second"}, {Invariant: "fifo", Snapshot: id(1), Detail: "the third"},
			{Invariant: "fifo", Snapshot: id(1), Detail: "the fourth"}, {Invariant: "fifo", Snapshot: id(3), Detail: "the fifth, of another snapshot"},
			{Invariant: "recovery", Detail: "another, S_c = 3"},
		},
		MoreViolated: 10,
		Reproduce:    (&Plan{Name: "a b.yaml", Algorithm: &Algorithm{Name: "abs"}, program: "simrun"}).reproduce(18446744073709551615),
	}
}

func TestReport(t *testing.T) {
	const want = `a b.yaml: abs, seed 18446744073709551615, order timed
loop on inline: 6 nodes, 1 channel

snapshots
  id  initiators     started  completed  markers  stored  blocked  swaps  verdict
  1   a              0ns      20.05ms    7        3       999ns    42     holds
  2   a, b, c, d +2  30ms     -          1        0       0ns      -      aborted
  3   a              -        -          0        0       0ns      -      pending

recoveries
  crashed  at    restored  from               undone                 replayed    verdict
  a, b     25ms  30ms      snapshot 1         1 message, 4 records   3 messages  holds
  c        60ms  61ms      the initial state  0 messages, 0 records  0 messages  violated: after the first illegal event: fifo

never fired: crash d at 9s

violations, the first wrong event first
  fifo: the first
  fifo: the second
  fifo: the third
  fifo: the fifth, of another snapshot
  recovery: another, S_c = 3
  and 11 more
  (S_c: how many messages the sender had sent on the channel when it recorded;
  R_c: how many of them the receiver had processed when it recorded)

lost, as replay: none says: 2 records

1 message delivered in 1.234s of virtual time; the run ended because nothing was left to do
exercised: 1 snapshot with messages in flight, 2 alignments that blocked, 1 crash in the middle of a snapshot, 2 restores from the initial state
checked: fifo, recovery
digest: 0000000000000001, of the application alone: fedcba9876543210
verdict: violated, not as expected
  not as expected: the verdict is violated, expected holds
reproduce: simrun run 'a b.yaml' --seed 18446744073709551615 --algorithm abs
`
	var b strings.Builder
	if err := reported().WriteText(&b); err != nil || b.String() != want {
		t.Errorf("%v\n%s", err, b.String())
	}
}

// TestResultJSON: the names that the commands promise, null where there is nothing,
// and integers in full.
func TestResultJSON(t *testing.T) {
	text := string(asJSON(reported()))
	for _, part := range []string{
		`"scenario":"a b.yaml","seed":18446744073709551615,"algorithm":"abs"`,
		`"verdict":"violated","expected":false`,
		`"digest":"0000000000000001","application_digest":"fedcba9876543210","virtual_time_ns":1234567890`,
		`"deliveries":1`, `"exercised":{"channel_states":1,"alignments":2,"backup_logs":0,"overlaps":0,"crashes_while_open":1,"crashes_while_recovering":0,"snapshot_restores":0,"initial_restores":2,"requeues":0,"replays":0,"partial_restores":0,"drops":0,"timeouts":0,"declines":0,"not_ready":0,"late_acknowledgements":0,"subsumed":0,"savepoints":0,"coordinator_crashes":0,"restores_ordered":0,"finished":0}`, `"checks":["fifo","recovery"]`,
		`"started_ns":30000001,"completed_ns":null,"markers":1,"channel_messages":0,"blocked_ns":0,"swaps":null,"verdict":"aborted"`,
		`"at_ns":30000000`, `"snapshot":1,"crashed":["a","b"]`, `"snapshot":null,"crashed":["c"]`,
		`{"invariant":"fifo","snapshot":1,`, `"channel":4,"numbers":[5],"detail":"the first"}`, `"invariant":"recovery","snapshot":null`,
		`"verdict":"violated","because":"after the first illegal event: fifo"`,
	} {
		if !strings.Contains(text, part) {
			t.Errorf("no %s in\n%s", part, text)
		}
	}
	// Lists are lists, even if they are empty, and nothing expected is null.
	var empty map[string]json.RawMessage
	if err := json.Unmarshal(asJSON(mustResolve(t, "snapshots: {every: 0ns}").NewRunner().Run(1)), &empty); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"snapshots", "recoveries", "violations", "unfired_faults"} {
		if string(empty[name]) != "[]" {
			t.Errorf("%s is %s", name, empty[name])
		}
	}
	if string(empty["expected"]) != "null" {
		t.Errorf("expected is %s", empty["expected"])
	}
}

func TestShellWord(t *testing.T) {
	for word, want := range map[string]string{"a/b-1.yaml": "a/b-1.yaml", "a b": "'a b'", "it's": `'it'\''s'`, "": "''", "$x": "'$x'",
		"\x1b[31m it's\\\u202e\xff": `$'\033[31m\040it\047s\134\342\200\256\377'`} {
		if got := ShellWord(word); got != want {
			t.Errorf("%s: %s, want %s", word, got, want)
		}
	}
}

func TestClosest(t *testing.T) {
	names := []string{"seed", "steps", "stop", "snapshots"}
	for word, want := range map[string]string{"sed": "seed", "Seed": "seed", "step": "steps", "sotp": "stop", "snap": "snapshots", "xyz": "", "": ""} {
		if got := Closest(word, names); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
	if got := Closest("K", []string{"a", "k"}); got != "k" {
		t.Errorf("K: %q", got)
	}
	if got := Closest("K", []string{"a", "b"}); got != "" {
		t.Errorf("K: %q, another letter", got)
	}
}
