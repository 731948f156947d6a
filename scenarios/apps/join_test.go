package apps

import (
	"fmt"
	"testing"

	"simrun/sim"
	"simrun/topology"
)

// stepJoin hands one record to a join and returns what it sends.
func stepJoin(app sim.App, in sim.Input, key uint64, value int64) []sim.Send {
	var fx sim.Effects
	app.Step(in, sim.Message{Key: key, Value: value, Aux: 5}, &fx)
	return fx.Sends()
}

func TestJoinSteps(t *testing.T) {
	g := graphOf("L->J R->J J->K")
	w := mustBuild(t, NewJoin(), g)
	j, _ := g.Node("J")
	app := w.NewApp(1, j)
	for i, step := range []struct {
		in    sim.Input
		key   uint64
		value int64
		order int64
		match bool
	}{
		{0, 0, 3, 3, false}, // the other side has nothing yet: key 0 does not match
		{0, 1, 4, 3*31 + 4, false},
		{1, 0, 5, (3*31+4)*31 + 5, false}, // the last of side 0 is key 1 now
		{1, 1, 6, ((3*31+4)*31+5)*31 + 6, true},
		{0, 1, -6, (((3*31+4)*31+5)*31+6)*31 - 6, true},
	} {
		sends := stepJoin(app, step.in, step.key, step.value)
		if (len(sends) == 1) != step.match {
			t.Errorf("step %d sends %v", i, sends)
		}
		want := sim.Send{Output: 0, Message: sim.Message{Key: step.key, Value: step.order, Aux: 5}}
		if step.match && sends[0] != want {
			t.Errorf("step %d sends %v, want %v", i, sends[0], want)
		}
		if got := app.(*joiner).order; got != step.order {
			t.Errorf("step %d: the order is %d, want %d", i, got, step.order)
		}
	}
	state := app.(sim.Describer).Describe().(JoinState)
	if state.Handled != 5 || *state.Last[0] != (JoinSide{1, -6}) || *state.Last[1] != (JoinSide{1, 6}) {
		t.Errorf("the state is %+v", state)
	}
}

// TestJoinDependsOnOrder: the same records in another order give another state
// and another output.
func TestJoinDependsOnOrder(t *testing.T) {
	g := graphOf("L->J R->J")
	w := mustBuild(t, NewJoin(), g)
	j, _ := g.Node("J")
	one, other := w.NewApp(1, j), w.NewApp(1, j)
	stepJoin(one, 0, 1, 7)
	a := stepJoin(one, 1, 1, 8)
	stepJoin(other, 1, 1, 8)
	b := stepJoin(other, 0, 1, 7)
	if len(a) != 1 || len(b) != 1 || a[0].Value == b[0].Value || a[0].Output != sim.Sink {
		t.Errorf("the two orders emit %v and %v", a, b)
	}
	if string(one.Save(nil)) == string(other.Save(nil)) {
		t.Error("the two orders end in the same state")
	}
}

func TestJoinSides(t *testing.T) {
	tests := []struct {
		name  string
		graph *topology.Graph
		want  string // the side of each input of J
	}{
		{"two channels", graphOf("L->J R->J"), "[0 1]"},
		{"three channels", graphOf("L->J R->J M->J"), "[0 1 2]"},
		{"parallel channels", graphOf("L->J L->J"), "[0 1]"},
		{"no inputs", graphOf("J"), "[]"},
		{"two edges of a plan", planned(graphOf("L->J R->J L2->J R2->J"), []topology.Edge{{}, {}}, 0, 1, 0, 1), "[0 1 0 1]"},
		{"one edge of a plan", planned(graphOf("L->J L2->J"), []topology.Edge{{}}, 0, 0), "[0 0]"},
	}
	for _, test := range tests {
		j, _ := test.graph.Node("J")
		sideOf, _ := newSides(test.graph).of(j)
		if got := fmt.Sprint(sideOf); got != test.want {
			t.Errorf("%s: the sides are %s, want %s", test.name, got, test.want)
		}
	}
}

// TestJoinOneSide: a source sends its records on as they are, and a node with one
// side sends on each with its fold.
func TestJoinOneSide(t *testing.T) {
	g := graphOf("S->A A->K")
	w := mustBuild(t, NewJoin(), g)
	if sends := stepJoin(w.NewApp(1, 0), sim.External, 2, 9); len(sends) != 1 || sends[0].Value != 9 {
		t.Errorf("the source sends %v", sends)
	}
	a := w.NewApp(1, 1)
	stepJoin(a, 0, 2, 1)
	if sends := stepJoin(a, 0, 3, 2); len(sends) != 1 || sends[0].Value != 33 || sends[0].Key != 3 {
		t.Errorf("a node with one side sends %v", sends)
	}
}

// TestJoinMatches: with the defaults some records match and some do not.
func TestJoinMatches(t *testing.T) {
	g := graphOf("L->J R->J J->K")
	net := newToy(mustBuild(t, NewJoin(), g), g, 3)
	net.rest(t)
	if n := len(net.emitted); n < 40 || n > 200 {
		t.Errorf("%d of 400 records match, want about a quarter", n)
	}
}
