package spacetime

import (
	"bytes"

	"simrun/scenarios"
	"simrun/sim"
)

// states follows the state of every App through the run, by having Apps of its own do the
// same steps: the engine shows states only where they are recorded.
type states struct {
	seed    uint64
	plan    *scenarios.Plan
	says    *scenarios.Describer
	apps    []sim.App
	inputs  []int32 // by channel: its place among the inputs of its receiver
	fx      sim.Effects
	initial [][]byte
	shown   []any // by node: what the last State has led to
	lost    []bool
	list    []State
	left    int   // bytes that may still be spent on states after steps
	spent   int32 // the event at which they were spent; None: they were not
}

func newStates(p *scenarios.Plan, seed uint64, o Options) *states {
	n := len(p.Graph.Nodes)
	s := &states{seed: seed, plan: p, says: p.Describer(seed), apps: make([]sim.App, n), inputs: make([]int32, len(p.Graph.Channels)),
		initial: make([][]byte, n), shown: make([]any, n), lost: make([]bool, n), left: o.StateBytes, spent: None}
	if s.left == 0 {
		s.left = StateBytes
	}
	inputs := make([]int32, n)
	for c, ch := range p.Graph.Channels {
		s.inputs[c] = inputs[ch.To]
		inputs[ch.To]++
	}
	for v := range s.apps {
		v := int32(v)
		s.initial[v] = []byte("null")
		s.guard(v, func() {
			s.apps[v] = p.Workload.NewApp(seed, v)
			s.initial[v] = s.describe(v)
		})
		s.shown[v] = parse(s.initial[v])
	}
	return s
}

// guard does something with the App of a node. One that panics is somebody's fault, and
// for others to judge: here its state is not known any more.
func (s *states) guard(v int32, do func()) {
	if s.lost[v] {
		return
	}
	defer func() {
		if recover() != nil {
			s.lost[v] = true
		}
	}()
	do()
}

func (s *states) describe(v int32) []byte {
	return bytes.Clone(s.says.Describe(v, s.apps[v].Save(nil)))
}

// stateAfter lets the node's own App do the step too, and notes what it has become.
func (b *builder) stateAfter(kind Kind, ev *sim.Event, i int32) {
	s, v := b.states, ev.Node
	switch kind {
	case Process:
		s.step(v, sim.Input(s.inputs[ev.Channel]), ev.Message)
	case External:
		s.step(v, sim.External, ev.Message)
	case Timer:
		s.step(v, sim.Timer, sim.Message{Key: uint64(ev.Timer)})
	case Record:
		if i != None {
			s.note(v, i, b.recorded(ev))
		}
		return
	default:
		return
	}
	if i == None || s.spent != None {
		return
	}
	text := []byte("null")
	s.guard(v, func() { text = s.describe(v) })
	s.left -= len(text) // the work of describing counts, not only what has changed
	s.note(v, i, text)
	if s.left <= 0 {
		s.spent = i + 1
	}
}

// recorded is a recorded state as people read it.
func (b *builder) recorded(ev *sim.Event) (text []byte) {
	text = []byte("null")
	b.states.guard(ev.Node, func() { text = bytes.Clone(b.states.says.Describe(ev.Node, ev.State)) })
	return text
}

func (s *states) step(v int32, in sim.Input, m sim.Message) {
	s.guard(v, func() {
		s.fx.Reset()
		s.apps[v].Step(in, m, &s.fx)
	})
}

// put loads what a restore has put in place.
func (s *states) put(v int32, state []byte, i int32) {
	s.lost[v] = s.apps[v] == nil
	text := []byte("null")
	s.guard(v, func() {
		if s.lost[v] = s.apps[v].Load(state) != nil; !s.lost[v] {
			text = s.describe(v)
		}
	})
	if i != None {
		s.note(v, i, text)
	}
}

// note adds a State, as what has changed since the node's last one.
func (s *states) note(v, i int32, text []byte) {
	now := parse(text)
	patch := difference(s.shown[v], now)
	s.shown[v] = now
	s.list = append(s.list, State{i, patch})
}
