package apps

import (
	"simrun/scenarios/units"
	"simrun/sim"
)

// Tokens is the parameters of tokens: every node that has outputs holds some tokens and
// hands a number of them on, one by one, each over any of its outputs. Over which, and
// when, is for the order of the run to decide: a timer stands for each output, and what
// goes off first sends. A small computation with as many courses as possible, made for
// searches through all of them. What a node receives it keeps.
type Tokens struct {
	Tokens int64          `yaml:"tokens" doc:"of each node at the beginning"`
	Sends  int64          `yaml:"sends" doc:"how many of them a node with outputs hands on"`
	Every  units.Duration `yaml:"every" doc:"time between two of these over one output"`
}

// NewTokens is tokens with the default parameters.
func NewTokens() *Tokens { return &Tokens{Tokens: 20, Sends: 20, Every: 5_000_000} }

// Build implements Builder.
func (p *Tokens) Build(env *Env) (*Workload, error) {
	err := firstError(
		within("tokens", p.Tokens, 1, mostHops),
		within("sends", p.Sends, 1, p.Tokens),
		timer("every", p.Every),
	)
	if err != nil {
		return nil, err
	}
	tokens := *p
	firstOutput, _ := outputChannels(env.Graph)
	return &Workload{
		NewApp: func(_ uint64, v int32) sim.App {
			return &holder{every: int64(tokens.Every), node: v, outputs: firstOutput[v+1] - firstOutput[v], tokens: tokens.Tokens, left: tokens.Sends}
		},
		NewSource: func(_ uint64, v int32) sim.Source {
			if firstOutput[v] == firstOutput[v+1] {
				return nil
			}
			return opening(v)
		},
	}, nil
}

// opening is the outside world of a node: one record, which lets it begin.
type opening int32

// Record implements sim.Source.
func (o opening) Record(k uint64) (m sim.Message, at int64, ok bool) {
	if k > 0 {
		return sim.Message{}, 0, false
	}
	return sim.Message{Aux: RecordID(int32(o), 0)}, 0, true
}

// holder is the app on one node.
type holder struct {
	every   int64
	node    int32
	outputs int32
	tokens  int64
	left    int64 // to be handed on
}

// Step implements sim.App.
func (h *holder) Step(in sim.Input, m sim.Message, fx *sim.Effects) {
	switch {
	case in == sim.External:
		for output := range uint32(h.outputs) {
			fx.SetTimer(output, h.every)
		}
	case in != sim.Timer:
		h.tokens += m.Value
	case h.left > 0: // else another output's was the last
		h.tokens--
		fx.Send(int32(m.Key), 0, 1, RecordID(h.node, 0))
		if h.left--; h.left > 0 {
			fx.SetTimer(uint32(m.Key), h.every)
		}
	}
}

// Save implements sim.App.
func (h *holder) Save(buf []byte) []byte {
	buf = appendWord(buf, uint64(h.tokens))
	return appendWord(buf, uint64(h.left))
}

// Load implements sim.App.
func (h *holder) Load(state []byte) error {
	r := stateReader{rest: state}
	h.tokens, h.left = int64(r.word()), int64(r.word())
	return r.end()
}

// Holding implements sim.Conserving. The tokens are all alike.
func (h *holder) Holding() (amount int64, weight uint64) { return h.tokens, uint64(h.tokens) }

// Carried implements sim.Conserving for a token on a channel.
func (h *holder) Carried(m sim.Message) (amount int64, weight uint64) {
	return m.Value, uint64(m.Value)
}

// HolderState is what tokens shows of a node.
type HolderState struct {
	Tokens int64 `json:"tokens"`
	Left   int64 `json:"left"` // to be handed on
}

// Describe implements sim.Describer.
func (h *holder) Describe() any { return HolderState{h.tokens, h.left} }
