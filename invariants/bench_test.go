package invariants

import (
	"testing"

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
