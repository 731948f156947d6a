package invariants

import (
	"strings"
	"testing"

	"simrun/sim"
)

func TestCoordinator(t *testing.T) {
	snapshot := func(p *play, i int) *sim.Snapshot { return p.h.Snapshots[i] }
	caught(t, "coordinator", []damage{
		{"complete and given up", func(p *play) { p.h.Restores[0].Aborted = []sim.SnapshotID{1} }, "snapshot 1 became complete, and restore 1 gave it up"},
		{"restored and given up", func(p *play) { p.h.Restores[0].Aborted = []sim.SnapshotID{1} }, "restore 1 goes back to snapshot 1, which restore 1 gave up"},
		{"given up by nobody", func(p *play) { snapshot(p, 1).Status, snapshot(p, 1).CompletedAt = sim.Aborted, -1 }, "snapshot 2 counts as given up, and no restore gave it up"},
		{"given up and pending", func(p *play) {
			p.h.Restores[0].Aborted = []sim.SnapshotID{2}
			snapshot(p, 1).Status = sim.Pending
		}, "restore 1 gave up snapshot 2, which still counts as pending"},
		{"given up twice", func(p *play) { p.h.Restores[0].Aborted = []sim.SnapshotID{2, 2} }, "snapshot 2 was given up twice, by restores 1 and 1"},
		{"given up before it was begun", func(p *play) { p.h.Restores[0].Aborted = []sim.SnapshotID{2} }, "restore 1 gave up snapshot 2, which was begun in incarnation 1; incarnation 0 is the one that it ended"},
		{"a snapshot that does not exist", func(p *play) { p.h.Restores[0].Aborted = []sim.SnapshotID{3} }, "restore 1 gave up snapshot 3, which does not exist"},
		{"the snapshot 0", func(p *play) { p.h.Restores[0].Aborted = []sim.SnapshotID{0} }, "restore 1 gave up snapshot 0, which does not exist"},
		{"incarnations that do not grow", func(p *play) { snapshot(p, 0).Incarnation, snapshot(p, 1).Incarnation = 1, 0 }, "snapshot 2 was begun before snapshot 1"},
		{"neither", func(p *play) { snapshot(p, 1).Status = 7 }, "snapshot 2 is neither pending nor complete nor given up"},
		{"complete and not", func(p *play) { snapshot(p, 1).Status = sim.Pending }, "and does not count as complete"},
		{"undecided", func(p *play) { snapshot(p, 1).Status, snapshot(p, 1).CompletedAt = sim.Pending, -1 }, "every part of snapshot 2 is durable, and nobody decided"},
		{"not recorded", func(p *play) { snapshot(p, 1).Recordings[2] = sim.Recording{} }, "snapshot 2 is complete, and C never recorded it"},
		{"not done", func(p *play) { snapshot(p, 1).DoneAt[2] = -1 }, "snapshot 2 is complete, and C never said that its part was done"},
		{"nobody done", func(p *play) { snapshot(p, 1).DoneAt = nil }, "snapshot 2 is complete, and A never said that its part was done"},
		{"not durable", func(p *play) { snapshot(p, 1).Durable[2] = false }, "snapshot 2 is complete, and the part of C was never durable"},
		{"done after it was complete", func(p *play) { snapshot(p, 1).DoneAt[2] = snapshot(p, 1).CompletedAt + 1 }, "not in this order"},
		{"done before it was recorded", func(p *play) { snapshot(p, 1).DoneAt[2] = snapshot(p, 1).Recordings[2].At - 1 }, "by C at "},
		{"recorded before the first", func(p *play) { snapshot(p, 1).Recordings[2].At = snapshot(p, 1).StartedAt - 1 }, "by C at "},
		{"complete before it was recorded", func(p *play) { snapshot(p, 1).CompletedAt = snapshot(p, 1).StartedAt - 1 }, "snapshot 2 was begun at "},
		{"recorded before it was begun", func(p *play) { snapshot(p, 1).StartedAt = snapshot(p, 1).TriggeredAt - 1 }, "snapshot 2 was begun at "},
		{"restored too early", func(p *play) { snapshot(p, 0).CompletedAt = p.h.Restores[0].At + 1 }, "restore 1, at "},
		{"restored and never complete", func(p *play) { snapshot(p, 0).Status = sim.Pending }, "restore 1 goes back to snapshot 1, which was never complete"},
		{"an id used before", func(p *play) { snapshot(p, 0).ID = 2 }, "the id 2 was given to two snapshots"},
		{"complete at the very beginning and not", func(p *play) { snapshot(p, 1).Status, snapshot(p, 1).CompletedAt = sim.Pending, 0 }, "became complete at 0, and does not count as complete"},
		{"the newest restored and given up", func(p *play) {
			p.crash(0)
			p.restoreTo(snapshot(p, 1))
			p.h.Restores[1].Aborted = []sim.SnapshotID{2}
		}, "restore 2 goes back to snapshot 2, which restore 2 gave up"},
		{"an id used again", func(p *play) { snapshot(p, 1).ID = 1 }, "the id 1 was given to two snapshots"},
		{"ids that do not grow", func(p *play) { snapshot(p, 1).TriggeredAt = snapshot(p, 0).TriggeredAt - 1 }, "snapshot 2 was begun before snapshot 1"},
		{"an incarnation that never was", func(p *play) { snapshot(p, 1).Incarnation = 2 }, "snapshot 2 names incarnation 2; there were 2"},
		{"of an earlier incarnation", func(p *play) { snapshot(p, 1).Incarnation = 0 }, "snapshot 2 names incarnation 0, and was begun at "},
		{"of a later incarnation", func(p *play) { snapshot(p, 0).Incarnation = 1 }, "snapshot 1 names incarnation 1, and was begun at "},
		{"recorded in a later one", func(p *play) { snapshot(p, 1).Incarnation = 0 }, "snapshot 2 was begun in incarnation 0, and A recorded it in another one"},
		{"recorded in an earlier one", func(p *play) { snapshot(p, 1).Recordings[2].Row = 1 }, "snapshot 2 was begun in incarnation 1, and C recorded it in another one (row 1)"},
	})
}

