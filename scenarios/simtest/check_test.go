package simtest_test

import (
	"testing"

	"simrun/algorithms/abs"
	"simrun/algorithms/chandylamport"
	"simrun/algorithms/looped"
	"simrun/algorithms/stoptheworld"
	"simrun/algorithms/tracking"
	"simrun/invariants"
	"simrun/scenarios"
	"simrun/scenarios/simtest"
	"simrun/sim"
)

// TestRight: right algorithms hold on every kind of graph, in both orders, with and
// without a coordinator; side by side.
func TestRight(t *testing.T) {
	barriers := func(more ...simtest.Option) []simtest.Option {
		return append([]simtest.Option{simtest.Aligned(), simtest.BackEdges()}, more...)
	}
	for _, test := range []struct {
		name      string
		algorithm sim.NewNode
		options   []simtest.Option
	}{
		{"Chandy-Lamport, strongly connected", chandylamport.New, []simtest.Option{simtest.StronglyConnected(2, 6), simtest.Crashes(0, 2), simtest.Invisible()}},
		{"Chandy-Lamport, any graph", chandylamport.New, []simtest.Option{simtest.Invisible(), simtest.Snapshots(1, 3)}},
		{"ABS, any graph", abs.New, barriers(simtest.AnyGraph(1, 6), simtest.Crashes(0, 2))},
		{"ABS, strongly connected", abs.New, barriers(simtest.StronglyConnected(1, 8))},
		{"ABS, acyclic/timed", abs.New, barriers(simtest.Acyclic(2, 8), simtest.InOrder(simtest.Timed), simtest.Crashes(1, 3))},
		{"ABS, acyclic/chosen", abs.New, barriers(simtest.Acyclic(2, 8), simtest.InOrder(simtest.Chosen), simtest.Apps("join", "sums"))},
		{"ABS under a coordinator", abs.New, barriers(simtest.Coordinated(), simtest.Runs(60))},
		{"Chandy-Lamport under a coordinator", chandylamport.New, []simtest.Option{simtest.Coordinated(), simtest.Crashes(1, 2), simtest.Runs(60)}},
		{"tracking", tracking.New, []simtest.Option{simtest.BackEdges(), simtest.Promise(invariants.AtLeastOnce)}},
		{"outputs held", looped.NewHoldOutputs, barriers(simtest.HoldsOutputs())},
		{"stop-the-world", stoptheworld.New, []simtest.Option{simtest.Algorithm(*scenarios.Default().Algorithm("stop-the-world")), simtest.Runs(60)}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			simtest.Check(t, test.algorithm, test.options...)
		})
	}
}
