package invariants

import (
	"slices"
	"testing"

	"simrun/sim"
)

// TestBareWithoutRows: where rows are off the application digests are compared, and no
// more, and only of runs that are whole.
func TestBareWithoutRows(t *testing.T) {
	bare := func(do func(p *play, bare *sim.History)) *Report {
		p := newPlay(graphOf(2, [2]int32{0, 1}))
		p.external(0)
		p.drain()
		run := p.end()
		history := *run.History
		run.Bare = &history
		do(p, &history)
		return Check(run, nil)
	}
	other := func(p *play, bare *sim.History) { bare.Rows, bare.ApplicationDigest = nil, bare.ApplicationDigest+1 }
	says(t, bare(other), "non-interference", "the application digest of the run is")
	says(t, bare(func(p *play, bare *sim.History) { p.h.Rows = nil; bare.ApplicationDigest++ }), "non-interference", "the application digest of the run is")
	says(t, bare(func(p *play, bare *sim.History) { bare.Rows = bare.Rows[:2]; bare.ApplicationDigest++ }), "non-interference",
		"without snapshots the computation comes to rest after 2 events; here it goes on: B processes message 1 on channel A->B (row 2)")
	says(t, bare(func(p *play, bare *sim.History) { p.h.Rows = p.h.Rows[:2]; bare.ApplicationDigest++ }), "non-interference",
		"the computation comes to rest after 2 events; without snapshots it goes on: B processes message 1 on channel A->B")
	for name, do := range map[string]func(p *play, bare *sim.History){
		"rows of one only": func(p *play, bare *sim.History) {
			bare.ApplicationDigest++
			p.h.Rows = nil
			p.h.End = sim.StepLimit
		},
		"the run was cut short": func(p *play, bare *sim.History) { other(p, bare); p.h.End = sim.StepLimit },
		"the other one was":     func(p *play, bare *sim.History) { other(p, bare); bare.End = sim.StepLimit },
		"somebody crashed":      func(p *play, bare *sim.History) { other(p, bare); p.h.Crashes = []sim.Crash{{}} },
	} {
		if v, found := find(bare(do), "non-interference"); found {
			t.Errorf("%s: %v", name, v)
		}
	}
}

// TestProcessedOtherThanBare: so is a message that is processed and no other is.
func TestProcessedOtherThanBare(t *testing.T) {
	p := newPlay(graphOf(2, [2]int32{0, 1}))
	p.external(0)
	p.drain()
	run := p.end()
	bare := *run.History
	bare.Rows = slices.Clone(bare.Rows)
	bare.Rows[2] = numbered(9)(bare.Rows[2])
	bare.ApplicationDigest++
	run.Bare = &bare
	if v, _ := find(Check(run, nil), "non-interference"); v.Node != 1 || v.Channel != 0 || !slices.Equal(v.Numbers, []uint32{1}) {
		t.Errorf("%+v", v)
	}
}

// TestDifferenceFromBare: the first event that is another one than without snapshots is
// named with its place, and told from one of another content.
func TestDifferenceFromBare(t *testing.T) {
	for want, do := range map[string]func(r sim.Row) sim.Row{
		"event 2 of the computation is not what it is without snapshots: here A sends message 1 on channel A->B (row 1), without snapshots with another content":              wrongHash,
		"event 2 of the computation is not what it is without snapshots: here A sends message 1 on channel A->B (row 1), without snapshots A sends message 7 on channel A->B": numbered(7),
	} {
		p := newPlay(graphOf(2, [2]int32{0, 1}))
		p.external(0)
		p.drain()
		run := p.end()
		bare := *run.History
		bare.Rows = slices.Clone(bare.Rows)
		bare.Rows[1] = do(bare.Rows[1])
		bare.ApplicationDigest++
		run.Bare = &bare
		v, _ := find(Check(run, nil), "non-interference")
		if v.Detail != want || v.Node != 0 || v.Channel != 0 || !slices.Equal(v.Numbers, []uint32{1}) {
			t.Errorf("%+v", v)
		}
	}
}

// TestBareAfterARestore: what follows a restore is held to the run that begins there,
// and every list may be shorter than another.
func TestBareAfterARestore(t *testing.T) {
	p := sample(t)
	first := p.h.Restores[0].Row + 1
	after := func(do func(rows []sim.Row) []sim.Row) *Report {
		bare := &sim.History{Rows: do(slices.Clone(p.h.Rows[first:]))}
		p.run.BareAfter = []*sim.History{bare, bare}
		return Check(p.run, nil)
	}
	if report := after(func(rows []sim.Row) []sim.Row { return rows }); !report.Holds() {
		t.Error(report.Violations)
	}
	says(t, after(func(rows []sim.Row) []sim.Row { rows[0] = wrongHash(rows[0]); return rows }), "non-interference", "event 1 of the computation after restore 1 is not")
	says(t, after(func(rows []sim.Row) []sim.Row { return rows[:1] }), "non-interference", "the computation after restore 1 comes to rest after 1 event; here it goes on")
	p.run.BareAfter[0] = nil
	if p.run.BareAfter = p.run.BareAfter[1:]; Check(p.run, nil).Holds() {
		t.Error("the only one is not looked at")
	}
	for _, bare := range []*sim.History{nil, {}} {
		p.run.BareAfter = []*sim.History{bare}
		if report := Check(p.run, nil); !report.Holds() {
			t.Error(report.Violations)
		}
	}
	other := &sim.History{Rows: p.h.Rows[:1]}
	for _, row := range []int{-1, len(p.h.Rows)} {
		p.h.Restores[0].Row = row
		p.run.BareAfter = []*sim.History{other}
		if v, found := find(Check(p.run, nil), "non-interference"); found {
			t.Error(v)
		}
	}
	p.h.Rows = nil
	if v, found := find(Check(p.run, nil), "non-interference"); found {
		t.Error(v)
	}
}
