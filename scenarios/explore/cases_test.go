package explore

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"testing"

	"simrun/scenarios"
	"simrun/scenarios/documented"
	"simrun/sim"
)

// TestNoDeadlockThatIsNone: a token goes round a ring of three, node 0 has it and has
// initiated. Two steps are enabled then, and a state is an end only if none is: the engine
// comes to rest there, too, and says why everybody waits.
func TestNoDeadlockThatIsNone(t *testing.T) {
	plan := resolve(t, `
version: 1
order: chosen
graph: {generate: ring, nodes: 3}
app: {kind: loop, records: 1, hops: 3}
snapshots: {at: [1], initiators: [n0]}
`, "chandy-lamport")
	x := explorerOf(t, plan, Options{Full: true})
	row := make([]uint32, x.states.width)
	steps := x.enabledIn(row, nil)
	i := slices.IndexFunc(steps, func(s enabledStep) bool { return s.own.step.Kind == sim.StepInitiate })
	x.apply(row, &steps[i])
	var got []sim.Step
	for _, s := range x.enabledIn(row, nil) {
		if s.input < 0 {
			got = append(got, s.own.step)
		} else {
			got = append(got, sim.Step{Kind: sim.StepDeliver, Entity: x.nodes[s.node].inputs[s.input]})
		}
	}
	want := []sim.Step{{Kind: sim.StepExternal, Entity: 0}, {Kind: sim.StepDeliver, Entity: 0}}
	if !slices.Equal(got, want) {
		t.Errorf("enabled are %v, want the token's first step at node 0 and the marker for node 1", got)
	}

	// A node that forgets a marker: the run comes to rest too early, and that is said.
	result := found(t, resolveRing(t, "forgotten-output"))
	if v := result.Violation; v == nil || !slices.Equal(v.Violates, []string{"termination"}) || !strings.Contains(v.Details[0], "waits for its marker on channel") {
		t.Errorf("the first violation is %+v", v)
	}
	if result := found(t, resolveRing(t, "chandy-lamport")); result.Violation != nil || !result.Finished {
		t.Errorf("the right algorithm: %+v", result.Violation)
	}
}

func resolveRing(t *testing.T, algorithm string) *explorer {
	return explorerOf(t, resolve(t, "version: 1\norder: chosen\ngraph: {generate: ring, nodes: 3}\napp: {kind: loop, records: 1, hops: 3}\nsnapshots: {at: [1]}\n", algorithm), Options{})
}

