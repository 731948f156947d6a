package sim_test

import (
	"slices"
	"testing"

	"simrun/sim"
)

// committer emits nothing of what its App produces but in transactions: the n-th input
// opens transaction n, and is committed again with each one that follows.
type committer struct{ sends []sim.Send }

func (*committer) Initiate(sim.SnapshotID, *sim.Out) {}
func (c *committer) Receive(in sim.Input, m sim.Message, out *sim.Out) {
	from := len(out.Ops())
	out.Send(out.Process(in, m)...)
	out.Rewrite(from, func(op sim.Op) {
		if op.Kind == sim.OpEmit {
			c.sends = append(c.sends, sim.Send{Message: op.Message, Output: sim.Sink})
			return
		}
		out.Again(op)
	})
	for i := range c.sends {
		out.Commit(sim.SnapshotID(i+1), c.sends[i], c.sends[i])
	}
}
func (*committer) Recover([]byte, []sim.Logged, *sim.Out) {}
func (*committer) Save(buf []byte) []byte                 { return buf }
func (*committer) Load([]byte) error                      { return nil }

// echo emits what it reads.
type echo struct{}

func (echo) Step(_ sim.Input, m sim.Message, fx *sim.Effects) { fx.Emit(m.Key, m.Value, m.Aux) }
func (echo) Save(buf []byte) []byte                           { return buf }
func (echo) Load([]byte) error                                { return nil }

// five is a source of five records.
type five struct{}

func (five) Record(k uint64) (m sim.Message, at int64, ok bool) {
	return sim.Message{Key: k + 1}, int64(10 * k), k < 5
}

// TestCommit: a transaction leaves once, also when it is committed again after a restore
// that has taken its producer back; and the records of one stand together.
func TestCommit(t *testing.T) {
	for after := range 4 {
		cfg := &sim.Config{
			Graph: sim.Graph{Nodes: 1}, Rows: true,
			NewNode:   func(sim.NodeInfo) sim.Node { return &committer{} },
			NewApp:    func(int32) sim.App { return echo{} },
			NewSource: func(int32) sim.Source { return five{} },
			Faults:    []sim.Fault{{Nodes: []int32{0}, At: 15, AfterOutputs: &after}},
		}
		e, err := sim.New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		h := e.Run()
		var left []uint64
		for i := range h.Facts {
			if h.Facts[i].Kind == sim.FactCommitted {
				left = append(left, uint64(h.Facts[i].ID), uint64(h.Facts[i].Number))
			}
		}
		emits := 0
		for _, row := range h.Rows {
			if row.Kind() == sim.RowEmit {
				if emits++; int(row.Number) != emits {
					t.Errorf("after %d: emission %d has the number %d", after, emits, row.Number)
				}
			}
		}
		if len(h.Restores) != 1 || emits != 10 || !slices.Equal(left, []uint64{1, 2, 2, 2, 3, 2, 4, 2, 5, 2}) {
			t.Errorf("after %d: %d restores, %d emissions, transactions and their records %v", after, len(h.Restores), emits, left)
		}
	}
}
