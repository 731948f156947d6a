package apps

import (
	"fmt"
	"testing"

	"simrun/sim"
	"simrun/topology"
)

func TestWordCountText(t *testing.T) {
	tests := []struct {
		name       string
		parameters WordCount
		vocabulary string
		words      string
	}{
		{"a file", WordCount{Text: "words.txt"}, "[be not or to]", "[3 0 2 1 3 0]"},
		{"lines", WordCount{Lines: []string{"b a,", "a"}}, "[a b]", "[1 0 0]"},
		{"other letters", WordCount{Lines: []string{"Ärger! ärger? 2nd"}}, "[2nd ärger]", "[1 1 0]"},
	}
	for _, test := range tests {
		text, err := test.parameters.read(testEnv(graphOf("S")))
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if got := fmt.Sprint(text.vocabulary); got != test.vocabulary {
			t.Errorf("%s: the vocabulary is %s, want %s", test.name, got, test.vocabulary)
		}
		if got := fmt.Sprint(text.words); got != test.words {
			t.Errorf("%s: the words are %s, want %s", test.name, got, test.words)
		}
	}
}

// TestWordCountSplitsTheText: all sources together read every word of every
// repetition once.
func TestWordCountSplitsTheText(t *testing.T) {
	const text = 6 * 3
	for _, test := range []struct {
		graph   string
		sources []string
		want    []int // by node
	}{
		{"A->K B->K", nil, []int{9, 0, 9}},
		{"A->K", nil, []int{text, 0}},
		{"A->K B->K C->K D->K", nil, []int{5, 0, 5, 4, 4}},
		{"A->K B->K", []string{"B"}, []int{0, 0, text}},
		{"A->K B->K", []string{"K", "A"}, []int{9, 9, 0}},
		{"A", nil, []int{text}},
	} {
		g := graphOf(test.graph)
		w := mustBuild(t, &WordCount{Text: "words.txt", Repeat: 3, Sources: test.sources, Every: 10}, g)
		words := map[uint64]int{}
		for v := range int32(len(g.Nodes)) {
			source, n := w.NewSource(1, v), 0
			for source != nil {
				m, at, ok := source.Record(uint64(n))
				if !ok {
					break
				}
				if at != int64(n)*10 {
					t.Errorf("%s: word %d is released at %d", test.graph, n, at)
				}
				words[m.Key]++
				n++
			}
			if n != test.want[v] {
				t.Errorf("%s: %s reads %d words, want %d", test.graph, g.Nodes[v], n, test.want[v])
			}
		}
		if words[0] != 6 || words[1] != 3 || words[2] != 3 || words[3] != 6 {
			t.Errorf("%s: read %v", test.graph, words)
		}
	}
}

func TestWordCountSteps(t *testing.T) {
	g := graphOf("S->C C->K")
	w := mustBuild(t, &WordCount{Text: "words.txt", Repeat: 1}, g)
	word := sim.Message{Key: 3, Value: 1, Aux: 9} // "to"
	for _, test := range []struct {
		node  string
		in    sim.Input
		out   int32
		third int64 // the value that goes out with the third "to"
		state string
	}{
		{"S", sim.External, 0, 1, "{3 []}"},
		{"C", 0, 0, 3, "{3 [{to 3}]}"},
		{"K", 0, sim.Sink, 3, "{3 [{to 3}]}"},
	} {
		v, _ := g.Node(test.node)
		app := w.NewApp(1, v)
		var fx sim.Effects
		for range 3 {
			fx.Reset()
			app.Step(test.in, word, &fx)
		}
		want := sim.Send{Output: test.out, Message: sim.Message{Key: 3, Value: test.third, Aux: 9}}
		if len(fx.Sends()) != 1 || fx.Sends()[0] != want {
			t.Errorf("%s sends %v, want %v", test.node, fx.Sends(), want)
		}
		if got := fmt.Sprint(app.(sim.Describer).Describe()); got != test.state {
			t.Errorf("%s is %s, want %s", test.node, got, test.state)
		}
	}
	lone := mustBuild(t, &WordCount{Text: "words.txt", Repeat: 1}, graphOf("S"))
	app := lone.NewApp(1, 0)
	var fx sim.Effects
	app.Step(sim.External, word, &fx)
	if len(fx.Sends()) != 1 || fx.Sends()[0].Output != sim.Sink || fmt.Sprint(app.(sim.Describer).Describe()) != "{1 [{to 1}]}" {
		t.Errorf("a source without outputs must count and emit; it sends %v", fx.Sends())
	}
}

// TestWordCountTotals: whatever the order, each counter that a word is shuffled
// to has all of it, and the sinks have every word as often as the text.
func TestWordCountTotals(t *testing.T) {
	hash := topology.Edge{From: "count", To: "sink", Strategy: topology.Hash}
	forward := topology.Edge{From: "source", To: "x", Strategy: topology.Forward}
	keyed := topology.Edge{From: "source", To: "count", Strategy: topology.Hash}
	graphs := map[string]*topology.Graph{
		"shuffle":      graphOf("S->A S->B S->C R->C R->B R->A A->K B->K C->K"),
		"diamond":      graphOf("S->A S->B A->K B->K"),
		"inner sink":   graphOf("S->A S->B B->K"),
		"plan":         planned(graphOf("S->M R->N M->A M->B N->B N->A A->K B->K"), []topology.Edge{forward, keyed, hash}, 0, 0, 1, 1, 1, 1, 2, 2),
		"two channels": graphOf("S->A S->A A->K"),
	}
	for name, g := range graphs {
		for seed := range uint64(5) {
			net := newToy(mustBuild(t, &WordCount{Text: "words.txt", Repeat: 5}, g), g, seed)
			net.rest(t)
			words := map[uint64]int{}
			for _, s := range net.emitted {
				words[s.Key]++
			}
			if words[0] != 10 || words[1] != 5 || words[2] != 5 || words[3] != 10 {
				t.Errorf("%s: emitted %v", name, words)
			}
			if name == "shuffle" || name == "plan" {
				checkOwners(t, name, net, "A", "B", "C")
			}
		}
	}
}

// checkOwners: each word is counted at one of these nodes only.
func checkOwners(t *testing.T, name string, net *toy, counters ...string) {
	owner := map[string]string{}
	for _, counter := range counters {
		v, ok := net.g.Node(counter)
		if !ok {
			continue
		}
		for _, word := range net.apps[v].(sim.Describer).Describe().(WordCountState).Words {
			if owner[word.Key] != "" {
				t.Errorf("%s: %s is counted at %s and at %s", name, word.Key, owner[word.Key], counter)
			}
			owner[word.Key] = counter
		}
	}
	if len(owner) != 4 {
		t.Errorf("%s: %d words are counted, want 4", name, len(owner))
	}
}
