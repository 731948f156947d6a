package apps

import (
	"simrun/scenarios/units"
	"simrun/sim"
	"simrun/topology"
)

// Loop is the parameters of loop. A record carries in Value how many hops it
// still has to make round the loop it is in. A node of a cycle (a strongly
// connected component) takes one off and sends it on inside the cycle; at 0 the
// record takes the shortest way to a channel that leads out, and if there is none
// it leaves the system where it is. Outside the cycle it has all of its hops
// again, for the next one.
//
// On the smallest graph, S -> H, H -> H, H -> K, a record goes round H's
// self-loop Hops times and ends at K. A ring without a source is given its records
// at its lowest node.
type Loop struct {
	Hops    int64          `yaml:"hops" doc:"channels inside each cycle that a record takes"`
	Records int64          `yaml:"records" doc:"from each source"`
	Every   units.Duration `yaml:"every" doc:"time between two of them"`
}

// NewLoop is loop with the default parameters.
func NewLoop() *Loop { return &Loop{Hops: 3, Records: 100, Every: 2_000_000} }

// Build implements Builder.
func (p *Loop) Build(env *Env) (*Workload, error) {
	err := firstError(
		within("hops", p.Hops, 0, mostHops),
		within("records", p.Records, 1, mostRecords),
		fits(p.Every, p.Records),
	)
	if err != nil {
		return nil, err
	}
	loop, source, ways := *p, defaultSources(env.Graph), newWays(env.Graph)
	return &Workload{
		NewApp: func(_ uint64, node int32) sim.App {
			return &looper{ways: ways.of(node), hops: loop.Hops}
		},
		NewSource: func(_ uint64, node int32) sim.Source {
			if !source[node] {
				return nil
			}
			return &roundTrips{&loop, node}
		},
	}, nil
}

// roundTrips is the outside world of a source: record k has k in Key and the hops
// in Value.
type roundTrips struct {
	loop *Loop
	node int32
}

// Record implements sim.Source.
func (s *roundTrips) Record(k uint64) (m sim.Message, at int64, ok bool) {
	if k >= uint64(s.loop.Records) {
		return sim.Message{}, 0, false
	}
	m = sim.Message{Key: k, Value: s.loop.Hops, Aux: RecordID(s.node, k)}
	return m, int64(k) * int64(s.loop.Every), true
}

// looper is the app on one node.
type looper struct {
	ways    nodeWays
	hops    int64
	handled uint64
	again   uint64 // of these, sent on inside the cycle
	ids     uint64 // sum of the ids of all records handled, with wrap-around
}

// Step implements sim.App. Where several outputs would do, they take turns.
func (a *looper) Step(_ sim.Input, m sim.Message, fx *sim.Effects) {
	left := a.handled - a.again // its own turn: a shared one could always skip the same output
	a.handled++
	a.ids += m.Aux
	w := &a.ways
	switch {
	case m.Value > 0 && len(w.back) > 0:
		fx.Send(w.back[a.again%uint64(len(w.back))], m.Key, m.Value-1, m.Aux)
		a.again++
	case len(w.out) > 0:
		fx.Send(w.out[left%uint64(len(w.out))], m.Key, a.hops, m.Aux)
	case w.toward >= 0:
		fx.Send(w.toward, m.Key, m.Value, m.Aux)
		a.again++
	default:
		fx.Emit(m.Key, m.Value, m.Aux)
	}
}

// Save implements sim.App.
func (a *looper) Save(buf []byte) []byte {
	buf = appendWord(buf, a.handled)
	buf = appendWord(buf, a.again)
	return appendWord(buf, a.ids)
}

// Load implements sim.App.
func (a *looper) Load(state []byte) error {
	r := stateReader{rest: state}
	a.handled, a.again, a.ids = r.word(), r.word(), r.word()
	return r.end()
}

// LoopState is what loop shows of a node.
type LoopState struct {
	Handled uint64 `json:"handled"` // records
	Again   uint64 `json:"again"`   // of these, sent on inside the cycle
	IDs     uint64 `json:"ids"`     // sum of their ids: which records they were
}

// Describe implements sim.Describer.
func (a *looper) Describe() any { return LoopState{a.handled, a.again, a.ids} }

// ways is where each node's outputs lead.
type ways struct {
	first, middle []int32 // outputs[first[v]:middle[v]] stay in the cycle, the rest up to first[v+1] leave it
	outputs       []int32
	toward        []int32 // by node: the output on the shortest way out of the cycle, -1 if there is none or it has its own way out
}

// nodeWays is the part of one node.
type nodeWays struct {
	back, out []int32
	toward    int32
}

func newWays(g *topology.Graph) *ways {
	component := componentOf(g)
	first, channels := outputChannels(g)
	w := &ways{first: first, middle: make([]int32, len(g.Nodes)), outputs: make([]int32, 0, len(channels))}
	for v := range g.Nodes {
		mine := channels[first[v]:first[v+1]]
		for _, back := range []bool{true, false} {
			for output, c := range mine {
				if back == (component[g.Channels[c].To] == component[v]) {
					w.outputs = append(w.outputs, int32(output))
				}
			}
			if back {
				w.middle[v] = int32(len(w.outputs))
			}
		}
	}
	w.findToward(g, component, channels)
	return w
}

func (w *ways) of(v int32) nodeWays {
	return nodeWays{
		back:   w.outputs[w.first[v]:w.middle[v]],
		out:    w.outputs[w.middle[v]:w.first[v+1]],
		toward: w.toward[v],
	}
}

// findToward searches backwards, breadth first, from the nodes that have a way
// out, along channels that stay in the cycle.
func (w *ways) findToward(g *topology.Graph, component, channels []int32) {
	firstInput, inputs := inputChannels(g)
	output := make([]int32, len(channels)) // by channel: its output index at its sender
	for v := range g.Nodes {
		for i, c := range channels[w.first[v]:w.first[v+1]] {
			output[c] = int32(i)
		}
	}
	w.toward = make([]int32, len(g.Nodes))
	reached := make([]bool, len(g.Nodes))
	var queue []int32
	for v := range g.Nodes {
		w.toward[v] = -1
		if w.middle[v] < w.first[v+1] {
			reached[v] = true
			queue = append(queue, int32(v))
		}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		v := queue[0]
		for _, c := range inputs[firstInput[v]:firstInput[v+1]] {
			from := g.Channels[c].From
			if component[from] == component[v] && !reached[from] {
				reached[from] = true
				w.toward[from] = output[c]
				queue = append(queue, from)
			}
		}
	}
}
