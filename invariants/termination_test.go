package invariants

import (
	"slices"
	"strings"
	"testing"

	"simrun/sim"
)

func TestTermination(t *testing.T) {
	caught(t, "termination", []damage{
		{"blocked", func(p *play) { p.h.Final.Blocked[ab] = 2 }, "B still blocks channel A->B for snapshot 2; it holds nothing"},
		{"a marker left", func(p *play) { p.h.Final.Markers[bc] = 1 }, "channel B->C, which is not blocked, still holds 1 marker for C"},
		{"a message left", func(p *play) { p.h.Final.InFlight[bc] = []sim.Recorded{{Number: 3}} }, "still holds message 3 for C"},
		{"many messages left", func(p *play) { p.h.Final.InFlight[bc] = make([]sim.Recorded, 200) }, "still holds 200 messages from number 0 on"},
		{"a message refused", func(p *play) {
			p.h.Final.InFlight[bc], p.h.Final.Refused = []sim.Recorded{{Number: 3}}, []int32{bc}
		}, "the run is at rest with 1 message stranded on channel B->C: the App of C does not accept message 3"},
		{"a message refused before a marker", func(p *play) {
			p.h.Final.InFlight[bc], p.h.Final.Markers[bc], p.h.Final.Refused = []sim.Recorded{{Number: 3}}, 1, []int32{bc}
		}, "with 1 message and 1 marker stranded on channel B->C: the App of C does not accept message 3, the first of them"},
		{"two messages refused", func(p *play) {
			p.h.Final.InFlight[bc], p.h.Final.Refused = []sim.Recorded{{Number: 3}, {Number: 4}}, []int32{bc}
		}, "with 2 messages stranded on channel B->C: the App of C does not accept message 3, the first of them"},
		{"messages refused", func(p *play) {
			p.h.Final.InFlight[bc], p.h.Final.Markers[bc], p.h.Final.Refused = []sim.Recorded{{Number: 3}, {Number: 4}}, 1, []int32{ab, bc}
		}, "with 2 messages and 1 marker stranded on channel B->C: the App of C does not accept message 3, the first of them"},
		{"down", func(p *play) { p.h.Final.Down = []int32{1} }, "with B down"},
		{"pending", func(p *play) { p.trigger(0) }, "snapshot 3 is pending: not recorded by A, B, C; the cause: "},
		{"not decided", func(p *play) { p.h.Snapshots[1].Status = sim.Pending }, "snapshot 2 is pending: every part is durable"},
		{"not durable", func(p *play) {
			s := p.h.Snapshots[1]
			s.Status, s.Durable[1] = sim.Pending, false
		}, "done and not durable: B"},
		{"not done", func(p *play) {
			s := p.h.Snapshots[1]
			s.Status, s.DoneAt[1] = sim.Pending, -1
		}, "every marker received, and not done: B"},
	})
}

// TestOneIsRefused: a message that is alone is not the first of any.
func TestOneIsRefused(t *testing.T) {
	p := sample(t)
	p.h.Final.InFlight[bc], p.h.Final.Refused = []sim.Recorded{{Number: 3}}, []int32{bc}
	if got := strings.Join(details(p), " "); strings.Contains(got, "the first of them") {
		t.Error(got)
	}
	p.h.Final.Refused, p.h.Final.InFlight[bc] = nil, make([]sim.Recorded, numbersMax)
	p.says(t, "still holds message 0 (100 times) for C")
}

// TestPendingSaysWhatWaits: A has recorded, and waits for C, which waits for B.
func TestPendingSaysWhatWaits(t *testing.T) {
	p := sampleOpen(t)
	p.drain()
	s := p.trigger(0)
	p.record(s, 0)
	s.Marked[ab], s.Marked[ac] = true, true
	p.end()
	p.h.Final.Blocked[ac] = s.ID
	v, ok := find(Check(p.run, nil), "termination")
	want := "snapshot 3 is pending: not recorded by B, C; " +
		"not recorded, and C waits for its marker on channel B->C from B; " +
		"recorded, and A waits for its marker on channel C->A from C; blocked for it: channel A->C; " +
		"the cause: A waits for the marker of snapshot 3 on channel C->A, which C sends only when it has it on all other inputs; " +
		"C waits for the marker of snapshot 3 on channel B->C, which B sends only when it has recorded, and B has every marker and never recorded"
	if !ok || v.Snapshot != 3 || !strings.HasSuffix(v.Detail, want) {
		t.Errorf("%v", v)
	}
}

func TestHeldBackForEver(t *testing.T) {
	p := newPlay(graphOf(2, [2]int32{0, 1}))
	p.external(0)
	p.drain()
	p.holding = true
	p.external(0)
	p.says(t, "A still holds back message 2, which its App produced for channel A->B")
	for _, v := range Check(p.run, nil).Violations {
		if v.Channel == 0 && (v.Node != 0 || !slices.Equal(v.Numbers, []uint32{2})) {
			t.Errorf("%+v", v)
		}
	}
	p = newPlay(graphOf(2, [2]int32{0, 1}))
	p.external(0)
	p.holding = true
	p.drain()
	p.says(t, "B still holds back 1 emission that")
	p = newPlay(graphOf(2, [2]int32{1, 0}))
	p.external(1)
	p.holding = true
	p.drain()
	p.says(t, "A still holds back 1 emission that")
	p = newPlay(graphOf(2, [2]int32{0, 1}))
	p.external(0)
	p.external(0)
	p.process(0)
	p.end()
	p.h.Final.InFlight[0] = nil
	p.says(t, "B still holds back message 2 of channel A->B from its App")
	for _, v := range Check(p.run, nil).Violations {
		if v.Channel == 0 && (v.Node != 1 || !slices.Equal(v.Numbers, []uint32{2})) {
			t.Errorf("%+v", v)
		}
	}
}