func found(t *testing.T, x *explorer) *Result {
	t.Helper()
	result, err := Run(context.Background(), x.plan, x.options)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// TestAllSnapshotsThatCouldBeRecorded: an exercise. P, Q and R send each other messages
// that are given, and P takes a snapshot: list all that could come of it. The list is that
// of all schedules one after the other. Aligned barriers leave every channel empty.
func TestAllSnapshotsThatCouldBeRecorded(t *testing.T) {
	const exercise = `
version: 1
order: chosen
graph: {nodes: [P, Q, R], channels: [[P, Q], [Q, P], [P, R]]}
app: {kind: bank, balance: 5, amount: 1, transfers: 1}
snapshots: {at: [1], initiators: [P]}
`
	plan := resolve(t, exercise, "chandy-lamport")
	want, schedules := everySchedule(t, explorerOf(t, plan, Options{}))
	result := found(t, explorerOf(t, plan, Options{Snapshots: true}))
	inFlight := 0
	for _, s := range result.Recorded {
		for _, messages := range s.Channels {
			inFlight += len(messages)
		}
		if len(s.Violates) > 0 {
			t.Errorf("%v is violated: %v", s, s.Violates)
		}
	}
	if !result.Finished || len(result.Recorded) != len(want) || len(want) < 5 || inFlight == 0 {
		t.Errorf("%d snapshots, %d messages in channels; %d schedules record %d", len(result.Recorded), inFlight, schedules, len(want))
	}
	t.Logf("%d schedules, %d snapshots", schedules, len(want))

	aligned := strings.Replace(exercise, ", [Q, P]", ", [R, Q]", 1)
	result = found(t, explorerOf(t, resolve(t, aligned, "abs"), Options{Snapshots: true}))
	for _, s := range result.Recorded {
		for _, messages := range s.Channels {
			if len(messages) > 0 {
				t.Errorf("ABS records %v", s)
			}
		}
	}
	if !result.Finished || len(result.Recorded) < 3 {
		t.Errorf("ABS records %d snapshots", len(result.Recorded))
	}
}

// TestTwoBackEdges: logging every back-edge until all have brought their barriers is wrong
// as soon as there are two, and the right algorithm is right in every schedule. With and
// without reduction the shortest schedule that shows it is as long.
func TestTwoBackEdges(t *testing.T) {
	right := explorerOf(t, loaded(t, "two-back-edges.yaml", ""), Options{})
	if result := found(t, right); result.Verdict != "holds" || result.Snapshots < 10 {
		t.Errorf("ABS: %s, %d snapshots", result.Verdict, result.Snapshots)
	}
	var steps []int
	for _, full := range []bool{true, false} {
		result := found(t, explorerOf(t, loaded(t, "two-back-edges.yaml", "log-until-last-barrier"), Options{Full: full}))
		v := result.Violation
		if v == nil || !slices.Contains(v.Violates, "channel-state") || !v.Shortest || len(v.Schedule) != v.Steps {
			t.Fatalf("without reduction %t: %+v", full, v)
		}
		steps = append(steps, v.Steps)
	}
	if steps[0] != steps[1] {
		t.Errorf("%d steps are the fewest, with reduction %d", steps[0], steps[1])
	}
}

// TestLimits: what stops a search is said, and is no verdict.
func TestLimits(t *testing.T) {
	plan := loaded(t, "complete-3.yaml", "")
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	for _, test := range []struct {
		options Options
		ctx     context.Context
		by      string
		exit    int
	}{
		{Options{MaxStates: 2000, Full: true}, context.Background(), "--max-states", 3},
		{Options{MaxDepth: 5, Full: true}, context.Background(), "--max-depth", 3},
		{Options{Time: 1, Full: true}, context.Background(), "--time", 3},
		{Options{Full: true}, ended, "interrupted", 130},
	} {
		result, err := Run(test.ctx, plan, test.options)
		if err != nil {
			t.Fatal(err)
		}
		if result.Finished || result.StoppedBy != test.by || result.ExitCode() != test.exit || result.Verdict != "inconclusive" {
			t.Errorf("%+v: %+v, exit %d", test.options, result, result.ExitCode())
		}
	}
	if result, _ := Run(context.Background(), loaded(t, "two.yaml", "no-channel-state"), Options{MaxDepth: 8}); result.ExitCode() != 1 {
		t.Errorf("a violation that is found before the limit: %+v", result)
	}
}

// TestLimitOfSteps: the limit of steps is one of single runs: schedules are longer, and so is
// the run of a violation that is kept.
func TestLimitOfSteps(t *testing.T) {
	const text = "order: chosen\ngraph: {generate: complete, nodes: 2}\napp: {kind: tokens, tokens: 1, sends: 1}\nsnapshots: {any: 1, initiators: [n0]}\nsteps: 3\nstop: {at: 2}"
	result, err := Run(context.Background(), resolve(t, text, "chandy-lamport"), Options{})
	if err != nil || !result.Finished || result.Verdict != "holds" || result.Depth < 5 {
		t.Errorf("%+v, %v", result, err)
	}
	result, err = Run(context.Background(), resolve(t, text, "no-channel-state"), Options{})
	if err != nil || result.Violation == nil {
		t.Fatalf("%+v, %v", result, err)
	}
	if r, err := result.Reproducer(scenarios.Default(), "test"); err != nil || r == nil || r.Violation == nil {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestEndsSoon: a search ends soon after it is told to, also where thousands of steps are
// possible in each state.
func TestEndsSoon(t *testing.T) {
	plan := resolve(t, "order: chosen\ngraph: {generate: ring, nodes: 400}\nsnapshots: {any: 1}", "")
	ctx, cancel := context.WithCancel(context.Background())
	result, err := Run(ctx, plan, Options{Full: true, Progress: func(states int64) {
		if states > 1 {
			cancel()
		}
	}})
	if err != nil || result.StoppedBy != "interrupted" || result.Transitions > 4*lookAfter {
		t.Errorf("%+v, %v", result, err)
	}
}

// TestJSONIsDocumented: docs/json.md has the fields, and no others.
func TestJSONIsDocumented(t *testing.T) {
	for title, value := range map[string]any{
		"## explore": Result{}, "### The object reduction": Reduction{}, "### An entry of outcomes": Outcome{},
		"### The object violation": Violation{}, "### An entry of explored snapshots": Snapshot{},
	} {
		got := documented.Names(t, "json.md", title)
		var want []string
		for _, f := range reflect.VisibleFields(reflect.TypeOf(value)) {
			if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" {
				want = append(want, name)
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: the fields are\n%v, docs/json.md has\n%v", title, want, got)
		}
	}
}
