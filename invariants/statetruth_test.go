package invariants

import (
	"slices"
	"strings"
	"testing"

	"simrun/sim"
)

func TestStateTruth(t *testing.T) {
	caught(t, "state-truth", []damage{
		{"another state", func(p *play) {
			s := p.h.Snapshots[1]
			s.States[1] = slices.Clone(s.States[1])
			s.States[1][0]++
		}, "the state that snapshot 2 has of B"},
		{"saved by reference, then changed", func(p *play) { p.h.Snapshots[0].States[0] = p.h.Snapshots[1].States[0] },
			"the state that snapshot 1 has of A"},
		{"another offset", func(p *play) { p.h.Snapshots[1].Recordings[0].Offset++ }, "snapshot 2 has A at External record"},
		{"timers forgotten", func(p *play) { p.h.Snapshots[0].Recordings[0].Timers = nil }, "with no timer, but its App had armed timer"},
		{"another timer", func(p *play) { p.h.Snapshots[0].Recordings[0].Timers[0].ID = 77 }, "with timers [77 1], but its App had armed timers [0 1]"},
		{"a recording in another row", func(p *play) { p.h.Snapshots[1].Recordings[0].Row-- }, "is another one"},
		{"a send that the App does not make", func(p *play) { p.change(sim.RowSend, 1, wrongHash) }, "is not the one that the App of A produces"},
		{"a send out of turn", func(p *play) { p.change(sim.RowSend, 1, numbered(9)) }, "was put on"},
		{"a record that the source does not give", func(p *play) { p.change(sim.RowExternal, 0, wrongHash) }, "another content than its source"},
		{"a record left out", func(p *play) { p.change(sim.RowExternal, 1, numbered(3)) }, "record 3 where record 2 was due"},
		{"a timer that is not armed", func(p *play) {
			p.change(sim.RowExternal, 0, func(r sim.Row) sim.Row { return sim.NewRow(sim.RowTimer, 0, 9, 0) })
		}, "has not armed it"},
		{"an emission that the App does not make", func(p *play) { p.change(sim.RowEmit, 0, wrongHash) }, "emission 1 of B"},
		{"an emission out of turn", func(p *play) { p.change(sim.RowEmit, 0, numbered(2)) }, "emission 2 of B"},
		{"an emission too early", func(p *play) {
			p.change(sim.RowExternal, 0, func(r sim.Row) sim.Row { return sim.NewRow(sim.RowEmit, 0, 1, 0) })
		}, "has not produced it"},
		{"a row of no channel's or node's", func(p *play) {
			p.change(sim.RowExternal, 0, func(r sim.Row) sim.Row { return sim.NewRow(sim.RowExternal, 99, 1, 0) })
		}, "does not exist"},
		{"an unknown row", func(p *play) {
			p.change(sim.RowExternal, 0, func(r sim.Row) sim.Row { return sim.NewRow(13, 0, 1, 0) })
		}, "unknown kind 13"},
		{"an unknown snapshot", func(p *play) { p.change(sim.RowRecord, 0, numbered(9)) }, "snapshot 9"},
	})
}

// fickle is an App that is not deterministic: every instance behaves differently.
type fickle struct {
	trader
}

func TestStateTruthFindsAppsThatAreNotDeterministic(t *testing.T) {
	p := newPlay(graphOf(2, [2]int32{0, 1}))
	instances := int64(0)
	p.run.NewApp = func(v int32) sim.App {
		instances++
		return &fickle{trader{outputs: int(1 - v), balance: 100 * instances}}
	}
	p.reset()
	for range 5 {
		p.external(0)
	}
	p.record(p.trigger(0), 0, 1)
	p.drain()
	if v, ok := find(Check(p.end(), nil), "state-truth"); !ok {
		t.Error("no violation")
	} else {
		t.Log(v)
	}
}

