package invariants

import (
	"slices"
	"strings"
	"testing"

	"simrun/sim"
)

// The tests of this file are each about something wrong, or something right that
// looks wrong, which only a single comparison of a check tells apart.

// TestHeldEmissions: what a node holds back for the outside world when it records has
// to be attached too.
func TestHeldEmissions(t *testing.T) {
	for attached, holds := range map[string]bool{"": false, "one emission": true} {
		p := newPlay(graphOf(2, [2]int32{0, 1}))
		p.external(0)
		p.holding = true
		p.process(0)
		s := p.trigger(0)
		p.record(s, 0, 1)
		if attached != "" {
			s.Attached[1] = []byte(attached)
		}
		p.release(1)
		p.drain()
		report := Check(p.end(), nil)
		if report.Holds() != holds {
			t.Errorf("attached %q: %v", attached, report.Violations)
		}
		if !holds {
			says(t, report, "channel-state", "the state of B has made steps of which 1 emission did not leave inside the cut and is not attached")
		}
	}
}

// TestAttachedWorthIsUnknown: what an attached output carries only the replay can say;
// where it has not come by, there is no verdict on conservation.
func TestAttachedWorthIsUnknown(t *testing.T) {
	for v := range int32(2) {
		attachedAt(t, v)
	}
}

// attachedAt is TestAttachedWorthIsUnknown for one node.
func attachedAt(t *testing.T, v int32) {
	p := newPlay(graphOf(2, [2]int32{0, 1}, [2]int32{1, 0}))
	p.holding = true
	p.external(v)
	s := p.trigger(0)
	p.record(s, 0, 1)
	s.Attached[v] = []byte("what is held")
	p.release(v)
	p.holding = false
	p.drain()
	run := p.end()
	if report := Check(run, nil); !report.Holds() {
		t.Errorf("with rows: %v", report.Violations)
	}
	s.States[1][0]++
	says(t, Check(run, nil), "conservation", "(+1)")
	s.States[1][0]--
	newApp := run.NewApp
	run.NewApp = func(v int32) sim.App { return plain{newApp(v)} }
	if report := Check(run, nil); !report.Holds() {
		t.Errorf("with Apps that do not say what they hold: %v", report.Violations)
	}
	run.NewApp = newApp
	p.h.Rows = nil
	if report := Check(run, nil); !report.Holds() {
		t.Errorf("without rows: %v", report.Violations)
	}
}

// TestRowsOffNoRowCounts: where rows are off, what is said of rows is of no account.
func TestRowsOffNoRowCounts(t *testing.T) {
	p := sample(t)
	p.h.Rows = nil
	p.h.Snapshots[1].Recordings[2].Row = 1
	if report := Check(p.run, nil); !report.Holds() {
		t.Error(report.Violations)
	}
}

// TestRecordingInsideAHandler: a node may record between a step and the sending of what
// the step produced.
func TestRecordingInsideAHandler(t *testing.T) {
	p := newPlay(graphOf(2, [2]int32{0, 1}))
	p.holding = true
	p.external(0)
	s := p.trigger(0)
	p.record(s, 0)
	s.Attached[0] = []byte("what is held")
	p.release(0)
	p.holding = false
	p.record(s, 1)
	p.drain()
	p.end()
	p.run.HoldsOutputs = false
	if report := Check(p.run, nil); !report.Holds() {
		t.Error(report.Violations)
	}
}

// TestDueOnUnreliableChannels: what such a channel should hold is what was passed over
// and what is above the highest processed, inside the cut.
func TestDueOnUnreliableChannels(t *testing.T) {
	p := newPlay(graphOf(2, [2]int32{0, 1}))
	p.run.Unreliable = []sim.Unreliable{{Lose: sim.Failure{PerMillion: 1}}}
	c := Checker{run: p.run}
	s := p.trigger(0)
	s.Sent[0], s.Processed[0], s.Gaps = 6, 4, [][]uint32{{2, 3}}
	if got := c.due(s, 0); !slices.Equal(got, []uint32{2, 3, 5, 6}) {
		t.Errorf("due: %v", got)
	}
	if got := c.absentFrom(s, 0, []uint32{3, 5}); !slices.Equal(got, []uint32{2, 6}) {
		t.Errorf("absent: %v", got)
	}
	if got := c.processedBetween(s, 0, 1, 4); !slices.Equal(got, []uint32{1, 4}) {
		t.Errorf("processed: %v", got)
	}
	if got := c.processedBetween(s, 0, 2, 3); !slices.Equal(got, []uint32{3}) {
		t.Errorf("processed, which is passed over: %v", got)
	}
	if got := c.processedBetween(s, 0, 5, 5000); len(got) != numbersMax {
		t.Errorf("%d processed are listed", len(got))
	}
	s.Channels[0] = []sim.Recorded{{Number: 2}, {Number: 5}, {Number: 6}}
	if got, _ := c.channelFaults(s, 0); got != "Missing: message 3" {
		t.Error(got)
	}
	s.Processed[0], s.Gaps = 7, [][]uint32{{5, 6}}
	if got := c.due(s, 0); !slices.Equal(got, []uint32{5, 6}) {
		t.Errorf("due, and overtaken: %v", got)
	}
	p.run.Unreliable = nil
	if s.Processed[0] = 1<<32 - 1; c.due(s, 0) != nil {
		t.Errorf("more was processed than sent, and due is %v", c.due(s, 0))
	}
}

