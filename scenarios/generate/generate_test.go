package generate

import (
	"bytes"
	"testing"

	"simrun/scenarios"
	"simrun/topology"
)

func resolved(t testing.TB, seed uint64, algorithm string) *scenarios.Plan {
	t.Helper()
	plan, err := Scenario(seed).Resolve(scenarios.Default(), scenarios.Overrides{Algorithm: algorithm})
	if err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	return plan
}

func text(t testing.TB, plan *scenarios.Plan) string {
	t.Helper()
	var b bytes.Buffer
	if err := plan.WriteYAML(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestEverySeedIsAScenario: whatever the seed, it is valid under both families.
func TestEverySeedIsAScenario(t *testing.T) {
	for seed := range uint64(5000) {
		resolved(t, seed, "chandy-lamport")
		resolved(t, seed, "abs")
	}
	resolved(t, 1<<64-1, "abs")
}

// TestRightAlgorithms: every run of a right one ends by itself, and holds; and what
// there is to get wrong comes up.
func TestRightAlgorithms(t *testing.T) {
	seeds := uint64(1000)
	if testing.Short() {
		seeds = 200
	}
	for _, algorithm := range []string{"chandy-lamport", "abs", "loop-hold-outputs", "loop-hold-inputs"} {
		deliveries := int64(0)
		for seed := range seeds {
			out := resolved(t, seed, algorithm).NewRunner().Outcome(seed)
			if out.Verdict != scenarios.Holds {
				t.Errorf("%s, seed %d: %s %v", algorithm, seed, out.Verdict, out.Broken)
			}
			deliveries += out.Deliveries
		}
		t.Log(algorithm, deliveries/int64(seeds))
	}
}

// TestPrintedScenariosRunAlike: a scenario that is printed and read again is the same
// run, under any algorithm.
func TestPrintedScenariosRunAlike(t *testing.T) {
	for seed := range uint64(300) {
		printed := text(t, resolved(t, seed, ""))
		again, err := scenarios.Parse(scenarios.Default(), Name(seed), []byte(printed))
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, printed)
		}
		for _, algorithm := range []string{"chandy-lamport", "abs"} {
			plan, err := again.Resolve(scenarios.Default(), scenarios.Overrides{Algorithm: algorithm})
			if err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, printed)
			}
			want := resolved(t, seed, algorithm).NewRunner().Outcome(seed)
			if got := plan.NewRunner().Outcome(plan.Seed); got.Digest != want.Digest {
				t.Errorf("seed %d under %s runs differently when read again:\n%s", seed, algorithm, printed)
			}
		}
	}
}

// TestShapes: what wrong algorithms need comes up among a few seeds.
func TestShapes(t *testing.T) {
	seen := map[string]int{}
	note := func(what string, yes bool) {
		if yes {
			seen[what]++
		} else {
			seen[what] += 0
		}
	}
	for seed := range uint64(200) {
		plan := resolved(t, seed, "abs")
		g := plan.Graph
		inputs, outputs, back := make([]int, len(g.Nodes)), make([]int, len(g.Nodes)), make([]int, len(g.Nodes))
		ends := map[topology.Channel]int{}
		self, parallel := false, false
		for c, ch := range g.Channels {
			inputs[ch.To]++
			outputs[ch.From]++
			if plan.BackEdge != nil && plan.BackEdge[c] {
				back[ch.To]++
			}
			self = self || ch.From == ch.To
			ends[topology.Channel{From: ch.From, To: ch.To}]++
			parallel = parallel || ends[topology.Channel{From: ch.From, To: ch.To}] > 1
		}
		most := func(list []int) (n int) {
			for _, v := range list {
				n = max(n, v)
			}
			return n
		}
		note("cycle", plan.BackEdge != nil)
		note("join of two", plan.BackEdge == nil && most(inputs) == 2)
		note("join of three or more", plan.BackEdge == nil && most(inputs) > 2)
		note("several back-edges into a node", most(back) > 1)
		note("a channel to its own node", self)
		note("parallel channels", parallel)
		note("one node", len(g.Nodes) == 1)
		note("two nodes", len(g.Nodes) == 2)
		note("ten nodes or more", len(g.Nodes) >= 10)
		note("several initiators", len(plan.Initiators) > 1)
		note("chosen order", plan.Scenario.Order == "chosen")
		note("two crashes", len(plan.Scenario.Faults) == 2)
		note("inside a handler", len(plan.Scenario.Faults) > 0 && plan.Scenario.Faults[0].AfterOutputs != nil)
		note("app "+plan.Scenario.App.Kind, true)
		note("plan", plan.Graph.Name == "dataflow")
	}
	for what, n := range seen {
		t.Log(what, n)
		if n == 0 {
			t.Errorf("never: %s", what)
		}
	}
}
