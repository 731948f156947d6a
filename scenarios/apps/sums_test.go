package apps

import (
	"testing"

	"simrun/sim"
	"simrun/topology"
)

func sumState(net *toy, name string) SumState {
	v, _ := net.g.Node(name)
	return net.apps[v].(sim.Describer).Describe().(SumState)
}

// TestSumsEvenAndOdd: when the channels are empty all tasks have the same prefix,
// and a message in flight shows as a task that has less.
func TestSumsEvenAndOdd(t *testing.T) {
	g := graphOf("source->even source->odd")
	net := newToy(mustBuild(t, &Sums{Records: 11}, g), g, 2)
	short := false
	for net.step() {
		source, even, odd := sumState(net, "source"), sumState(net, "even"), sumState(net, "odd")
		if even.Last%2 != 0 || odd.Last%2 == 0 && odd.Count > 0 {
			t.Fatalf("even %v, odd %v", even, odd)
		}
		n := source.Last
		same := even.Last == n/2*2 && odd.Last == max((n+1)/2*2-1, 0)
		if empty := len(net.channels[0])+len(net.channels[1]) == 0; same != empty {
			t.Fatalf("source %v, even %v, odd %v, but %v are in flight", source, even, odd, net.channels)
		}
		if same != (source.Sum == even.Sum+odd.Sum) {
			t.Fatalf("the sums say something else than the prefix: source %v, even %v, odd %v", source, even, odd)
		}
		short = short || !same
	}
	if !short {
		t.Error("no task was ever behind")
	}
	for name, want := range map[string]SumState{"source": {66, 11, 11}, "even": {30, 5, 10}, "odd": {36, 6, 11}} {
		if got := sumState(net, name); got != want {
			t.Errorf("%s ends as %v, want %v", name, got, want)
		}
	}
}

func TestSumsSteps(t *testing.T) {
	edges := func(s topology.Strategy) []topology.Edge { return []topology.Edge{{From: "s", To: "t", Strategy: s}} }
	tests := []struct {
		name  string
		graph *topology.Graph
		want  []int32 // the outputs of the numbers 1, 2, 3, 4 at node 0, one after the other
		value int64   // that goes out last
	}{
		{"two outputs", graphOf("S->A S->B"), []int32{1, 0, 1, 0}, 4},
		{"three outputs", graphOf("S->A S->B S->C"), []int32{1, 2, 0, 1}, 4},
		{"other targets first", graphOf("S B A S->A S->B"), []int32{1, 0, 1, 0}, 4},
		{"hash is by number too", planned(graphOf("S->A S->B"), edges(topology.Hash), 0, 0), []int32{1, 0, 1, 0}, 4},
		{"broadcast", planned(graphOf("S->A S->B"), edges(topology.Broadcast), 0, 0), []int32{0, 1, 0, 1, 0, 1, 0, 1}, 4},
		{"no outputs", graphOf("S"), []int32{sim.Sink, sim.Sink, sim.Sink, sim.Sink}, 10},
	}
	for _, test := range tests {
		w := mustBuild(t, &Sums{Records: 4}, test.graph)
		app, source := w.NewApp(1, 0), w.NewSource(1, 0)
		var fx sim.Effects
		for k := range uint64(4) {
			m, _, _ := source.Record(k)
			app.Step(sim.External, m, &fx)
		}
		sends := fx.Sends()
		if len(sends) != len(test.want) {
			t.Errorf("%s: sends %v", test.name, sends)
			continue
		}
		for i, s := range sends {
			if s.Output != test.want[i] {
				t.Errorf("%s: send %d takes output %d, want %d", test.name, i, s.Output, test.want[i])
			}
		}
		if got := sends[len(sends)-1].Value; got != test.value {
			t.Errorf("%s: the last value is %d, want %d", test.name, got, test.value)
		}
	}
}
