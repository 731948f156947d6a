package invariants

import (
	"fmt"
	"testing"
	"time"

	"simrun/algorithms/abs"
	"simrun/algorithms/chandylamport"
	"simrun/sim"
)

// hop is an App that passes what it gets on to the outputs in turn, and lets it leave
// where there are none or its hops are over.
type hop struct {
	outputs, turn uint64
	sum           uint64
}

func (h *hop) Step(_ sim.Input, m sim.Message, fx *sim.Effects) {
	h.sum += m.Aux
	if h.outputs == 0 || m.Value == 0 {
		fx.Emit(m.Key, m.Value, m.Aux)
		return
	}
	fx.Send(int32(h.turn%h.outputs), m.Key, m.Value-1, m.Aux)
	h.turn++
}

func (h *hop) Save(buf []byte) []byte {
	return fmt.Appendf(buf, "%d %d", h.turn, h.sum)
}

func (h *hop) Load(state []byte) error {
	_, err := fmt.Sscanf(string(state), "%d %d", &h.turn, &h.sum)
	return err
}

// drops is a Source of a few records.
type drops struct {
	node    int32
	records uint64
	hops    int64
}

func (s drops) Record(k uint64) (sim.Message, int64, bool) {
	return sim.Message{Key: k, Value: s.hops, Aux: uint64(s.node)<<32 | k}, int64(k) * 300, k < s.records
}

// thousand is a run of a thousand nodes with four outputs each and five snapshots:
// Chandy and Lamport's on a graph with loops, or aligned barriers on one in twenty
// layers.
func thousand(staged, crash bool) *sim.Config {
	const nodes, outputs, layer = 1000, 4, 50
	cfg := &sim.Config{Seed: 1, Rows: true, NewNode: chandylamport.New, Delays: []sim.Dist{{Kind: sim.Uniform, Low: 1, High: 1024}}}
	cfg.Graph.Nodes = nodes
	word := sim.Word(7)
	link := func(from, to int) {
		cfg.Graph.From, cfg.Graph.To = append(cfg.Graph.From, int32(from)), append(cfg.Graph.To, int32(to))
	}
	sources, records, hops := nodes, uint64(2), int64(200)
	cfg.Snapshots = sim.SnapshotPlan{At: []int64{10_000, 20_000, 30_000, 40_000, 50_000}, Initiators: []int32{0}}
	if staged {
		cfg.NewNode, sources, records, hops = abs.New, layer, 400, 1000
		cfg.Snapshots.Initiators = nil
	}
	for v := range nodes {
		for k := range outputs {
			switch {
			case !staged && k == 0:
				link(v, (v+1)%nodes)
			case !staged:
				link(v, word.Below(nodes))
			case v < nodes-layer:
				link(v, v/layer*layer+layer+(v+k)%layer)
			}
		}
	}
	if staged {
		for v := range int32(layer) {
			cfg.Snapshots.Initiators = append(cfg.Snapshots.Initiators, v)
		}
	}
	if crash {
		cfg.Faults = []sim.Fault{{Nodes: []int32{500}, At: 35_000, Down: 100}}
	}
	degree := make([]uint64, nodes)
	for _, from := range cfg.Graph.From {
		degree[from]++
	}
	cfg.NewApp = func(v int32) sim.App { return &hop{outputs: degree[v]} }
	cfg.NewSource = func(v int32) sim.Source {
		if int(v) >= sources {
			return nil
		}
		return drops{v, records, hops}
	}
	return cfg
}

// BenchmarkThousandNodes gives the time of Check as a part of that of the run, which
// says more than either on a busy machine.
func BenchmarkThousandNodes(b *testing.B) {
	for _, staged := range []bool{false, true} {
		for _, crash := range []bool{false, true} {
			b.Run(fmt.Sprintf("staged %t, crash %t", staged, crash), func(b *testing.B) {
				cfg := thousand(staged, crash)
				var c Checker
				var ran, checked time.Duration
				var engine *sim.Engine
				for b.Loop() {
					began := time.Now()
					var err error
					if engine == nil {
						engine, err = sim.New(cfg)
					} else {
						err = engine.Reset(cfg)
					}
					if err != nil {
						b.Fatal(err)
					}
					run := Of(cfg, engine.Run())
					run.Aligned = staged
					ended := time.Now()
					report := c.Check(run, nil)
					checked += time.Since(ended)
					ran += ended.Sub(began)
					h := run.History
					if !report.Holds() || len(h.Restores) > 0 != crash || len(h.Snapshots) != 5 || h.Deliveries < 100_000 {
						b.Fatal(report.Violations, len(h.Snapshots), h.Deliveries)
					}
					b.ReportMetric(float64(len(h.Rows)), "rows")
				}
				b.ReportMetric(float64(checked)/float64(ran), "check/run")
			})
		}
	}
}
