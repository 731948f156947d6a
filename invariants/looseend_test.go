package invariants

import (
	"slices"
	"strings"
	"testing"

	"simrun/sim"
)

// loosely says of the channels of a run that they may fail in this way.
func (p *play) loosely(how sim.Unreliable) {
	p.run.Unreliable = make([]sim.Unreliable, len(p.g.From))
	for ch := range p.run.Unreliable {
		p.run.Unreliable[ch] = how
	}
}

// looseEnd is a run on a channel that reorders, which ends at rest or is cut short.
func looseEnd(t *testing.T, steps int64) *Run {
	cfg := dealt(1, false)
	cfg.Graph = sim.Graph{Nodes: 2, From: []int32{0}, To: []int32{1}}
	cfg.BackEdge, cfg.Faults, cfg.Snapshots, cfg.Order = nil, nil, sim.SnapshotPlan{}, sim.Timed
	cfg.Unreliable = []sim.Unreliable{{Reorder: true}}
	cfg.MaxSteps = steps
	if steps == 0 {
		cfg.NewNode = func(info sim.NodeInfo) sim.Node { return &swallower{node: info.ID} }
	}
	run := judged(t, cfg, false)
	run.Unreliable = cfg.Unreliable
	return run
}

// TestEndOfUnreliableChannels: what is left in such a channel is compared too, and what
// its receiver never let its App process is missed.
func TestEndOfUnreliableChannels(t *testing.T) {
	run := looseEnd(t, 0)
	says(t, Check(run, nil), "termination", "of channel A->B from its App")
	run.History.End = sim.StepLimit
	if report := Check(run, nil); !report.Holds() {
		t.Errorf("cut short: %v", report.Violations)
	}
	run.History.End, run.History.Final.Down = sim.Quiescent, []int32{1}
	run.History.Rows = append(run.History.Rows, sim.NewRow(sim.RowCrash, 1, 0, 0))
	for _, v := range Check(run, nil).Violations {
		if strings.Contains(v.Detail, "holds back") {
			t.Errorf("its receiver is down: %v", v)
		}
	}
	run = looseEnd(t, 40)
	if report := Check(run, nil); !report.Holds() {
		t.Fatalf("undamaged: %v", report.Violations)
	}
	left := run.History.Final.InFlight[0]
	left[0].Logged = true
	says(t, Check(run, nil), "state-truth", "with another content than it was sent with")
	left[0].Logged = false
	left[0].Message.Value++
	says(t, Check(run, nil), "state-truth", "with another content than it was sent with")
}

// TestLooseContents: what is recorded of an unreliable channel is compared message by
// message, before a restore and after, and its order only where there is one.
func TestLooseContents(t *testing.T) {
	same := func(m []sim.Recorded) []sim.Recorded { return m }
	reversed := func(m []sim.Recorded) []sim.Recorded { slices.Reverse(m); return m }
	for _, c := range []struct {
		do   func(m []sim.Recorded) []sim.Recorded
		ch   int
		how  sim.Unreliable
		says string
	}{
		{same, ab, sim.Unreliable{Reorder: true}, ""},
		{reversed, ab, sim.Unreliable{Reorder: true}, ""},
		{reversed, ab, sim.Unreliable{Lose: sim.Failure{PerMillion: 1}}, "They are out of order"},
		{func(m []sim.Recorded) []sim.Recorded { m[0].Message.Value++; return m }, ab, sim.Unreliable{Reorder: true}, "with another content"},
		{func(m []sim.Recorded) []sim.Recorded { m[len(m)-1].Message.Value++; return m }, ab, sim.Unreliable{Reorder: true}, "with another content"},
		{func(m []sim.Recorded) []sim.Recorded { m[len(m)-1].Message.Value++; return m }, ac, sim.Unreliable{Reorder: true}, "with another content"},
	} {
		p := sample(t)
		p.loosely(c.how)
		content(c.ch, c.do)(p)
		report := Check(p.run, []string{"reachability", "conservation"})
		if c.says == "" && !report.Holds() || report.Ledger != nil {
			t.Errorf("%+v: %v, %+v", c.how, report.Violations, report.Ledger)
		} else if c.says != "" {
			says(t, report, "channel-state", c.says)
		}
	}
}

// TestDoubledOutOfTurn: a channel that doubles and does not reorder brings a message
// the second time before the next one.
func TestDoubledOutOfTurn(t *testing.T) {
	for again := uint32(1); again <= 2; again++ {
		p := newPlay(graphOf(2, [2]int32{0, 1}))
		p.loosely(sim.Unreliable{Duplicate: sim.Failure{PerMillion: 1}})
		for n := uint32(1); n <= 2; n++ {
			p.external(0)
			if n == again {
				p.row(sim.RowDuplicate, 0, n, 0)
			}
		}
		p.process(0)
		p.process(0)
		m := p.log[0][again-1].Message
		p.row(sim.RowProcess, 0, again, m.Hash())
		p.step(1, 0, m)
		report := Check(p.end(), []string{"termination"})
		if again == 1 {
			says(t, report, "fifo", "out of order, and the channel does not reorder")
		}
		if wrong := len(report.Violations); wrong != 2-int(again) {
			t.Errorf("message %d again: %v", again, report.Violations)
		}
	}
}

