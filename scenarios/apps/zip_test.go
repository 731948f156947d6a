package apps

import (
	"testing"

	"pgregory.net/rapid"

	"simrun/sim"
	"simrun/topology"
)

func TestZipSteps(t *testing.T) {
	g := graphOf("A->C B->C C->K C->L")
	w := mustBuild(t, NewZip(), g)
	c, _ := g.Node("C")
	app := w.NewApp(1, c)
	take := func(in sim.Input, value int64) []sim.Send {
		if guard := app.(sim.Guarded); !guard.Accepts(in) || guard.Accepts(1-in) {
			t.Errorf("it is the turn of input %d, and the app accepts %v and %v", in, guard.Accepts(0), guard.Accepts(1))
		}
		var fx sim.Effects
		app.Step(in, sim.Message{Key: 9, Value: value, Aux: uint64(value)}, &fx)
		return fx.Sends()
	}
	for row, values := range [][2]int64{{5, 7}, {8, 6}} {
		if sends := take(0, values[0]); len(sends) > 0 {
			t.Errorf("half a row sends %v", sends)
		}
		if got := app.(sim.Describer).Describe(); got != (ZipState{Made: uint64(row), Turn: 1}) {
			t.Errorf("half a row: the state is %v", got)
		}
		sends := take(1, values[1])
		want := sim.Message{Key: uint64(row), Value: values[0]*31 + values[1], Aux: uint64(values[0])}
		if len(sends) != 2 || sends[0] != (sim.Send{Output: 0, Message: want}) || sends[1] != (sim.Send{Output: 1, Message: want}) {
			t.Errorf("row %d sends %v, want %v over both outputs", row, sends, want)
		}
	}
}

// TestZipRests: with equal counts everything is used up on every graph, and each
// node without outputs lets as many rows leave as each source gave records.
// Otherwise what cannot be put together is left.
func TestZipRests(t *testing.T) {
	joined, stranded := false, false
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t, false)
		counts := make([]int64, len(topology.DefaultInitiators(g)))
		uneven := rapid.Bool().Draw(t, "uneven")
		for i := range counts {
			if counts[i] = 5; uneven {
				counts[i] = rapid.Int64Range(1, 5).Draw(t, "count")
			}
		}
		net := newToy(mustBuild(t, &Zip{Records: 7, Counts: counts}, g), g, rapid.Uint64().Draw(t, "order"))
		net.rest(t)
		left := 0
		for c := range net.channels {
			left += len(net.channels[c])
		}
		leaves := 0
		for v := range net.outputs {
			if len(net.outputs[v]) == 0 {
				leaves++
			}
			if state := net.apps[v].(sim.Describer).Describe().(ZipState); !uneven && state != (ZipState{Made: 5}) {
				t.Fatalf("%s rests as %+v", g.Nodes[v], state)
			}
		}
		if !uneven && (left > 0 || len(net.emitted) != 5*leaves) {
			t.Fatalf("%d records are left, %d rows came out at %d nodes", left, len(net.emitted), leaves)
		}
		stranded = stranded || left > 0
		joined = joined || len(g.Channels) > len(g.Nodes)
	})
	if !joined || !stranded {
		t.Errorf("seen: a node with several inputs %v, records that are left %v; want both", joined, stranded)
	}
}

func TestZipCounts(t *testing.T) {
	w := mustBuild(t, &Zip{Records: 4, Counts: []int64{2, 3}}, graphOf("A->C B->C"))
	for v, want := range []uint64{2, 0, 3} { // A, C, B
		source := w.NewSource(1, int32(v))
		if want == 0 {
			if source != nil {
				t.Errorf("node %d is a source", v)
			}
			continue
		}
		if _, _, ok := source.Record(want - 1); !ok {
			t.Errorf("node %d has less than %d records", v, want)
		}
		if _, _, ok := source.Record(want); ok {
			t.Errorf("node %d has more than %d records", v, want)
		}
	}
}
