package explore

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"simrun/scenarios"
)

const (
	graphs     = 300   // small graphs that are searched with and without reduction
	fewEnough  = 4_000 // states
	mostTrials = 5_000
)

// TestReductionChangesNoOutcome: with the reduction and without it a search finds the same
// snapshots, the same verdicts and as many states in which a run is over; on small graphs
// of all kinds, with every algorithm, right and wrong, and every app.
func TestReductionChangesNoOutcome(t *testing.T) {
	count := map[string]int{}
	saved, all := int64(0), int64(0)
	random := rand.New(rand.NewPCG(1, 1))
	for trial := 0; count["graphs"] < graphs; trial++ {
		if trial == mostTrials {
			t.Fatalf("only %d of %d trials are small enough", count["graphs"], trial)
		}
		text, algorithm := drawScenario(random)
		plan := resolve(t, text, algorithm)
		if plan == nil {
			continue
		}
		reduced, err := prepare(context.Background(), plan, Options{Seed: plan.Seed, mostParts: 1_500})
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if reduced.reduction == nil {
			count["too many parts"]++
			continue
		}
		full, _ := prepare(context.Background(), plan, Options{Seed: plan.Seed, Full: true, MaxStates: fewEnough})
		full.search(context.Background())
		want := full.result
		want.close(full)
		if !want.Finished {
			count["too many states"]++
			continue
		}
		weak := explorerOf(t, plan, Options{weak: true})
		for _, x := range []*explorer{reduced, weak} {
			x.search(context.Background())
		}
		weak.result.close(weak)
		if diff := differ(want, weak.result); diff != "" {
			t.Fatalf("trial %d, weak: %s\n%s under %s", trial, diff, text, algorithm)
		}
		if weak.result.States < want.States {
			count["reduced a little"]++
		}
		got := reduced.result
		got.close(reduced)
		if diff := differ(want, got); diff != "" {
			t.Fatalf("trial %d: %s\n%s under %s", trial, diff, text, algorithm)
		}
		count["graphs"]++
		saved, all = saved+want.States-got.States, all+want.States
		for _, v := range want.Outcomes {
			count[v.Of+" "+strings.Join(v.Violates, ",")]++
		}
		if got.States < want.States {
			count["reduced"]++
		}
		if want.Snapshots > 1 {
			count["several snapshots"]++
		}
		count[algorithm]++
	}
	for _, key := range slices.Sorted(maps.Keys(count)) {
		t.Logf("%5d %s", count[key], key)
	}
	t.Logf("%d of %d states saved", saved, all)
	for what, least := range map[string]int{"reduced": 200, "reduced a little": 50, "several snapshots": 200, "snapshot ": 200,
		"run termination": 20, "snapshot channel-state,conservation,reachability": 5, "snapshot consistent-cut": 1} {
		if count[what] < least {
			t.Errorf("%d times %q, want %d or more", count[what], what, least)
		}
	}
}

// differ says in what the outcomes of two searches differ.
func differ(a, b *Result) string {
	switch {
	case !b.Finished:
		return "with reduction it does not finish"
	case a.Ends != b.Ends:
		return fmt.Sprintf("%d states in which a run is over, with reduction %d", a.Ends, b.Ends)
	case !slices.Equal(slices.Sorted(maps.Keys(a.kinds)), slices.Sorted(maps.Keys(b.kinds))):
		return fmt.Sprintf("the verdicts are %v, with reduction %v", a.kinds, b.kinds)
	case !slices.Equal(slices.Sorted(maps.Keys(a.distinct)), slices.Sorted(maps.Keys(b.distinct))):
		return fmt.Sprintf("%d snapshots, with reduction %d", len(a.distinct), len(b.distinct))
	}
	for key, s := range a.distinct {
		if other := b.distinct[key]; !slices.Equal(s.Violates, other.Violates) {
			return fmt.Sprintf("the snapshot %v %v violates %v, with reduction %v", s.States, s.Channels, s.Violates, other.Violates)
		}
	}
	return ""
}

// drawScenario is a small scenario and an algorithm for it.
func drawScenario(r *rand.Rand) (text, algorithm string) {
	n := 1 + r.IntN(3)
	var b strings.Builder
	b.WriteString("version: 1\norder: chosen\ngraph:\n  nodes: [")
	for v := range n {
		fmt.Fprintf(&b, "%c, ", 'a'+v)
	}
	b.WriteString("]\n  channels: [")
	channels := 1 + r.IntN(4)
	for range channels {
		from, to := r.IntN(n), r.IntN(n)
		fmt.Fprintf(&b, "[%c, %c], ", 'a'+from, 'a'+to)
	}
	b.WriteString("]\n")
	apps := []string{
		"{kind: tokens, tokens: 1, sends: 1}", "{kind: tokens, tokens: 2, sends: 2}",
		"{kind: bank, balance: 3, amount: 2, transfers: 1}", "{kind: bank, balance: 2, amount: 2, transfers: 2}",
		"{kind: loop, records: 1, hops: 2}", "{kind: loop, records: 2, hops: 1}",
		"{kind: dataflow, records: 2, keys: 2, hops: 1}", "{kind: activity, records: 1, energy: 3, fanout: 2}",
		"{kind: zip, records: 2}", "{kind: join, records: 2, keys: 1}", "{kind: sums, records: 2}",
	}
	fmt.Fprintf(&b, "app: %s\n", apps[r.IntN(len(apps))])
	at := "[1]"
	if r.IntN(4) == 0 {
		at = "[1, {at: 1, initiators: [" + string(rune('a'+r.IntN(n))) + "]}]"
	}
	fmt.Fprintf(&b, "snapshots: {at: %s}\nexpect: {incomplete: true}\n", at)
	var names []string
	for _, a := range scenarios.Default().Algorithms {
		if !a.Coordinated && !a.Unsaved {
			names = append(names, a.Name)
		}
	}
	if r.IntN(3) == 0 {
		return b.String(), []string{"chandy-lamport", "abs"}[r.IntN(2)]
	}
	return b.String(), names[r.IntN(len(names))]
}

// resolve is the plan of a scenario, nil if it is none.
func resolve(t testing.TB, text, algorithm string) *scenarios.Plan {
	t.Helper()
	catalogue := scenarios.Default()
	s, err := scenarios.Parse(catalogue, "test.yaml", []byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	plan, err := s.Resolve(catalogue, scenarios.Overrides{Algorithm: algorithm})
	if err != nil {
		return nil
	}
	return plan
}

func explorerOf(t *testing.T, plan *scenarios.Plan, options Options) *explorer {
	t.Helper()
	options.Seed, options.mostParts = plan.Seed, cmp.Or(options.mostParts, mostParts)
	x, err := prepare(context.Background(), plan, options)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// loaded is the plan of a file in testdata/explore.
func loaded(t *testing.T, name, algorithm string) *scenarios.Plan {
	t.Helper()
	catalogue := scenarios.Default()
	s, err := scenarios.Load(catalogue, "../../testdata/explore/"+name)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := s.Resolve(catalogue, scenarios.Overrides{Algorithm: algorithm})
	if err != nil {
		t.Fatal(err)
	}
	return plan
}
