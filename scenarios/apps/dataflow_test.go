package apps

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"simrun/sim"
	"simrun/topology"
)

// TestDataflowPlan: a plan with every strategy ships each record as it says.
func TestDataflowPlan(t *testing.T) {
	g := planned(graphOf("S->M M->A M->B A->X A->Y B->X B->Y X->K Y->K X->L Y->L"), []topology.Edge{
		{From: "S", To: "M", Strategy: topology.Forward},
		{From: "M", To: "AB", Strategy: topology.RoundRobin},
		{From: "AB", To: "XY", Strategy: topology.Hash},
		{From: "XY", To: "KL", Strategy: topology.Broadcast},
	}, 0, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3)
	for seed := range uint64(5) {
		net := newToy(mustBuild(t, &Dataflow{Records: 60, Keys: 8}, g), g, seed)
		net.rest(t)
		handled := map[string]uint64{}
		keys := map[string]string{}
		for v, name := range g.Nodes {
			state := net.apps[v].(sim.Describer).Describe().(OperatorState)
			handled[name] = state.Handled
			for _, key := range state.Keys {
				if other := keys[key.Key]; (name == "X" || name == "Y") && other != "" {
					t.Errorf("key %s is counted at %s and at %s", key.Key, other, name)
				}
				if name == "X" {
					keys[key.Key] = name
				}
			}
		}
		if handled["S"] != 60 || handled["M"] != 60 || handled["A"] != 30 || handled["B"] != 30 ||
			handled["X"]+handled["Y"] != 60 || handled["X"] == 0 || handled["Y"] == 0 || handled["K"] != 60 || handled["L"] != 60 {
			t.Errorf("handled: %v", handled)
		}
		if len(net.emitted) != 120 {
			t.Errorf("%d records left, want 60 at each of two sinks", len(net.emitted))
		}
	}
}

func TestDataflowSteps(t *testing.T) {
	g := graphOf("S->H H->H H->K") // H's two outputs take turns: those that leave come first
	w := mustBuild(t, NewDataflow(), g)
	h, _ := g.Node("H")
	app := w.NewApp(1, h)
	for i, step := range []struct {
		hops   int64
		output int32
		sent   int64
	}{
		{2, 1, 2}, {2, 0, 1}, {1, 1, 1}, {0, 1, 0}, {0, 1, 0},
	} {
		var fx sim.Effects
		app.Step(0, sim.Message{Key: 3, Value: step.hops, Aux: 1}, &fx)
		want := sim.Send{Output: step.output, Message: sim.Message{Key: 3, Value: step.sent, Aux: 1}}
		if len(fx.Sends()) != 1 || fx.Sends()[0] != want {
			t.Errorf("step %d sends %v, want %v", i, fx.Sends(), want)
		}
	}
	if got := fmt.Sprint(app.(sim.Describer).Describe()); got != "{5 [{3 5}]}" {
		t.Errorf("the state is %s", got)
	}
	k, _ := g.Node("K")
	var fx sim.Effects
	app = w.NewApp(1, k)
	app.Step(0, sim.Message{Key: 3, Value: 1, Aux: 1}, &fx)
	app.Step(0, sim.Message{Key: 3, Value: 1, Aux: 2}, &fx)
	if want := (sim.Send{Output: sim.Sink, Message: sim.Message{Key: 3, Value: 2, Aux: 2}}); len(fx.Sends()) != 2 || fx.Sends()[1] != want {
		t.Errorf("the sink sends %v, want %v last", fx.Sends(), want)
	}
}

// TestDataflowComesToRest: on every graph, and every record leaves somewhere.
func TestDataflowComesToRest(t *testing.T) {
	round, ended := false, false
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t, true)
		w := mustBuild(t, &Dataflow{Records: 3, Keys: 4, Hops: rapid.Int64Range(0, 2).Draw(t, "hops")}, g)
		net := newToy(w, g, 1)
		net.rest(t)
		left := map[uint64]bool{}
		for _, s := range net.emitted {
			left[s.Aux] = true
		}
		component := componentOf(g)
		for c, ch := range g.Channels {
			round = round || component[ch.From] == component[ch.To]
			if len(net.channels[c]) > 0 {
				t.Fatalf("channel %d is not empty at rest", c)
			}
		}
		for v := range int32(len(g.Nodes)) {
			for k := uint64(0); w.NewSource(1, v) != nil && k < 3; k++ {
				if !left[RecordID(v, k)] {
					t.Fatalf("record %d of %s never left", k, g.Nodes[v])
				}
				ended = true
			}
		}
	})
	if !round || !ended {
		t.Errorf("seen: a cycle %v, a record that left %v; want both", round, ended)
	}
}

func TestDataflowSkew(t *testing.T) {
	low := func(skew int64) (n int) {
		w := mustBuild(t, &Dataflow{Records: 1000, Keys: 10, Skew: skew}, graphOf("S->K"))
		for k := range uint64(1000) {
			m, _, _ := w.NewSource(5, 0).Record(k)
			if m.Key >= 10 {
				t.Fatalf("key %d of 10", m.Key)
			}
			if m.Key < 2 {
				n++
			}
		}
		return n
	}
	if even, skewed := low(0), low(3); even < 150 || even > 250 || skewed < 500 || skewed > 700 {
		t.Errorf("of 1000 keys the two lowest of ten are drawn %d times, and %d times with skew; want about 200 and 590", even, skewed)
	}
}
