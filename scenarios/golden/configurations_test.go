package golden_test

import (
	"fmt"
	"slices"
	"testing"

	"simrun/algorithms/abs"
	"simrun/algorithms/chandylamport"
	"simrun/algorithms/coordinator"
	"simrun/scenarios/apps"
	"simrun/sim"
	"simrun/topology"
)

// configuration is one run of the list.
type configuration struct {
	name    string
	aligned bool
	crashes bool
	sim.Config
}

const ms = 1_000_000

// delays is the distributions of the list. Exponential and bimodal draws are the
// ones that floating point would spoil.
var delays = []struct {
	name string
	dist sim.Dist
}{
	{"exponential", sim.Dist{Kind: sim.Exponential, Low: 100_000, High: 2 * ms}},
	{"bimodal", sim.Dist{Kind: sim.Bimodal, Low: 1, High: 3 * ms, SlowLow: 10 * ms, SlowHigh: 40 * ms, Percent: 7}},
}

// graphs is a graph that fits each app.
var graphs = map[string]topology.Spec{
	"bank":      {Kind: "random", Nodes: 8, Degree: 3, Parallel: 2, SelfLoops: 2, Seed: 3},
	"wordcount": {Kind: "layered", Layers: 3, Width: 3, Degree: 2, Parallel: 2, Seed: 4},
	"loop":      {Kind: "dataflow", Parallelism: 2, Layers: 4, Loops: 2, Seed: 5},
	"join":      {Kind: "layered", Layers: 3, Width: 3, Degree: 3, Seed: 6},
	"sums":      {Kind: "diamond", Width: 4},
	"dataflow":  {Kind: "dataflow", Parallelism: 3, Layers: 3, Degree: 2, Loops: 1, Seed: 8},
	"zip":       {Kind: "diamond", Width: 4}, // from one source, so that nothing is left
	"windows":   {Kind: "layered", Layers: 4, Width: 2, Degree: 2, Seed: 9},
	"activity":  {Kind: "random", Nodes: 6, Degree: 2, Parallel: 1, SelfLoops: 1, Seed: 10},
	"tokens":    {Kind: "random", Nodes: 6, Degree: 2, Parallel: 1, SelfLoops: 1, Seed: 11},
}

// configurations is both algorithms on every app, in both orders, with and
// without crashes.
func configurations(t *testing.T) (all []*configuration) {
	for _, aligned := range []bool{false, true} {
		for _, kind := range apps.Kinds() {
			for _, crash := range []bool{false, true} {
				for _, d := range delays {
					all = append(all, newConfiguration(t, aligned, kind, crash, d.name, d.dist))
				}
				all = append(all, newConfiguration(t, aligned, kind, crash, "chosen", sim.Dist{Low: 1}))
			}
		}
	}
	for _, order := range []string{"bimodal", "chosen"} {
		bank := slices.IndexFunc(apps.Kinds(), func(k apps.Kind) bool { return k.Name == "bank" })
		c := newConfiguration(t, false, apps.Kinds()[bank], false, order, delays[1].dist)
		c.unreliably()
		all = append(all, c)
	}
	for _, aligned := range []bool{false, true} {
		for _, order := range []string{"exponential", "chosen"} {
			for _, kind := range apps.Kinds() {
				if kind.Name == "wordcount" || kind.Name == "loop" {
					c := newConfiguration(t, aligned, kind, true, order, delays[0].dist)
					c.coordinated()
					all = append(all, c)
				}
			}
		}
	}
	return all
}

