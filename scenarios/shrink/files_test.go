package shrink

import (
	"testing"

	"simrun/scenarios"
	"simrun/scenarios/reproducer"
)

// TestScenarioFiles: runs of scenario files are made smaller whose graph has the plan of a
// job, generated or from a file, or in which no snapshot can complete.
func TestScenarioFiles(t *testing.T) {
	for file, algorithm := range map[string]string{"wordcount-crash": "no-blocking", "flink-plan": "no-blocking", "sink-initiator": "chandy-lamport"} {
		s, err := scenarios.Load(catalogue, "../../testdata/scenarios/"+file+".yaml")
		if err != nil {
			t.Fatal(err)
		}
		p, err := s.Resolve(catalogue, scenarios.Overrides{Algorithm: algorithm})
		if err != nil {
			t.Fatal(err)
		}
		r, _, err := reproducer.Of(catalogue, p, p.Seed, "test")
		if err != nil {
			t.Fatal(err)
		}
		small, err := Shrink(catalogue, r, Limits{Runs: 3000})
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		if small.To.Nodes > 3 || small.To.Deliveries > 4 || small.Ended != "" {
			t.Errorf("%s: %v, %s", file, small.To, small.Ended)
		}
	}
}

// TestPlan: an edge of a plan keeps those of its channels that are left, under their new
// ids, and goes with the last of them.
func TestPlan(t *testing.T) {
	edges := []scenarios.PlanEdge{{To: "b", Channels: []int32{0, 2}}, {To: "c", Channels: []int32{1}}}
	left := withChannels(edges, []int32{-1, -1, 0})
	if len(left) != 1 || left[0].To != "b" || len(left[0].Channels) != 1 || left[0].Channels[0] != 0 {
		t.Errorf("%+v", left)
	}
	if len(edges[0].Channels) != 2 {
		t.Errorf("the edges that there were are changed: %+v", edges)
	}
}

// TestLargeGraph: a ring, of which no node can be left out without its being one, is made
// small in few runs, because many nodes are made one at once.
func TestLargeGraph(t *testing.T) {
	s, err := scenarios.Parse(catalogue, "ring.yaml", []byte(`
algorithm: no-channel-state
graph: {generate: ring, nodes: 300}
app: {kind: bank, transfers: 5}
snapshots: {at: [20ms]}
`))
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.Resolve(catalogue, scenarios.Overrides{})
	if err != nil {
		t.Fatal(err)
	}
	r, _, err := reproducer.Of(catalogue, p, p.Seed, "test")
	if err != nil {
		t.Fatal(err)
	}
	small, err := Shrink(catalogue, r, Limits{Runs: 1500})
	if err != nil || small.To.Nodes > 3 || small.To.Deliveries > 3 || small.Ended != "" {
		t.Errorf("%+v, %v", small, err)
	}
}