// TestSwallowedInputs: an External record and a timer that a Node was handed and
// never lets its App process.
func TestSwallowedInputs(t *testing.T) {
	p := newPlay(graphOf(2, [2]int32{0, 1}))
	p.external(0)
	p.drain()
	p.end()
	p.h.Final.Read[0]++
	p.says(t, "A was handed 1 External record of its source (up to number 2) that it never let its App process")
	p = newPlay(graphOf(2, [2]int32{0, 1}))
	for len(p.timers[0]) == 0 {
		p.external(0)
	}
	for int(p.processed[0]) < len(p.log[0]) {
		p.process(0)
	}
	p.says(t, "A never let its App process timer")
}

// says demands a violation of termination with this text at the end of the run.
func (p *play) says(t *testing.T, text string) {
	t.Helper()
	if p.h.Final.States == nil {
		p.end()
	}
	report := Check(p.run, nil)
	for _, v := range report.Violations {
		if v.Invariant == "termination" && strings.Contains(v.Detail, text) {
			return
		}
	}
	t.Errorf("nothing says %q: %v", text, report.Violations)
}

// TestLimitsAreNoVerdict: a run that was cut off might still have finished.
func TestLimitsAreNoVerdict(t *testing.T) {
	for end, listed := range map[sim.End]bool{sim.Quiescent: true, sim.Settled: true, sim.StepLimit: false, sim.RecoveryLimit: false, sim.TimeLimit: false, sim.OpenLimit: false, sim.GaveUp: false} {
		p := sampleOpen(t)
		p.trigger(0)
		p.end()
		p.h.End = end
		report := Check(p.run, nil)
		if report.Holds() == listed || slices.Contains(report.Checks, "termination") != listed {
			t.Errorf("end %d: %v %v", end, report.Checks, report.Violations)
		}
	}
}

// TestRestlessRunsEndInTheMiddle: when the last snapshot is complete a run whose App
// never rests is over, and markers of it may be on the way, or inputs be stopped for it;
// but not for one before it.
func TestRestlessRunsEndInTheMiddle(t *testing.T) {
	p := sample(t)
	p.h.End = sim.Settled
	for _, c := range []struct {
		blocker sim.SnapshotID
		holds   bool
	}{{0, true}, {2, true}, {1, false}, {9, false}} {
		p.h.Final.Markers[ab], p.h.Final.Blocked[ab] = 1, c.blocker
		if report := Check(p.run, nil); report.Holds() != c.holds {
			t.Errorf("blocked for %d: %v", c.blocker, report.Violations)
		}
	}
}

// TestRestlessRunsLeaveMessages: only a run at rest must have delivered everything.
func TestRestlessRunsLeaveMessages(t *testing.T) {
	p := sampleOpen(t)
	p.end()
	if report := Check(p.run, nil); report.Holds() {
		t.Error("messages are left and nothing is said")
	}
	p.h.End = sim.Settled
	if report := Check(p.run, nil); !report.Holds() {
		t.Error(report.Violations)
	}
}

// TestHeldBackIsNoFaultYet: what a node holds back when a run is cut short may still
// leave, and what one that is down held is lost.
func TestHeldBackIsNoFaultYet(t *testing.T) {
	for name, do := range map[string]func(p *play){
		"cut short": func(p *play) { p.h.End = sim.StepLimit },
		"down":      func(p *play) { p.h.Final.Down = p.down },
	} {
		p := newPlay(graphOf(2, [2]int32{0, 1}))
		p.holding = true
		p.external(0)
		p.crash(0)
		if name == "cut short" {
			p.down, p.h.Crashes, p.h.Rows = nil, nil, p.h.Rows[:len(p.h.Rows)-1]
		}
		p.end()
		do(p)
		for _, v := range Check(p.run, nil).Violations {
			if v.Channel >= 0 || name == "cut short" {
				t.Errorf("%s: %v", name, v)
			}
		}
	}
}

// TestLostWithItsNode: what a node that is down was handed and what its App produced
// is lost with it, and held back by nobody.
func TestLostWithItsNode(t *testing.T) {
	p := newPlay(graphOf(2, [2]int32{0, 1}))
	p.external(0)
	p.external(0)
	p.holding = true
	p.process(0)
	p.crash(1)
	p.end()
	p.h.Final.InFlight[0] = nil
	p.h.Final.Read[1]++
	for _, d := range details(p) {
		if strings.Contains(d, "holds back") || strings.Contains(d, "was handed") {
			t.Error(d)
		}
	}
}
