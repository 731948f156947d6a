package apps

import (
	"fmt"
	"slices"
	"testing"

	"simrun/sim"
	"simrun/topology"
)

// fanOut is S with three outputs to A, B, C on one edge of this strategy.
func fanOut(s topology.Strategy) *topology.Graph {
	return planned(graphOf("S->A S->B S->C"), []topology.Edge{{From: "s", To: "t", Strategy: s}}, 0, 0, 0)
}

// taken is the outputs that records 0, 1, 2, ... with these keys take.
func taken(r *routes, node int32, keys ...uint64) [][]int32 {
	var all [][]int32
	var fx sim.Effects
	for turn, key := range keys {
		fx.Reset()
		r.send(&fx, node, uint64(turn), sim.Message{Key: key})
		var outputs []int32
		for _, s := range fx.Sends() {
			outputs = append(outputs, s.Output)
		}
		all = append(all, outputs)
	}
	return all
}

func TestRoutesByStrategy(t *testing.T) {
	const turns, keyed, copies = "in turn", "by key", "to all"
	tests := []struct {
		strategy topology.Strategy
		noPlan   rule
		want     string
	}{
		{topology.Any, inTurn, turns},
		{topology.Any, byKey, keyed},
		{topology.Rescale, byKey, turns},
		{topology.RoundRobin, byKey, turns},
		{topology.Hash, inTurn, keyed},
		{topology.Broadcast, inTurn, copies},
	}
	for _, test := range tests {
		r := newRoutes(fanOut(test.strategy), func(s topology.Strategy) rule { return ruleOf(s, test.noPlan) })
		same := taken(r, 0, 5, 5, 5, 5)
		many := make([]uint64, 50)
		for i := range many {
			many[i] = uint64(i)
		}
		reached := map[int32]bool{}
		for _, outputs := range taken(r, 0, many...) {
			for _, o := range outputs {
				reached[o] = true
			}
		}
		if len(reached) != 3 {
			t.Errorf("%v: 50 keys reach %d of 3 outputs", test.strategy, len(reached))
		}
		got := "something else"
		switch {
		case fmt.Sprint(same) == "[[0] [1] [2] [0]]":
			got = turns
		case fmt.Sprint(same) == "[[0 1 2] [0 1 2] [0 1 2] [0 1 2]]":
			got = copies
		case len(same[0]) == 1 && slices.Equal(same[0], same[1]) && slices.Equal(same[0], same[3]):
			got = keyed
		}
		if got != test.want {
			t.Errorf("%v without a plan %d: goes %s (%v), want %s", test.strategy, test.noPlan, got, same, test.want)
		}
	}
}

// TestRoutesForward: FORWARD has one output, and each edge gets the record once.
func TestRoutesForward(t *testing.T) {
	g := planned(graphOf("S->A S->B S->C"), []topology.Edge{
		{From: "s", To: "a", Strategy: topology.Forward},
		{From: "s", To: "bc", Strategy: topology.RoundRobin},
	}, 0, 1, 1)
	r := newRoutes(g, func(s topology.Strategy) rule { return ruleOf(s, byKey) })
	if got := fmt.Sprint(taken(r, 0, 1, 2, 3)); got != "[[0 1] [0 2] [0 1]]" {
		t.Errorf("records go to %s", got)
	}
}

// TestEqualKeysMeet: senders whose channels have other ids send a key to the same
// node, over two edges of a plan into one operator too.
func TestEqualKeysMeet(t *testing.T) {
	plain := graphOf("S->A S->B S->C R->C R->A R->B")
	edges := []topology.Edge{{From: "s", To: "t", Strategy: topology.Hash}, {From: "r", To: "t", Strategy: topology.Hash}}
	plan := planned(graphOf("S->A S->B S->C R->C R->A R->B"), edges, 0, 0, 0, 1, 1, 1)
	for _, g := range []*topology.Graph{plain, plan} {
		r := newRoutes(g, func(s topology.Strategy) rule { return ruleOf(s, byKey) })
		s, _ := g.Node("S")
		other, _ := g.Node("R")
		first, channels := outputChannels(g)
		for key := range uint64(30) {
			a := g.Channels[channels[first[s]+taken(r, s, key)[0][0]]].To
			b := g.Channels[channels[first[other]+taken(r, other, key)[0][0]]].To
			if a != b {
				t.Errorf("key %d goes to %s and to %s", key, g.Nodes[a], g.Nodes[b])
			}
		}
	}
}

// TestOperatorsHashDifferently: what one operator's subtask gets by key it shares
// out among several subtasks of the next.
func TestOperatorsHashDifferently(t *testing.T) {
	g := planned(graphOf("S->A S->B A->X A->Y"), []topology.Edge{
		{From: "s", To: "first", Strategy: topology.Hash},
		{From: "first", To: "second", Strategy: topology.Hash},
	}, 0, 0, 1, 1)
	r := newRoutes(g, func(s topology.Strategy) rule { return ruleOf(s, byKey) })
	a, _ := g.Node("A")
	reached := map[int32]bool{}
	for key := range uint64(40) {
		if taken(r, 0, key)[0][0] == 0 {
			reached[taken(r, a, key)[0][0]] = true
		}
	}
	if len(reached) != 2 {
		t.Errorf("A sends its keys to %d of 2 outputs", len(reached))
	}
}

// TestPickOutOnly: a record that may not go round takes only outputs that lead
// out of the cycle, whatever the rule.
func TestPickOutOnly(t *testing.T) {
	for s := topology.Any; s <= topology.RoundRobin; s++ {
		g := planned(graphOf("H->H H->A H->G H->B G->H"), []topology.Edge{{To: "x", Strategy: s}}, 0, 0, 0, 0, 0)
		r := newRoutes(g, func(s topology.Strategy) rule { return ruleOf(s, inTurn) })
		back := 0
		for i := range uint64(20) {
			for _, p := range r.of(0)[0].pick(i, i, true) {
				if p.back || p.output != 1 && p.output != 3 {
					t.Errorf("%v: a record that must leave takes output %d", s, p.output)
				}
			}
			for _, p := range r.of(0)[0].pick(i, i, false) {
				if p.back {
					back++
				}
			}
			only := &r.of(2)[0] // G has no way out
			if ports := only.pick(i, i, true); len(ports) != 0 {
				t.Errorf("%v: a record leaves where there is no way out, over %v", s, ports)
			}
		}
		if back == 0 {
			t.Errorf("%v: no record ever stays in the cycle", s)
		}
	}
}