func TestEndIsCompared(t *testing.T) {
	for name, do := range map[string]func(f *sim.FinalState){
		"state":     func(f *sim.FinalState) { f.States[1] = []byte{1} },
		"states":    func(f *sim.FinalState) { f.States = nil },
		"offset":    func(f *sim.FinalState) { f.Offsets[0]++ },
		"timers":    func(f *sim.FinalState) { f.Timers[0] = []sim.ArmedTimer{{ID: 77}} },
		"sent":      func(f *sim.FinalState) { f.Sent[0]++ },
		"processed": func(f *sim.FinalState) { f.Processed[0]-- },
		"in flight": func(f *sim.FinalState) { f.InFlight[0] = []sim.Recorded{{Number: 1}} },
		"down":      func(f *sim.FinalState) { f.Down = []int32{0} },
	} {
		before := newPlay(graphOf(2, [2]int32{0, 1}))
		before.external(0)
		before.drain()
		before.end()
		do(&before.h.Final)
		if _, ok := find(Check(before.run, nil), "state-truth"); !ok {
			t.Errorf("%s, no restore: state-truth is not violated", name)
		}
		after := sample(t)
		do(&after.h.Final)
		if v, ok := find(Check(after.run, nil), "recovery"); !ok || v.Restore != 0 {
			t.Errorf("%s, after a restore: recovery is not violated, or not by restore 0: %v", name, v)
		}
	}
}

// TestInFlightAtTheEndIsCompared: in a run that did not come to rest, what is left in
// a channel is the last of what was sent, message by message.
func TestInFlightAtTheEndIsCompared(t *testing.T) {
	for detail, do := range map[string]func(m *sim.Recorded){
		"":                                   func(*sim.Recorded) {},
		"which are not those that were sent": func(m *sim.Recorded) { m.Number++ },
		"with another content than it was sent with":                  func(m *sim.Recorded) { m.Message.Value++ },
		"with another content than it was sent with, or from another": func(m *sim.Recorded) { m.Incarnation++ },
		"with another content than it was sent with, or from":         func(m *sim.Recorded) { m.Logged = true },
	} {
		p := sampleOpen(t)
		p.end()
		p.h.End = sim.Settled
		if len(p.h.Final.InFlight[ac]) == 0 {
			t.Fatal("nothing is in flight on A->C")
		}
		left := p.h.Final.InFlight[ac]
		do(&left[len(left)-1])
		if report := Check(p.run, nil); detail == "" && !report.Holds() {
			t.Errorf("undamaged: %v", report.Violations)
		} else if detail != "" {
			says(t, report, "recovery", detail)
			want := between(p.h.Final.Processed[ac]+1, p.h.Final.Sent[ac])
			if strings.HasPrefix(detail, "with") {
				want = want[len(want)-1:]
			}
			if v, _ := find(report, "recovery"); !slices.Equal(v.Numbers, want) {
				t.Errorf("%+v, not %v", v, want)
			}
		}
	}
}

// A second recording that the snapshot does not speak of is damage.
func TestSecondRecordRow(t *testing.T) {
	p := sample(t)
	s := p.h.Snapshots[1]
	at := s.Recordings[1].Row + 1
	p.h.Rows = slices.Insert(p.h.Rows, at, sim.NewRow(sim.RowRecord, 1, 2, 0))
	for v := range s.Recordings {
		if s.Recordings[v].Row >= at {
			s.Recordings[v].Row++
		}
	}
	v, found := find(Check(p.run, nil), "consistent-cut")
	if !found || !strings.Contains(v.Detail, "too, which the snapshot does not say") {
		t.Errorf("consistent-cut: %v", v)
	}
}

// TestRecordingsWithoutRows: a recording that has not its row is named, and no other.
func TestRecordingsWithoutRows(t *testing.T) {
	for _, c := range []struct {
		do    func(p *play, at *sim.Recording)
		nodes string
	}{
		{func(_ *play, at *sim.Recording) { at.Row = 0 }, "B"},
		{func(_ *play, at *sim.Recording) { at.Row = 1 << 30 }, "B"},
		{func(_ *play, at *sim.Recording) { *at = sim.Recording{} }, ""},
		{func(p *play, at *sim.Recording) { at.Row = len(p.h.Rows) - 1; p.change(sim.RowExternal, 0, wrongHash) }, ""},
	} {
		p := sample(t)
		c.do(p, &p.h.Snapshots[1].Recordings[1])
		nodes := ""
		for _, v := range Check(p.run, nil).Violations {
			if v.Invariant == "state-truth" && strings.Contains(v.Detail, "which is another one") {
				nodes += p.run.NodeName(v.Node)
			}
		}
		if nodes != c.nodes {
			t.Errorf("of %q, not %q: %v", nodes, c.nodes, details(p))
		}
	}
}
