package invariants

import (
	"slices"
	"testing"

	"simrun/sim"
)

// recovering plays a run in which node v, in Recover, processes the two messages of its
// backup log before it lets go what came of them; do says what happens in between.
// Channel 0 leads to it, channel 1 from it.
func recovering(v int32, do func(p *play)) *play {
	p := newPlay(graphOf(2, [2]int32{1 - v, v}, [2]int32{v, 1 - v}))
	for len(p.log[0]) < 2 {
		p.external(1 - v)
	}
	s := p.trigger(0)
	p.record(s, 0, 1)
	for i := range s.Channels[0] {
		s.Channels[0][i].Logged = true
		s.Logs[v] = append(s.Logs[v], sim.LogEntry{Channel: 0, Index: int32(i)})
	}
	p.crash(1 - v)
	p.restore()
	r := &p.h.Restores[0]
	r.Logged[0], r.Requeued[0] = r.Requeued[0], nil
	p.holding = true
	p.process(0)
	p.process(0)
	do(p)
	p.release(v)
	p.release(1 - v)
	p.holding = false
	p.drain()
	p.end()
	p.run.HoldsOutputs = false
	return p
}

// TestRecoverMayHold: until Recover has ended, and no longer.
func TestRecoverMayHold(t *testing.T) {
	const late = "B has processed its backup log, and has not let go "
	records := func(v int32) func(p *play) {
		return func(p *play) {
			s := p.trigger(v)
			s.Attached[1] = []byte("what is held")
			p.record(s, v)
		}
	}
	for name, c := range map[string]struct {
		do   func(p *play)
		says string
	}{
		"nothing":   {func(*play) {}, ""},
		"B records": {records(1), ""},
		"B crashes": {func(p *play) { p.crash(1); p.held[1] = nil; p.restore() }, ""},
		"A records": {records(0), late},
		"A crashes": {func(p *play) { p.crash(0); p.held[0] = nil; p.restore() }, late},
		"A reads":   {func(p *play) { p.external(0) }, late},
		"B reads":   {func(p *play) { p.external(1) }, late},
		"a timer":   {func(p *play) { p.timers[1] = nil; p.row(sim.RowTimer, 1, 1, 0) }, late},
		"B lets go one": {func(p *play) {
			held := p.held[1]
			p.held[1] = held[:1]
			p.release(1)
			p.held[1] = held[1:]
			p.external(0)
		}, late},
		"no log": {func(p *play) { p.h.Snapshots[0].Channels[0][1].Logged = false }, late + "message 1, which its App produced for channel B->A then"},
	} {
		p := recovering(1, c.do)
		v, found := find(Check(p.run, nil), "non-interference")
		if c.says == "" && found {
			t.Errorf("%s: %v", name, v)
		} else if c.says != "" {
			says(t, Check(p.run, nil), "non-interference", c.says)
			if c.says == late && v.Restore != 0 {
				t.Errorf("%s: of restore %d", name, v.Restore)
			}
		}
	}
}

// TestRecoverAndTheChannel: what becomes of an output in its channel is not the node's doing.
func TestRecoverAndTheChannel(t *testing.T) {
	for _, kind := range []sim.RowKind{sim.RowLose, sim.RowDuplicate} {
		p := recovering(1, func(*play) {})
		p.run.Unreliable = []sim.Unreliable{{}, {Lose: sim.Failure{PerMillion: 1}, Duplicate: sim.Failure{PerMillion: 1}}}
		i := slices.IndexFunc(p.h.Rows, func(r sim.Row) bool { return r.Kind() == sim.RowSend && r.Entity() == 1 })
		p.h.Rows = slices.Insert(p.h.Rows, i+1, sim.NewRow(kind, 1, p.h.Rows[i].Number, 0))
		if v, found := find(Check(p.run, []string{"fifo"}), "non-interference"); found {
			t.Error(v)
		}
	}
}

// TestRecoverAtTheEnd: what a node in Recover has not let go when the history ends.
func TestRecoverAtTheEnd(t *testing.T) {
	for v := range int32(2) {
		p := recovering(v, func(*play) {})
		for i, r := range p.h.Rows {
			if i > p.h.Restores[0].Row && (r.Kind() == sim.RowEmit || r.Kind() == sim.RowSend) {
				p.h.Rows = p.h.Rows[:i]
				break
			}
		}
		says(t, Check(p.run, nil), "non-interference", p.run.NodeName(v)+" has processed its backup log, and has not let go ")
		late := recovering(v, func(p *play) { p.external(1 - v) })
		says(t, Check(late.run, nil), "non-interference", p.run.NodeName(v)+" has processed its backup log, and has not let go ")
	}
}

// TestWhatRecoverKeeps is named: the messages, and the emissions.
func TestWhatRecoverKeeps(t *testing.T) {
	report := Check(recovering(1, func(p *play) { p.external(0) }).run, nil)
	says(t, report, "non-interference", "has not let go 2 emissions that its App produced then")
	says(t, report, "non-interference", "has not let go messages 1 to 2, which its App produced for channel B->A then")
	for _, v := range report.Violations {
		if v.Node == 1 && v.Restore != 0 {
			t.Errorf("%+v", v)
		}
	}
	if i := slices.IndexFunc(report.Violations, func(v Violation) bool { return v.Channel == 1 }); i < 0 || !slices.Equal(report.Violations[i].Numbers, []uint32{1, 2}) {
		t.Errorf("%v", report.Violations)
	}
}
