package sim_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"simrun/sim"
)

// badConfig is a change that makes a Config one that no run could carry out, and
// what New says about it.
type badConfig struct {
	says   string
	change func(cfg *sim.Config)
}

var badGraphs = []badConfig{
	{"at least one node", func(cfg *sim.Config) { cfg.Graph.Nodes = 0 }},
	{"at most 268435455 nodes", func(cfg *sim.Config) { cfg.Graph.Nodes = 1 << 28 }},
	{"2 channel sources, but 1 targets", func(cfg *sim.Config) { cfg.Graph.To = cfg.Graph.To[:1] }},
	{"NewNode and NewApp", func(cfg *sim.Config) { cfg.NewNode = nil }},
	{"NewNode and NewApp", func(cfg *sim.Config) { cfg.NewApp = nil }},
	{"BackEdge has 1 entries for 2 channels", func(cfg *sim.Config) { cfg.BackEdge = make([]bool, 1) }},
	{"DelayOf has 3 entries for 2 channels", func(cfg *sim.Config) { cfg.DelayOf = make([]uint8, 3) }},
	{"channel 1 joins nodes 1 and 2 of 2", func(cfg *sim.Config) { cfg.Graph.To[1] = 2 }},
	{"channel 0 joins nodes -1 and 1 of 2", func(cfg *sim.Config) { cfg.Graph.From[0] = -1 }},
	{"channel 1 has delay 1 of 1", func(cfg *sim.Config) { cfg.DelayOf = []uint8{0, 1} }},
	{"initiator 2 of 2 nodes", func(cfg *sim.Config) { cfg.Snapshots.Initiators = []int32{0, 2} }},
	{"initiator -1 of 2 nodes", func(cfg *sim.Config) { cfg.Snapshots.Initiators = []int32{-1} }},
}

func badDelays() []badConfig {
	delay := func(d sim.Dist) func(cfg *sim.Config) {
		return func(cfg *sim.Config) { cfg.Delays = []sim.Dist{{Low: 1}, d} }
	}
	return []badConfig{
		{"delay 1 can be less than 1 ns", delay(sim.Dist{})},
		{"delay 1 can be less than 1 ns", delay(sim.Dist{Kind: sim.Exponential, High: 10})},
		{"delay 1 can be less than 1 ns", delay(sim.Dist{Kind: sim.Bimodal, Low: 1, High: 1, SlowLow: 0, SlowHigh: 1})},
		{"delay 1 ", delay(sim.Dist{Kind: sim.Uniform, Low: 5, High: 4})},
		{"delay 1 ", delay(sim.Dist{Kind: sim.Exponential, Low: 5, High: -1})},
		{"delay 1 ", delay(sim.Dist{Kind: sim.Bimodal, Low: 5, High: 4, SlowLow: 5, SlowHigh: 6})},
		{"delay 1 ", delay(sim.Dist{Kind: sim.Bimodal, Low: 5, High: 6, SlowLow: 6, SlowHigh: 5})},
		{"delay 1 ", delay(sim.Dist{Kind: sim.Bimodal, Low: 5, High: 6, SlowLow: 7, SlowHigh: 8, Percent: 101})},
		{"delay 1 ", delay(sim.Dist{Kind: sim.Bimodal, Low: 5, High: 6, SlowLow: 7, SlowHigh: 8, Percent: -1})},
		{"delay 1 ", delay(sim.Dist{Kind: sim.Bimodal + 1, Low: 5})},
		{"delay 1 can be longer", delay(sim.Dist{Low: sim.MaxTime + 1})},
		{"delay 1 can be longer", delay(sim.Dist{Kind: sim.Exponential, Low: 1, High: math.MaxInt64})},
		{"service time can be negative", func(cfg *sim.Config) { cfg.Service = sim.Dist{Low: -1} }},
		{"write time can be negative", func(cfg *sim.Config) { cfg.Write = sim.Dist{Kind: sim.Uniform, Low: -5, High: 5} }},
	}
}

