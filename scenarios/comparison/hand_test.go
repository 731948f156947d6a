package comparison

import (
	"context"
	"strings"
	"testing"

	"simrun/scenarios"
)

// The runs below are small enough to be worked out on paper; each says how. A measure
// that is not named must be absent or 0.

const ms = 1_000_000

// want is what the measures of a run have to be, by key.
type want map[string]int64

func (w want) and(more want) want {
	all := want{}
	for _, part := range []want{w, more} {
		for key, value := range part {
			all[key] = value
		}
	}
	return all
}

// absent is a measure that there must not be.
const absent = -1 << 62

func hold(t *testing.T, c *Comparison, algorithm string, w want) *Run {
	t.Helper()
	for i := range c.Algorithms {
		if a := &c.Algorithms[i]; a.Name == algorithm {
			run := &a.Runs[0]
			for _, m := range Measures() {
				got, expected := m.Of(&run.Measures), w[m.Key]
				_, named := w[m.Key]
				switch {
				case got == nil && named && expected != absent, got != nil && expected == absent:
					t.Errorf("%s: %s is absent: %t, want %d", algorithm, m.Key, got == nil, expected)
				case got != nil && *got != expected:
					t.Errorf("%s: %s is %d, want %d", algorithm, m.Key, *got, expected)
				}
			}
			for key := range w {
				if MeasureOf(key) == nil {
					t.Errorf("no measure is %s", key)
				}
			}
			return run
		}
	}
	t.Fatalf("no runs under %s", algorithm)
	return nil
}

// TestInTransit: P1 records at 8 ms; its marker is at P2 at 13 ms, and P2's at P1 at 23
// ms; a millisecond later P1's part is durable, the last one. One message was in flight.
// No node has two inputs, so that under ABS none waits for another, and no message is later
// than without snapshots. How many messages there are, and when, is the seed's doing.
func TestInTransit(t *testing.T) {
	c := compare(t, load(t, "in-transit.yaml"), nil, "chandy-lamport", "abs")
	for _, a := range c.Algorithms {
		run := a.Runs[0]
		hold(t, c, a.Name, want{
			"snapshots_triggered": 1, "snapshots_completed": 1,
			"latency_median_ns": 16 * ms, "latency_p99_ns": 16 * ms, "latency_max_ns": 16 * ms,
			"recorded_median_ns": 16 * ms, "recorded_p99_ns": 16 * ms, "recorded_max_ns": 16 * ms,
			"markers": 2, "channel_messages": 1, "channel_bytes": 32, "state_bytes": 2 * 24,
			"deliveries": 6, "virtual_time_ns": run.Result.VirtualTime, "throughput_per_ks": *run.Measures.Throughput,
		})
	}
	if c.DelayOf != "messages" {
		t.Errorf("the delay is of %s", c.DelayOf)
	}
}

// aligned has two sources, one of which is slow, and one node that waits for both
// barriers. Source k's number n leaves it at n-1 ms.
const aligned = `
graph: {nodes: [S1, S2, J], channels: [[S1, J], [S2, J]]}
app: {kind: sums, records: 10, every: 1ms}
network: {channels: {S1->J: {delay: {constant: 1ms}}, S2->J: {delay: {constant: 6ms}}}}
store: {write: {constant: 1ms}}
snapshots: {at: [3500us]}
`

