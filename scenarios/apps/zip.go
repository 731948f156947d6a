package apps

import (
	"fmt"

	"simrun/scenarios/units"
	"simrun/sim"
)

// Zip is the parameters of zip, whose nodes choose what they read: a node takes one
// record from each of its inputs in turn and makes one of them all, and while it
// waits for an input it accepts nothing from the others. What it makes goes over
// every output, or leaves the system where there is none.
//
// When all sources send equally many records every node finishes what it began. With
// Counts some end before the others; then records are left that nobody will ever
// accept, and the run is at rest with messages in its channels.
type Zip struct {
	Records int64          `yaml:"records" doc:"from each source"`
	Counts  []int64        `yaml:"counts,omitempty" doc:"of records from each source, in the order of the nodes; none: as records says"`
	Every   units.Duration `yaml:"every" doc:"time between two of them"`
}

// NewZip is zip with the default parameters.
func NewZip() *Zip { return &Zip{Records: 100, Every: 1_000_000} }

// Build implements Builder.
func (p *Zip) Build(env *Env) (*Workload, error) {
	source := defaultSources(env.Graph)
	counts, most, err := p.counts(source)
	if err == nil {
		err = firstError(fits(p.Every, most), acyclic(env.Graph, "zip"))
	}
	if err != nil {
		return nil, err
	}
	every := int64(p.Every)
	firstInput, _ := inputChannels(env.Graph)
	firstOutput, _ := outputChannels(env.Graph)
	return &Workload{
		NewApp: func(_ uint64, v int32) sim.App {
			return &zipper{inputs: firstInput[v+1] - firstInput[v], outputs: firstOutput[v+1] - firstOutput[v]}
		},
		NewSource: func(_ uint64, node int32) sim.Source {
			if !source[node] {
				return nil
			}
			return &zipRecords{node, counts[node], every}
		},
	}, nil
}

// counts is how many records each node is given from outside, and the most of these.
func (p *Zip) counts(source []bool) (counts []uint64, most int64, err error) {
	counts = make([]uint64, len(source))
	sources := 0
	for v := range source {
		if !source[v] {
			continue
		}
		name, n := "records", p.Records
		if sources < len(p.Counts) {
			name, n = "counts", p.Counts[sources]
		}
		if err := within(name, n, 1, mostRecords); err != nil {
			return nil, 0, err
		}
		counts[v], most = uint64(n), max(most, n)
		sources++
	}
	if len(p.Counts) != 0 && len(p.Counts) != sources {
		return nil, 0, &ParameterError{
			Parameter: "counts",
			Problem:   fmt.Sprintf("the number of sources is %d, not %d", sources, len(p.Counts)),
			Right:     "write one for each source, in the order of the nodes",
		}
	}
	return counts, most, nil
}

// zipRecords is the outside world of a source: record k has k in Key and k+1 in
// Value.
type zipRecords struct {
	node  int32
	count uint64
	every int64
}

// Record implements sim.Source.
func (s *zipRecords) Record(k uint64) (m sim.Message, at int64, ok bool) {
	if k >= s.count {
		return sim.Message{}, 0, false
	}
	return sim.Message{Key: k, Value: int64(k) + 1, Aux: RecordID(s.node, k)}, int64(k) * s.every, true
}

// zipper is the app on one node. A source makes each of its records into one.
type zipper struct {
	inputs, outputs int32
	turn            int32 // the input that is read next
	made            uint64
	fold            int64  // of the values taken for the one being made
	id              uint64 // of the record taken from the first input for it
}

// Accepts implements sim.Guarded.
func (a *zipper) Accepts(in sim.Input) bool { return int32(in) == a.turn }

// Step implements sim.App.
func (a *zipper) Step(_ sim.Input, m sim.Message, fx *sim.Effects) {
	if a.turn == 0 {
		a.fold, a.id = 0, m.Aux
	}
	a.fold = a.fold*31 + m.Value // another order would give another number
	if a.turn++; a.turn < a.inputs {
		return
	}
	if a.outputs == 0 {
		fx.Emit(a.made, a.fold, a.id)
	}
	for output := range a.outputs {
		fx.Send(output, a.made, a.fold, a.id)
	}
	a.turn = 0
	a.made++
}

// Save implements sim.App.
func (a *zipper) Save(buf []byte) []byte {
	buf = appendWord(buf, uint64(a.turn))
	buf = appendWord(buf, a.made)
	buf = appendWord(buf, uint64(a.fold))
	return appendWord(buf, a.id)
}

// Load implements sim.App.
func (a *zipper) Load(state []byte) error {
	r := stateReader{rest: state}
	turn := r.word()
	if turn > 0 && turn >= uint64(a.inputs) {
		r.fail()
	}
	a.turn, a.made, a.fold, a.id = int32(turn), r.word(), int64(r.word()), r.word()
	return r.end()
}

// ZipState is what zip shows of a node.
type ZipState struct {
	Made uint64 `json:"made"` // of a record from each input
	Turn int32  `json:"turn"` // the input that is read next
}

// Describe implements sim.Describer.
func (a *zipper) Describe() any { return ZipState{a.made, a.turn} }
