package abs

import (
	"testing"

	"simrun/sim"
)

// TestOrderedTwiceWhileWaiting: the order to initiate 4 comes twice, the second time when
// 2 was cancelled, 3 has begun without it, and the first one waits. It counts once: 4 is
// recorded when its barrier has come on the input that is no back-edge.
func TestOrderedTwiceWhileWaiting(t *testing.T) {
	c := New(sim.NodeInfo{Inputs: 2, Outputs: 1, Initiator: true, Cyclic: true, BackEdge: []bool{false, true}}).(*Cyclic)
	out := sim.NewOut(new(silent))
	saved := func() (ids []sim.SnapshotID) {
		for _, op := range out.Ops() {
			if op.Kind == sim.OpSaveState {
				ids = append(ids, op.Snapshot)
			}
		}
		out.Reset()
		return ids
	}
	c.Initiate(2, out)
	c.Receive(0, sim.NewMarker(2), out)
	c.Receive(0, sim.NewMarker(3), out)
	c.Initiate(4, out)
	if got := saved(); len(got) != 1 || got[0] != 2 {
		t.Fatalf("recorded %d, want 2", got)
	}
	c.Cancel(2, out)
	c.Initiate(4, out)
	if got := saved(); got != nil {
		t.Errorf("recorded %d before the barrier of 4 has come", got)
	}
	c.Receive(0, sim.NewMarker(4), out)
	if got := saved(); len(got) != 1 || got[0] != 4 {
		t.Errorf("recorded %d, want 4", got)
	}
}

// silent is an App that does nothing.
type silent struct{}

func (*silent) Step(sim.Input, sim.Message, *sim.Effects) {}
func (*silent) Save(buf []byte) []byte                    { return buf }
func (*silent) Load([]byte) error                         { return nil }
