package simtest_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"simrun/algorithms/chandylamport"
	"simrun/scenarios"
	"simrun/scenarios/simtest"
	"simrun/sim"
)

// mine is the package in which somebody has written an algorithm.
var mine = struct{ New sim.NewNode }{chandylamport.New}

// TestMySnapshots is all that it takes.
func TestMySnapshots(t *testing.T) {
	simtest.Check(t, mine.New, simtest.StronglyConnected(2, 6), simtest.Crashes(0, 2))
}

// FuzzMySnapshots is the same for go test -fuzz.
func FuzzMySnapshots(f *testing.F) { simtest.Fuzz(f, mine.New, simtest.AnyGraph(1, 6)) }

// TestTogether is the same as a property of rapid, or a part of one.
func TestTogether(t *testing.T) {
	rapid.Check(t, simtest.Property(mine.New, simtest.Acyclic(2, 8), simtest.Snapshots(2, 3)))
}

// Graphs for a property of one's own.
func ExampleGraphs_Generator() {
	g := simtest.StronglyConnected(2, 6).Generator().Example(1)
	fmt.Println(len(g.Components()), "strongly connected component of", len(g.Nodes), "nodes")
	// Output: 1 strongly connected component of 2 nodes
}

// Scenarios to do something else with than Check does.
func ExampleScenarios() {
	s := simtest.Scenarios(simtest.Acyclic(2, 6), simtest.Crashes(1, 1), simtest.InOrder(simtest.Timed)).Example(1)
	plan, err := s.Resolve(scenarios.Default(), scenarios.Overrides{Algorithm: "abs"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(plan.NewRunner().Run(plan.Seed).Verdict)
	// Output: holds
}