// TestSomethingIsGivenUp: snapshots that restores give up, and that stay pending, are
// no fault of the coordinator.
func TestSomethingIsGivenUp(t *testing.T) {
	p := newPlay(graphOf(2, [2]int32{0, 1}, [2]int32{1, 0}))
	p.record(p.trigger(0), 0)
	p.crash(1)
	p.restore()
	p.record(p.trigger(0), 0)
	report := Check(p.end(), nil)
	if v, ok := find(report, "coordinator"); ok || report.SnapshotVerdict(1) != Aborted || report.SnapshotVerdict(2) != Pending {
		t.Errorf("%v, %v", v, report.Snapshots)
	}
}

// TestRightlyDecided: what looks like a wrong decision and is none, or another one.
func TestRightlyDecided(t *testing.T) {
	for name, do := range map[string]func(p *play, s *sim.Snapshot){
		"given up with every part durable": func(p *play, s *sim.Snapshot) {
			p.restore()
			s.Durable = []bool{true, true}
		},
		"pending, and of one part nothing is said": func(_ *play, s *sim.Snapshot) { s.Durable = []bool{true} },
	} {
		p := newPlay(graphOf(2, [2]int32{0, 1}, [2]int32{1, 0}))
		s := p.trigger(0)
		p.record(s, 0)
		p.crash(1)
		do(p, s)
		p.end()
		if got := strings.Join(details(p), " "); strings.Contains(got, "nobody decided") {
			t.Errorf("%s: %s", name, got)
		}
	}
	for name, do := range map[string]func(p *play){
		"another id, which no other has": func(p *play) { p.h.Snapshots[1].ID = 7 },
		"the id 0":                       func(p *play) { p.h.Snapshots[0].ID = 0 },
		"given up later than restored": func(p *play) {
			p.crash(0)
			p.restoreTo(p.h.Snapshots[1])
			p.h.Restores[1].Aborted = []sim.SnapshotID{1}
		},
	} {
		p := sample(t)
		do(p)
		for _, v := range Check(p.run, nil).Violations {
			if v.Invariant == "coordinator" && (strings.Contains(v.Detail, "given to two") || strings.Contains(v.Detail, "goes back to")) {
				t.Errorf("%s: %v", name, v)
			}
		}
	}
}

// TestEverythingAtOnce: a snapshot may be begun, recorded, done and complete at one instant.
func TestEverythingAtOnce(t *testing.T) {
	p := newPlay(graphOf(2, [2]int32{0, 1}))
	s := p.trigger(0)
	p.record(s, 0, 1)
	s.CompletedAt, s.Recordings[1].At, s.DoneAt = 0, 0, []int64{0, 0}
	if report := Check(p.end(), nil); !report.Holds() {
		t.Error(report.Violations)
	}
}

// TestAbortedByTheCoordinator: what a coordinator has aborted is not complete, and needs
// no restore that gives it up.
func TestAbortedByTheCoordinator(t *testing.T) {
	for status, want := range map[sim.Status]string{
		sim.Complete: "checkpoint 1 became complete, and the coordinator had aborted it", sim.Aborted: "", sim.Pending: "",
	} {
		p := sample(t)
		c := &Checker{run: p.run, h: p.h, out: new(Report), count: map[subject]int{}}
		s := p.h.Snapshots[0]
		if s.Status = status; status != sim.Complete {
			s.CompletedAt, s.Durable[0] = -1, false
		}
		c.checkDecision(s, -1, true, nowhere)
		got := ""
		for _, v := range c.out.Violations {
			got += v.Detail
		}
		if got != want {
			t.Errorf("status %d: %q, not %q", status, got, want)
		}
	}
}
