package invariants

import (
	"encoding/binary"
	"testing"
	"time"

	"simrun/algorithms/chandylamport"
	"simrun/sim"
)

// BenchmarkCheck checks a run as a sweep has thousands of: ten nodes in a ring,
// about a thousand deliveries, three snapshots, one crash.
func BenchmarkCheck(b *testing.B) {
	cfg := &sim.Config{Seed: 1, Rows: true, NewNode: chandylamport.New, Delays: []sim.Dist{{Kind: sim.Uniform, Low: 1, High: 20}}}
	cfg.Graph.Nodes = 10
	for v := range int32(10) {
		cfg.Graph.From = append(cfg.Graph.From, v)
		cfg.Graph.To = append(cfg.Graph.To, (v+1)%10)
	}
	cfg.Snapshots = sim.SnapshotPlan{At: []int64{50, 100, 150}, Initiators: []int32{0}}
	cfg.Faults = []sim.Fault{{Nodes: []int32{3}, At: 130, Down: 5}}
	run := judged(b, cfg, false)
	h := run.History
	if len(h.Restores) != 1 || len(h.Snapshots) != 3 || h.Deliveries < 800 {
		b.Fatalf("%d restores, %d snapshots, %d deliveries", len(h.Restores), len(h.Snapshots), h.Deliveries)
	}
	var c Checker
	b.ReportAllocs()
	for b.Loop() {
		if report := c.Check(run, nil); !report.Holds() {
			b.Fatal(report.Violations)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(h.Rows)), "ns/row")
	b.ReportMetric(float64(h.Deliveries), "deliveries")
}

// BenchmarkCost compares what checks cost with what the run itself costs, where it is
// large: 1,000 nodes with four outputs each, a token on every node, and ten snapshots
// that overlap with most of it. The run with rows off is the measure.
func BenchmarkCost(b *testing.B) {
	cfg := &sim.Config{Seed: 1, NewNode: chandylamport.New, Delays: []sim.Dist{{Kind: sim.Uniform, Low: 1, High: 1024}}}
	cfg.Graph.Nodes = 1000
	for v := range int32(1000) {
		for _, far := range []int32{1, 7, 31, 311} {
			cfg.Graph.From, cfg.Graph.To = append(cfg.Graph.From, v), append(cfg.Graph.To, (v+far)%1000)
		}
	}
	cfg.NewApp = func(v int32) sim.App { return &token{word: sim.Word(v)} }
	cfg.NewSource = func(int32) sim.Source { return oneToken{} }
	cfg.Stop.At, cfg.Restless, cfg.MaxSteps = 500_000, true, 2_000_000
	cfg.Snapshots = sim.SnapshotPlan{Every: 50_000, Initiators: []int32{0}}
	engine, err := sim.New(cfg)
	if err != nil {
		b.Fatal(err)
	}
	timed := func(f func()) float64 {
		least := time.Duration(1 << 62)
		for range 3 {
			start := time.Now()
			f()
			least = min(least, time.Since(start))
		}
		return float64(least)
	}
	reset := func(rows bool) {
		cfg.Rows = rows
		if err := engine.Reset(cfg); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		reset(false)
		engine.Run()
	}
	bare := timed(func() { reset(false); engine.Run() })
	withRows := timed(func() { reset(true); engine.Run() })
	b.ReportMetric(withRows/bare, "rows/run")
	reset(true)
	run := Of(cfg, engine.Run())
	if complete := len(run.History.Snapshots); complete < 8 || run.History.Deliveries < 500_000 {
		b.Fatalf("%d snapshots, %d deliveries", complete, run.History.Deliveries)
	}
	var c Checker
	replayed := []string{"channel-state", "state-truth", "fifo", "reachability", "recovery", "non-interference"}
	for _, part := range []struct {
		name string
		off  []string
	}{{"counters", replayed}, {"replay", replayed[3:4]}, {"all", nil}} {
		cost := timed(func() {
			if report := c.Check(run, part.off); !report.Holds() {
				b.Fatal(report.Violations[0])
			}
		})
		b.ReportMetric(cost/bare, part.name+"/run")
	}
	b.ReportMetric(float64(run.History.Deliveries), "deliveries")
}

// token passes a token on to a random output.
type token struct{ word sim.Word }

func (a *token) Step(_ sim.Input, m sim.Message, fx *sim.Effects) {
	fx.Send(int32(a.word.Below(4)), m.Key, m.Value, m.Aux)
}
func (a *token) Save(buf []byte) []byte {
	return binary.LittleEndian.AppendUint64(buf, uint64(a.word))
}
func (a *token) Load(state []byte) error {
	a.word = sim.Word(binary.LittleEndian.Uint64(state))
	return nil
}

// oneToken is a Source of one token.
type oneToken struct{}

func (oneToken) Record(k uint64) (sim.Message, int64, bool) { return sim.Message{Key: 1}, 1, k == 0 }
