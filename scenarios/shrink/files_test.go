package shrink

import (
	"strings"
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

// TestLarge: what there are hundreds of goes together, in few runs: the nodes of a ring, of
// which none can be left out without its being one, snapshots, and faults.
func TestLarge(t *testing.T) {
	for name, text := range map[string]string{
		"a ring":         "graph: {generate: ring, nodes: 300}\napp: {kind: bank, transfers: 5}\nsnapshots: {at: [20ms]}",
		"many snapshots": "order: chosen\ngraph: {generate: ring, nodes: 3}\napp: {kind: bank, transfers: 100}\nsnapshots: {every: 1}\nstop: {at: 800}",
		"many faults": "order: chosen\ngraph: {generate: ring, nodes: 3}\napp: {kind: bank, transfers: 100}\nsnapshots: {at: [100]}\nfaults:" +
			strings.Repeat("\n  - {crash: n1, when: {phase: saved, snapshot: 90}}", 1000),
	} {
		s, err := scenarios.Parse(catalogue, "large.yaml", []byte("algorithm: no-channel-state\n"+text))
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
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if to := small.To; to.Nodes > 3 || to.Deliveries > 3 || to.Snapshots > 1 || to.Faults > 0 || small.Ended != "" {
			t.Errorf("%s: %v to %v, %s", name, small.From, to, small.Ended)
		}
		t.Logf("%s: %v to %v, %d runs", name, small.From, small.To, small.Runs)
	}
}
