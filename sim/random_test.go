package sim_test

import (
	"flag"
	"os"
	"testing"

	"pgregory.net/rapid"

	"simrun/algorithms/abs"
	"simrun/algorithms/chandylamport"
	"simrun/sim"
	"simrun/topology"
)

// TestMain fixes rapid's seed and number of cases, unless they are given.
func TestMain(m *testing.M) {
	flag.Parse()
	given := map[string]bool{}
	flag.Visit(func(f *flag.Flag) { given[f.Name] = true })
	for name, value := range map[string]string{"rapid.seed": "1", "rapid.checks": "400"} {
		if !given[name] {
			if err := flag.Set(name, value); err != nil {
				panic(err)
			}
		}
	}
	os.Exit(m.Run())
}

// drawGraph draws a small graph with parallel channels, self-loops and cycles.
func drawGraph(t *rapid.T) *topology.Graph {
	n := rapid.IntRange(1, 6).Draw(t, "nodes")
	g := &topology.Graph{Nodes: []string{"a", "b", "c", "d", "e", "f"}[:n]}
	for range rapid.IntRange(0, 12).Draw(t, "channels") {
		g.Channels = append(g.Channels, topology.Channel{
			From: int32(rapid.IntRange(0, n-1).Draw(t, "from")),
			To:   int32(rapid.IntRange(0, n-1).Draw(t, "to")),
			Edge: -1,
		})
	}
	return g
}

func drawDist(t *rapid.T, label string, least int64) sim.Dist {
	low := rapid.Int64Range(least, 3000).Draw(t, label)
	switch rapid.IntRange(0, 3).Draw(t, label) {
	case 0:
		return sim.Dist{Low: low}
	case 1:
		return sim.Dist{Kind: sim.Uniform, Low: low, High: low + rapid.Int64Range(0, 9000).Draw(t, label)}
	case 2:
		return sim.Dist{Kind: sim.Exponential, Low: low, High: 3000}
	}
	return sim.Dist{Kind: sim.Bimodal, Low: low, High: low, SlowLow: 20_000, SlowHigh: 50_000, Percent: 10}
}

// drawRun draws a run of dawdlers under one of the two algorithms.
func drawRun(t *rapid.T) *sim.Config {
	g := drawGraph(t)
	roots := topology.DefaultInitiators(g)
	sg := g.Sim()
	cfg := &sim.Config{
		Graph: sg, Seed: rapid.Uint64().Draw(t, "seed"), Rows: true,
		NewApp: func(v int32) sim.App {
			outs := int32(0)
			for _, from := range sg.From {
				if from == v {
					outs++
				}
			}
			return &dawdler{random: sim.Word(v), outputs: outs}
		},
		Delays:    []sim.Dist{drawDist(t, "delay", 1), drawDist(t, "other delay", 1)},
		DelayOf:   make([]uint8, len(sg.From)),
		Write:     drawDist(t, "write", 0),
		Snapshots: sim.SnapshotPlan{Every: rapid.Int64Range(0, 20).Draw(t, "every") * 1000, Initiators: roots},
		Stop:      sim.Stop{At: 100_000},
		MaxSteps:  1_000_000,
	}
	cfg.NewSource = func(v int32) sim.Source { return drip{cfg.Seed, v, 12, 5_000} }
	for c := range cfg.DelayOf {
		cfg.DelayOf[c] = uint8(c % 2)
	}
	if rapid.Bool().Draw(t, "service") {
		cfg.Service = drawDist(t, "service", 0)
	}
	switch rapid.IntRange(0, 2).Draw(t, "algorithm") {
	case 0:
		cfg.NewNode = chandylamport.New
	case 1:
		cfg.NewNode = abs.New
		cfg.BackEdge = topology.BackEdges(g, roots)
	case 2:
		cfg.NewNode = func(sim.NodeInfo) sim.Node { return &passThrough{} }
		cfg.Snapshots = sim.SnapshotPlan{}
	}
	for range rapid.IntRange(0, 3).Draw(t, "faults") {
		cfg.Faults = append(cfg.Faults, drawFault(t, sg.Nodes))
	}
	if rapid.Bool().Draw(t, "chosen") {
		cfg.Order, cfg.Stop.At = sim.Chosen, 400
		cfg.Snapshots.Every /= 200
		for i := range cfg.Faults {
			if f := &cfg.Faults[i]; f.At > 0 {
				f.At, f.Step = 0, 1+f.At/300
			}
		}
		if rapid.Bool().Draw(t, "open") {
			cfg.Faults = append(cfg.Faults, sim.Fault{Nodes: []int32{0, int32(sg.Nodes - 1)}, Times: rapid.IntRange(1, 2).Draw(t, "times")})
			cfg.Snapshots.Open = rapid.IntRange(0, 3).Draw(t, "open snapshots")
		}
	}
	return cfg
}

func drawFault(t *rapid.T, nodes int) sim.Fault {
	f := sim.Fault{Down: rapid.Int64Range(0, 9_000).Draw(t, "down")}
	for range rapid.IntRange(1, 2).Draw(t, "crashes") {
		f.Nodes = append(f.Nodes, int32(rapid.IntRange(0, nodes-1).Draw(t, "node")))
	}
	switch rapid.IntRange(0, 2).Draw(t, "when") {
	case 0:
		f.At = rapid.Int64Range(1, 90_000).Draw(t, "at")
	case 1:
		f.Step = rapid.Int64Range(1, 300).Draw(t, "step")
	case 2:
		f.Phase = sim.Phase(rapid.IntRange(1, 3).Draw(t, "phase"))
		f.Occurrence = rapid.IntRange(0, 3).Draw(t, "occurrence")
	}
	if rapid.Bool().Draw(t, "inside") {
		f.AfterOutputs = new(int)
		*f.AfterOutputs = rapid.IntRange(0, 4).Draw(t, "after")
	}
	return f
}

func runOf(tb interface{ Fatal(...any) }, cfg *sim.Config) *sim.History {
	e, err := sim.New(cfg)
	if err != nil {
		tb.Fatal(err)
	}
	return e.Run()
}
