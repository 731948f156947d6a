package simtest

import (
	"fmt"

	"pgregory.net/rapid"

	"simrun/scenarios"
	"simrun/scenarios/generate"
	"simrun/topology"
)

// Graphs is an Option that says which graphs are drawn. Sizes are numbers of nodes, both
// bounds included.
type Graphs struct{ wanted generate.Graphs }

func (g Graphs) apply(s *settings) { s.drawn.Graphs = g.wanted }

// StronglyConnected is graphs in which every node can be reached from every other: rings,
// complete graphs, rings with chords.
func StronglyConnected(least, most int) Graphs { return graphs(generate.Strong, least, most) }

// Acyclic is graphs without loops: joins, diamonds, plans of operators.
func Acyclic(least, most int) Graphs { return graphs(generate.Acyclic, least, most) }

// AnyGraph is graphs of every shape: also with loops inside loops, several back-edges into
// one node, parallel channels, and channels from a node to itself.
func AnyGraph(least, most int) Graphs { return graphs(generate.Any, least, most) }

func graphs(kind generate.GraphKind, least, most int) Graphs {
	return Graphs{generate.Graphs{Kind: kind, Nodes: &generate.Range{Min: least, Max: most}}}
}

// Generator draws such graphs. It panics if there can be none.
func (g Graphs) Generator() *rapid.Generator[*topology.Graph] {
	wanted := generate.Settings{Graphs: g.wanted}
	if err := wanted.Validate(); err != nil {
		panic("simtest: " + err.Error())
	}
	return rapid.Custom(func(t *rapid.T) *topology.Graph { return generate.DrawGraph(draws{t}, g.wanted) })
}

// Scenarios draws what Check runs an algorithm on. What the options promise of one has no
// bearing. It panics if they cannot be met.
func Scenarios(options ...Option) *rapid.Generator[*scenarios.Scenario] {
	var s settings
	for _, o := range options {
		o.apply(&s)
	}
	s.drawn.Coordinated = s.algorithm.Coordinated
	if err := s.drawn.Validate(); err != nil {
		panic("simtest: " + err.Error())
	}
	return s.scenarios()
}

func (s *settings) scenarios() *rapid.Generator[*scenarios.Scenario] {
	return rapid.Custom(func(t *rapid.T) *scenarios.Scenario { return generate.Draw(draws{t}, s.drawn) })
}

// draws is a generate.Source that rapid draws from. Its numbers are put together from
// dice of few sides, the first of them of very few: the larger a range is, the more rapid
// prefers small numbers, and most delays would be next to nothing.
type draws struct{ t *rapid.T }

const sides = 16

// dice has a die for every number of sides.
var dice = func() (dice [sides + 1]*rapid.Generator[int64]) {
	for n := 1; n <= sides; n++ {
		dice[n] = rapid.Int64Range(0, int64(n)-1)
	}
	return dice
}()

// Within implements generate.Source. Of a large range not every number is drawn.
func (d draws) Within(low, high int64) int64 {
	span := high - low + 1
	if span <= sides {
		return low + dice[span].Draw(d.t, "")
	}
	thrown, of := int64(0), int64(1)
	for _, n := range []int64{4, 4, sides, sides} {
		if of >= span {
			break
		}
		thrown, of = thrown*n+dice[n].Draw(d.t, ""), of*n
	}
	return low + scaled(thrown, of, span)
}

// Word implements generate.Source.
func (d draws) Word() uint64 { return rapid.Uint64().Draw(d.t, "") }

// scaled brings a number below of into a range of this size; neither is beyond 2^24 times
// the other.
func scaled(n, of, span int64) int64 {
	return span/of*n + span%of*n/of
}

// input is a generate.Source that reads the input of a fuzz test, and zeros behind it.
type input struct{ data []byte }

func (in *input) next() uint64 {
	if len(in.data) == 0 {
		return 0
	}
	b := in.data[0]
	in.data = in.data[1:]
	return uint64(b)
}

// Within implements generate.Source.
func (in *input) Within(low, high int64) int64 {
	span := high - low + 1
	read, of := int64(0), int64(1)
	for of < span && of < 1<<16 {
		read, of = read<<8|int64(in.next()), of<<8
	}
	return low + scaled(read, of, span)
}

// Word implements generate.Source.
func (in *input) Word() (w uint64) {
	for range 8 {
		w = w<<8 | in.next()
	}
	return w
}

// drawn is a scenario that rapid prints in a few words.
type drawn struct{ *scenarios.Scenario }

// GoString implements fmt.GoStringer.
func (d drawn) GoString() string {
	return fmt.Sprintf("a scenario with the app %s and %d crashes", d.App.Kind, len(d.Faults))
}
