package invariants

import "testing"

func TestConsistentCut(t *testing.T) {
	caught(t, "consistent-cut", []damage{
		{"orphans", func(p *play) { s := p.h.Snapshots[0]; s.Processed[ab] = s.Sent[ab] + 2 },
			"snapshot 1 has orphans on channel A->B: B processed messages"},
		{"a node that never recorded", func(p *play) { p.h.Snapshots[0].Recordings[1].Seq = 0 },
			"complete although B never recorded"},
		{"recorded twice", func(p *play) { p.h.Snapshots[1].Twice = []int32{2} }, "C recorded snapshot 2 more than once"},
		{"an engine that miscounts what was sent", func(p *play) { p.h.Snapshots[0].Sent[ab]++ },
			"says that A had sent"},
		{"an engine that miscounts what was processed", func(p *play) { p.h.Snapshots[0].Processed[ab]++ },
			"says that B had processed"},
		{"no snapshot", func(p *play) { p.h.Snapshots[1] = nil }, "says nothing of snapshot 2"},
		{"another id", func(p *play) { p.h.Snapshots[1].ID = 7 }, "with the id 7"},
		{"too few states", func(p *play) { p.h.Snapshots[1].States = nil }, "0 states"},
		{"too few counters", func(p *play) { p.h.Snapshots[1].Sent = nil }, "counters of 0"},
	})
}

func TestOrphansAreNumbered(t *testing.T) {
	p := sample(t)
	s := p.h.Snapshots[0]
	s.Processed[ab] = s.Sent[ab] + 2
	v, _ := find(Check(p.run, nil), "consistent-cut")
	if v.Snapshot != 1 || v.Channel != ab || len(v.Numbers) != 2 || v.Numbers[0] != s.Sent[ab]+1 || v.Restore != -1 {
		t.Errorf("%+v", v)
	}
}
