package mutants

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"simrun/invariants"
	"simrun/sim"
	"simrun/topology"
)

// world is a graph and what happens to it.
type world struct {
	name       string
	graph      sim.Graph
	initiators []int32
	loops      bool
	overlap    bool // snapshots begin before the last has ended
	crash      bool // a node crashes when it has recorded the last one
}

// worlds are small graphs with everything that mistakes hide from: joins of two
// and three, parallel channels, self-loops, several back-edges, and sources that
// keep emitting.
func worlds() (all []world) {
	for _, w := range []world{
		{name: "joins", initiators: []int32{0, 1},
			graph: links(0, 2, 1, 2, 0, 3, 1, 3, 1, 3, 2, 4, 3, 4, 0, 4)},
		{name: "loops", initiators: []int32{0}, loops: true,
			graph: links(0, 1, 0, 1, 1, 2, 2, 1, 2, 1, 1, 1, 2, 3)},
		{name: "complete", initiators: []int32{0, 2}, loops: true,
			graph: links(0, 1, 0, 2, 0, 3, 1, 0, 1, 2, 1, 3, 2, 0, 2, 1, 2, 3, 3, 0, 3, 1, 3, 2)},
	} {
		for _, overlap := range []bool{false, true} {
			for _, crash := range []bool{false, true} {
				w.overlap, w.crash = overlap, crash
				all = append(all, w)
			}
		}
	}
	return all
}

func (w *world) String() string {
	return fmt.Sprintf("%s, overlap %t, crash %t", w.name, w.overlap, w.crash)
}

// links makes a graph of pairs (from, to).
func links(ends ...int32) (g sim.Graph) {
	for i := 0; i < len(ends); i += 2 {
		g.From, g.To = append(g.From, ends[i]), append(g.To, ends[i+1])
		g.Nodes = max(g.Nodes, int(ends[i])+1, int(ends[i+1])+1)
	}
	return g
}

func (w *world) backEdges() []bool {
	if !w.loops {
		return nil
	}
	g := topology.Graph{Nodes: make([]string, w.graph.Nodes)}
	for c := range w.graph.From {
		g.Channels = append(g.Channels, topology.Channel{From: w.graph.From[c], To: w.graph.To[c], Edge: -1})
	}
	return topology.BackEdges(&g, w.initiators)
}

// run carries an algorithm out in a world, and has it judged.
func (w *world) run(seed uint64, order sim.Order, algorithm sim.NewNode, aligned bool) (*sim.History, *invariants.Report) {
	cfg := w.config(seed, order, algorithm)
	e, err := sim.New(cfg)
	if err != nil {
		panic(err)
	}
	run := invariants.Of(cfg, e.Run())
	run.Aligned = aligned
	return run.History, invariants.Check(run, nil)
}

func (w *world) config(seed uint64, order sim.Order, algorithm sim.NewNode) *sim.Config {
	outputs := make([]int32, w.graph.Nodes)
	for _, v := range w.graph.From {
		outputs[v]++
	}
	cfg := &sim.Config{
		Graph: w.graph, Seed: seed, Order: order, Rows: true,
		NewNode:   algorithm,
		NewApp:    func(v int32) sim.App { return &walk{outputs: outputs[v], random: sim.Word(uint64(v) + 3*seed)} },
		NewSource: func(v int32) sim.Source { return w.source(seed, v) },
		BackEdge:  w.backEdges(),
		Delays:    []sim.Dist{{Kind: sim.Uniform, Low: 1, High: 60}},
		Write:     sim.Dist{Kind: sim.Uniform, Low: 1, High: 20},
		Snapshots: sim.SnapshotPlan{At: []int64{40, 400}, Initiators: w.initiators},
		Stop:      sim.Stop{At: 900},
		MaxSteps:  100_000,
	}
	if w.overlap {
		cfg.Snapshots.At = []int64{40, 60, 75, 400}
	}
	if w.crash {
		cfg.Faults = []sim.Fault{{
			Nodes: []int32{int32(seed % uint64(w.graph.Nodes))}, Down: 10,
			Phase: sim.PhaseRecorded, Snapshot: sim.SnapshotID(len(cfg.Snapshots.At)),
		}}
	}
	return cfg
}

func (w *world) source(seed uint64, v int32) sim.Source {
	if slices.Contains(w.initiators, v) {
		return &walkers{seed, v}
	}
	return nil
}

// walkers is a source that emits as long as it is asked.
type walkers struct {
	seed uint64
	node int32
}

func (s *walkers) Record(k uint64) (m sim.Message, at int64, ok bool) {
	r := sim.Draw(s.seed, sim.ForSource, s.node, 0, k)
	return sim.Message{Key: 2 + r%5, Value: int64(k + 1), Aux: r}, int64(k)*7 + int64(sim.Scale(r, 7)), true
}

// walk is an App that sends what it gets to a random neighbour, as often as the
// key says. Its state depends on the order in which it got things.
type walk struct {
	outputs int32
	random  sim.Word
	sum     uint64
}

func (w *walk) Step(_ sim.Input, m sim.Message, fx *sim.Effects) {
	w.sum = w.sum*31 + m.Aux + uint64(m.Value)
	switch {
	case w.outputs == 0 || m.Key == 0:
		fx.Emit(m.Key, m.Value, m.Aux)
	default:
		fx.Send(int32(w.random.Next()%uint64(w.outputs)), m.Key-1, m.Value, m.Aux+w.sum)
	}
}

func (w *walk) Save(buf []byte) []byte {
	buf = binary.LittleEndian.AppendUint64(buf, uint64(w.random))
	return binary.LittleEndian.AppendUint64(buf, w.sum)
}

func (w *walk) Load(state []byte) error {
	if len(state) != 16 {
		return errors.New("walk: not a state")
	}
	w.random = sim.Word(binary.LittleEndian.Uint64(state))
	w.sum = binary.LittleEndian.Uint64(state[8:])
	return nil
}
