package invariants

import (
	"strings"
	"testing"

	"simrun/sim"
)

// crossed plays two snapshots that cross: A records the first before the second, B
// the other way round. The second one has the given initiators.
func crossed(initiators ...int32) *Run {
	p := newPlay(graphOf(2, [2]int32{0, 1}, [2]int32{1, 0}))
	m, n := p.trigger(0), p.trigger(initiators...)
	p.record(m, 0)
	p.record(n, 1)
	p.external(0)
	p.external(1)
	p.record(n, 0)
	p.record(m, 1)
	p.drain()
	return p.end()
}

func TestMonotoneCuts(t *testing.T) {
	report := Check(crossed(0), nil)
	v, ok := find(report, "monotone-cuts")
	if !ok || v.Snapshot != 2 || !strings.Contains(v.Detail, "B recorded snapshot 2 before snapshot 1") {
		t.Errorf("A had recorded 1 when it started 2, but they cross: %v", report.Violations)
	}
	for _, initiators := range [][]int32{{1}, {0, 1}, {1, 0}} {
		if report := Check(crossed(initiators...), nil); !report.Holds() {
			t.Errorf("started by nodes of which not all had recorded 1, snapshot 2 may cross it: %v", report.Violations)
		}
	}
	caught(t, "monotone-cuts", []damage{
		{"back behind the restored snapshot, sent", func(p *play) { p.h.Snapshots[1].Sent[ab] = 0 }, "sent in the older one only"},
		{"back behind, processed", func(p *play) { p.h.Snapshots[1].Processed[ab] = 0 }, "processed in the older one only"},
		{"back behind, read", func(p *play) { p.h.Snapshots[1].Recordings[0].Offset = 0 }, "had read"},
	})
}

// TestMonotoneLooksBehindCrossing: 3 contains 2, which does not contain 1 as they
// cross; 1 must be compared with 3 all the same.
func TestMonotoneLooksBehindCrossing(t *testing.T) {
	p := newPlay(graphOf(2, [2]int32{0, 1}, [2]int32{1, 0}))
	one, two := p.trigger(0), p.trigger(1)
	p.record(one, 0)
	p.record(two, 1)
	p.record(two, 0)
	p.record(one, 1)
	three := p.trigger(1)
	p.record(three, 1, 0)
	p.end()
	if report := Check(p.run, nil); !report.Holds() {
		t.Fatal(report.Violations)
	}
	one.Sent[0] = 5
	for _, v := range Check(p.run, nil).Violations {
		if v.Invariant == "monotone-cuts" && v.Snapshot == 3 {
			return
		}
	}
	t.Error("snapshot 1 was not compared with snapshot 3")
}

// TestMonotoneIsLinear: the number of comparisons with a thousand snapshots is that
// of neighbours.
func TestMonotoneIsLinear(t *testing.T) {
	p := newPlay(graphOf(2, [2]int32{0, 1}))
	var all []*sim.Snapshot
	for range 1000 {
		s := p.trigger(0)
		p.record(s, 0, 1)
		all = append(all, s)
	}
	all[0].Sent[0] = 1
	found := 0
	for _, v := range Check(p.end(), nil).Violations {
		if v.Invariant == "monotone-cuts" {
			found++
		}
	}
	if found != 1 {
		t.Errorf("the first cut was compared %d times", found)
	}
}

// TestWhatTheOlderHas: the messages are named that only the older cut has, and one
// position in two cuts is no order.
func TestWhatTheOlderHas(t *testing.T) {
	for want, do := range map[string]func(older, newer *sim.Snapshot){
		"on channel A->B message 3 is sent in the older one only": func(older, newer *sim.Snapshot) {
			newer.Sent[ab] = older.Sent[ab] - 1
		},
		"on channel A->B message 1 is processed in the older one only": func(older, newer *sim.Snapshot) {
			newer.Processed[ab] = older.Processed[ab] - 1
		},
		"A recorded snapshot 2 before snapshot 1": func(older, newer *sim.Snapshot) {
			newer.Recordings[0].Seq = older.Recordings[0].Seq
		},
	} {
		p := sample(t)
		older, newer := p.h.Snapshots[0], p.h.Snapshots[1]
		do(older, newer)
		report := Check(p.run, nil)
		says(t, report, "monotone-cuts", want)
		if v, _ := find(report, "monotone-cuts"); v.Channel == ab && len(v.Numbers) != 1 {
			t.Errorf("%+v", v)
		}
	}
}
