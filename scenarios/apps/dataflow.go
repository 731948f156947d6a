package apps

import (
	"strconv"

	"simrun/scenarios/units"
	"simrun/sim"
	"simrun/topology"
)

// Dataflow is the parameters of dataflow, which runs any plan: sources send
// records with seeded keys, and every node counts what it handles by key and
// sends it on once for each edge of the plan, as the edge's ship strategy says.
// Without a plan the outputs are one group and take turns. A record that can go
// nowhere leaves the system with its count.
//
// On a graph with cycles each record may take Hops channels that stay in a cycle
// (a strongly connected component); after that it takes only those that lead out.
// So every graph comes to rest, but where several edges leave a node of a cycle
// each hop copies the record, and the copies multiply.
type Dataflow struct {
	Records int64          `yaml:"records" doc:"from each source"`
	Every   units.Duration `yaml:"every" doc:"time between two of them"`
	Keys    int64          `yaml:"keys" doc:"different keys: 0 to keys-1"`
	Skew    int64          `yaml:"skew" doc:"a key is the smallest of 1+skew draws, so low ones come more often"`
	Hops    int64          `yaml:"hops" doc:"channels inside cycles that a record may take"`
}

// NewDataflow is dataflow with the default parameters.
func NewDataflow() *Dataflow {
	return &Dataflow{Records: 200, Every: 1_000_000, Keys: 16, Hops: 3}
}

const mostSkew = 64 // draws are made one by one

// Build implements Builder.
func (p *Dataflow) Build(env *Env) (*Workload, error) {
	err := firstError(
		within("records", p.Records, 1, mostRecords),
		fits(p.Every, p.Records),
		within("keys", p.Keys, 1, mostKeys),
		within("skew", p.Skew, 0, mostSkew),
		within("hops", p.Hops, 0, mostHops),
	)
	if err != nil {
		return nil, err
	}
	flow, source := *p, defaultSources(env.Graph)
	routes := newRoutes(env.Graph, func(s topology.Strategy) rule { return ruleOf(s, inTurn) })
	return &Workload{
		NewApp: func(_ uint64, node int32) sim.App {
			return &operator{routes: routes, node: node, counts: counts{size: int(flow.Keys)}}
		},
		NewSource: func(seed uint64, node int32) sim.Source {
			if !source[node] {
				return nil
			}
			return &keyedRecords{&flow, sim.NewStream(seed, sim.ForSource, 0), node}
		},
	}, nil
}

// keyedRecords is the outside world of a source. Value is how many channels of
// cycles the record may still take.
type keyedRecords struct {
	flow   *Dataflow
	stream sim.Stream
	node   int32
}

// Record implements sim.Source.
func (s *keyedRecords) Record(k uint64) (m sim.Message, at int64, ok bool) {
	if k >= uint64(s.flow.Records) {
		return sim.Message{}, 0, false
	}
	draw := sim.Word(s.stream.Draw(s.node, k))
	key := sim.Scale(draw.Next(), uint64(s.flow.Keys))
	for range s.flow.Skew {
		key = min(key, sim.Scale(draw.Next(), uint64(s.flow.Keys)))
	}
	m = sim.Message{Key: key, Value: s.flow.Hops, Aux: RecordID(s.node, k)}
	return m, int64(k) * int64(s.flow.Every), true
}

// operator is the app on one node, sources and sinks included.
type operator struct {
	routes *routes
	node   int32
	turn   uint64 // records handled
	counts counts
}

// Step implements sim.App.
func (a *operator) Step(_ sim.Input, m sim.Message, fx *sim.Effects) {
	count, turn, sent := a.counts.add(m.Key), a.turn, false
	a.turn++
	groups := a.routes.of(a.node)
	for i := range groups {
		for _, p := range groups[i].pick(m.Key, turn, m.Value <= 0) {
			hops := m.Value
			if p.back {
				hops--
			}
			fx.Send(p.output, m.Key, hops, m.Aux)
			sent = true
		}
	}
	if !sent {
		fx.Emit(m.Key, int64(count), m.Aux)
	}
}

// Save implements sim.App.
func (a *operator) Save(buf []byte) []byte { return a.counts.save(appendWord(buf, a.turn)) }

// Load implements sim.App.
func (a *operator) Load(state []byte) error {
	r := stateReader{rest: state}
	a.turn = r.word()
	a.counts.load(&r)
	return r.end()
}

// OperatorState is what dataflow shows of a node: how many records it handled,
// and how many of each key.
type OperatorState struct {
	Handled uint64    `json:"handled"`
	Keys    []Counted `json:"keys"`
}

// Describe implements sim.Describer.
func (a *operator) Describe() any { return OperatorState{a.turn, a.counts.describe(strconv.Itoa)} }
