package sim_test

import (
	"testing"

	"simrun/sim"
)

// byReference takes a snapshot alone, and saves no bytes.
func byReference() *actor {
	return &actor{initiate: func(id sim.SnapshotID, out *sim.Out) {
		out.SaveReference(id)
		out.Done(id)
	}}
}

// A state that was saved by reference is what the App is when the store has written
// it; the cut is where it was saved.
func TestSaveReference(t *testing.T) {
	cfg := scene(graph(1))
	cfg.NewSource = feed(releases{10, 30, 50})
	cfg.NewNode = cast(byReference)
	cfg.Snapshots.At = []int64{20}
	cfg.Write = sim.Dist{Low: 15}
	s := play(t, cfg).Snapshots[0]
	same(t, "the state", texts(s.States), []string{"e1 e2"})
	same(t, "the offset", s.Recordings[0].Offset, 1)
}

// What is not read yet is still to be read when a saved engine goes on.
func TestSavedReference(t *testing.T) {
	for _, order := range []sim.Order{sim.Timed, sim.Chosen} {
		cfg := scene(graph(1))
		cfg.Order = order
		cfg.NewSource = feed(releases{10, 30, 50})
		cfg.NewNode = cast(byReference)
		cfg.Snapshots.At = []int64{1, 2}
		cfg.Write = sim.Dist{Low: 40}
		want := runOf(t, cfg)
		for n := range want.Steps {
			first, second := engineOf(t, cfg), engineOf(t, cfg)
			first.Step(n)
			if err := second.Load(first.Save(nil)); err != nil {
				t.Fatal(err)
			}
			got := second.Run()
			same(t, "the states", texts(got.Snapshots[1].States), texts(want.Snapshots[1].States))
			same(t, "the digest", got.Digest, want.Digest)
		}
	}
}
