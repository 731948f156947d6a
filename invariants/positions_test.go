package invariants

import (
	"slices"
	"strings"
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
		says  string
		do    func(p *play)
		where func(p *play) int
	}{
		{"consistent-cut", "more than once", func(p *play) { p.h.Snapshots[1].Twice = []int32{0} }, func(p *play) int { return cut(p, 1) }},
		{"consistent-cut", "never recorded its state", func(p *play) { p.h.Snapshots[0].Recordings[1].Seq = 0 }, func(p *play) int { return cut(p, 0) }},
		{"channel-state", "the state that snapshot 1 has", func(p *play) { p.h.Snapshots[0].Channels[ab] = nil }, func(p *play) int { return cut(p, 0) }},
		{"conservation", "snapshot 1 holds", func(p *play) { p.h.Snapshots[0].Channels[ab] = nil }, func(p *play) int { return cut(p, 0) }},
		{"coordinator", "never said that", func(p *play) { p.h.Snapshots[0].DoneAt[1] = -1 }, func(p *play) int { return cut(p, 0) }},
		{"coordinator", "gave up snapshot 3", func(p *play) { p.h.Restores[0].Aborted = []sim.SnapshotID{3} }, restored},
		{"coordinator", "which was complete only", func(p *play) { p.h.Snapshots[0].CompletedAt = p.h.Restores[0].At + 1 }, restored},
		{"recovery", "the state of B is not", func(p *play) { p.h.Restores[0].States[1] = nil }, restored},
		{"recovery", "was not complete at restore 1", func(p *play) { p.trigger(0).Incarnation = 0 }, restored},
		{"reachability", "it does not say what happened", func(p *play) { p.h.Snapshots[1].Recordings[1].Seq = 0 }, func(p *play) int { return cut(p, 1) }},
		{"recovery", "was not complete at restore 1", func(p *play) {
			p.crash(0)
			p.restoreTo(p.h.Snapshots[1])
			p.trigger(0).Incarnation = 0
		}, restored},
		{"fifo", "where message 1 was due", func(p *play) { p.h.Breaches = []sim.Breach{{Row: 5, Number: 9, Next: 1}} }, func(*play) int { return 5 }},
		{"monotone-cuts", "goes back behind", func(p *play) { p.record(p.trigger(2), 2, 0, 1); p.h.Snapshots[1].Recordings[0].Offset = 0 }, func(p *play) int { return cut(p, 1) }},
		{"non-interference", "without snapshots", func(p *play) {
			bare := *p.h
			bare.Rows = slices.Clone(bare.Rows)
			bare.Rows[7] = wrongHash(bare.Rows[7])
			p.run.Bare = &bare
			bare.ApplicationDigest++
		}, func(*play) int { return 7 }},
		{"non-interference", "without snapshots", func(p *play) {
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
		i := slices.IndexFunc(report.Violations, func(v Violation) bool { return strings.Contains(v.Detail, c.says) })
		if i < 0 || slices.Sorted(slices.Values(checker.positions))[i] != int64(c.where(p)) {
			t.Errorf("%v at %v, not %d", report.Violations, checker.positions, c.where(p))
		}
	}
}

// TestLastRecording: a snapshot has its place where the last node recorded it, whichever
// that is.
func TestLastRecording(t *testing.T) {
	for v := range int32(3) {
		p := newPlay(graphOf(3, [2]int32{0, 1}, [2]int32{1, 2}))
		s := p.trigger(0)
		p.record(s, (v+1)%3, (v+2)%3, v)
		s.Twice = []int32{0}
		var checker Checker
		if checker.Check(p.end(), nil); len(checker.positions) != 1 || checker.positions[0] != 2 {
			t.Errorf("%v, and %d recorded last", checker.positions, v)
		}
	}
}

// TestStraysHaveTheirPlace: so has what only the records show.
func TestStraysHaveTheirPlace(t *testing.T) {
	p := newPlay(graphOf(3, [2]int32{0, 1}, [2]int32{1, 2}))
	p.run.Aligned = true
	p.external(0)
	s := p.trigger(0)
	p.record(s, 0, 1, 2)
	p.drain()
	var checker Checker
	report := checker.Check(p.end(), nil)
	if last := checker.positions[len(checker.positions)-1]; len(report.Violations) != 2 || last != int64(s.Recordings[2].Row) {
		t.Errorf("%v: %v", checker.positions, report.Violations)
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
	for ch := range 4 {
		p := sample(t)
		p.h.Snapshots[1].Sent[ch]++
		says(t, Check(p.run, nil), "consistent-cut", "the cut of snapshot 2 says that "+p.run.NodeName(p.g.From[ch])+" had sent ")
		p = sample(t)
		p.h.Snapshots[1].Processed[ch]++
		says(t, Check(p.run, nil), "consistent-cut", "the cut of snapshot 2 says that "+p.run.NodeName(p.g.To[ch])+" had processed ")
		p = sample(t)
		p.h.Final.Markers[ch] = 1
		says(t, Check(p.run, nil), "termination", p.run.channel(int32(ch))+", which is not blocked, still holds 1 marker")
	}
	for v := range int32(3) {
		p := sample(t)
		p.h.Final.Read[v]++
		says(t, Check(p.run, nil), "termination", p.run.NodeName(v)+" was handed 1 External record")
	}
	if sameTimers([]armed{{id: 1}, {id: 2}}, []sim.ArmedTimer{{ID: 1}, {ID: 3}}) {
		t.Error("the second timer is another one")
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
