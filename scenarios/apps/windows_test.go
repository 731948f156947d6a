package apps

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"simrun/sim"
)

// TestWindowsSteps: a window opens at the first record of a key, counts, and is sent
// on when its timer goes off, with the id of the record that opened it.
func TestWindowsSteps(t *testing.T) {
	g := graphOf("S->W W->K")
	w := mustBuild(t, &Windows{Records: 1, Keys: 4, Window: 70}, g)
	node, _ := g.Node("W")
	app := w.NewApp(1, node)
	var fx sim.Effects
	type order struct {
		id    uint32
		after int64
	}
	step := func(in sim.Input, m sim.Message, timers []order, sends ...sim.Send) {
		t.Helper()
		fx.Reset()
		app.Step(in, m, &fx)
		var got []order
		fx.Timers(func(id uint32, after int64) { got = append(got, order{id, after}) })
		if !slices.Equal(got, timers) || !slices.Equal(fx.Sends(), sends) {
			t.Errorf("%v sets %v and sends %v, want %v and %v", m, got, fx.Sends(), timers, sends)
		}
	}
	step(0, sim.Message{Key: 2, Value: 1, Aux: 11}, []order{{2, 70}})
	step(0, sim.Message{Key: 0, Value: 1, Aux: 12}, []order{{0, 70}})
	step(0, sim.Message{Key: 2, Value: 5, Aux: 13}, nil)
	if got := app.(sim.Describer).Describe().(WindowsState); !slices.Equal(got.Open, []OpenWindow{{0, 1}, {2, 6}}) {
		t.Errorf("the state is %+v", got)
	}
	step(sim.Timer, sim.Message{Key: 2}, nil, sim.Send{Message: sim.Message{Key: 2, Value: 6, Aux: 11}})
	step(sim.Timer, sim.Message{Key: 2}, nil) // once is enough
	step(0, sim.Message{Key: 2, Value: 1, Aux: 14}, []order{{2, 70}})
	if got := app.(sim.Describer).Describe().(WindowsState); got.Sent != 1 || !slices.Equal(got.Open, []OpenWindow{{0, 1}, {2, 1}}) {
		t.Errorf("the state is %+v", got)
	}
}

// TestWindowsAtTheEdges: a source sends its records on as they are; alone, it has
// windows for them.
func TestWindowsAtTheEdges(t *testing.T) {
	for graph, passesOn := range map[string]bool{"S->W": true, "S": false} {
		app := mustBuild(t, NewWindows(), graphOf(graph)).NewApp(1, 0)
		var fx sim.Effects
		app.Step(sim.External, sim.Message{Key: 3, Value: 1, Aux: 9}, &fx)
		if sends := fx.Sends(); (len(sends) == 1) != passesOn {
			t.Errorf("%s: sends %v", graph, sends)
		}
		if open := app.(sim.Describer).Describe().(WindowsState).Open; (len(open) == 1) == passesOn {
			t.Errorf("%s: the open windows are %v", graph, open)
		}
	}
}

// TestWindowsCountEverything: at rest no window is open, and what has left adds up to
// all records, of each key and together, whenever the timers go off.
func TestWindowsCountEverything(t *testing.T) {
	several, again := false, false
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t, false)
		for c := range g.Channels {
			g.Channels[c].Edge = -1 // the edges of a plan copy records
		}
		w := mustBuild(t, &Windows{Records: 9, Keys: 3, Window: 1}, g)
		net := newToy(w, g, rapid.Uint64().Draw(t, "seed"))
		var want, got [3]int64
		for v := range net.sources {
			for k := uint64(0); net.sources[v] != nil && k < 9; k++ {
				m, _, _ := net.sources[v].Record(k)
				want[m.Key]++
			}
		}
		net.rest(t)
		left := map[uint64]int{}
		for _, s := range net.emitted {
			got[s.Key] += s.Value
			several = several || s.Value > 1
			left[s.Key]++
			again = again || left[s.Key] > 1
		}
		if got != want {
			t.Fatalf("the records of each key are %v, the windows add up to %v", want, got)
		}
		for v, app := range net.apps {
			if open := app.(sim.Describer).Describe().(WindowsState).Open; len(open) > 0 || len(net.timers[v]) > 0 {
				t.Fatalf("%s rests with the windows %v open", g.Nodes[v], open)
			}
		}
	})
	if !several || !again {
		t.Errorf("seen: a window with several records %v, two windows of a key %v; want both", several, again)
	}
}