// TestLooseHeldOverRestore: outputs for an unreliable channel that are held back across
// a restore come after it, and what is produced then comes behind them; what the
// restore has taken back does not.
func TestLooseHeldOverRestore(t *testing.T) {
	for _, replay := range []sim.Replay{sim.FromOffset, sim.NoReplay} {
		p := newPlay(graphOf(2, [2]int32{0, 1}, [2]int32{1, 0}))
		p.run.Replay = replay
		p.loosely(sim.Unreliable{Reorder: true})
		p.external(0)
		p.process(0)
		p.external(0)
		p.holding = true
		p.external(0)
		p.external(0)
		held := slices.Clone(p.held[0])
		s := p.trigger(0)
		p.record(s, 0, 1)
		s.Attached[0] = []byte("what is held")
		p.process(0)
		p.external(0)
		p.release(0)
		p.process(0)
		p.crash(1)
		p.restore()
		p.held[0] = held
		p.external(0)
		p.release(0)
		p.holding = false
		p.external(0)
		p.drain()
		if report := Check(p.end(), nil); !report.Holds() || len(held) == 0 {
			t.Errorf("%d held: %v", len(held), report.Violations)
		}
	}
}

// TestLooseWindow: in a window an App has to produce for an unreliable channel what it
// really did.
func TestLooseWindow(t *testing.T) {
	p := newPlay(graphOf(2, [2]int32{0, 1}, [2]int32{1, 0}))
	p.loosely(sim.Unreliable{Reorder: true})
	p.run.NewApp = func(int32) sim.App { return &secretive{trader: trader{outputs: 1}} }
	p.reset()
	p.external(0)
	s := p.trigger(1)
	p.record(s, 1)
	p.external(0)
	p.record(s, 0)
	says(t, Check(p.end(), nil), "reachability", "the App of A, loaded from the state in which it was when the first node recorded, does not produce the same for channel A->B")
}

// wayward is an App that sends another number of messages once it was loaded.
type wayward struct{ sends, loaded int }

func (a *wayward) Step(_ sim.Input, _ sim.Message, fx *sim.Effects) {
	for range a.sends {
		fx.Send(0, 1, 1, 1)
	}
}
func (a *wayward) Load([]byte) error      { a.sends = a.loaded; return nil }
func (a *wayward) Save(buf []byte) []byte { return buf }

// TestLooseWindowCounts: and no more than that, and no less.
func TestLooseWindowCounts(t *testing.T) {
	for loaded, want := range map[int]string{
		0: "A sends message 2 on channel A->B (row 4), and when this is carried out again",
		2: "does not produce the same for channel A->B",
	} {
		p := newPlay(graphOf(2, [2]int32{0, 1}, [2]int32{1, 0}))
		p.loosely(sim.Unreliable{Reorder: true})
		p.run.NewApp = func(int32) sim.App { return &wayward{1, loaded} }
		p.reset()
		p.external(0)
		s := p.trigger(1)
		p.record(s, 1)
		p.external(0)
		p.record(s, 0)
		says(t, Check(p.end(), nil), "reachability", want)
	}
}

// TestGapsAfterARestore: what is wrong at the end after a restore is put to that.
func TestGapsAfterARestore(t *testing.T) {
	p := sample(t)
	p.loosely(sim.Unreliable{Reorder: true})
	p.h.Final.Gaps = [][]uint32{{1}}
	if v, _ := find(Check(p.run, nil), "recovery"); v.Restore != 0 || v.Channel != ab {
		t.Errorf("%+v", v)
	}
}

// TestReliableAfterAll: a list of channels none of which fails changes nothing.
func TestReliableAfterAll(t *testing.T) {
	p := sample(t)
	p.loosely(sim.Unreliable{})
	report := Check(p.run, nil)
	if !report.Holds() || report.Ledger == nil || !slices.Contains(report.Checks, "conservation") {
		t.Errorf("%+v", report)
	}
	for i, how := range []sim.Unreliable{{Reorder: true}, {Lose: sim.Failure{PerMillion: 1}}, {Duplicate: sim.Failure{PerMillion: 1}}} {
		p.run.Unreliable = []sim.Unreliable{{}, how}
		if p.run.leaky() != (i > 0) {
			t.Errorf("%+v", how)
		}
	}
}

// TestStagedOnUnreliableChannels: what such a channel has in flight across an aligned
// cut is no fault of the alignment.
func TestStagedOnUnreliableChannels(t *testing.T) {
	for _, processed := range []bool{false, true} {
		p := newPlay(graphOf(2, [2]int32{0, 1}))
		p.loosely(sim.Unreliable{Reorder: true})
		p.run.Aligned = true
		p.external(0)
		p.record(p.trigger(0), 0, 1)
		if processed {
			p.process(0)
		}
		if v, found := find(Check(p.end(), nil), "abs-staged"); found {
			t.Error(v)
		}
	}
}
