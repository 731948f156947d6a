package invariants

import (
	"slices"
	"testing"

	"simrun/sim"
)

func TestConservation(t *testing.T) {
	state := func(i int) func(p *play) {
		return func(p *play) {
			s := p.h.Snapshots[0]
			s.States[1] = slices.Clone(s.States[1])
			s.States[1][i]++
		}
	}
	caught(t, "conservation", []damage{
		{"money from nowhere", state(0), "(+1)"},
		{"other pieces", state(8), "weights add up"},
		{"a payment lost", func(p *play) { s := p.h.Snapshots[0]; s.Channels[ab] = s.Channels[ab][1:] }, "there was 600 at the start"},
		{"a payment doubled", func(p *play) {
			s := p.h.Snapshots[0]
			s.Channels[ab] = append(slices.Clone(s.Channels[ab]), s.Channels[ab][0])
		}, "snapshot 1 holds"},
		{"no state", func(p *play) { p.h.Snapshots[0].States[1] = nil }, "cannot be loaded"},
	})
}

// plain is an App that does not say what it holds.
type plain struct{ sim.App }

func TestConservationNeedsConservingApps(t *testing.T) {
	p := sample(t)
	newApp := p.run.NewApp
	p.run.NewApp = func(v int32) sim.App { return plain{newApp(v)} }
	report := Check(p.run, nil)
	if !report.Holds() || slices.Contains(report.Checks, "conservation") {
		t.Errorf("%+v", report)
	}
}
