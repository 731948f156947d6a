package invariants

import (
	"slices"
	"testing"

	"simrun/sim"
)

// TestWhereItCameAbout: every violation has its place in the run, so that the first wrong
// event comes first in the list.
func TestWhereItCameAbout(t *testing.T) {
	cut := func(p *play, i int) (row int) {
		for _, r := range p.h.Snapshots[i].Recordings {
			row = max(row, r.Row)
		}
		return row
	}
	restored := func(p *play) int { return p.h.Restores[0].Row }
	for _, c := range []struct {
		only  string
		do    func(p *play)
		where func(p *play) int
	}{
		{"consistent-cut", func(p *play) { p.h.Snapshots[1].Twice = []int32{0} }, func(p *play) int { return cut(p, 1) }},
		{"consistent-cut", func(p *play) { p.h.Snapshots[0].Recordings[1].Seq = 0 }, func(p *play) int { return cut(p, 0) }},
		{"channel-state", func(p *play) { p.h.Snapshots[0].Channels[ab] = nil }, func(p *play) int { return cut(p, 0) }},
		{"conservation", func(p *play) { p.h.Snapshots[0].Channels[ab] = nil }, func(p *play) int { return cut(p, 0) }},
		{"coordinator", func(p *play) { p.h.Snapshots[0].DoneAt[1] = -1 }, func(p *play) int { return cut(p, 0) }},
		{"coordinator", func(p *play) { p.h.Restores[0].Aborted = []sim.SnapshotID{3} }, restored},
		{"coordinator", func(p *play) { p.h.Snapshots[0].CompletedAt = p.h.Restores[0].At + 1 }, restored},
		{"recovery", func(p *play) { p.h.Restores[0].States[1] = nil }, restored},
		{"recovery", func(p *play) { p.trigger(0).Incarnation = 0 }, restored},
		{"reachability", func(p *play) { p.h.Snapshots[1].Recordings[1].Seq = 0 }, func(p *play) int { return cut(p, 1) }},
		{"recovery", func(p *play) {
			p.crash(0)
			p.restoreTo(p.h.Snapshots[1])
			p.trigger(0).Incarnation = 0
		}, restored},
		{"fifo", func(p *play) { p.h.Breaches = []sim.Breach{{Row: 5, Number: 9, Next: 1}} }, func(*play) int { return 5 }},
		{"monotone-cuts", func(p *play) { p.record(p.trigger(2), 2, 0, 1); p.h.Snapshots[1].Recordings[0].Offset = 0 }, func(p *play) int { return cut(p, 1) }},
		{"non-interference", func(p *play) {
			bare := *p.h
			bare.Rows = slices.Clone(bare.Rows)
			bare.Rows[7] = wrongHash(bare.Rows[7])
			p.run.Bare = &bare
			bare.ApplicationDigest++
		}, func(*play) int { return 7 }},
		{"non-interference", func(p *play) {
			bare := *p.h
			bare.Rows = bare.Rows[:7]
			p.run.Bare = &bare
			bare.ApplicationDigest++
		}, func(*play) int { return 7 }},
	} {
		p := sample(t)
		if c.only == "non-interference" {
			p = newPlay(graphOf(2, [2]int32{0, 1}))
			for range 8 {
				p.external(0)
			}
			p.drain()
			p.end()
		}
		c.do(p)
		off := slices.DeleteFunc(Names(), func(name string) bool { return name == c.only })
		var checker Checker
		report := checker.Check(p.run, off)
		if len(report.Violations) == 0 || checker.positions[0] != int64(c.where(p)) {
			t.Errorf("%v at %v, not %d", report.Violations, checker.positions, c.where(p))
		}
	}
}

// TestFirstComesFirst: the list is in this order, whichever check found what.
func TestFirstComesFirst(t *testing.T) {
	p := sample(t)
	p.h.Snapshots[1].DoneAt[1] = -1
	p.change(sim.RowExternal, 0, wrongHash)
	report := Check(p.run, nil)
	if len(report.Violations) < 2 || report.Violations[0].Invariant != "state-truth" {
		t.Error(report.Violations)
	}
}

// TestEveryNodeCounts: what is missing of the first node or the last is missed.
func TestEveryNodeCounts(t *testing.T) {
	for v := range 3 {
		p := sample(t)
		p.h.Snapshots[1].Recordings[v].Seq = 0
		found, _ := find(Check(p.run, nil), "consistent-cut")
		if want := "snapshot 2 is complete although " + p.run.NodeName(int32(v)) + " never recorded its state"; found.Detail != want {
			t.Errorf("%v, not %s", found, want)
		}
	}
	for v := range int32(2) {
		p := newPlay(graphOf(2, [2]int32{0, 1}))
		s := p.trigger(v)
		p.record(s, v)
		p.row(sim.RowEmit, 0, 9, 0)
		p.record(s, 1-v)
		if report := Check(p.end(), nil); report.SnapshotBecause[0] == "" {
			t.Errorf("%d recorded after the first illegal event: %v", 1-v, report.Violations)
		}
	}
}
