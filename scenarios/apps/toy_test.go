package apps

import (
	"errors"
	"flag"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"simrun/sim"
	"simrun/topology"
)

// TestMain fixes rapid's seed and the number of cases, unless flags give them, so
// that every run of the tests checks the same.
func TestMain(m *testing.M) {
	flag.Parse()
	given := map[string]bool{}
	flag.Visit(func(f *flag.Flag) { given[f.Name] = true })
	for _, set := range [][2]string{{"rapid.seed", "1"}, {"rapid.checks", "1000"}} {
		if given[set[0]] {
			continue
		}
		if err := flag.Set(set[0], set[1]); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

// graphOf makes a graph of channels like "S->A", in this order and without a
// plan; the nodes are numbered as they first appear. A lone name is a node.
func graphOf(channels string) *topology.Graph {
	g := &topology.Graph{Name: "test"}
	ids := map[string]int32{}
	node := func(name string) int32 {
		if _, ok := ids[name]; !ok {
			ids[name] = int32(len(g.Nodes))
			g.Nodes = append(g.Nodes, name)
		}
		return ids[name]
	}
	for _, field := range strings.Fields(channels) {
		from, to, ok := strings.Cut(field, "->")
		v := node(from)
		if ok {
			g.Channels = append(g.Channels, topology.Channel{From: v, To: node(to), Edge: topology.NoEdge})
		}
	}
	return g
}

// planned makes the graph one of a plan: channel c belongs to edge edgeOf[c].
func planned(g *topology.Graph, edges []topology.Edge, edgeOf ...int32) *topology.Graph {
	g.Edges = edges
	for c := range g.Channels {
		g.Channels[c].Edge = edgeOf[c]
	}
	return g
}

// testEnv has a text, and three files that are none.
func testEnv(g *topology.Graph) *Env {
	return &Env{Graph: g, ReadFile: func(path string) ([]byte, error) {
		switch path {
		case "words.txt":
			return []byte("To be, or not to be"), nil
		case "binary":
			return []byte("a\x00b"), nil
		case "latin1":
			return []byte("caf\xe9"), nil
		case "empty":
			return []byte(" ...\n"), nil
		}
		return nil, &fs.PathError{Op: "open", Path: path, Err: errors.New("no such file")}
	}}
}

// failer is *testing.T or *rapid.T.
type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

func mustBuild(t failer, b Builder, g *topology.Graph) *Workload {
	t.Helper()
	w, err := b.Build(testEnv(g))
	if err != nil {
		t.Fatalf("Build: %v", err)
	}
	return w
}

// toy runs a workload without the engine: FIFO channels, no time, any order; a timer
// may go off as soon as it is set.
type toy struct {
	g        *topology.Graph
	apps     []sim.App
	sources  []sim.Source
	offset   []uint64
	timers   [][]uint32 // by node
	channels [][]sim.Message
	outputs  [][]int32 // by node: channels
	input    []sim.Input
	emitted  []sim.Send
	order    sim.Word
	fx       sim.Effects
}

func newToy(w *Workload, g *topology.Graph, seed uint64) *toy {
	n := len(g.Nodes)
	net := &toy{g: g, offset: make([]uint64, n), timers: make([][]uint32, n), outputs: make([][]int32, n), order: sim.Word(seed)}
	net.channels = make([][]sim.Message, len(g.Channels))
	inputs := make([]sim.Input, n)
	for c, ch := range g.Channels {
		net.outputs[ch.From] = append(net.outputs[ch.From], int32(c))
		net.input = append(net.input, inputs[ch.To])
		inputs[ch.To]++
	}
	for v := range int32(n) {
		net.apps = append(net.apps, w.NewApp(seed, v))
		net.sources = append(net.sources, w.NewSource(seed, v))
	}
	return net
}

// step carries out one enabled step; false if there is none.
func (net *toy) step() bool {
	n := len(net.apps)
	all := 2*n + len(net.channels)
	start := net.order.Below(all)
	for i := range all {
		pick := (start + i) % all
		switch {
		case pick < n:
			if net.external(int32(pick)) {
				return true
			}
		case pick < 2*n:
			if v := int32(pick - n); len(net.timers[v]) > 0 {
				id := net.timers[v][0]
				net.timers[v] = net.timers[v][1:]
				net.handle(v, sim.Timer, sim.Message{Key: uint64(id)})
				return true
			}
		default:
			if net.deliver(pick - 2*n) {
				return true
			}
		}
	}
	return false
}

func (net *toy) external(v int32) bool {
	if net.sources[v] == nil {
		return false
	}
	m, _, ok := net.sources[v].Record(net.offset[v])
	if ok {
		net.offset[v]++
		net.handle(v, sim.External, m)
	}
	return ok
}

func (net *toy) deliver(c int) bool {
	to := net.g.Channels[c].To
	if app, ok := net.apps[to].(sim.Guarded); len(net.channels[c]) == 0 || ok && !app.Accepts(net.input[c]) {
		return false
	}
	m := net.channels[c][0]
	net.channels[c] = net.channels[c][1:]
	net.handle(to, net.input[c], m)
	return true
}

func (net *toy) handle(v int32, in sim.Input, m sim.Message) {
	net.fx.Reset()
	net.apps[v].Step(in, m, &net.fx)
	net.fx.Timers(func(id uint32, _ int64) {
		if !slices.Contains(net.timers[v], id) {
			net.timers[v] = append(net.timers[v], id)
		}
	})
	for _, s := range net.fx.Sends() {
		if s.Output == sim.Sink {
			net.emitted = append(net.emitted, s)
			continue
		}
		c := net.outputs[v][s.Output]
		net.channels[c] = append(net.channels[c], s.Message)
	}
}

// rest runs until nothing is enabled.
func (net *toy) rest(t failer) (steps int) {
	t.Helper()
	for net.step() {
		if steps++; steps > 200_000 {
			t.Fatalf("no rest after %d steps", steps)
		}
	}
	return steps
}

// drawGraph draws a small graph, possibly with parallel channels, and with plan
// edges of any strategy; with cycles and self-loops or without.
func drawGraph(t *rapid.T, cycles bool) *topology.Graph {
	n := rapid.IntRange(1, 5).Draw(t, "nodes")
	g := &topology.Graph{Name: "drawn"}
	for v := range n {
		g.Nodes = append(g.Nodes, string(rune('A'+v)))
	}
	plan := rapid.Bool().Draw(t, "plan")
	if plan {
		for s := topology.Any; s <= topology.RoundRobin; s++ {
			g.Edges = append(g.Edges, topology.Edge{From: "x", To: string(rune('p' + s%2)), Strategy: s})
		}
	}
	for range rapid.IntRange(0, 8).Draw(t, "channels") {
		c := topology.Channel{
			From: rapid.Int32Range(0, int32(n-1)).Draw(t, "from"),
			To:   rapid.Int32Range(0, int32(n-1)).Draw(t, "to"),
			Edge: topology.NoEdge,
		}
		if plan {
			c.Edge = rapid.Int32Range(0, int32(len(g.Edges)-1)).Draw(t, "edge")
		}
		if !cycles {
			if c.From == c.To {
				continue
			}
			c.From, c.To = min(c.From, c.To), max(c.From, c.To)
		}
		g.Channels = append(g.Channels, c)
	}
	return g
}

// cyclic says which apps take graphs with cycles.
var cyclic = map[string]bool{"bank": true, "loop": true, "dataflow": true, "activity": true, "tokens": true}

// drawWorkload draws an app with small parameters on a graph that it runs on.
func drawWorkload(t *rapid.T) (Kind, *Workload, *topology.Graph) {
	kind := rapid.SampledFrom(Kinds()).Draw(t, "kind")
	g := drawGraph(t, cyclic[kind.Name])
	builder := kind.New()
	records := rapid.Int64Range(1, 8).Draw(t, "records")
	switch p := builder.(type) {
	case *Bank:
		p.Transfers = records
	case *WordCount:
		p.Text, p.Repeat = "words.txt", records
	case *Loop:
		p.Records = records
	case *Join:
		p.Records = records
	case *Sums:
		p.Records = records
	case *Dataflow:
		p.Records, p.Skew = records, records%3
		p.Hops = rapid.Int64Range(0, 2).Draw(t, "hops")
	case *Zip:
		p.Records = records
		if n := len(topology.DefaultInitiators(g)); rapid.Bool().Draw(t, "uneven") {
			p.Counts = rapid.SliceOfN(rapid.Int64Range(1, 8), n, n).Draw(t, "counts")
		}
	case *Windows:
		p.Records, p.Keys = records, 3
	case *Activity:
		p.Records = records
	case *Tokens:
		p.Tokens, p.Sends = records, records
	default:
		t.Fatalf("nothing is known of the parameters of %s", kind.Name)
	}
	return kind, mustBuild(t, builder, g), g
}
