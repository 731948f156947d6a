package apps

import (
	"testing"

	"pgregory.net/rapid"

	"simrun/sim"
)

// TestActivitySteps: a message makes a node active, another one adds to what it has,
// and when it has worked it hands on what is left.
func TestActivitySteps(t *testing.T) {
	g := graphOf("S->P P->Q P->R")
	w := mustBuild(t, &Activity{Records: 1, Energy: 9, Fanout: 2, Work: 70}, g)
	node, _ := g.Node("P")
	app := w.NewApp(1, node)
	var fx sim.Effects
	timers := 0
	step := func(in sim.Input, m sim.Message, want ActivityState) []sim.Send {
		t.Helper()
		fx.Reset()
		app.Step(in, m, &fx)
		fx.Timers(func(id uint32, after int64) {
			if timers++; id != 0 || after != 70 {
				t.Errorf("timer %d is set for %d", id, after)
			}
		})
		if got := app.(sim.Describer).Describe(); got != want {
			t.Errorf("the state is %+v, want %+v", got, want)
		}
		return fx.Sends()
	}
	step(0, sim.Message{Key: 1, Value: 3, Aux: 8}, ActivityState{Active: true, Energy: 3, Woken: 1})
	step(0, sim.Message{Key: 2, Value: 3, Aux: 9}, ActivityState{Active: true, Energy: 6, Woken: 1})
	sends := step(sim.Timer, sim.Message{}, ActivityState{Used: 1, Woken: 1})
	if len(sends) != 2 || sends[0].Output != 0 || sends[1].Output != 1 || sends[0].Value != 2 || sends[1].Value != 3 || sends[0].Aux != 8 || sends[0].Key == sends[1].Key {
		t.Errorf("it sends %v", sends)
	}
	step(0, sim.Message{Value: 2, Aux: 9}, ActivityState{Active: true, Energy: 2, Used: 1, Woken: 2})
	if sends := step(sim.Timer, sim.Message{}, ActivityState{Used: 2, Woken: 2}); len(sends) != 1 || sends[0].Value != 1 || sends[0].Output != 0 {
		t.Errorf("with one unit left it sends %v", sends)
	}
	if timers != 2 {
		t.Errorf("%d timers were set, want one each time that it became active", timers)
	}
}

// TestActivityConserves: on any graph the work dies out, nothing is active then, and
// at every moment all energy and all weight is somewhere.
func TestActivityConserves(t *testing.T) {
	inFlight, met := false, false
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t, true)
		p := &Activity{Records: 3, Energy: rapid.Int64Range(1, 12).Draw(t, "energy"), Fanout: rapid.Int64Range(1, 3).Draw(t, "fanout"), Work: 1}
		net := newToy(mustBuild(t, p, g), g, rapid.Uint64().Draw(t, "seed"))
		amount, weight := total(net)
		sources := int64(0)
		for _, source := range net.sources {
			if source != nil {
				sources++
			}
		}
		if amount != sources*p.Records*p.Energy {
			t.Fatalf("%d sources begin with %d", sources, amount)
		}
		for net.step() {
			if a, w := total(net); a != amount || w != weight {
				t.Fatalf("%d with weight %x became %d with weight %x", amount, weight, a, w)
			}
			for _, waiting := range net.channels {
				inFlight = inFlight || len(waiting) > 0
			}
			for v, app := range net.apps {
				state := app.(sim.Describer).Describe().(ActivityState)
				met = met || state.Energy > p.Energy
				if state.Active != (len(net.timers[v]) > 0) {
					t.Fatalf("%s is active %v, with the timers %v", g.Nodes[v], state.Active, net.timers[v])
				}
			}
		}
		used := int64(0)
		for v, app := range net.apps {
			state := app.(sim.Describer).Describe().(ActivityState)
			if used += state.Used; state.Active {
				t.Fatalf("%s rests active", g.Nodes[v])
			}
		}
		if used != amount {
			t.Fatalf("of %d units %d are used up at rest", amount, used)
		}
	})
	if !inFlight || !met {
		t.Errorf("seen: energy in flight %v, energy that meets other energy %v; want both", inFlight, met)
	}
}