var badPlans = []badConfig{
	{"snapshot", func(cfg *sim.Config) { cfg.Snapshots.Every = -1 }},
	{"a coordinator takes the snapshots", func(cfg *sim.Config) {
		cfg.Snapshots.Every, cfg.Management.New = 10, func() sim.Coordinator { return nil }
	}},
	{"snapshot", func(cfg *sim.Config) { cfg.Snapshots.At = []int64{10, 5} }},
	{"snapshot", func(cfg *sim.Config) { cfg.Snapshots.At = []int64{-1, 5} }},
	{"stop", func(cfg *sim.Config) { cfg.Stop.At = -1 }},
	{"stop", func(cfg *sim.Config) { cfg.Stop.Records = -1 }},
	{"step limit", func(cfg *sim.Config) { cfg.MaxSteps = -1 }},
	{"fault 0 is left to the Scheduler, but there is one only in chosen order", func(cfg *sim.Config) { cfg.Faults = []sim.Fault{{Nodes: []int32{0}, Times: 1}} }},
	{"fault 0 is left to the Scheduler, which does not choose inside a handler", func(cfg *sim.Config) {
		cfg.Order, cfg.Faults = sim.Chosen, []sim.Fault{{Nodes: []int32{0}, Times: 1, AfterOutputs: new(int)}}
	}},
	{"fault 0 strikes at a moment that no run has", func(cfg *sim.Config) { cfg.Faults = []sim.Fault{{Nodes: []int32{0}, Times: -1}} }},
	{"fault 0 needs exactly one", func(cfg *sim.Config) { cfg.Faults = []sim.Fault{{Nodes: []int32{0}, Times: 1, Step: 5}} }},
	{"snapshots are left to a Scheduler", func(cfg *sim.Config) { cfg.Snapshots.Open = 1 }},
	{"snapshots are left to a Scheduler", func(cfg *sim.Config) { cfg.Order, cfg.Snapshots.Open = sim.Chosen, -1 }},
	{"channel 1 may lose 2 that a Scheduler picks", func(cfg *sim.Config) { cfg.Unreliable = []sim.Unreliable{{}, {MayLose: 2}} }},
	{"bandwidth of the store is negative", func(cfg *sim.Config) { cfg.Management.Bandwidth = -1 }},
	{"chunks of the store", func(cfg *sim.Config) { cfg.Management.Chunk = -1 }},
	{"fails with more than certainty", func(cfg *sim.Config) { cfg.Management.Torn.PerMillion = 1_000_001 }},
	{"fails with more than certainty", func(cfg *sim.Config) { cfg.Management.Lost.PerMillion = 1_000_001 }},
	{"fails with more than certainty", func(cfg *sim.Config) { cfg.Management.Unwritten.PerMillion = 1_000_001 }},
}

func badFaults() []badConfig {
	minus := -1
	fault := func(f sim.Fault) func(cfg *sim.Config) {
		return func(cfg *sim.Config) { cfg.Faults = []sim.Fault{{Nodes: []int32{0}, At: 5}, f} }
	}
	return []badConfig{
		{"fault 1 crashes no node", fault(sim.Fault{At: 5})},
		{"fault 1 crashes node 2 of 2", fault(sim.Fault{Nodes: []int32{0, 2}, At: 5})},
		{"fault 1 needs exactly one", fault(sim.Fault{Nodes: []int32{0}})},
		{"fault 1 needs exactly one", fault(sim.Fault{Nodes: []int32{0}, At: 5, Step: 5})},
		{"fault 1 needs exactly one", fault(sim.Fault{Nodes: []int32{0}, At: 5, Phase: sim.PhaseAligning})},
		{"fault 1 ", fault(sim.Fault{Nodes: []int32{0}, At: -5, Step: 5})},
		{"fault 1 ", fault(sim.Fault{Nodes: []int32{0}, Phase: sim.PhaseReplaying + 1})},
		{"fault 1 waits for a phase that there is only with a coordinator", fault(sim.Fault{Nodes: []int32{0}, Phase: sim.PhaseNotified})},
		{"fault 1 ", fault(sim.Fault{Nodes: []int32{0}, Phase: sim.PhaseRecorded, Occurrence: -1})},
		{"fault 1 is down for less than nothing", fault(sim.Fault{Nodes: []int32{0}, At: 5, Down: -1})},
		{"fault 1 is down for longer", fault(sim.Fault{Nodes: []int32{0}, At: 5, Down: math.MaxInt64})},
		{"fault 1 ", fault(sim.Fault{Nodes: []int32{0}, At: 5, AfterOutputs: &minus})},
		{"fault 0 has a time, but in chosen order there are only steps", func(cfg *sim.Config) {
			cfg.Order, cfg.Faults = sim.Chosen, []sim.Fault{{Nodes: []int32{0}, At: 5}}
		}},
	}
}

