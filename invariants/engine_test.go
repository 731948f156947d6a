package invariants

import (
	"testing"

	"simrun/algorithms/abs"
	"simrun/algorithms/chandylamport"
	"simrun/sim"
)

// dealt is a random configuration: a strongly connected graph, delays, snapshots
// that overlap, crashes.
func dealt(seed uint64, staged bool) *sim.Config {
	word := sim.Word(seed * 0x9e3779b97f4a7c15)
	nodes := 2 + word.Below(5)
	cfg := &sim.Config{Seed: seed, Rows: true, NewNode: chandylamport.New}
	cfg.Graph.Nodes = nodes
	link := func(from, to int, back bool) {
		cfg.Graph.From = append(cfg.Graph.From, int32(from))
		cfg.Graph.To = append(cfg.Graph.To, int32(to))
		cfg.BackEdge = append(cfg.BackEdge, back)
	}
	for v := range nodes - 1 {
		link(v, v+1, false)
	}
	link(nodes-1, 0, true)
	for range word.Below(2 * nodes) {
		from, to := word.Below(nodes), word.Below(nodes)
		link(from, to, from >= to)
	}
	if staged {
		cfg.NewNode = abs.New
	}
	cfg.Delays = []sim.Dist{{Kind: sim.Uniform, Low: 1, High: 1 + int64(word.Below(40))}}
	cfg.Write = sim.Dist{Kind: sim.Uniform, Low: 1, High: 20}
	cfg.Service = sim.Dist{Kind: sim.Constant, Low: int64(word.Below(3))}
	cfg.Snapshots = sim.SnapshotPlan{Every: 10 + int64(word.Below(40)), Initiators: []int32{0}}
	if !staged && word.Below(2) == 0 {
		cfg.Snapshots.Initiators = []int32{0, int32(word.Below(nodes-1) + 1)}
	}
	cfg.Stop.At = 150
	if word.Below(3) == 0 {
		cfg.Order = sim.Chosen
	}
	for range word.Below(3) {
		f := sim.Fault{Nodes: []int32{int32(word.Below(nodes))}, Down: int64(word.Below(30))}
		if f.Step = 1 + int64(word.Below(150)); word.Below(2) == 0 {
			f.Step, f.Phase, f.Occurrence = 0, sim.Phase(1+word.Below(3)), 1+word.Below(3)
		}
		if word.Below(2) == 0 {
			outputs := word.Below(4)
			f.AfterOutputs = &outputs
		}
		cfg.Faults = append(cfg.Faults, f)
	}
	if word.Below(4) == 0 {
		cfg.Replay = sim.NoReplay
	}
	if word.Below(4) == 0 {
		cfg.MaxSteps = 1 + int64(word.Below(300)) // cut short anywhere, also while a node is down
	}
	return cfg
}

// judged runs a configuration with traders and returns what is to be checked.
func judged(t testing.TB, cfg *sim.Config, staged bool) *Run {
	p := newPlay(cfg.Graph)
	cfg.NewApp = p.run.NewApp
	cfg.NewSource = func(v int32) sim.Source { return fewTips{tips{v}} }
	engine, err := sim.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	p.run.NewSource, p.run.Replay, p.run.BackEdge, p.run.Aligned = cfg.NewSource, cfg.Replay, cfg.BackEdge, staged
	p.run.History = engine.Run()
	return p.run
}

// fewTips is a Source that ends.
type fewTips struct{ tips }

func (s fewTips) Record(k uint64) (sim.Message, int64, bool) {
	m, at, _ := s.tips.Record(k)
	return m, 5 * at, k < 40
}

// TestRightAlgorithmsHold checks real runs of both algorithms.
func TestRightAlgorithmsHold(t *testing.T) {
	var complete, restores, stored, aborted, lost, cutShort, cutDown int
	var c Checker
	for seed := range cases(1500) {
		staged := seed%2 == 0
		run := judged(t, dealt(seed, staged), staged)
		report := c.Check(run, nil)
		if !report.Holds() {
			t.Fatalf("seed %d: %v (%d more)", seed, report.Violations[0], len(report.Violations)-1)
		}
		for _, s := range run.History.Snapshots {
			switch s.Status {
			case sim.Complete:
				complete++
				for ch := range s.Channels {
					stored += len(s.Channels[ch])
				}
			case sim.Aborted:
				aborted++
			}
		}
		if run.History.End.Limited() {
			cutShort++
			cutDown += len(run.History.Final.Down)
		}
		restores += len(run.History.Restores)
		lost += int(report.Lost)
	}
	for what, n := range map[string]int{
		"complete snapshots": complete, "restores": restores, "stored messages": stored,
		"aborted snapshots": aborted, "lost records": lost,
		"runs cut short, ten times": 10 * cutShort, "nodes down when cut short, a hundred times": 100 * cutDown,
	} {
		t.Logf("%d %s", n, what)
		if n < int(cases(300)) {
			t.Errorf("only %d %s", n, what)
		}
	}
}
