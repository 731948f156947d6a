package sim_test

import (
	"testing"

	"simrun/sim"
)

// turns is a scribe that takes from its inputs in turn.
type turns struct {
	scribe
	inputs int
}

func (a *turns) Accepts(in sim.Input) bool {
	taken := 0
	for _, b := range a.text {
		if b == ' ' {
			taken++
		}
	}
	return int(in) == taken%a.inputs
}

// merging is two sources and a node that reads from them in turn.
func merging(order sim.Order, first, second releases) *sim.Config {
	cfg := scene(graph(3, 0, 2, 1, 2), pass, pass)
	scribes := cfg.NewApp
	cfg.NewApp = func(v int32) sim.App {
		if v == 2 {
			return &turns{inputs: 2}
		}
		return scribes(v)
	}
	cfg.Order = order
	cfg.NewSource = feed(first, second)
	return cfg
}

// A message that the App does not accept waits, and so does what is behind it.
func TestGuardedReads(t *testing.T) {
	for _, order := range []sim.Order{sim.Timed, sim.Chosen} {
		for seed := range uint64(20) {
			cfg := merging(order, releases{1, 2, 3}, releases{4, 5, 6})
			cfg.Seed = seed
			h := play(t, cfg)
			same(t, "what came in", texts(h.Final.States)[2], "c0:1 c1:1 c0:2 c1:2 c0:3 c1:3")
			same(t, "what is refused", h.Final.Refused, []int32(nil))
		}
	}
}

// When one source has ended, what the App will never accept is stranded, and the
// run says so.
func TestGuardedReadsStrand(t *testing.T) {
	for _, order := range []sim.Order{sim.Timed, sim.Chosen} {
		cfg := merging(order, releases{1, 2}, releases{1, 2, 3, 4})
		cfg.Snapshots.Every = 5 // periodic snapshots do not keep a stuck run going
		h := play(t, cfg)
		same(t, "what came in", texts(h.Final.States)[2], "c0:1 c1:1 c0:2 c1:2")
		same(t, "what is refused", h.Final.Refused, []int32{1})
		same(t, "what is stranded", numbers(h.Final.InFlight[1]), []uint32{3, 4})
	}
}

// A marker is not the App's to refuse, but it does not overtake what the App
// refuses.
func TestMarkersPassGuards(t *testing.T) {
	cfg := merging(sim.Timed, releases{100}, releases{1})
	sendsMarker := func() *actor {
		return &actor{initiate: func(id sim.SnapshotID, out *sim.Out) {
			out.SendMarker(0, id)
			lone(id, out)
		}}
	}
	takesMarkers := func() *actor {
		return &actor{receive: func(in sim.Input, m sim.Message, out *sim.Out) {
			if m.Kind() == sim.Data {
				out.Send(out.Process(in, m)...)
			}
		}}
	}
	cfg.NewNode = cast(sendsMarker, sendsMarker, takesMarkers)
	cfg.Snapshots.At = []int64{50}
	cfg.Snapshots.Initiators = []int32{0, 1}
	book := watch(cfg, sim.EventMarker, sim.EventProcess)
	play(t, cfg)
	book.wants(t, "60 c0 marker 1", "110 c0 process 1", "110 c1 process 1", "110 c1 marker 1")
}

// After a restore the App chooses by the state that it was given back, and a saved
// engine goes on to the same end.
func TestGuardedReadsGoOn(t *testing.T) {
	for _, order := range []sim.Order{sim.Timed, sim.Chosen} {
		cfg := merging(order, releases{1, 2, 3, 40, 50}, releases{20, 20, 20, 20, 60})
		cfg.Snapshots.At = []int64{4}
		cfg.Faults = []sim.Fault{{Nodes: []int32{2}, Step: 14, Down: 5}}
		want := play(t, cfg)
		if len(want.Restores) != 1 {
			t.Fatalf("order %d: %d restores", order, len(want.Restores))
		}
		for n := range want.Steps {
			first, second := engineOf(t, cfg), engineOf(t, cfg)
			first.Step(n)
			if err := second.Load(first.Save(nil)); err != nil {
				t.Fatal(err)
			}
			same(t, "the digest", second.Run().Digest, want.Digest)
		}
	}
}