// TestAlignment: both sources record at 3.5 ms, behind their number 4. Their barriers are
// at J at 4.5 and 9.5 ms, and J's part is durable at 10.5 ms.
//
// Without snapshots numbers leave J at 1, 2, ..., 10 ms (of S1) and 6, 7, ..., 15 ms (of
// S2). Under ABS those of S1 that come at 5 to 9 ms wait until 9.5 ms, so that the k-th to
// leave does so at
//
//	without: 1 2 3 4 5 6 6 7 7   8   8   9   9   10 10 11 12 13 14 15
//	with:    1 2 3 4 6 7 8 9 9.5 9.5 9.5 9.5 9.5 10 10 11 12 13 14 15
//
// Under Chandy-Lamport J records at 4.5 ms, and the four numbers of S2 that come before
// its marker are the state of that channel.
func TestAlignment(t *testing.T) {
	c := compare(t, parse(t, aligned), nil, "chandy-lamport", "abs")
	both := want{
		"snapshots_triggered": 1, "snapshots_completed": 1,
		"latency_median_ns": 7 * ms, "latency_p99_ns": 7 * ms, "latency_max_ns": 7 * ms,
		"recorded_median_ns": 7 * ms, "recorded_p99_ns": 7 * ms, "recorded_max_ns": 7 * ms,
		"markers": 2, "state_bytes": 3 * 24, "deliveries": 20, "virtual_time_ns": 15 * ms,
		"throughput_per_ks": 20_000_000 / 15,
	}
	cl := hold(t, c, "chandy-lamport", both.and(want{"channel_messages": 4, "channel_bytes": 4 * 32}))
	abs := hold(t, c, "abs", both.and(want{
		"blocked_ns": 5 * ms, "blocked_worst_ns": 5 * ms, "delay_p99_ns": 2.5 * ms, "delay_max_ns": 2.5 * ms,
	}))
	if cl.WorstNode != "" || abs.WorstNode != "J" || c.DelayOf != "outputs" {
		t.Errorf("worst: %q and %q; the delay is of %s", cl.WorstNode, abs.WorstNode, c.DelayOf)
	}
}

// TestAlignmentWithoutSinks: the same of an App that lets nothing leave, so that the delay
// is of messages. Those that would be processed on S1->J while it is blocked are so at 9.5
// ms, and no others are later than without snapshots.
func TestAlignmentWithoutSinks(t *testing.T) {
	s := parse(t, strings.Replace(aligned, "{kind: sums, records: 10, every: 1ms}", "{kind: bank, balance: 10000, transfers: 40, every: 250us}", 1))
	setup, err := Prepare(s, scenarios.Default(), Options{Algorithms: []string{"abs"}})
	if err != nil {
		t.Fatal(err)
	}
	var delays []int64
	held := 0
	for c, messages := range newWorker(setup.plans, nil, false).baseline(1).messages {
		for _, at := range messages {
			delay := int64(0)
			if c == 0 && at >= 4.5*ms && at < 9.5*ms {
				delay = 9.5*ms - at
				held++
			}
			delays = append(delays, delay)
		}
	}
	c := setup.Run(context.Background())
	want, got := spreadOf(delays), &c.Algorithms[0].Runs[0].Measures
	if c.DelayOf != "messages" || held < 5 || *got.DelayMedian != *want.median || *got.DelayP99 != *want.p99 || *got.DelayMax != *want.max {
		t.Errorf("%d of %d %s held: %d, %d, %d, want %d, %d, %d", held, len(delays), c.DelayOf,
			*got.DelayMedian, *got.DelayP99, *got.DelayMax, *want.median, *want.p99, *want.max)
	}
	if *got.Blocked != 5*ms {
		t.Errorf("blocked: %d", *got.Blocked)
	}
}

// TestTheSumOfBlockedInputs: two inputs of J wait for the third, one for 5 and one for 2
// ms, and at T the input from S1 waits for that from J. The worst node is the one with the
// greatest sum.
func TestTheSumOfBlockedInputs(t *testing.T) {
	c := compare(t, parse(t, `
graph: {nodes: [S1, S2, S3, J, T], channels: [[S1, J], [S2, J], [S3, J], [S1, T], [J, T]]}
app: {kind: sums, records: 10, every: 1ms}
network: {delay: {constant: 1ms}, channels: {S2->J: {delay: {constant: 4ms}}, S3->J: {delay: {constant: 6ms}}}}
snapshots: {at: [3500us]}
`), nil, "abs")
	run := &c.Algorithms[0].Runs[0]
	// J: from 4.5 and from 7.5 to 9.5 ms; T: S1's barrier from 4.5 ms to J's at 10.5 ms.
	if *run.Measures.Blocked != 13*ms || *run.Measures.BlockedWorst != 7*ms || run.WorstNode != "J" {
		t.Errorf("blocked: %d, at %s %d", *run.Measures.Blocked, run.WorstNode, *run.Measures.BlockedWorst)
	}
}

