package invariants

import (
	"testing"

	"simrun/sim"
)

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

// TestTwiceInAnySnapshot: two cuts at one node are wrong also where the snapshot did
// not become complete.
func TestTwiceInAnySnapshot(t *testing.T) {
	p := sampleOpen(t)
	aborted := p.trigger(0)
	p.crash(1)
	p.restore()
	pending := p.trigger(0)
	p.drain()
	p.end()
	aborted.Twice, pending.Twice = []int32{1}, []int32{2}
	report := Check(p.run, []string{"termination"})
	if aborted.Status != sim.Aborted || pending.Status != sim.Pending || len(report.Violations) != 2 {
		t.Errorf("%v", report.Violations)
	}
	says(t, report, "consistent-cut", "B recorded snapshot 3 more than once")
	says(t, report, "consistent-cut", "C recorded snapshot 4 more than once")
}
