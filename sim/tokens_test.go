package sim_test

import (
	"encoding/binary"
	"errors"

	"simrun/sim"
)

// tokens is the workload of the benchmarks, and of the engine's own tests: every
// node begins with a token, and sends each token that it gets on over a random
// output. It never rests.
type tokens struct {
	random   sim.Word
	held     int64
	received uint64
	outputs  int32
}

func (a *tokens) Step(in sim.Input, m sim.Message, fx *sim.Effects) {
	a.held += m.Value
	a.received++
	if a.outputs > 0 {
		a.held -= m.Value
		fx.Send(int32(a.random.Below(int(a.outputs))), m.Key, m.Value, m.Aux)
	}
}

func (a *tokens) Save(buf []byte) []byte {
	buf = binary.LittleEndian.AppendUint64(buf, uint64(a.random))
	buf = binary.LittleEndian.AppendUint64(buf, uint64(a.held))
	return binary.LittleEndian.AppendUint64(buf, a.received)
}

func (a *tokens) Load(state []byte) error {
	if len(state) != 24 {
		return errors.New("a state of tokens has 24 bytes")
	}
	a.random = sim.Word(binary.LittleEndian.Uint64(state))
	a.held = int64(binary.LittleEndian.Uint64(state[8:]))
	a.received = binary.LittleEndian.Uint64(state[16:])
	return nil
}

// oneToken releases one token at time 0.
type oneToken struct{}

func (oneToken) Record(k uint64) (sim.Message, int64, bool) {
	return sim.Message{Key: k + 1, Value: 1}, 0, k == 0
}

// passThrough is no snapshot algorithm at all.
type passThrough struct{}

func (*passThrough) Initiate(sim.SnapshotID, *sim.Out) {}
func (*passThrough) Receive(in sim.Input, m sim.Message, out *sim.Out) {
	out.Send(out.Process(in, m)...)
}
func (*passThrough) Recover([]byte, []sim.Logged, *sim.Out) {}
func (*passThrough) Save(buf []byte) []byte                 { return buf }
func (*passThrough) Load([]byte) error                      { return nil }

// randomTargets is the graph of the workload: channel v*degree+k leaves node v.
func randomTargets(nodes, degree int) sim.Graph {
	g := sim.Graph{Nodes: nodes, From: make([]int32, nodes*degree), To: make([]int32, nodes*degree)}
	w := sim.Word(12345)
	for c := range g.To {
		g.From[c], g.To[c] = int32(c/degree), int32(w.Below(nodes))
	}
	return g
}

// tokenRun is a run of the workload.
func tokenRun(g sim.Graph, delay sim.Dist) *sim.Config {
	degree := make([]int32, g.Nodes)
	for _, v := range g.From {
		degree[v]++
	}
	return &sim.Config{
		Graph: g, Seed: 1, Delays: []sim.Dist{delay}, Restless: true, MaxSteps: 1 << 60,
		NewNode: func(sim.NodeInfo) sim.Node { return &passThrough{} },
		NewApp: func(v int32) sim.App {
			return &tokens{random: sim.Word(sim.Draw(1, sim.ForApp, v, 0, 0)), outputs: degree[v]}
		},
		NewSource: func(int32) sim.Source { return oneToken{} },
	}
}
