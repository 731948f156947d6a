package mutants

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	realabs "simrun/algorithms/abs"
	"simrun/algorithms/chandylamport"
	"simrun/invariants"
	"simrun/sim"
)

func TestAll(t *testing.T) {
	names, numbers := map[string]bool{}, map[int]bool{}
	last := 0
	for _, m := range append(All(), Managed()...) {
		if m.Name == Managed()[0].Name {
			last = 0 // the second list begins
		}
		if names[m.Name] || numbers[m.Number] || m.Number <= last {
			t.Errorf("%s, number %d: a name or number twice, or not in order", m.Name, m.Number)
		}
		names[m.Name], numbers[m.Number], last = true, true, m.Number
		if m.Doc == "" || m.Needs == "" || m.New == nil == (m.Coordinator == nil) {
			t.Errorf("%s says too little", m.Name)
		}
		if !slices.Contains(invariants.Names(), m.Catches) {
			t.Errorf("%s: no invariant is called %q", m.Name, m.Catches)
		}
		if m.Base != chandyLamport && m.Base != abs {
			t.Errorf("%s is based on %q", m.Name, m.Base)
		}
	}
}

// What the mutants are made from does to the letter what the real algorithms do.
func TestRightPartsAgainstTheRealThing(t *testing.T) {
	for seed := range uint64(200) {
		compare(t, seed, false, newRightMarking, chandylamport.New)
		compare(t, seed, true, newRightBarriers, func(i sim.NodeInfo) sim.Node {
			i.Cyclic = true
			return realabs.New(i)
		})
	}
}

// compare gives two Nodes the same input and wants the same answers.
func compare(t *testing.T, seed uint64, inOrder bool, a, b sim.NewNode) {
	t.Helper()
	in := newInput(seed, inOrder)
	nodes := []sim.Node{a(in.info), b(in.info)}
	outs := []*sim.Out{sim.NewOut(&walk{outputs: 2}), sim.NewOut(&walk{outputs: 2})}
	for range 100 {
		give := in.next()
		for i := range nodes {
			give(nodes[i], outs[i])
		}
		if diff := cmp.Diff(outs[0].Ops(), outs[1].Ops()); diff != "" {
			t.Fatalf("seed %d (-first +second):\n%s", seed, diff)
		}
		in.heed(outs[0].Ops())
		outs[0].Reset()
		outs[1].Reset()
	}
}

// Every mutant can be saved and loaded at any moment, and goes on as if nothing
// had been.
func TestSaveLoad(t *testing.T) {
	for _, m := range All() {
		t.Run(m.Name, func(t *testing.T) {
			states := map[string]bool{}
			for seed := range uint64(20) {
				in := newInput(seed, m.Base == abs)
				n, out := start(m, in)
				loaded, loadedOut := start(m, in)
				for range 60 {
					state := loaded.Save(nil)
					states[string(state)] = true
					loaded = m.New(in.info)
					if err := loaded.Load(state); err != nil {
						t.Fatal(err)
					}
					if err := m.New(in.info).Load(state[:len(state)-1]); err == nil {
						t.Fatal("loaded a state without its last byte")
					}
					give := in.next()
					out.Reset()
					loadedOut.Reset()
					give(n, out)
					give(loaded, loadedOut)
					if diff := cmp.Diff(out.Ops(), loadedOut.Ops()); diff != "" {
						t.Fatalf("seed %d (-never loaded +loaded):\n%s", seed, diff)
					}
					in.heed(out.Ops())
				}
			}
			if len(states) < 3 {
				t.Error("there never was a state to speak of")
			}
		})
	}
}

// start is a Node of a mutant that has recovered with a backup log.
func start(m Mutant, in *input) (sim.Node, *sim.Out) {
	n, out := m.New(in.info), sim.NewOut(&walk{outputs: 2})
	n.Recover(nil, []sim.Logged{{Input: 0, Message: sim.Message{Value: 9}}}, out)
	return n, out
}

// input is a random but possible input of one node: markers come once on each
// channel and, for ABS, in the order of their ids; nothing comes on a blocked
// channel.
type input struct {
	info    sim.NodeInfo
	random  sim.Word
	coming  [][]sim.SnapshotID // by slot: markers that have not come
	blocked []bool
}

func newInput(seed uint64, inOrder bool) *input {
	const inputs = 4
	in := &input{
		info:    sim.NodeInfo{Inputs: inputs, Outputs: 2, Initiator: true, BackEdge: []bool{true, false, true, false}, Cyclic: true},
		random:  sim.Word(seed),
		coming:  make([][]sim.SnapshotID, inputs+1),
		blocked: make([]bool, inputs+1),
	}
	for s := range in.coming {
		list := []sim.SnapshotID{1, 2, 3, 4, 5}
		for i := len(list) - 1; i > 0 && !inOrder; i-- {
			j := in.random.Below(i + 1)
			list[i], list[j] = list[j], list[i]
		}
		in.coming[s] = list
	}
	return in
}

// next is the next thing to give to a Node.
func (in *input) next() func(n sim.Node, out *sim.Out) {
	m := sim.Message{Key: 3, Value: int64(in.random.Below(100)), Aux: in.random.Next()}
	s := in.random.Below(len(in.coming))
	if in.blocked[s] {
		return func(n sim.Node, out *sim.Out) { n.Receive(sim.External, m, out) }
	}
	if in.random.Below(4) > 0 || len(in.coming[s]) == 0 {
		from := sim.Input(s)
		if s == in.info.Inputs {
			from = sim.External
		}
		return func(n sim.Node, out *sim.Out) { n.Receive(from, m, out) }
	}
	id := in.coming[s][0]
	in.coming[s] = in.coming[s][1:]
	if s == in.info.Inputs {
		return func(n sim.Node, out *sim.Out) { n.Initiate(id, out) }
	}
	return func(n sim.Node, out *sim.Out) { n.Receive(sim.Input(s), sim.NewMarker(id), out) }
}

// heed keeps to what the Node wants blocked.
func (in *input) heed(ops []sim.Op) {
	for _, op := range ops {
		switch op.Kind {
		case sim.OpBlock:
			in.blocked[op.Channel] = true
		case sim.OpUnblock:
			in.blocked[op.Channel] = false
		}
	}
}
