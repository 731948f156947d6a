package apps

import (
	"simrun/scenarios/units"
	"simrun/sim"
	"simrun/topology"
)

// Sums is the parameters of sums: a source sends the numbers 1, 2, 3, ... and
// number n takes output n modulo the number of outputs, so that of two tasks one
// sums the even numbers and one the odd ones. In a consistent checkpoint all
// tasks have processed exactly the same prefix of the input: a source whose last
// number is 10 goes with an even task whose last is 10 and an odd one whose last
// is 9, and the tasks' sums add up to the source's.
//
// In a plan a number takes its output in every group, and all of them where the
// edge broadcasts. Tasks pass their numbers on in the same way; a task without
// outputs lets them leave the system.
type Sums struct {
	Records int64          `yaml:"records" doc:"numbers from each source"`
	Every   units.Duration `yaml:"every" doc:"time between two of them"`
}

// NewSums is sums with the default parameters.
func NewSums() *Sums { return &Sums{Records: 200, Every: 1_000_000} }

// Build implements Builder.
func (p *Sums) Build(env *Env) (*Workload, error) {
	err := firstError(
		within("records", p.Records, 1, mostRecords),
		fits(p.Every, p.Records),
		acyclic(env.Graph, "sums"),
	)
	if err != nil {
		return nil, err
	}
	sums, source := *p, defaultSources(env.Graph)
	routes := newRoutes(env.Graph, func(s topology.Strategy) rule {
		if s == topology.Broadcast {
			return toAll
		}
		return inTurn // the number says whose turn it is
	})
	return &Workload{
		NewApp: func(_ uint64, node int32) sim.App { return &sumTask{routes: routes, node: node} },
		NewSource: func(_ uint64, node int32) sim.Source {
			if !source[node] {
				return nil
			}
			return &numbers{&sums, node}
		},
	}, nil
}

// numbers is the outside world of a source: record k is the number k+1, in Key
// and in Value.
type numbers struct {
	sums *Sums
	node int32
}

// Record implements sim.Source.
func (s *numbers) Record(k uint64) (m sim.Message, at int64, ok bool) {
	if k >= uint64(s.sums.Records) {
		return sim.Message{}, 0, false
	}
	m = sim.Message{Key: k + 1, Value: int64(k) + 1, Aux: RecordID(s.node, k)}
	return m, int64(k) * int64(s.sums.Every), true
}

// sumTask is the app on one node; a source sums what it sends.
type sumTask struct {
	routes *routes
	node   int32
	sum    int64
	count  uint64
	last   int64
}

// Step implements sim.App.
func (a *sumTask) Step(_ sim.Input, m sim.Message, fx *sim.Effects) {
	a.sum += m.Value
	a.count++
	a.last = m.Value
	if len(a.routes.of(a.node)) == 0 {
		fx.Emit(m.Key, a.sum, m.Aux)
		return
	}
	a.routes.send(fx, a.node, m.Key, m)
}

// Save implements sim.App.
func (a *sumTask) Save(buf []byte) []byte {
	buf = appendWord(buf, uint64(a.sum))
	buf = appendWord(buf, a.count)
	return appendWord(buf, uint64(a.last))
}

// Load implements sim.App.
func (a *sumTask) Load(state []byte) error {
	r := stateReader{rest: state}
	a.sum, a.count, a.last = int64(r.word()), r.word(), int64(r.word())
	return r.end()
}

// SumState is what sums shows of a node.
type SumState struct {
	Sum   int64  `json:"sum"`
	Count uint64 `json:"count"` // numbers summed
	Last  int64  `json:"last"`  // the last of them
}

// Describe implements sim.Describer.
func (a *sumTask) Describe() any { return SumState{a.sum, a.count, a.last} }
