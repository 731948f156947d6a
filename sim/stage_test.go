package sim_test

import (
	"bytes"
	"strings"
	"testing"

	"simrun/algorithms/chandylamport"
	"simrun/sim"
)

// twoNodes is a run of two nodes in a circle, of which node 1 initiates.
func twoNodes() *sim.Config {
	cfg := scene(graph(2, 0, 1, 1, 0), pass)
	cfg.Order, cfg.NewNode = sim.Chosen, chandylamport.New
	cfg.NewSource = feed(releases{1, 2})
	cfg.Snapshots = sim.SnapshotPlan{At: []int64{0}, Initiators: []int32{1}}
	return cfg
}

func staged(t *testing.T, cfg *sim.Config) *sim.Stage {
	t.Helper()
	g, err := sim.NewStage(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestStage: step by step, a message crosses the cut. What each node could do is read off
// its part, and the writes follow at once.
func TestStage(t *testing.T) {
	g := staged(t, twoNodes())
	a, b := g.Initial(0), g.Initial(1)
	same(t, "node 0 could", g.Look(0, a).Steps, []sim.Step{external(0)})
	same(t, "node 1 could", g.Look(1, b).Steps, []sim.Step{initiate(1, 1)})

	initiated := g.Do(1, b, initiate(1, 1), sim.Item{})
	if len(initiated.Sent) != 1 || initiated.Sent[0].Channel != 1 || initiated.Sent[0].Item.Message != sim.NewMarker(1) {
		t.Fatalf("node 1 sends %+v", initiated.Sent)
	}
	read := g.Do(0, a, external(0), sim.Item{})
	if len(read.Sent) != 1 || read.Sent[0].Channel != 0 || read.Sent[0].Item.After != 0 {
		t.Fatalf("node 0 sends %+v", read.Sent)
	}
	received := g.Do(1, initiated.Part, deliverOn(0), read.Sent[0].Item)
	recorded := g.Do(0, read.Part, deliverOn(1), initiated.Sent[0].Item)
	same(t, "writes", recorded.Writes, []sim.Step{write(0, 1)})
	marker := recorded.Sent[0].Item
	if marker.Position != 1 || marker.Messages != 1 {
		t.Errorf("the marker of node 0 is %+v", marker)
	}
	after := g.Do(0, recorded.Part, external(0), sim.Item{})
	if item := after.Sent[0].Item; item.Position != 2 || item.Messages != 1 || item.After != 1 {
		t.Errorf("what node 0 sends after it has recorded is %+v", item)
	}
	done := g.Do(1, received.Part, deliverOn(0), marker)
	same(t, "writes", done.Writes, []sim.Step{write(1, 1)})
	look := g.Look(1, done.Part)
	if look.Durable != 1 || len(look.Steps) != 0 || look.Handed[0] != 2 || look.Messages[0] != 1 {
		t.Errorf("node 1 ends as %+v", look)
	}
	if forgotten := g.Look(1, g.Forget(1, done.Part)); len(forgotten.Shares[0]) != 0 || forgotten.Durable != 1 {
		t.Errorf("what is forgotten is still there: %+v", forgotten)
	}
	if early := g.Do(1, b, deliverOn(0), read.Sent[0].Item); bytes.Equal(early.Part, received.Part) {
		t.Error("before and after the recording are the same part")
	}
}

// TestStagePartsAreCanonical: what two orders of steps lead to is one part, whatever the
// stage has done between.
func TestStagePartsAreCanonical(t *testing.T) {
	cfg := scene(graph(2, 0, 1, 0, 1, 1, 0), pass)
	cfg.Order, cfg.NewNode = sim.Chosen, chandylamport.New
	cfg.NewSource = feed(releases{1, 2})
	cfg.Snapshots = sim.SnapshotPlan{At: []int64{0}, Initiators: []int32{1}}
	g := staged(t, cfg)
	part := g.Do(1, g.Initial(1), initiate(1, 1), sim.Item{}).Part
	other := g.Do(0, g.Initial(0), deliverOn(2), sim.Item{Message: sim.NewMarker(1)})
	first, second := other.Sent[0].Item, other.Sent[1].Item
	oneWay := g.Do(1, g.Do(1, part, deliverOn(0), first).Part, deliverOn(1), second)
	g.Do(0, g.Initial(0), external(0), sim.Item{})
	otherWay := g.Do(1, g.Do(1, part, deliverOn(1), second).Part, deliverOn(0), first)
	if !bytes.Equal(oneWay.Part, otherWay.Part) || len(oneWay.Writes) != 1 {
		t.Errorf("two orders lead to\n%x\n%x", oneWay.Part, otherWay.Part)
	}
}

// referring is a Node that records by reference.
type referring struct{ passThrough }

func (*referring) Initiate(id sim.SnapshotID, out *sim.Out) {
	out.SaveReference(id)
	out.Done(id)
}

// TestStageWritesByReference: of a part that refers to the App, when it is written counts.
func TestStageWritesByReference(t *testing.T) {
	cfg := twoNodes()
	cfg.NewNode = func(sim.NodeInfo) sim.Node { return &referring{} }
	g := staged(t, cfg)
	r := g.Do(1, g.Initial(1), initiate(1, 1), sim.Item{})
	if len(r.Writes) != 0 {
		t.Errorf("written at once: %v", r.Writes)
	}
	same(t, "node 1 could", g.Look(1, r.Part).Steps, []sim.Step{write(1, 1)})
	if look := g.Look(1, g.Do(1, r.Part, write(1, 1), sim.Item{}).Part); look.Durable != 1 {
		t.Errorf("not durable after the write: %+v", look)
	}
}

// TestStageRefuses: what a stage knows nothing of.
func TestStageRefuses(t *testing.T) {
	for want, change := range map[string]func(*sim.Config){
		"not in chosen order":    func(c *sim.Config) { c.Order = sim.Timed },
		"faults":                 func(c *sim.Config) { c.Faults = []sim.Fault{{Nodes: []int32{0}, Step: 1}} },
		"do not all begin at 0":  func(c *sim.Config) { c.Snapshots.At = []int64{1} },
		"a stop":                 func(c *sim.Config) { c.Stop.Records = 1 },
		"at least one node":      func(c *sim.Config) { c.Graph = sim.Graph{} },
		"do not all begin at 0,": func(c *sim.Config) { c.Snapshots.Every = 5 },
	} {
		cfg := twoNodes()
		change(cfg)
		if _, err := sim.NewStage(cfg); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}