// coordinated gives a run a coordinator, which crashes once, control messages that are
// lost, doubled and overtaken, and a store that fails.
func (c *configuration) coordinated() {
	c.name += ", coordinator"
	c.NewNode = coordinator.Task(c.NewNode)
	c.Faults = append(c.Faults, sim.Fault{Nodes: []int32{int32(c.Graph.Nodes)}, Step: 400, Down: 2 * ms})
	settings := coordinator.Settings{
		Interval: 15 * ms, MinPause: ms, Timeout: 40 * ms, MaxConcurrent: 2, Tolerable: 99, Retained: 2,
		Restart: coordinator.Restart{Delay: ms, Factor: 2, Most: 5 * ms},
	}
	fails := sim.Unreliable{Reorder: true, Lose: sim.Failure{PerMillion: 5_000}, Duplicate: sim.Failure{PerMillion: 50_000}}
	if c.Order == sim.Chosen { // where a timeout can come at any step, and few checkpoints are complete
		settings.Timeout, fails.Reorder, fails.Lose = 0, false, sim.Failure{}
	}
	c.Management = sim.ManagementPlan{
		New:     coordinator.New(settings),
		Sources: c.Snapshots.Initiators, Delay: delays[0].dist, Read: sim.Dist{Kind: sim.Uniform, Low: ms, High: 2 * ms},
		Fails:     fails,
		Unwritten: sim.Failure{PerMillion: 2_000},
	}
	c.Snapshots.Every = 0
}

// unreliably lets every channel of a run fail in its own way.
func (c *configuration) unreliably() {
	c.name += ", unreliable"
	c.Unreliable = make([]sim.Unreliable, len(c.Graph.From))
	for ch := range c.Unreliable {
		u := &c.Unreliable[ch]
		u.Reorder = ch%2 == 0
		u.Lose.PerMillion = uint32(ch % 3 * 30_000)
		u.Duplicate.PerMillion = uint32(ch % 5 * 20_000)
	}
	c.Unreliable[0].Lose.Markers = []sim.SnapshotID{2}
}

func newConfiguration(t *testing.T, aligned bool, kind apps.Kind, crash bool, order string, delay sim.Dist) *configuration {
	t.Helper()
	g, err := topology.Generate(graphs[kind.Name])
	if err != nil {
		t.Fatal(err)
	}
	w, err := kind.New().Build(&apps.Env{Graph: g})
	if err != nil {
		t.Fatal(err)
	}
	seed := uint64(len(kind.Name)) * 0x9e3779b97f4a7c15 // with bits above the 32nd
	c := &configuration{name: "chandy-lamport", aligned: aligned, Config: sim.Config{
		Graph: g.Sim(), Seed: seed, NewNode: chandylamport.New, Rows: true,
		NewApp:    func(v int32) sim.App { return w.NewApp(seed, v) },
		NewSource: func(v int32) sim.Source { return w.NewSource(seed, v) },
		Delays:    []sim.Dist{delay},
		Service:   sim.Dist{Kind: sim.Uniform, Low: 0, High: 200_000},
		Write:     sim.Dist{Kind: sim.Exponential, Low: 1, High: ms},
		Snapshots: sim.SnapshotPlan{Every: 15 * ms, Initiators: topology.DefaultInitiators(g)},
		Stop:      sim.Stop{At: 150 * ms},
	}}
	if aligned {
		c.name, c.NewNode = "abs", abs.New
		c.BackEdge = topology.BackEdges(g, c.Snapshots.Initiators)
	}
	c.name += fmt.Sprintf(", %s, %s", kind.Name, order)
	if order == "chosen" {
		c.Order = sim.Chosen
		c.Snapshots.Every, c.Stop.At = 150, 900
	}
	if crash {
		c.name, c.crashes = c.name+", crashes", true
		c.crash(int32(g.Sim().Nodes - 1))
	}
	return c
}

// crash lets the last node crash inside the handler in which it records the
// second snapshot, and the first node, with it, some time later.
func (c *configuration) crash(last int32) {
	inside := 1
	c.Faults = []sim.Fault{
		{Nodes: []int32{last}, Phase: sim.PhaseRecorded, Snapshot: 2, AfterOutputs: &inside, Down: 3 * ms},
		{Nodes: []int32{0, last}, Step: 250, Down: 10 * ms},
	}
}
