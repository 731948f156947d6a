package invariants

import (
	"slices"
	"strings"
	"testing"

	"simrun/sim"
)

// TestWitness writes one down: what B does before it records comes first, although A
// has already done more.
func TestWitness(t *testing.T) {
	p := newPlay(graphOf(2, [2]int32{0, 1}, [2]int32{1, 0}))
	p.external(0) // rows 0 and 1
	s := p.trigger(0)
	p.record(s, 0) // row 2
	p.external(0)  // rows 3 and 4, post
	p.external(1)  // rows 5 and 6, pre
	p.record(s, 1) // row 7
	p.drain()
	w, err := WitnessOf(p.end(), 1)
	if err != nil {
		t.Fatal(err)
	}
	if w.First != 2 || w.Last != 7 || w.Swaps != 4 || !slices.Equal(w.Prefix, []int{0, 1}) ||
		!slices.Equal(w.Pre, []int{5, 6}) || !slices.Equal(w.Post, []int{3, 4}) {
		t.Errorf("%+v", w)
	}
	if report := Check(p.run, nil); !report.Holds() || report.Swaps[0] != 4 {
		t.Errorf("%v, %v", report.Swaps, report.Violations)
	}
	if report := Check(p.run, []string{"reachability"}); report.Swaps[0] != -1 {
		t.Errorf("not checked, and %d swaps", report.Swaps[0])
	}
}

// TestWitnessAfterARestore: what the restore took back is no part of it, and what
// followed it is.
func TestWitnessAfterARestore(t *testing.T) {
	p := sample(t)
	w, err := WitnessOf(p.run, 2)
	if err != nil {
		t.Fatal(err)
	}
	cut, restored := p.h.Snapshots[0].Recordings, p.h.Restores[0].Row
	var want []int
	taken := 0
	for i, row := range p.h.Rows[:w.First] {
		v := p.run.eventAt(row)
		switch {
		case v < 0:
		case i > restored || i < cut[v].Row:
			want = append(want, i)
		default:
			taken++
		}
	}
	if !slices.Equal(w.Prefix, want) || taken == 0 || want[len(want)-1] < restored {
		t.Errorf("%v, not %v", w.Prefix, want)
	}
}

// TestWitnessFromTheStart: a snapshot may be the first thing that happens.
func TestWitnessFromTheStart(t *testing.T) {
	p := newPlay(graphOf(2, [2]int32{0, 1}))
	p.record(p.trigger(0), 0, 1)
	if w, err := WitnessOf(p.end(), 1); err != nil || w.First != 0 || w.Last != 1 {
		t.Errorf("%+v, %v", w, err)
	}
}

// TestNoWitness: of what is not there, or damaged, there is none.
func TestNoWitness(t *testing.T) {
	for want, do := range map[string]func(p *play){
		"the rows of the run were not kept":                        func(p *play) { p.h.Rows = nil },
		"there is no complete snapshot 1":                          func(p *play) { p.h.Snapshots[0].Status = sim.Aborted },
		"snapshot 1 has 0 recordings":                              func(p *play) { p.h.Snapshots[0].Recordings = nil },
		"the recording of snapshot 1 at C has no row":              func(p *play) { p.h.Snapshots[0].Recordings[2].Row = -1 },
		"the recording of snapshot 1 at A has no row":              func(p *play) { p.h.Rows = p.h.Rows[:30] },
		"snapshot 1 has 3 recordings and incarnation 9":            func(p *play) { p.h.Snapshots[0].Incarnation = 9 },
		"the recording of snapshot 1 at B has no row":              func(p *play) { p.h.Snapshots[0].Recordings[1].Seq = 0 },
		"the recording of snapshot 1 at C has no row, but another": func(p *play) { p.h.Snapshots[0].Recordings[2].Row = 0 },
		"the recording of snapshot 1 at A has no row, but the one before": func(p *play) {
			p.h.Rows = p.h.Rows[:p.h.Snapshots[0].Recordings[0].Row]
		},
		"there is no complete snapshot 1 in an empty list":  func(p *play) { p.h.Snapshots = nil },
		"there is no complete snapshot 1, of which nothing": func(p *play) { p.h.Snapshots[0] = nil },
	} {
		p := sample(t)
		do(p)
		want, _, _ = strings.Cut(want, " in an")
		want, _, _ = strings.Cut(want, ", of")
		want, _, _ = strings.Cut(want, ", but")
		if w, err := WitnessOf(p.run, 0); err == nil {
			t.Errorf("snapshot 0: %v", w)
		}
		if w, err := WitnessOf(p.run, 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v", want, w, err)
		}
	}
}