// New refuses what no run could carry out, and says what it is.
func TestNewRefuses(t *testing.T) {
	for _, c := range slices.Concat(badGraphs, badDelays(), badPlans, badFaults()) {
		cfg := scene(graph(2, 0, 1, 1, 0))
		c.change(cfg)
		e, err := sim.New(cfg)
		if reset := engineOf(t, scene(graph(2, 0, 1, 1, 0))).Reset(cfg); fmt.Sprint(reset) != fmt.Sprint(err) {
			t.Errorf("Reset says %v, New %v", reset, err)
		}
		if err == nil || e != nil || !strings.Contains(err.Error(), "sim: ") || !strings.Contains(err.Error(), c.says) {
			t.Errorf("New says %v, want an error with %q", err, c.says)
		}
	}
}

// Reset is for the graph that the engine was made with.
func TestResetRefusesAnotherGraph(t *testing.T) {
	e := engineOf(t, scene(graph(2, 0, 1)))
	for _, g := range []sim.Graph{graph(3, 0, 1), graph(2, 0, 1, 0, 1)} {
		if err := e.Reset(scene(g)); err == nil || !strings.Contains(err.Error(), "another graph") {
			t.Errorf("Reset says %v", err)
		}
	}
}

// A Reset may take the sources away, and bring them back.
func TestResetWithOtherSources(t *testing.T) {
	cfg := scene(graph(1))
	cfg.NewSource = feed(releases{10})
	e := engineOf(t, cfg)
	for _, want := range []uint64{1, 0, 1} {
		if got := e.Run().Final.Offsets[0]; got != want {
			t.Errorf("%d records were read, want %d", got, want)
		}
		if cfg.NewSource == nil {
			cfg.NewSource = feed(releases{10})
		} else {
			cfg.NewSource = nil
		}
		if err := e.Reset(cfg); err != nil {
			t.Fatal(err)
		}
	}
}

// What looks odd and is legal.
func TestNewAccepts(t *testing.T) {
	for name, change := range map[string]func(cfg *sim.Config){
		"no channels":          func(cfg *sim.Config) { cfg.Graph = graph(2) },
		"self-loops, parallel": func(cfg *sim.Config) { cfg.Graph = graph(2, 0, 0, 0, 0, 0, 1, 0, 1) },
		"no delays":            func(cfg *sim.Config) { cfg.Delays = []sim.Dist{} },
		"no initiators":        func(cfg *sim.Config) { cfg.Snapshots.Initiators = nil },
		"the same instants":    func(cfg *sim.Config) { cfg.Snapshots.At = []int64{0, 5, 5} },
		"an unused time in chosen order": func(cfg *sim.Config) {
			cfg.Order, cfg.Faults = sim.Chosen, []sim.Fault{{Nodes: []int32{1}, Step: 5, Down: 3}}
		},
	} {
		cfg := scene(graph(2, 0, 1, 1, 0))
		cfg.NewSource = feed(releases{1})
		change(cfg)
		if h := runOf(t, cfg); h.End != sim.Quiescent {
			t.Errorf("%s: the run ends in state %d", name, h.End)
		}
	}
}

