package mutants

import (
	"slices"
	"testing"

	realabs "simrun/algorithms/abs"
	"simrun/algorithms/twophase"
	"simrun/invariants"
	"simrun/sim"
)

func TestSinks(t *testing.T) {
	last := 0
	for _, m := range Sinks() {
		if m.Number <= last || m.Doc == "" || m.Needs == "" || !slices.Contains(invariants.Names(), m.Catches) {
			t.Errorf("%s, number %d, says too little, or is not in order", m.Name, m.Number)
		}
		last = m.Number
	}
}

// repeater emits what it gets.
type repeater struct{}

func (repeater) Step(_ sim.Input, m sim.Message, fx *sim.Effects) { fx.Emit(m.Key, m.Value, m.Aux) }
func (repeater) Save(buf []byte) []byte                           { return buf }
func (repeater) Load([]byte) error                                { return nil }

// TestRightSink: what the wrong sinks are made from commits what the real one does.
func TestRightSink(t *testing.T) {
	for seed := range uint64(100) {
		word, info := sim.Word(seed), sim.NodeInfo{Inputs: 1}
		makers := []sim.NewNode{around(realabs.New, commits{}), twophase.Sink(realabs.New)}
		nodes, outs, parts := make([]sim.Node, 2), make([]*sim.Out, 2), make([][]byte, 2)
		for i := range nodes {
			nodes[i], outs[i] = makers[i](info), sim.NewOut(repeater{})
		}
		committed, id := 0, sim.SnapshotID(0)
		for step := range 60 {
			what := word.Below(8)
			if what == 0 {
				id++
			}
			complete := sim.SnapshotID(word.Below(int(id) + 1))
			var seen [2][]sim.SnapshotID
			var records [2][]sim.Message
			for i := range nodes {
				switch what {
				case 0:
					nodes[i].Receive(0, sim.NewMarker(id), outs[i])
				case 1:
					nodes[i].(interface {
						Complete(sim.SnapshotID, *sim.Out)
					}).Complete(complete, outs[i])
				case 2:
					if parts[i] != nil && step%4 == 0 {
						nodes[i] = makers[i](info)
						nodes[i].Recover(parts[i], nil, outs[i])
					}
				default:
					nodes[i].Receive(0, sim.Message{Key: uint64(step)}, outs[i])
				}
				for _, op := range outs[i].Ops() {
					switch op.Kind {
					case sim.OpAttach:
						parts[i] = slices.Clone(outs[i].Saved(op))
					case sim.OpCommit:
						seen[i] = append(seen[i], op.Snapshot)
						records[i] = append(records[i], outs[i].Committed(op)...)
					}
				}
				outs[i].Reset()
			}
			committed += len(records[0])
			if !slices.Equal(seen[0], seen[1]) || !slices.Equal(records[0], records[1]) {
				t.Fatalf("seed %d, step %d: %v and %v committed", seed, step, seen[0], seen[1])
			}
		}
		if seed == 0 && committed < 10 {
			t.Errorf("%d records were committed", committed)
		}
	}
}