// TestInitiatorsThatDoNotExist: with such a one a snapshot was started after no other.
func TestInitiatorsThatDoNotExist(t *testing.T) {
	for _, v := range []int32{-1, 2} {
		p := newPlay(graphOf(2, [2]int32{0, 1}))
		p.record(p.trigger(0), 0, 1)
		p.record(p.trigger(v), 0, 1)
		Check(p.end(), nil)
	}
}

// TestRecordedNowhere: of a node that never recorded a snapshot nobody knows whether
// that was before or after another one.
func TestRecordedNowhere(t *testing.T) {
	p := sample(t)
	p.h.Snapshots[1].Initiators = []int32{0}
	p.h.Snapshots[1].Recordings[1].Seq = 0
	if v, found := find(Check(p.run, nil), "monotone-cuts"); found {
		t.Error(v)
	}
}

// TestBetween: the last number of all is no beginning.
func TestBetween(t *testing.T) {
	if got := between(1<<32-2, 1<<32-1); !slices.Equal(got, []uint32{1<<32 - 2, 1<<32 - 1}) {
		t.Error(got)
	}
	if got := between(1, 1<<31); len(got) != numbersMax || got[numbersMax-1] != numbersMax {
		t.Error(got)
	}
	if got := absent(nil, 0, 500); len(got) != numbersMax {
		t.Errorf("%d are listed", len(got))
	}
	if them(1, 1) != "it" || them(1, 2) != "them" {
		t.Error("one is it")
	}
	if are(1, 1) != "is" || are(1, 2) != "are" {
		t.Error("one is, two are")
	}
}

// TestListsThatAreTooShort: every list of a snapshot has to fit the graph.
func TestListsThatAreTooShort(t *testing.T) {
	for name, do := range map[string]func(s *sim.Snapshot){
		"states":     func(s *sim.Snapshot) { s.States = s.States[:1] },
		"recordings": func(s *sim.Snapshot) { s.Recordings = s.Recordings[:1] },
		"channels":   func(s *sim.Snapshot) { s.Channels = s.Channels[:1] },
		"sent":       func(s *sim.Snapshot) { s.Sent = s.Sent[:1] },
		"processed":  func(s *sim.Snapshot) { s.Processed = s.Processed[:1] },
	} {
		p := sample(t)
		do(p.h.Snapshots[1])
		if v, _ := find(Check(p.run, nil), "consistent-cut"); !strings.HasPrefix(v.Detail, "the history is damaged: snapshot 2 has ") {
			t.Errorf("%s: %v", name, v)
		}
	}
}

// TestWrongCounterOnly: where a counter is wrong, contents are not compared by it.
func TestWrongCounterOnly(t *testing.T) {
	p := sample(t)
	s := p.h.Snapshots[0]
	s.Processed[ab]++
	content(ab, func(m []sim.Recorded) []sim.Recorded { return m[1:] })(p)
	report := Check(p.run, nil)
	says(t, report, "consistent-cut", "the cut of snapshot 1 says that B had processed 2 messages on channel A->B when it recorded; it had processed 1")
	if v, found := find(report, "channel-state"); found {
		t.Error(v)
	}
}

// TestPrecedes: a snapshot that an initiator of the next never recorded was not before it.
func TestPrecedes(t *testing.T) {
	m, n := &sim.Snapshot{Recordings: []sim.Recording{{Seq: 1}, {}}}, &sim.Snapshot{Recordings: []sim.Recording{{Seq: 2}, {Seq: 3}}}
	for _, c := range []struct {
		initiators []int32
		want       bool
	}{{[]int32{0}, true}, {[]int32{1}, false}, {[]int32{0, 1}, false}, {nil, false}} {
		if n.Initiators = c.initiators; precedes(m, n) != c.want {
			t.Errorf("%v", c.initiators)
		}
	}
	m.Initiators, n.Initiators = []int32{0}, []int32{0}
	if precedes(n, m) || precedes(m, m) {
		t.Error("it does not precede what comes before, nor itself")
	}
}
