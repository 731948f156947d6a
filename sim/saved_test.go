package sim_test

import (
	"reflect"
	"testing"

	"simrun/algorithms/abs"
	"simrun/sim"
)

// Runs with something rare in them go on from a saved engine to the same history,
// wherever they are saved. Their Nodes have no state of their own.
func TestSavedAnywhere(t *testing.T) {
	one := 1
	for name, cfg := range map[string]*sim.Config{
		"breaches": breaching(func(m sim.Message, out *sim.Out) {
			out.Process(0, m)
			out.Process(0, m)
			out.SaveState(1)
			out.SaveState(1)
		}),
		"blocked and crashed": gated(releases{10, 20, 120}, releases{15}, releases{5, 40, 110}),
		"phases":              phased(abs.New, sim.Fault{Nodes: []int32{2}, Phase: sim.PhaseBeforeRecord, Occurrence: 3, Down: 10}),
		"doomed":              phased(abs.New, sim.Fault{Nodes: []int32{2}, At: 101, AfterOutputs: &one, Down: 15}),
	} {
		switch name {
		case "breaches":
			cfg.Snapshots.At = []int64{5}
		case "blocked and crashed":
			cfg.Service = sim.Dist{Low: 7}
			cfg.Faults = []sim.Fault{{Nodes: []int32{0}, At: 60, Down: 20}}
		}
		want := play(t, cfg)
		for n := range want.Steps + 1 {
			first, second := engineOf(t, cfg), engineOf(t, cfg)
			first.Step(n)
			if err := second.Load(first.Save(nil)); err != nil {
				t.Fatalf("%s, saved after %d steps: %v", name, n, err)
			}
			if got := second.Run(); !reflect.DeepEqual(got, want) {
				t.Fatalf("%s, saved after %d steps: digest %016x, want %016x", name, n, got.Digest, want.Digest)
			}
		}
	}
}

// Bytes that are no saved engine are an error.
func TestLoadNonsense(t *testing.T) {
	cfg := scene(graph(1))
	for _, state := range [][]byte{nil, {}, {1}, {0, 1}, {0xff}, {3, 0}} {
		if err := engineOf(t, cfg).Load(state); err == nil {
			t.Errorf("% x was loaded without an error", state)
		}
	}
}