// crashing is a source and a sink: number n leaves S at n-1 ms and T at n ms. S records at
// 3.5 ms, behind its number 4, T at 4.5 ms, and the snapshot is complete at 5 ms.
const crashing = `
graph: {nodes: [S, T], channels: [[S, T]]}
app: {kind: sums, records: 10, every: 1ms}
network: {delay: {constant: 1ms}}
store: {write: {constant: 500us}}
snapshots: {at: [3500us]}
faults: [{crash: [T], at: 7200us, down: 1ms}]
`

// TestCrash: when T crashes S has read 8 numbers, and T 7. S reads the ninth at 8 ms; at
// 8.2 ms 5 of S and 3 of T are undone. S reads numbers 5 to 9 again at once, so that it is
// caught up 1 ms after the crash; T processes the fifth to ninth at 9.2 ms, and has 7 again
// 2 ms after the crash; numbers 5, 6 and 7 leave once more. The tenth leaves at 10 ms, as
// if nothing had happened.
func TestCrash(t *testing.T) {
	c := compare(t, parse(t, crashing), nil, "chandy-lamport", "abs", "no-snapshots")
	w := want{
		"snapshots_triggered": 1, "snapshots_completed": 1,
		"latency_median_ns": 1.5 * ms, "latency_p99_ns": 1.5 * ms, "latency_max_ns": 1.5 * ms,
		"recorded_median_ns": 1.5 * ms, "recorded_p99_ns": 1.5 * ms, "recorded_max_ns": 1.5 * ms,
		"markers": 1, "state_bytes": 2 * 24, "deliveries": 13, "virtual_time_ns": 10 * ms, "throughput_per_ks": 1_000_000,
		"recoveries": 1, "records_undone": 5, "messages_undone": 3,
		"caught_up_ns": 1 * ms, "messages_caught_up_ns": 2 * ms, "duplicates": 3,
	}
	hold(t, c, "chandy-lamport", w)
	hold(t, c, "abs", w)
	// What was read before is lost, all nine numbers; only the tenth comes through, and
	// leaves as the eighth after 7 that had left.
	hold(t, c, "no-snapshots", want{
		"deliveries": 8, "virtual_time_ns": 10 * ms, "throughput_per_ks": 800_000, "throughput_lost_ppm": 200_000,
		"latency_median_ns": absent, "recoveries": 1, "records_lost": 9, "records_undone": 9, "messages_undone": 7,
		"caught_up_ns": 1 * ms, "messages_caught_up_ns": absent,
	})
}

// TestCrashWhileCatchingUp: the second crash comes before the source has caught up, as it
// needs a millisecond for each number. The span goes on to where it had come by then.
//
// S is busy with number n until n ms; T processes it at n+1 ms. The snapshot is that of
// the beginning. At 4.5 ms S has begun with number 5; at 5 ms it begins again, with number n
// at 5+n-1 ms. At 7.5 ms it has begun with number 3 when T crashes again, until 8 ms; then
// number n begins at 8+n-1 ms, and the fifth at 12 ms: 7.5 ms after the first crash.
func TestCrashWhileCatchingUp(t *testing.T) {
	c := compare(t, parse(t, `
graph: {nodes: [S, T], channels: [[S, T]]}
app: {kind: sums, records: 10, every: 1us}
network: {delay: {constant: 1ms}}
service: {constant: 1ms}
snapshots: {every: 0ns}
faults: [{crash: [T], at: 4500us, down: 500us}, {crash: [T], at: 7500us, down: 500us}]
`), nil, "abs")
	run := &c.Algorithms[0].Runs[0]
	if m := &run.Measures; *m.Recoveries != 2 || *m.CaughtUp != 7.5*ms || *m.NeverCaughtUp != 0 || *m.RecordsUndone != 5+3 {
		t.Errorf("%d recoveries, %d records undone, caught up after %d, %d never", *m.Recoveries, *m.RecordsUndone, *m.CaughtUp, *m.NeverCaughtUp)
	}
}

