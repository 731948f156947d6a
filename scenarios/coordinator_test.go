package scenarios

import (
	"strings"
	"testing"
)

// TestCoordinatorDefaults: an empty section is a coordinator, none is none.
func TestCoordinatorDefaults(t *testing.T) {
	const want = `coordinator:
  interval: 30ms
  min_pause: 0ns
  timeout: 10m
  max_concurrent: 1
  tolerable: 0
  retained: 1
  restart: {strategy: fixed-delay, delay: 1ms}
  recovery: whole
  control: {delay: {uniform: [1ms, 3ms]}}
`
	text := resolvedText(t, mustResolve(t, "coordinator: {}\nsnapshots: {every: 30ms}"))
	if !strings.Contains(text, want) || !strings.Contains(text, "read: {uniform: [1ms, 3ms]}") {
		t.Errorf("resolves to\n%s", text)
	}
	if text := resolvedText(t, mustResolve(t, "coordinator:")); strings.Contains(text, "coordinator") {
		t.Errorf("resolves to\n%s", text)
	}
}

// TestCoordinatorCounts: every count of what a coordinator did, in a run that has it.
func TestCoordinatorCounts(t *testing.T) {
	const graph = "algorithm: abs\ngraph: {generate: dataflow, parallelism: 2}\napp: {kind: dataflow}\n"
	for _, c := range []struct {
		text string
		got  func(Exercised) int64
	}{
		{"coordinator: {interval: 20ms, timeout: 5ms, tolerable: 99}", func(x Exercised) int64 { return x.Timeouts }},
		{"coordinator: {interval: 20ms, timeout: 5ms, tolerable: 99}", func(x Exercised) int64 { return x.LateAcknowledgements }},
		{"coordinator: {interval: 20ms, tolerable: 99}\nstore: {fail: 50%}", func(x Exercised) int64 { return x.Declines }},
		{"coordinator: {interval: 3ms, max_concurrent: 5, control: {lose: 10%}}", func(x Exercised) int64 { return x.Subsumed }},
		{"coordinator: {savepoints: [30ms]}", func(x Exercised) int64 { return x.Savepoints }},
		{"coordinator: {interval: 20ms}\nfaults: [{crash: coordinator, at: 50ms}]", func(x Exercised) int64 { return x.CoordinatorCrashes }},
		{"coordinator: {interval: 20ms}\nfaults: [{crash: source-0, at: 50ms}]", func(x Exercised) int64 { return x.RestoresOrdered }},
	} {
		if got := c.got(exercisedByText(t, graph+c.text)); got == 0 {
			t.Errorf("%s: never", c.text)
		}
		if got := c.got(exercisedByText(t, graph+"coordinator: {interval: 40ms}")); got != 0 {
			t.Errorf("without any of it: %d, against %s", got, c.text)
		}
	}
}

// TestGivingUp: when the restart strategy allows no more the run ends there, and nobody
// can tell how it would have gone on.
func TestGivingUp(t *testing.T) {
	for _, restart := range []string{"{strategy: none}", "{limit: 1}", "{strategy: failure-rate, limit: 1, per: 50ms}", "{strategy: exponential, limit: 1}"} {
		plan := mustResolve(t, "coordinator: {interval: 20ms, restart: "+restart+"}\nfaults: [{crash: n1, at: 50ms}, {crash: n2, at: 80ms}]")
		res := plan.NewRunner().Run(1)
		if res.Verdict != Inconclusive || res.End != "gave-up" || !res.Coordinator.GaveUp || !strings.Contains(res.ending(), "allows no more restarts") {
			t.Errorf("%s: %s, ended %s", restart, res.Verdict, res.End)
		}
	}
	plan := mustResolve(t, "coordinator: {interval: 20ms, restart: {strategy: failure-rate, limit: 1, per: 15ms}}\nfaults: [{crash: n1, at: 50ms}, {crash: n2, at: 80ms}]")
	if res := plan.NewRunner().Run(1); res.Verdict != Holds || len(res.Recoveries) != 2 {
		t.Errorf("the first restart is forgotten before the second: %s, %d recoveries", res.Verdict, len(res.Recoveries))
	}
}