// An algorithm that asks for what does not exist breaks the engine's rules: the
// panic names the node and what it asked for.
func TestBlame(t *testing.T) {
	for says, ask := range map[string]func(out *sim.Out){
		"node 1 sends on output 1":     func(out *sim.Out) { out.Send(sim.Send{Output: 1}) },
		"node 1 sends on output -2":    func(out *sim.Out) { out.Send(sim.Send{Output: -2}) },
		"node 1 sends on output 7":     func(out *sim.Out) { out.SendMarker(7, 1) },
		"node 1 names input 2":         func(out *sim.Out) { out.Process(2, sim.Message{}) },
		"node 1 names input -3":        func(out *sim.Out) { out.Process(sim.Nil, sim.Message{}) },
		"node 1 names input -1":        func(out *sim.Out) { out.Block(sim.External, 1) },
		"node 1 names input 5":         func(out *sim.Out) { out.Unblock(5) },
		"node 1 names input 3":         func(out *sim.Out) { out.SaveChannel(1, 3, sim.Message{}) },
		"node 1 names input 4":         func(out *sim.Out) { out.SaveLog(1, 4, sim.Message{}) },
		"node 1 names snapshot 0":      func(out *sim.Out) { out.SaveState(0) },
		"node 1 names snapshot 2":      func(out *sim.Out) { out.SaveState(2) },
		"node 1 names snapshot 3":      func(out *sim.Out) { out.Attach(3, nil) },
		"node 1 names snapshot 4":      func(out *sim.Out) { out.Done(4) },
		"node 1 names snapshot 5":      func(out *sim.Out) { out.Block(0, 5) },
		"node 1 names snapshot 6":      func(out *sim.Out) { out.SendMarker(0, 6) },
		"node 1 names snapshot 7":      func(out *sim.Out) { out.SaveChannel(7, 0, sim.Message{}) },
		"and of 1 none is that":        func(out *sim.Out) { out.SaveLog(8, 0, sim.Message{}) },
		"node 1 names snapshot 268435": func(out *sim.Out) { out.SaveState(268435) },
	} {
		cfg := scene(graph(2, 0, 1, 0, 1, 1, 0))
		cfg.Snapshots = sim.SnapshotPlan{At: []int64{1}, Initiators: []int32{0}}
		cfg.NewSource = feed(nil, releases{10})
		cfg.NewNode = cast(nil, func() *actor {
			return &actor{receive: func(_ sim.Input, _ sim.Message, out *sim.Out) { ask(out) }}
		})
		got := panicOf(func() { runOf(t, cfg) })
		if !strings.Contains(got, says) {
			t.Errorf("the engine panics with %q, want %q in it", got, says)
		}
	}
}

// An App that cannot load what it saved is named with the snapshot.
func TestAppThatCannotLoad(t *testing.T) {
	cfg := scene(graph(2))
	cfg.NewApp = func(v int32) sim.App { return &forgetful{node: v} }
	cfg.Snapshots.At = []int64{10}
	cfg.Faults = []sim.Fault{{Nodes: []int32{0}, At: 20}}
	got := panicOf(func() { runOf(t, cfg) })
	if want := "node 1 cannot load its state of snapshot 1: forgotten"; !strings.Contains(got, want) {
		t.Errorf("the engine panics with %q, want %q in it", got, want)
	}
}

type forgetful struct {
	scribe
	node int32
}

func (a *forgetful) Load([]byte) error {
	if a.node == 1 {
		return fmt.Errorf("forgotten")
	}
	return nil
}

func panicOf(f func()) (what string) {
	defer func() { what = fmt.Sprint(recover()) }()
	f()
	return ""
}
