package invariants

import (
	"slices"
	"strings"
	"testing"

	"simrun/sim"
)

// The tests of this file are each about something wrong, or something right that
// looks wrong, which only a single comparison of a check tells apart.

// fewer is a Source that ends after so many records.
type fewer struct {
	tips
	count uint64
}

func (s fewer) Record(k uint64) (sim.Message, int64, bool) {
	m, at, _ := s.tips.Record(k)
	return m, at, k < s.count
}

// TestRecordsThatDoNotExist: a node reads no further than its source goes, and
// nothing if it has none.
func TestRecordsThatDoNotExist(t *testing.T) {
	for name, source := range map[string]sim.Source{"a source that has ended": fewer{count: 1}, "no source": nil} {
		p := newPlay(graphOf(2, [2]int32{0, 1}))
		p.external(0)
		p.external(0)
		p.drain()
		p.end()
		p.run.NewSource = func(int32) sim.Source { return source }
		report := Check(p.run, nil)
		says(t, report, "state-truth", "which does not exist")
		if len(report.Violations) != 1 {
			t.Errorf("%s: %v", name, report.Violations)
		}
	}
}

// astray is an App that sends on an output that it does not have.
type astray struct{ trader }

func (a *astray) Step(in sim.Input, m sim.Message, fx *sim.Effects) {
	fx.Send(int32(a.outputs), 0, 0, 0)
}

func TestOutputThatDoesNotExist(t *testing.T) {
	p := newPlay(graphOf(2, [2]int32{0, 1}))
	p.external(0)
	p.end()
	p.run.NewApp = func(int32) sim.App { return &astray{trader{outputs: 1}} }
	says(t, Check(p.run, nil), "state-truth", "the App of A sends on its output 1; it has 1")
}