// TestNeverCaughtUp: the coordinator may not restart, so that the run ends with the crash.
func TestNeverCaughtUp(t *testing.T) {
	c := compare(t, parse(t, strings.Replace(crashing, "snapshots: {at: [3500us]}", "coordinator: {interval: 3ms, restart: {strategy: none}}", 1)), nil, "abs")
	run := &c.Algorithms[0].Runs[0]
	if m := &run.Measures; *m.NeverCaughtUp != 1 || m.CaughtUp != nil || *m.Recoveries != 0 || m.Throughput != nil {
		t.Errorf("%d never caught up, %v, %v", *m.NeverCaughtUp, m.CaughtUp, m.Throughput)
	}
	if run.Verdict != "inconclusive" || c.ExitCode() != 3 {
		t.Errorf("%s, exit code %d", run.Verdict, c.ExitCode())
	}
}

// TestCoordinatorMessages: of a checkpoint the source is told to begin, both tasks
// acknowledge, and both are told that it is complete: 5 messages each.
func TestCoordinatorMessages(t *testing.T) {
	c := compare(t, parse(t, `
graph: {nodes: [S, T], channels: [[S, T]]}
app: {kind: sums, records: 10, every: 1ms}
coordinator: {interval: 4ms}
`), nil, "abs", "stop-the-world")
	for _, a := range c.Algorithms {
		m := &a.Runs[0].Measures
		if *m.Completed == 0 || *m.CoordinatorMessages != 5**m.Completed || *m.Completed != *m.Triggered {
			t.Errorf("%s: %d messages for %d of %d checkpoints", a.Name, *m.CoordinatorMessages, *m.Completed, *m.Triggered)
		}
	}
	if m := compare(t, parse(t, crashing), nil, "abs").Algorithms[0].Runs[0].Measures; m.CoordinatorMessages != nil {
		t.Error("there is no coordinator, and it sends messages")
	}
}

// TestHeldOutputs: what an algorithm attaches is counted apart from states.
func TestHeldOutputs(t *testing.T) {
	c := compare(t, load(t, "no-log-loop.yaml"), nil, "loop-hold-outputs", "abs")
	held, logged := &c.Algorithms[0].Runs[0].Measures, &c.Algorithms[1].Runs[0].Measures
	if *held.AttachedBytes == 0 || *held.ChannelMessages != 0 || *logged.ChannelMessages == 0 {
		t.Errorf("held: %d bytes attached, %d messages; logged: %d messages", *held.AttachedBytes, *held.ChannelMessages, *logged.ChannelMessages)
	}
}

// TestNothing: no record, no channel, or one node alone.
func TestNothing(t *testing.T) {
	complete := int64(0)
	for _, text := range []string{
		"graph: {nodes: [A]}\n", // nobody to send to, so that no record comes
		"graph: {nodes: [A, B]}\n",
		"graph: {nodes: [A], channels: [[A, A]]}\n",
		"graph: {nodes: [A, B], channels: [[A, B]]}\napp: {kind: sums}\nstop: {sources: {A: 0}}\n",
		"graph: {nodes: [A]}\napp: {kind: sums}\n",
	} {
		for _, more := range []string{"", "snapshots: {every: 0ns}\n", "order: chosen\n", "service: {constant: 1ms}\n"} {
			c := compare(t, parse(t, text+more), nil, "chandy-lamport", "abs")
			for _, a := range c.Algorithms {
				if a.Runs[0].Verdict != "holds" {
					t.Errorf("%s%s: %s under %s", text, more, a.Runs[0].Verdict, a.Name)
				}
				complete += *a.Runs[0].Measures.Completed
			}
			everyForm(t, c)
		}
	}
	if complete == 0 {
		t.Error("no snapshot was complete")
	}
}
