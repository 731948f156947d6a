package sim_test

import (
	"testing"

	"simrun/sim"
)

// A snapshot with initiators of its own is ordered there and nowhere else, and is one
// of its own at the instant of another; so it is when a saved engine goes on.
func TestInitiatorsAt(t *testing.T) {
	for _, order := range []sim.Order{sim.Timed, sim.Chosen} {
		cfg := scene(graph(3, 0, 1, 1, 2))
		cfg.Order = order
		cfg.NewSource = feed(releases{1, 2, 3, 40})
		cfg.Snapshots = sim.SnapshotPlan{
			At: []int64{2, 2, 2, 2, 3}, Initiators: []int32{0},
			InitiatorsAt: [][]int32{nil, {1}, {1, 2}, nil},
		}
		want := runOf(t, cfg)
		var initiators [][]int32
		for _, s := range want.Snapshots {
			initiators = append(initiators, s.Initiators)
			for v := range s.Recordings {
				ordered := false
				for _, i := range s.Initiators {
					ordered = ordered || i == int32(v)
				}
				if recorded := s.Recordings[v].Seq > 0; recorded != ordered {
					t.Errorf("order %d: node %d recorded snapshot %d: %v", order, v, s.ID, recorded)
				}
			}
		}
		same(t, "initiators", initiators, [][]int32{{0}, {1}, {1, 2}, {0}, {0}})
		for n := range want.Steps {
			first, second := engineOf(t, cfg), engineOf(t, cfg)
			first.Step(n)
			if err := second.Load(first.Save(nil)); err != nil {
				t.Fatal(err)
			}
			got := second.Run()
			same(t, "the digest", got.Digest, want.Digest)
			same(t, "initiators", got.Snapshots[2].Initiators, want.Snapshots[2].Initiators)
		}
	}
	cfg := scene(graph(1))
	cfg.Snapshots = sim.SnapshotPlan{InitiatorsAt: [][]int32{{0}}}
	if _, err := sim.New(cfg); err == nil {
		t.Error("initiators without an instant are accepted")
	}
	cfg.Snapshots = sim.SnapshotPlan{At: []int64{1}, InitiatorsAt: [][]int32{{7}}}
	if _, err := sim.New(cfg); err == nil {
		t.Error("an initiator that does not exist is accepted")
	}
}
