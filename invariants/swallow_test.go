package invariants

import (
	"strings"
	"testing"

	"simrun/sim"
)

// swallower is an algorithm that keeps one message from its App for ever.
type swallower struct {
	node int32
	seen int
}

func (s *swallower) Initiate(sim.SnapshotID, *sim.Out) {}
func (s *swallower) Receive(in sim.Input, m sim.Message, out *sim.Out) {
	if in >= 0 && s.node == 1 {
		if s.seen++; s.seen > 3 {
			return
		}
	}
	out.Send(out.Process(in, m)...)
}
func (s *swallower) Recover([]byte, []sim.Logged, *sim.Out) {}
func (s *swallower) Save(buf []byte) []byte                 { return append(buf, byte(s.seen)) }
func (s *swallower) Load([]byte) error                      { return nil }

// A message that a node never hands to its App is missed at the end of a run that
// came to rest, and in none that was cut short: it may still hand it on.
func TestSwallowedMessage(t *testing.T) {
	for _, steps := range []int64{0, 60} {
		cfg := dealt(1, false)
		cfg.Graph = sim.Graph{Nodes: 2, From: []int32{0}, To: []int32{1}}
		cfg.BackEdge, cfg.Faults, cfg.Snapshots, cfg.Order = nil, nil, sim.SnapshotPlan{}, sim.Timed
		cfg.NewNode = func(info sim.NodeInfo) sim.Node { return &swallower{node: info.ID} }
		cfg.MaxSteps = steps
		report := Check(judged(t, cfg, false), nil)
		if steps > 0 {
			if !report.Holds() {
				t.Errorf("cut short after %d steps: %v", steps, report.Violations)
			}
			continue
		}
		if report.Holds() || report.Violations[0].Invariant != "termination" ||
			!strings.Contains(report.Violations[0].Detail, "holds back message") {
			t.Errorf("a swallowed message: %v", report.Violations)
		}
	}
}
