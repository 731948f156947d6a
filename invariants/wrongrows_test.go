package invariants

import (
	"slices"
	"strings"
	"testing"

	"simrun/sim"
)

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
		"recorded after the first illegal event: fifo":                            func(p *play) { p.h.Rows[0] = sim.NewRow(sim.RowSend, 4, 1, 0) },
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
	after := p.h.Rows[p.h.Restores[0].Row:]
	i := slices.IndexFunc(after, func(r sim.Row) bool { return r.Kind() == sim.RowExternal })
	after[i] = wrongHash(after[i])
	report := Check(p.run, nil)
	if got, want := report.SnapshotBecause[1], "recorded after the first illegal event: recovery at A, in incarnation 1"; got != want {
		t.Errorf("%s, not %s", got, want)
	}
	if v, _ := find(report, "recovery"); v.Restore != 0 {
		t.Errorf("after restore 1 it is that of restore %d", v.Restore+1)
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
	p.change(sim.RowEmit, 0, numbered(9))
	says(t, Check(p.run, nil), "state-truth", "emission 9 of B is in the history where emission 1 was due")
	p = newPlay(graphOf(2, [2]int32{0, 1}))
	p.external(0)
	p.process(0)
	p.row(sim.RowProcess, 0, 1, 0)
	says(t, Check(p.end(), nil), "fifo", "B processed message 1 on channel A->B again; message 2 was due")
	p = newPlay(graphOf(2, [2]int32{0, 1}))
	p.external(0)
	p.external(0)
	p.row(sim.RowProcess, 0, 2, 0)
	says(t, Check(p.end(), nil), "fifo", "B processed message 2 on channel A->B where message 1 was due")
	p = sample(t)
	p.change(sim.RowExternal, 0, numbered(9))
	v, _ := find(Check(p.run, nil), "state-truth")
	if want := "A read External record 9 where record 1 was due"; v.Detail != want {
		t.Errorf("%s, not %s", v.Detail, want)
	}
}

// TestNamesOfNothing: a damaged history may hold any number.
func TestNamesOfNothing(t *testing.T) {
	run := newPlay(graphOf(2, [2]int32{0, 1})).run
	for _, i := range []int32{-1, 2} {
		if got := run.node(i) + ", " + run.channel(min(i, 1)); strings.Count(got, "which does not exist") != 2 {
			t.Error(got)
		}
	}
	if got := run.node(1) + ", " + run.channel(0); got != "B, channel A->B" {
		t.Error(got)
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