// TestFirstIllegalEvent: what was recorded or restored after the first illegal event is
// condemned by it, and the reason names it.
func TestFirstIllegalEvent(t *testing.T) {
	for want, do := range map[string]func(p *play){
		"recorded after the first illegal event: fifo":                            func(p *play) { p.h.Rows[0] = sim.NewRow(sim.RowSend, 99, 1, 0) },
		"recorded after the first illegal event: state-truth at A":                func(p *play) { p.change(sim.RowExternal, 0, wrongHash) },
		"recorded after the first illegal event: fifo, message 1 on channel A->B": func(p *play) { p.change(sim.RowProcess, 0, wrongHash) },
	} {
		p := sample(t)
		do(p)
		if got := Check(p.run, nil).SnapshotBecause[0]; got != want {
			t.Errorf("%s, not %s", got, want)
		}
	}
	p := sample(t)
	p.h.Rows = slices.Insert(p.h.Rows, p.h.Restores[0].Row+1, sim.NewRow(sim.RowEmit, 0, 99, 0))
	report := Check(p.run, nil)
	if got, want := report.SnapshotBecause[1], "recorded after the first illegal event: recovery at A, in incarnation 1"; got != want {
		t.Errorf("%s, not %s", got, want)
	}
	if v, _ := find(report, "recovery"); v.Restore != 0 {
		t.Errorf("after restore 1 it is that of restore %d", v.Restore+1)
	}
}

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
		if report := bare(do); !report.Holds() {
			t.Errorf("%s: %v", name, report.Violations)
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

// TestDownNodesDoOneThingWrong: of what a node does that is down nothing else is said,
// whatever may be wrong with it.
func TestDownNodesDoOneThingWrong(t *testing.T) {
	for _, row := range []sim.Row{
		sim.NewRow(sim.RowLose, 0, 9, 0), sim.NewRow(sim.RowSend, 0, 9, 0), sim.NewRow(sim.RowProcess, 1, 9, 0),
		sim.NewRow(sim.RowExternal, 0, 9, 0), sim.NewRow(sim.RowEmit, 0, 9, 0),
	} {
		p := newPlay(graphOf(2, [2]int32{0, 1}, [2]int32{1, 0}))
		p.loosely(sim.Unreliable{Lose: sim.Failure{PerMillion: 1}})
		p.crash(0)
		p.row(row.Kind(), row.Entity(), row.Number, row.Hash)
		report := Check(p.end(), []string{"termination"})
		says(t, report, "recovery", "A is down, but row 1 is something that it did")
		if len(report.Violations) != 1 {
			t.Errorf("%v", report.Violations)
		}
	}
}

// TestWrongNumbers: what comes with another number than the next is told from what the
// App has not produced; without a restore no record is lost or takes effect twice.
func TestWrongNumbers(t *testing.T) {
	p := sample(t)
	p.change(sim.RowSend, 0, numbered(9))
	says(t, Check(p.run, nil), "state-truth", "message 9 was put on channel A->B where message 1 was due")
	p = sample(t)
	p.change(sim.RowSend, 0, numbered(0))
	says(t, Check(p.run, nil), "state-truth", "message 0 was put on channel A->B where message 1 was due")
	p = newPlay(graphOf(2, [2]int32{0, 1}))
	p.external(0)
	p.row(sim.RowSend, 0, 2, 0)
	says(t, Check(p.end(), nil), "state-truth", "message 2 was put on channel A->B although the App of A, replayed, has produced 1 message for it so far")
	p = newPlay(graphOf(2, [2]int32{0, 1}))
	p.holding = true
	p.external(0)
	p.row(sim.RowProcess, 0, 1, p.held[0][0].Hash())
	says(t, Check(p.end(), nil), "fifo", "B processed message 1 on channel A->B, on which so far 0 had been sent")
	p = sample(t)
	p.change(sim.RowExternal, 0, numbered(9))
	v, _ := find(Check(p.run, nil), "state-truth")
	if want := "A read External record 9 where record 1 was due"; v.Detail != want {
		t.Errorf("%s, not %s", v.Detail, want)
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

// TestNamesOfNothing: a damaged history may hold any number.
func TestNamesOfNothing(t *testing.T) {
	run := newPlay(graphOf(2, [2]int32{0, 1})).run
	for _, i := range []int32{-1, 2} {
		if got := run.node(i) + ", " + run.channel(i); strings.Count(got, "which does not exist") != 2 {
			t.Error(got)
		}
	}
	if got := run.node(1) + ", " + run.channel(0); got != "B, channel A->B" {
		t.Error(got)
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

// TestNoEventOfNobody: a row of a node or channel that does not exist is nobody's event.
func TestNoEventOfNobody(t *testing.T) {
	run := newPlay(graphOf(3, [2]int32{0, 1}, [2]int32{1, 2})).run
	for kind, nodes := range map[sim.RowKind][]int32{
		sim.RowSend: {0, 1, -1, -1}, sim.RowProcess: {1, 2, -1, -1}, sim.RowExternal: {0, 1, 2, -1}, sim.RowTimer: {0, 1, 2, -1},
		sim.RowEmit: {0, 1, 2, -1}, sim.RowRecord: {-1, -1, -1, -1}, sim.RowRestore: {-1, -1, -1, -1},
	} {
		for id, want := range nodes {
			if got := run.eventAt(sim.NewRow(kind, int32(id), 1, 0)); got != want {
				t.Errorf("row of kind %d, entity %d: node %d, not %d", kind, id, got, want)
			}
		}
	}
}

// TestBreachElsewhere: that the engine has noted a breach at one row says nothing of
// another.
func TestBreachElsewhere(t *testing.T) {
	p := sample(t)
	p.h.Breaches = []sim.Breach{{Row: 1, Number: 9, Next: 1, Incarnation: 1}}
	p.change(sim.RowProcess, 0, wrongHash)
	report := Check(p.run, nil)
	says(t, report, "fifo", "message 9 was processed where message 1 was due")
	says(t, report, "fifo", "with another content than it was sent with")
}

// branching is an App that sends on two outputs at once.
type branching struct{ trader }

func (a *branching) Step(in sim.Input, _ sim.Message, fx *sim.Effects) {
	if in == sim.External {
		fx.Send(0, 1, 1, 0)
		fx.Send(1, 2, 2, 0)
	}
}

// TestLosingIsNotPaying: what becomes of an output in its channel stands between it and
// the next, and is not the node's doing.
func TestLosingIsNotPaying(t *testing.T) {
	for _, kind := range []sim.RowKind{sim.RowLose, sim.RowDuplicate} {
		p := newPlay(graphOf(2, [2]int32{0, 1}, [2]int32{0, 1}))
		p.loosely(sim.Unreliable{Lose: sim.Failure{PerMillion: 1}, Duplicate: sim.Failure{PerMillion: 1}})
		p.run.NewApp = func(int32) sim.App { return new(branching) }
		p.reset()
		p.external(0)
		p.h.Rows = slices.Insert(p.h.Rows, 2, sim.NewRow(kind, 0, 1, 0))
		if v, found := find(Check(p.end(), nil), "non-interference"); found {
			t.Error(v)
		}
	}
}

// TestLeavesInOrder: what one step produces leaves in the order in which it was produced.
func TestLeavesInOrder(t *testing.T) {
	for _, reversed := range []bool{false, true} {
		p := newPlay(graphOf(2, [2]int32{0, 1}, [2]int32{0, 1}))
		p.run.NewApp = func(int32) sim.App { return new(branching) }
		p.reset()
		p.holding = true
		p.external(0)
		if reversed {
			slices.Reverse(p.held[0])
		}
		p.release(0)
		p.drain()
		p.end()
		p.run.HoldsOutputs = false
		if _, found := find(Check(p.run, nil), "non-interference"); found != reversed {
			t.Errorf("reversed %v: %v", reversed, details(p))
		}
	}
}
