package properties_test

import (
	"encoding/binary"
	"errors"
	"runtime/debug"
	"slices"
	"testing"

	"simrun/algorithms/mutants"
	"simrun/invariants"
	"simrun/sim"
)

const (
	mostTrials  = 4000 // that one mistake is given to show
	convictions = 5    // that it must show in
)

// TestMutantsAreConvicted: on runs of the same kind every wrong algorithm violates
// the invariant that it should, where the right one keeps all of them.
func TestMutantsAreConvicted(t *testing.T) {
	for _, m := range mutants.All() {
		t.Run(m.Name, func(t *testing.T) {
			if m.Catches == "non-interference" {
				t.Skip("it shows only beside a run without snapshots; package scenarios/mutation makes them")
			}
			convict(t, m.Catches, func(r *trial) (wrong sim.Config, ok bool) {
				wrong = r.config
				wrong.NewNode = m.New
				return wrong, r.algorithm == m.Base
			})
		})
	}
}

// TestWrongAppsAreConvicted: so does an app that breaks the rules of App.
func TestWrongAppsAreConvicted(t *testing.T) {
	for _, wrong := range []struct {
		name, catches string
		new           func(a relay, steps *uint64) sim.App
	}{
		// What it saves is true as far as it goes. The run after a restore tells.
		{"forgets a field", "state-truth", func(a relay, _ *uint64) sim.App { return &forgetful{a} }},
		// Its steps after a restore change the snapshot that it was loaded from.
		{"keeps what it loads", "state-truth", func(a relay, _ *uint64) sim.App { return &borrower{relay: a} }},
		// What other nodes save is written over its state.
		{"saves by reference", "state-truth", func(a relay, _ *uint64) sim.App { return newLender(a) }},
		{"knows what other nodes do", "state-truth", func(a relay, steps *uint64) sim.App { return &gossip{a, steps} }},
	} {
		t.Run(wrong.name, func(t *testing.T) {
			convict(t, wrong.catches, func(r *trial) (sim.Config, bool) {
				r.app, r.parameters = "relay", nil
				r.config.NewSource = func(v int32) sim.Source { return batons{v} }
				r.config.NewApp = func(v int32) sim.App { return new(newRelay(&r.config, v)) }
				steps, other := uint64(0), r.config
				other.NewApp = func(v int32) sim.App { return wrong.new(newRelay(&r.config, v), &steps) }
				return other, true
			})
		})
	}
}

// convict tries runs until the mistake has shown often enough.
func convict(t *testing.T, invariant string, mistake func(*trial) (wrong sim.Config, ok bool)) {
	convicted, tried := 0, 0
	for i := 1; convicted < convictions && i <= mostTrials; i++ {
		r := trials.Example(i)
		wrong, ok := mistake(r)
		if !ok {
			continue
		}
		tried++
		accused := *r
		accused.config = wrong
		report := judged(t, &accused)
		if !slices.ContainsFunc(report.Violations, func(v invariants.Violation) bool { return v.Invariant == invariant }) {
			continue
		}
		convicted++
		if right := judged(t, r); !right.Holds() {
			t.Fatalf("the right one is convicted too: %v\nof the run\n%s", right.Violations, r)
		}
	}
	t.Logf("%s: %d convictions in %d trials", invariant, convicted, tried)
	if convicted < convictions {
		t.Errorf("%s was violated in %d of %d runs", invariant, convicted, tried)
	}
}

// judged runs a run and has it checked.
func judged(t *testing.T, r *trial) *invariants.Report {
	defer func() {
		if cause := recover(); cause != nil {
			t.Fatalf("%v\nin the run\n%s\n%s", cause, r, debug.Stack())
		}
	}()
	return invariants.Check(r.checked(engineOf(t, &r.config).Run()), nil)
}

// relay is a small app that passes batons on; its two fields decide where to and
// what they say. The wrong apps are made from it.
type relay struct {
	node       int32
	outputs    uint64
	count, sum uint64
}

func newRelay(cfg *sim.Config, v int32) relay {
	a := relay{node: v}
	for _, from := range cfg.Graph.From {
		if from == v {
			a.outputs++
		}
	}
	return a
}

func (a *relay) Step(_ sim.Input, m sim.Message, fx *sim.Effects) {
	a.count++
	a.sum = a.sum*31 + m.Key
	if m.Value == 0 || a.outputs == 0 {
		fx.Emit(m.Key+a.count, m.Value, m.Aux)
		return
	}
	fx.Send(int32(a.sum%a.outputs), m.Key+a.count, m.Value-1, m.Aux)
}

func (a *relay) Save(buf []byte) []byte {
	buf = binary.LittleEndian.AppendUint64(buf, a.sum)
	return binary.LittleEndian.AppendUint64(buf, a.count)
}

func (a *relay) Load(state []byte) error {
	if len(state) != 16 {
		return errors.New("not a state of relay")
	}
	a.sum, a.count = binary.LittleEndian.Uint64(state), binary.LittleEndian.Uint64(state[8:])
	return nil
}

// batons is the External input of relay.
type batons struct{ node int32 }

func (s batons) Record(k uint64) (m sim.Message, at int64, ok bool) {
	return sim.Message{Key: k + uint64(s.node), Value: 5}, int64(k) * 400, k < 20
}

// forgetful does not save its count.
type forgetful struct{ relay }

func (a *forgetful) Save(buf []byte) []byte {
	buf = binary.LittleEndian.AppendUint64(buf, a.sum)
	return append(buf, make([]byte, 8)...)
}

// borrower goes on working on the very bytes that it was loaded from.
type borrower struct {
	relay
	loaded []byte
}

func (a *borrower) Step(in sim.Input, m sim.Message, fx *sim.Effects) {
	a.relay.Step(in, m, fx)
	if a.loaded != nil {
		a.Save(a.loaded[:0])
	}
}

func (a *borrower) Load(state []byte) error {
	a.loaded = state
	return a.relay.Load(state)
}

// lender has its state in the memory that Save gives away, at one node.
type lender struct {
	relay
	memory []byte
}

func newLender(a relay) sim.App {
	if a.node > 0 {
		return &a
	}
	return &lender{a, a.Save(nil)}
}

func (a *lender) Step(in sim.Input, m sim.Message, fx *sim.Effects) {
	if err := a.relay.Load(a.memory); err != nil {
		panic(err)
	}
	a.relay.Step(in, m, fx)
	a.relay.Save(a.memory[:0])
}

func (a *lender) Save(buf []byte) []byte {
	if len(buf) == 0 {
		return a.memory
	}
	return append(buf, a.memory...)
}

func (a *lender) Load(state []byte) error {
	copy(a.memory, state)
	return a.relay.Load(state)
}

// gossip mixes into its sum how many steps all nodes have made.
type gossip struct {
	relay
	steps *uint64
}

func (a *gossip) Step(in sim.Input, m sim.Message, fx *sim.Effects) {
	*a.steps++
	a.sum += *a.steps
	a.relay.Step(in, m, fx)
}
