package apps

import (
	"encoding/binary"

	"simrun/scenarios/units"
	"simrun/sim"
	"simrun/topology"
)

// Windows is the parameters of windows, whose outputs are the work of timers.
// Sources send keyed records; every other node, at the first record of a key, opens
// a window for it and sets a timer. When that goes off the key is sent on with the
// number of records that came in the window; without outputs it leaves the system.
// The nodes behind add up the numbers in windows of their own. A node without inputs
// and outputs has windows for its own records.
//
// A key goes to the output that its hash picks, or as the plan says.
type Windows struct {
	Records int64          `yaml:"records" doc:"from each source"`
	Every   units.Duration `yaml:"every" doc:"time between two of them"`
	Keys    int64          `yaml:"keys" doc:"different keys: 0 to keys-1"`
	Window  units.Duration `yaml:"window" doc:"how long a window is open"`
}

// NewWindows is windows with the default parameters.
func NewWindows() *Windows {
	return &Windows{Records: 100, Every: 1_000_000, Keys: 8, Window: 5_000_000}
}

// Build implements Builder.
func (p *Windows) Build(env *Env) (*Workload, error) {
	err := firstError(
		within("records", p.Records, 1, mostRecords),
		fits(p.Every, p.Records),
		within("keys", p.Keys, 1, mostKeys),
		timer("window", p.Window),
		acyclic(env.Graph, "windows"),
	)
	if err != nil {
		return nil, err
	}
	windows, source := *p, defaultSources(env.Graph)
	routes := newRoutes(env.Graph, func(s topology.Strategy) rule { return ruleOf(s, byKey) })
	return &Workload{
		NewApp: func(_ uint64, node int32) sim.App {
			return &windower{windows: &windows, routes: routes, node: node}
		},
		NewSource: func(seed uint64, node int32) sim.Source {
			if !source[node] {
				return nil
			}
			return &windowRecords{&windows, sim.NewStream(seed, sim.ForSource, 0), node}
		},
	}, nil
}

// windowRecords is the outside world of a source. Value is what a record counts for.
type windowRecords struct {
	windows *Windows
	stream  sim.Stream
	node    int32
}

// Record implements sim.Source.
func (s *windowRecords) Record(k uint64) (m sim.Message, at int64, ok bool) {
	if k >= uint64(s.windows.Records) {
		return sim.Message{}, 0, false
	}
	draw := sim.Word(s.stream.Draw(s.node, k))
	m = sim.Message{Key: sim.Scale(draw.Next(), uint64(s.windows.Keys)), Value: 1, Aux: RecordID(s.node, k)}
	return m, int64(k) * int64(s.windows.Every), true
}

// windower is the app on one node. The timer of a window has the key as its id.
type windower struct {
	windows *Windows
	routes  *routes
	node    int32
	sent    uint64
	open    int      // windows
	slots   []window // by key; nil before the first one is opened
}

// window is the one of a key, open if it has the id of the record that opened it.
type window struct {
	id    uint64
	count int64
}

// Step implements sim.App.
func (a *windower) Step(in sim.Input, m sim.Message, fx *sim.Effects) {
	leaf := len(a.routes.of(a.node)) == 0
	if in == sim.External && !leaf {
		a.send(fx, m)
		return
	}
	if a.slots == nil {
		a.slots = make([]window, a.windows.Keys)
	}
	w := &a.slots[m.Key]
	if in != sim.Timer {
		if w.id == 0 {
			w.id = m.Aux
			a.open++
			fx.SetTimer(uint32(m.Key), int64(a.windows.Window))
		}
		w.count += m.Value
		return
	}
	if w.id == 0 {
		return // a timer that was not set
	}
	m.Value, m.Aux = w.count, w.id
	*w = window{}
	a.open--
	if leaf {
		fx.Emit(m.Key, m.Value, m.Aux)
		return
	}
	a.send(fx, m)
}

func (a *windower) send(fx *sim.Effects, m sim.Message) {
	a.routes.send(fx, a.node, a.sent, m)
	a.sent++
}

// Save implements sim.App: what was sent, and the open windows by key, each with its
// distance from the one that could have followed.
func (a *windower) Save(buf []byte) []byte {
	buf = appendWord(buf, a.sent)
	buf = binary.AppendUvarint(buf, uint64(a.open))
	next := 0
	for key := range a.slots {
		w := &a.slots[key]
		if w.id == 0 {
			continue
		}
		buf = binary.AppendUvarint(buf, uint64(key-next))
		buf = appendWord(buf, w.id)
		buf = appendWord(buf, uint64(w.count))
		next = key + 1
	}
	return buf
}

// Load implements sim.App.
func (a *windower) Load(state []byte) error {
	r := stateReader{rest: state}
	a.sent = r.word()
	clear(a.slots)
	a.open = 0
	open := r.uvarint()
	if open > 0 && a.slots == nil {
		a.slots = make([]window, a.windows.Keys)
	}
	next := uint64(0)
	for ; open > 0 && !r.failed; open-- {
		gap, id, count := r.uvarint(), r.word(), int64(r.word())
		key := next + gap
		if key < next || key >= uint64(len(a.slots)) || id == 0 {
			r.fail()
			break
		}
		a.slots[key] = window{id, count}
		a.open++
		next = key + 1
	}
	return r.end()
}

// WindowsState is what windows shows of a node.
type WindowsState struct {
	Sent uint64       `json:"sent"` // records, and windows that have closed
	Open []OpenWindow `json:"open"` // by key
}

// OpenWindow is a window whose timer has not gone off.
type OpenWindow struct {
	Key   int   `json:"key"`
	Count int64 `json:"count"`
}

// Describe implements sim.Describer.
func (a *windower) Describe() any {
	state := WindowsState{a.sent, []OpenWindow{}}
	for key, w := range a.slots {
		if w.id != 0 {
			state.Open = append(state.Open, OpenWindow{key, w.count})
		}
	}
	return state
}
