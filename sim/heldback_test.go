package sim_test

import (
	"testing"

	"simrun/sim"
)

// later lets go what its App sends with the next thing that comes, where the right one
// lets it go at once. Between the two nothing happens, in a graph of one node.
type later struct {
	right bool
	owed  []sim.Send
}

func (n *later) Initiate(sim.SnapshotID, *sim.Out) {}
func (n *later) Receive(in sim.Input, m sim.Message, out *sim.Out) {
	out.Send(n.owed...)
	n.owed = nil
	sends := out.Process(in, m)
	if n.right {
		out.Send(sends...)
		return
	}
	n.owed = append(n.owed, sends...)
}
func (n *later) Recover([]byte, []sim.Logged, *sim.Out) {}
func (n *later) Save(buf []byte) []byte                 { return buf }
func (n *later) Load([]byte) error                      { return nil }

func TestOutputsThatWaitAreHeldBack(t *testing.T) {
	for _, right := range []bool{true, false} {
		cfg := busyRun(1)
		cfg.Graph, cfg.Faults, cfg.Snapshots = graph(1, 0, 0), nil, sim.SnapshotPlan{}
		cfg.NewApp = func(int32) sim.App { return &dawdler{random: 1, outputs: 1} }
		cfg.NewNode = func(sim.NodeInfo) sim.Node { return &later{right: right} }
		if h := runOf(t, cfg); h.HeldBack == right || h.Deliveries == 0 {
			t.Errorf("right %t: held back %t, %d deliveries", right, h.HeldBack, h.Deliveries)
		}
	}
}