// TestCountsAnew: how often the graph was restarted a coordinator that has crashed does not
// know any more. Its own restart is the first that it counts; so there are no more than so
// many for each of its crashes, and the run ends.
func TestCountsAnew(t *testing.T) {
	const crashes = "n1, at: 40ms}, {crash: n2, at: 55ms}, {crash: coordinator, at: 70ms}, {crash: n1, at: 85ms}, {crash: coordinator, at: 100ms}, {crash: n2, at: 115ms}, {crash: n1, at: 130ms}"
	plan := mustResolve(t, "coordinator: {interval: 10ms, restart: {limit: 2}}\nfaults: [{crash: "+crashes+"]\nstop: {at: 160ms}")
	res := plan.NewRunner().Run(1)
	if res.End != "gave-up" || len(res.Recoveries) != 2+2+2 || res.Coordinator.Crashes != 2 {
		t.Errorf("ended %s, %d recoveries, %d crashes of the coordinator", res.End, len(res.Recoveries), res.Coordinator.Crashes)
	}
	if without := mustResolve(t, "coordinator: {interval: 10ms, restart: {limit: 2}}\nfaults: [{crash: "+strings.ReplaceAll(crashes, "coordinator", "n0")+"]\nstop: {at: 160ms}").NewRunner().Run(1); without.End != "gave-up" || len(without.Recoveries) != 2 {
		t.Errorf("without crashes of the coordinator: ended %s, %d recoveries", without.End, len(without.Recoveries))
	}
}

// TestOutcomes: what becomes of a checkpoint, and whose doing it was.
func TestOutcomes(t *testing.T) {
	const graph = "algorithm: abs\ngraph: {generate: dataflow, parallelism: 2}\napp: {kind: dataflow}\n"
	for outcome, text := range map[string]string{
		outcomeStored:   "coordinator: {interval: 20ms}",
		outcomeRetired:  "coordinator: {interval: 20ms}",
		outcomeTimeout:  "coordinator: {interval: 20ms, timeout: 5ms}",
		outcomeDeclined: "coordinator: {interval: 20ms}\nstore: {fail: {snapshots: [2]}}",
		outcomeCrash:    "coordinator: {interval: 20ms}\nfaults: [{crash: sink-1, when: {phase: recorded}}]",
		outcomeNotReady: "coordinator: {interval: 10ms, recovery: partial, tolerable: 100, timeout: 0ns}\norder: chosen\nstop: {at: 2000}\nfaults: [{crash: source-1, step: 900}]",
		outcomeRestart:  "coordinator: {interval: 3ms, max_concurrent: 4}\nstore: {fail: {snapshots: [2]}}",
		outcomeForgot:   "coordinator: {interval: 20ms}\nfaults: [{crash: coordinator, at: 24ms}]",
		outcomeSubsumed: "coordinator: {interval: 3ms, max_concurrent: 5, control: {lose: 10%}}",
		outcomePending:  "coordinator: {interval: 20ms, timeout: 0ns, control: {lose: {messages: [2]}}}",
	} {
		res := mustResolve(t, graph+text).NewRunner().Run(1)
		if came(res, outcome) == 0 {
			t.Errorf("%s: no checkpoint is %s: %+v", text, outcome, res.Coordinator.Checkpoints)
		}
		for _, c := range res.Coordinator.Checkpoints {
			if named := c.Node != nil; named != (c.Outcome == outcomeDeclined || c.Outcome == outcomeNotReady || c.Outcome == outcomeCrash) {
				t.Errorf("%s: checkpoint %d is %s, with a node: %v", text, c.ID, c.Outcome, named)
			}
		}
	}
	if got := len(Outcomes()); got != 10 {
		t.Errorf("%d outcomes", got)
	}
}

// TestMergeInTurnReplays: a node that reads its inputs in turn sends the same again, and
// drops what comes once more on an input that it does not accept anything from. An aligned
// barrier can wait for such a node for ever, hence the timeout.
func TestMergeInTurnReplays(t *testing.T) {
	plan := mustResolve(t, `algorithm: abs
graph:
  nodes: [left, right, merge, count, out, side]
  channels: [[left, merge], [right, merge], [merge, count], [count, out], [side, out]]
app: {kind: zip}
network: {delay: {uniform: [1ms, 5ms]}}
coordinator: {interval: 40ms, timeout: 30ms, recovery: partial, tolerable: 1000}
faults: [{crash: merge, at: 85ms}, {crash: right, at: 135ms}]
stop: {at: 179ms}`)
	sum := plan.Sweep(t.Context(), 1, 100, 2, nil)
	if x := sum.Exercised; sum.Holds != 100 || x.PartialRestores != 200 || x.Drops < 1000 || x.SnapshotRestores < 20 {
		t.Errorf("%d hold: %v", sum.Holds, x)
	}
}
