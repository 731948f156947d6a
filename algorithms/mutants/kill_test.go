package mutants

import (
	"slices"
	"testing"

	realabs "simrun/algorithms/abs"
	"simrun/algorithms/chandylamport"
	"simrun/invariants"
	"simrun/sim"
)

const seeds = 15

func TestMutantsDie(t *testing.T) {
	for _, m := range All() {
		t.Run(m.Name, func(t *testing.T) {
			if m.Catches == "non-interference" {
				t.Skip("it shows only beside a run without snapshots; package scenarios/mutation makes them")
			}
			killed, runs := 0, 0
			for _, w := range worlds() {
				if m.Base == chandyLamport && w.crash {
					continue // none of them is about recovery
				}
				for seed := range uint64(seeds) {
					_, report := w.run(seed, sim.Timed, m.New, m.Base == abs)
					runs++
					if slices.ContainsFunc(report.Violations, func(v invariants.Violation) bool { return v.Invariant == m.Catches }) {
						killed++
					}
				}
			}
			// A mistake that shows once in a while would be found by luck.
			if killed < runs/10 {
				t.Errorf("%s was violated in %d of %d runs", m.Catches, killed, runs)
			}
		})
	}
}

// The same worlds show nothing wrong with the right algorithms, nor with what the
// mutants are made from; and what a mistake needs does happen there.
func TestRightAlgorithmsLive(t *testing.T) {
	for _, right := range []struct {
		name    string
		aligned bool
		new     sim.NewNode
	}{
		{"chandylamport", false, chandylamport.New},
		{"marking", false, newRightMarking},
		{"abs", true, realabs.New},
		{"barriers", true, newRightBarriers},
	} {
		for _, w := range worlds() {
			t.Run(right.name+" on "+w.String(), func(t *testing.T) {
				var seen sights
				for _, order := range []sim.Order{sim.Timed, sim.Chosen} {
					for seed := range uint64(seeds) {
						h, report := w.run(seed, order, right.new, right.aligned)
						if !report.Holds() {
							t.Fatalf("order %d, seed %d: %v", order, seed, report.Violations)
						}
						if w.crash != (len(h.Restores) == 1) {
							t.Fatalf("order %d, seed %d: %d restores", order, seed, len(h.Restores))
						}
						seen.look(h)
					}
				}
				want := sights{channels: !right.aligned || w.loops, logs: right.aligned && w.loops, blocked: right.aligned}
				if seen != want {
					t.Errorf("seen %+v, want %+v", seen, want)
				}
			})
		}
	}
}

func newRightMarking(info sim.NodeInfo) sim.Node {
	m := newMarking(info)
	return node{&m}
}

func newRightBarriers(info sim.NodeInfo) sim.Node {
	b := newBarriers(info)
	return node{&b}
}

// sights is what a test must have seen to mean anything.
type sights struct{ channels, logs, blocked bool }

func (s *sights) look(h *sim.History) {
	for _, snapshot := range h.Snapshots {
		s.channels = s.channels || len(slices.Concat(snapshot.Channels...)) > 0
		s.logs = s.logs || len(slices.Concat(snapshot.Logs...)) > 0
		s.blocked = s.blocked || snapshot.BlockedFor > 0
	}
}
