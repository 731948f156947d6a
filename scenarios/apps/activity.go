package apps

import (
	"simrun/scenarios/units"
	"simrun/sim"
)

// Activity is the parameters of activity, the diffusing computation that termination
// detectors are made for. A node is passive or active. From outside, the sources are
// made active a number of times, each time with some energy; a message has energy
// too, and makes its receiver active. An active node works for a while; then it has
// used up one unit, hands the rest on in a few messages, and is passive. It never
// becomes active on its own, so when all nodes are passive and no message is on its
// way, all is over.
//
// What comes while a node works is added to what it has. A node without outputs uses
// up all of it. The energy, used up or not, is neither made nor lost, and each share
// of it goes with a random share of a weight.
type Activity struct {
	Records int64          `yaml:"records" doc:"times that each source is made active from outside"`
	Every   units.Duration `yaml:"every" doc:"time between two of these"`
	Energy  int64          `yaml:"energy" doc:"that each of these brings; working uses up 1"`
	Fanout  int64          `yaml:"fanout" doc:"the most messages that a node sends when it has worked"`
	Work    units.Duration `yaml:"work" doc:"how long a node works"`
}

// NewActivity is activity with the default parameters.
func NewActivity() *Activity {
	return &Activity{Records: 20, Every: 10_000_000, Energy: 12, Fanout: 2, Work: 2_000_000}
}

// Build implements Builder.
func (p *Activity) Build(env *Env) (*Workload, error) {
	err := firstError(
		within("records", p.Records, 1, mostRecords),
		fits(p.Every, p.Records),
		within("energy", p.Energy, 1, mostHops),
		within("fanout", p.Fanout, 1, mostHops),
		timer("work", p.Work),
	)
	if err != nil {
		return nil, err
	}
	activity, source := *p, defaultSources(env.Graph)
	firstOutput, _ := outputChannels(env.Graph)
	return &Workload{
		NewApp: func(seed uint64, v int32) sim.App {
			a := &worker{activity: &activity, outputs: int64(firstOutput[v+1] - firstOutput[v])}
			a.random = sim.Word(sim.Draw(seed, sim.ForApp, v, 0, 0))
			a.weight = a.random.Next()
			if source[v] {
				a.stock = activity.Records * activity.Energy
			}
			return a
		},
		NewSource: func(_ uint64, node int32) sim.Source {
			if !source[node] {
				return nil
			}
			return &starts{&activity, node}
		},
	}, nil
}

// starts is the outside world of a source: what is in Value is taken from the node's
// stock.
type starts struct {
	activity *Activity
	node     int32
}

// Record implements sim.Source.
func (s *starts) Record(k uint64) (m sim.Message, at int64, ok bool) {
	if k >= uint64(s.activity.Records) {
		return sim.Message{}, 0, false
	}
	return sim.Message{Value: s.activity.Energy, Aux: RecordID(s.node, k)}, int64(k) * int64(s.activity.Every), true
}

// worker is the app on one node. A message carries a share of the weight in Key,
// energy in Value, and in Aux the id of the record that made its sender active.
type worker struct {
	activity *Activity
	outputs  int64

	energy int64  // above 0: the node is active
	id     uint64 // of what made it active
	stock  int64  // what it will yet be given from outside
	used   int64
	woken  uint64
	sent   uint64
	weight uint64
	random sim.Word
}

// Step implements sim.App.
func (a *worker) Step(in sim.Input, m sim.Message, fx *sim.Effects) {
	if in == sim.Timer {
		a.rest(fx)
		return
	}
	if a.energy == 0 {
		a.woken++
		a.id = m.Aux
		fx.SetTimer(0, int64(a.activity.Work))
	}
	a.energy += m.Value
	if in == sim.External {
		a.stock -= m.Value
	} else {
		a.weight += m.Key
	}
}

// rest ends the work: the outputs take turns in being given the energy.
func (a *worker) rest(fx *sim.Effects) {
	a.energy--
	a.used++
	messages := min(a.activity.Fanout, a.outputs, a.energy)
	for left := messages; left > 0; left-- {
		energy, share := a.energy/left, a.random.Next()
		a.energy -= energy
		a.weight -= share
		fx.Send(int32(a.sent%uint64(a.outputs)), share, energy, a.id)
		a.sent++
	}
	a.used += a.energy
	a.energy, a.id = 0, 0
}

// Save implements sim.App.
func (a *worker) Save(buf []byte) []byte {
	for _, n := range [...]uint64{uint64(a.energy), a.id, uint64(a.stock), uint64(a.used), a.woken, a.sent, a.weight, uint64(a.random)} {
		buf = appendWord(buf, n)
	}
	return buf
}

// Load implements sim.App.
func (a *worker) Load(state []byte) error {
	r := stateReader{rest: state}
	a.energy, a.id, a.stock, a.used = int64(r.word()), r.word(), int64(r.word()), int64(r.word())
	a.woken, a.sent, a.weight, a.random = r.word(), r.word(), r.word(), sim.Word(r.word())
	return r.end()
}

// Holding implements sim.Conserving: all energy, and the weight that goes with it.
func (a *worker) Holding() (amount int64, weight uint64) {
	return a.stock + a.energy + a.used, a.weight
}

// Carried implements sim.Conserving for a message on a channel.
func (a *worker) Carried(m sim.Message) (amount int64, weight uint64) { return m.Value, m.Key }

// ActivityState is what activity shows of a node.
type ActivityState struct {
	Active bool   `json:"active"`
	Energy int64  `json:"energy"` // that an active node has
	Used   int64  `json:"used"`
	Woken  uint64 `json:"woken"` // times that it was made active
}

// Describe implements sim.Describer.
func (a *worker) Describe() any { return ActivityState{a.energy > 0, a.energy, a.used, a.woken} }
