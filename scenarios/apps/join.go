package apps

import (
	"simrun/scenarios/units"
	"simrun/sim"
	"simrun/topology"
)

// Join is the parameters of join, whose result depends on the order in which its
// inputs are taken. Sources send keyed values. A node remembers the last record
// of each side and folds every value into order = order*31 + value, which no
// other order of the same values gives; when a record finds that the last one of
// another side has its key, the key goes on with the fold as its value. A node
// with one side sends on every record like this.
//
// In a plan each edge into a node is a side, without one each input channel.
// Outputs are chosen by key, or as the plan says.
type Join struct {
	Records int64          `yaml:"records" doc:"from each source"`
	Every   units.Duration `yaml:"every" doc:"time between two of them"`
	Keys    int64          `yaml:"keys" doc:"different keys: the fewer, the more matches"`
}

// NewJoin is join with the default parameters.
func NewJoin() *Join { return &Join{Records: 200, Every: 1_000_000, Keys: 4} }

// joinValues is how many different values the sources send.
const joinValues = 1000

// Build implements Builder.
func (p *Join) Build(env *Env) (*Workload, error) {
	err := firstError(
		within("records", p.Records, 1, mostRecords),
		fits(p.Every, p.Records),
		within("keys", p.Keys, 1, mostKeys),
		acyclic(env.Graph, "join"),
	)
	if err != nil {
		return nil, err
	}
	join, source, sides := *p, defaultSources(env.Graph), newSides(env.Graph)
	routes := newRoutes(env.Graph, func(s topology.Strategy) rule { return ruleOf(s, byKey) })
	return &Workload{
		NewApp: func(_ uint64, node int32) sim.App {
			sideOf, count := sides.of(node)
			return &joiner{routes: routes, node: node, sideOf: sideOf, last: make([]lastRecord, count)}
		},
		NewSource: func(seed uint64, node int32) sim.Source {
			if !source[node] {
				return nil
			}
			return &joinRecords{&join, sim.NewStream(seed, sim.ForSource, 0), node}
		},
	}, nil
}

// joinRecords is the outside world of a source.
type joinRecords struct {
	join   *Join
	stream sim.Stream
	node   int32
}

// Record implements sim.Source.
func (s *joinRecords) Record(k uint64) (m sim.Message, at int64, ok bool) {
	if k >= uint64(s.join.Records) {
		return sim.Message{}, 0, false
	}
	draw := sim.Word(s.stream.Draw(s.node, k))
	key := sim.Scale(draw.Next(), uint64(s.join.Keys))
	value := int64(sim.Scale(draw.Next(), joinValues))
	return sim.Message{Key: key, Value: value, Aux: RecordID(s.node, k)}, int64(k) * int64(s.join.Every), true
}

// joiner is the app on one node. A source has no sides and sends its records on
// as they are.
type joiner struct {
	routes  *routes
	node    int32
	sideOf  []int32 // by input
	handled uint64
	order   int64
	last    []lastRecord // by side
}

// lastRecord is the last record of a side.
type lastRecord struct {
	key   uint64
	value int64
	any   bool
}

// Step implements sim.App.
func (a *joiner) Step(in sim.Input, m sim.Message, fx *sim.Effects) {
	turn := a.handled
	a.handled++
	a.order = a.order*31 + m.Value
	if in >= 0 {
		side := a.sideOf[in]
		a.last[side] = lastRecord{m.Key, m.Value, true}
		if !a.matches(side, m.Key) {
			return
		}
		m.Value = a.order
	}
	if len(a.routes.of(a.node)) == 0 {
		fx.Emit(m.Key, m.Value, m.Aux)
		return
	}
	a.routes.send(fx, a.node, turn, m)
}

// matches tells whether the last record of another side has this key.
func (a *joiner) matches(side int32, key uint64) bool {
	for i := range a.last {
		if int32(i) != side && a.last[i].any && a.last[i].key == key {
			return true
		}
	}
	return len(a.last) == 1
}

// Save implements sim.App.
func (a *joiner) Save(buf []byte) []byte {
	buf = appendWord(buf, a.handled)
	buf = appendWord(buf, uint64(a.order))
	for i := range a.last {
		l := &a.last[i]
		if !l.any {
			buf = append(buf, 0)
			continue
		}
		buf = append(buf, 1)
		buf = appendWord(buf, l.key)
		buf = appendWord(buf, uint64(l.value))
	}
	return buf
}

// Load implements sim.App.
func (a *joiner) Load(state []byte) error {
	r := stateReader{rest: state}
	a.handled, a.order = r.word(), int64(r.word())
	for i := range a.last {
		a.last[i] = lastRecord{}
		switch r.uvarint() {
		case 0:
		case 1:
			a.last[i] = lastRecord{r.word(), int64(r.word()), true}
		default:
			r.fail()
		}
	}
	return r.end()
}

// JoinState is what join shows of a node.
type JoinState struct {
	Handled uint64      `json:"handled"` // records
	Order   int64       `json:"order"`   // the fold of their values
	Last    []*JoinSide `json:"last"`    // by side; null: no record yet
}

// JoinSide is the last record of one side.
type JoinSide struct {
	Key   uint64 `json:"key"`
	Value int64  `json:"value"`
}

// Describe implements sim.Describer.
func (a *joiner) Describe() any {
	state := JoinState{a.handled, a.order, make([]*JoinSide, len(a.last))}
	for i, l := range a.last {
		if l.any {
			state.Last[i] = &JoinSide{l.key, l.value}
		}
	}
	return state
}

// sides is which side of a join each input belongs to.
type sides struct {
	first  []int32 // the inputs of node v are sideOf[first[v]:first[v+1]]
	sideOf []int32
	count  []int32 // by node
}

func newSides(g *topology.Graph) *sides {
	s := &sides{count: make([]int32, len(g.Nodes))}
	s.first, s.sideOf = inputChannels(g)
	for v := range int32(len(g.Nodes)) {
		inputs := s.sideOf[s.first[v]:s.first[v+1]]
		for _, group := range g.Inputs(v) {
			for _, input := range group.Ports {
				inputs[input] = s.count[v]
				if group.Edge == topology.NoEdge {
					s.count[v]++
				}
			}
			if group.Edge != topology.NoEdge {
				s.count[v]++
			}
		}
	}
	return s
}

func (s *sides) of(v int32) (sideOf []int32, count int32) {
	return s.sideOf[s.first[v]:s.first[v+1]], s.count[v]
}
