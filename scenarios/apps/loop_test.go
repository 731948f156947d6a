package apps

import (
	"testing"

	"pgregory.net/rapid"

	"simrun/sim"
)

// TestLoopOnSmallGraphs: how many records each node handles, and where they leave.
func TestLoopOnSmallGraphs(t *testing.T) {
	const records, hops = 12, 3
	tests := []struct {
		name, graph string
		handled     map[string]uint64
		exit        string // "": anywhere
	}{
		{"self-loop", "S->H H->H H->K", map[string]uint64{"S": 12, "H": 12 * 4, "K": 12}, "K"},
		{"loop of two, exit at the head", "S->H H->T T->H H->K", map[string]uint64{"H": 36, "T": 24, "K": 12}, "K"}, // H T H T, back to H
		{"loop of two, exit at the tail", "S->H H->T T->H T->K", map[string]uint64{"H": 24, "T": 24, "K": 12}, "K"},
		{"no exit", "S->H H->T T->H", map[string]uint64{"H": 24, "T": 24}, "T"},
		{"ring", "A->B B->C C->A", map[string]uint64{"A": 24, "B": 12, "C": 12}, "A"},
		{"two loops in a row", "S->H H->H H->G G->G G->K", map[string]uint64{"H": 48, "G": 48, "K": 12}, "K"},
		{"two self-loops on one node", "S->H H->H H->H H->K", map[string]uint64{"H": 48, "K": 12}, "K"},
		{"two exits", "S->H H->H H->K H->L", map[string]uint64{"H": 48, "K": 6, "L": 6}, ""},
		{"no loop", "S->A A->K", map[string]uint64{"S": 12, "A": 12, "K": 12}, "K"},
		{"a node", "S", map[string]uint64{"S": 12}, "S"},
		{"far from the exit", "S->A A->B B->C C->A A->K", map[string]uint64{"A": 24, "B": 12, "C": 12, "K": 12}, "K"},
	}
	for _, test := range tests {
		g := graphOf(test.graph)
		net := newToy(mustBuild(t, &Loop{Hops: hops, Records: records}, g), g, 1)
		net.rest(t)
		if len(net.emitted) != records {
			t.Errorf("%s: %d of %d records left", test.name, len(net.emitted), records)
		}
		for name, want := range test.handled {
			v, _ := g.Node(name)
			if state := net.apps[v].(sim.Describer).Describe().(LoopState); state.Handled != want {
				t.Errorf("%s: %s handled %d records, want %d", test.name, name, state.Handled, want)
			}
		}
		if exit, ok := g.Node(test.exit); ok {
			state := net.apps[exit].(sim.Describer).Describe().(LoopState)
			if left := state.Handled - state.Again; left != records {
				t.Errorf("%s: %d records left at %s, want all %d", test.name, left, test.exit, records)
			}
		}
	}
}

func TestLoopSteps(t *testing.T) {
	g := graphOf("S->H H->K H->H H->H H->L")
	w := mustBuild(t, &Loop{Hops: 5, Records: 1}, g)
	h, _ := g.Node("H")
	app := w.NewApp(1, h)
	tests := []struct {
		value  int64
		output int32
		sent   int64
	}{
		{5, 1, 4}, {4, 2, 3}, {3, 1, 2}, // round, over the two self-loops in turn
		{0, 0, 5}, {0, 3, 5}, {0, 0, 5}, // out, over the two others in turn, with all hops again
		{1, 2, 0},
	}
	for i, test := range tests {
		var fx sim.Effects
		app.Step(0, sim.Message{Key: 8, Value: test.value, Aux: 100}, &fx)
		want := sim.Send{Output: test.output, Message: sim.Message{Key: 8, Value: test.sent, Aux: 100}}
		if len(fx.Sends()) != 1 || fx.Sends()[0] != want {
			t.Errorf("step %d sends %v, want %v", i, fx.Sends(), want)
		}
	}
	if got, want := app.(sim.Describer).Describe(), (LoopState{Handled: 7, Again: 4, IDs: 700}); got != want {
		t.Errorf("the state is %v, want %v", got, want)
	}
}

// TestLoopComesToRest: on every graph each record leaves exactly once, and on
// graphs with an exit from every cycle it leaves at a node without outputs.
func TestLoopComesToRest(t *testing.T) {
	wentRound, walked := false, false
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t, true)
		loop := &Loop{Hops: rapid.Int64Range(0, 5).Draw(t, "hops"), Records: 4}
		w := mustBuild(t, loop, g)
		net := newToy(w, g, 1)
		net.rest(t)
		left := map[uint64]int{}
		for _, s := range net.emitted {
			left[s.Aux]++
		}
		for v := range int32(len(g.Nodes)) {
			state := net.apps[v].(sim.Describer).Describe().(LoopState)
			wentRound = wentRound || state.Again > 0
			walked = walked || loop.Hops == 0 && state.Again > 0
			source := w.NewSource(1, v)
			for k := uint64(0); source != nil && k < 4; k++ {
				if id := RecordID(v, k); left[id] != 1 {
					t.Fatalf("record %d of %s left %d times", k, g.Nodes[v], left[id])
				}
			}
		}
	})
	if !wentRound || !walked {
		t.Errorf("seen: a record that goes round %v, one that walks to the exit %v; want both", wentRound, walked)
	}
}
