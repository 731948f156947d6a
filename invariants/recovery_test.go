package invariants

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"simrun/sim"
)

func TestRecovery(t *testing.T) {
	restore := func(f func(r *sim.Restore)) func(*play) { return func(p *play) { f(&p.h.Restores[0]) } }
	caught(t, "recovery", []damage{
		{"another state", restore(func(r *sim.Restore) { r.States[1] = r.States[0] }), "restore 1: the state of B is not the one in snapshot 1"},
		{"no states", restore(func(r *sim.Restore) { r.States = nil }), "the state of A"},
		{"offset off by one", restore(func(r *sim.Restore) { r.Offsets[0]++ }), "restore 1: A is put at External record"},
		{"offset one too few", restore(func(r *sim.Restore) { r.Offsets[0]-- }), "A is put at External record"},
		{"timers lost", restore(func(r *sim.Restore) { r.Timers[0] = nil }), "restore 1: A has no timer, in snapshot 1 it has timer 0 due at"},
		{"timers early", restore(func(r *sim.Restore) { r.Timers[0][0].Due = -1 }), "A has timer 0 due at -1"},
		{"channel state forgotten", restore(func(r *sim.Restore) { r.Requeued[ab] = nil }), "restore 1, put back into channel A->B"},
		{"another number put back", putBack(func(m *sim.Recorded) { m.Number += 100 }), "put back into channel A->B: messages 102, 3"},
		{"another incarnation put back", putBack(func(m *sim.Recorded) { m.Incarnation++ }), "with another content, or from another incarnation"},
		{"another content put back", putBack(func(m *sim.Recorded) { m.Message.Key++ }), "with another content, or from another incarnation"},
		{"another content put back at the end", restore(func(r *sim.Restore) { r.Requeued[ab] = changed(r.Requeued[ab], len(r.Requeued[ab])-1) }), "with another content, or from another incarnation"},
		{"a log of one more", func(p *play) {
			s := p.h.Snapshots[0]
			s.Logs[1] = []sim.LogEntry{{Channel: ab, Index: int32(len(s.Channels[ab]))}}
			p.h.Restores[0].Logged[ab] = s.Channels[ab][:1]
		}, "restore 1, replayed from the backup log of channel A->B: message 2; in snapshot 1: no message"},
		{"channel state doubled", restore(func(r *sim.Restore) {
			r.Logged[ab] = slices.Clone(r.Requeued[ab])
		}), "replayed from the backup log of channel A->B"},
		{"incarnation", restore(func(r *sim.Restore) { r.Incarnation = 3 }), "restore 1 begins incarnation 3"},
		{"a newer one was there", restore(func(r *sim.Restore) { r.Snapshot = nil }), "restore 1 goes back to the initial state, but snapshot 1 is newer"},
		{"not complete", func(p *play) { p.h.Snapshots[0].Status = sim.Pending }, "restore 1 goes back to snapshot 1, which is not a complete snapshot"},
		{"complete only later", func(p *play) { p.h.Snapshots[0].CompletedAt = p.h.Restores[0].At + 1 }, "restore 1, at "},
		{"of a later incarnation", func(p *play) { p.h.Snapshots[0].Incarnation = 1 }, "became complete only later"},
		{"complete after it should have been aborted", func(p *play) { p.h.Snapshots[1].Incarnation = 0 }, "after restore 1 at"},
		{"from the future", restore(func(r *sim.Restore) { r.At = 1 }), "became complete only later"},
		{"not aborted", func(p *play) {
			p.trigger(0).Incarnation = 0
		}, "was not complete at restore 1 and is still pending"},
		{"another row", restore(func(r *sim.Restore) { r.Row++ }), "the list of restores does not"},
		{"another snapshot in its row", func(p *play) { p.change(sim.RowRestore, 0, numbered(2)) }, "the list of restores does not"},
		{"no row", func(p *play) {
			r := p.h.Restores[0]
			r.Row, r.Incarnation = 1<<30, 2
			p.h.Restores = append(p.h.Restores, r)
		}, "2 restores and has rows of 1"},
		{"others crashed", restore(func(r *sim.Restore) { r.Crashed = []int32{0} }), "restore 1 and the crash rows before it do not agree on whether A was down"},
		{"others crashed, the last of them", restore(func(r *sim.Restore) { r.Crashed = append(slices.Clone(r.Crashed), 2) }), "do not agree on whether C was down"},
		{"a send of the new incarnation", func(p *play) { p.change(sim.RowSend, -1, wrongHash) }, "is not the one that the App"},
		{"a record read again after the restore", func(p *play) { p.change(sim.RowExternal, -1, numbered(1)) }, "record 1 where"},
		{"recorded by the first in another row", func(p *play) { p.h.Snapshots[0].Recordings[0].Row = 0 }, "cannot be followed"},
		{"recorded by the last in another row", func(p *play) { p.h.Snapshots[0].Recordings[2].Row = 0 }, "cannot be followed"},
		{"recorded in another row", func(p *play) { p.h.Snapshots[0].Recordings[1].Row = 0 }, "restore 1 goes back to snapshot 1, to which the run cannot be followed"},
	})
}

// putBack changes the first message that a restore put back into A->B, and leaves
// the snapshot as it is.
func putBack(f func(m *sim.Recorded)) func(*play) {
	return func(p *play) {
		r := &p.h.Restores[0]
		r.Requeued[ab] = slices.Clone(r.Requeued[ab])
		f(&r.Requeued[ab][0])
	}
}

// TestRestoreThatIsNotListed: a row that restores what the list does not is put to that restore.
func TestRestoreThatIsNotListed(t *testing.T) {
	p := sample(t)
	p.change(sim.RowRestore, 0, numbered(2))
	if v, _ := find(Check(p.run, nil), "recovery"); v.Restore != 0 || v.Snapshot != 2 {
		t.Errorf("%+v", v)
	}
}

func TestDownNodesDoNothing(t *testing.T) {
	p := newPlay(graphOf(2, [2]int32{0, 1}, [2]int32{1, 0}))
	p.crash(1)
	p.external(1)
	p.restore()
	p.drain()
	if v, ok := find(Check(p.end(), nil), "recovery"); !ok || v.Node != 1 {
		t.Errorf("%v", v)
	}
}

// TestOlderSnapshotIsFollowed: going back to an older snapshot than the newest is a
// violation, and what follows can still be replayed. Going on to the newer one
// after that cannot.
func TestOlderSnapshotIsFollowed(t *testing.T) {
	play := func(again bool) *Report {
		p := newPlay(graphOf(2, [2]int32{0, 1}, [2]int32{1, 0}))
		one, two := p.trigger(0), p.trigger(0)
		p.external(0)
		p.record(one, 0, 1)
		p.external(0)
		p.record(two, 0, 1)
		p.external(0)
		p.crash(1)
		p.restoreTo(one)
		p.external(0)
		if again {
			p.crash(0)
			p.restoreTo(two)
		}
		p.drain()
		return Check(p.end(), nil)
	}
	if report := play(false); len(report.Violations) != 1 || report.Violations[0].Restore != 0 {
		t.Errorf("back to the older one: %v", report.Violations)
	}
	report := play(true)
	if len(report.Violations) != 2 || report.Restores[1] != Violated {
		t.Errorf("and then to the newer one: %v", report.Violations)
	}
}

// TestBadSnapshotIsInherited: a restore from a snapshot that is violated is too.
func TestBadSnapshotIsInherited(t *testing.T) {
	p := sample(t)
	p.h.Snapshots[0].Twice = []int32{0}
	report := Check(p.run, nil)
	if report.SnapshotVerdict(1) != Violated || report.SnapshotVerdict(2) != Holds || report.Restores[0] != Violated {
		t.Errorf("%v %v", report.Snapshots, report.Restores)
	}
	p = sampleOpen(t)
	p.crash(0)
	p.restore()
	p.drain()
	p.end()
	p.h.Snapshots[1].Twice = []int32{0}
	if report := Check(p.run, nil); report.Restores[0] != Holds || report.RestoreBecause[1] != "from violated snapshot 2" {
		t.Errorf("%v %v", report.Restores, report.RestoreBecause)
	}
}

// amnesiac is an App that forgets its random word when it is loaded.
type amnesiac struct{ trader }

func (a *amnesiac) Load(state []byte) error {
	err := a.trader.Load(state)
	a.word = 0
	return err
}

func TestLoadIsNotTrusted(t *testing.T) {
	p := newPlay(graphOf(2, [2]int32{0, 1}, [2]int32{1, 0}))
	p.run.NewApp = func(v int32) sim.App { return &amnesiac{trader{outputs: 1, balance: 50, word: sim.Word(v + 1)}} }
	p.reset()
	p.external(0)
	p.record(p.trigger(0), 0, 1)
	p.external(0)
	p.crash(1)
	p.restore()
	p.external(0)
	p.drain()
	if v, ok := find(Check(p.end(), nil), "recovery"); !ok {
		t.Error("no violation")
	} else {
		t.Log(v)
	}
}

// TestNoReplayCountsLoss: what was read after the cut is lost, once.
func TestNoReplayCountsLoss(t *testing.T) {
	p := newPlay(graphOf(2, [2]int32{0, 1}, [2]int32{1, 0}))
	p.run.Replay = sim.NoReplay
	p.record(p.trigger(0), 0, 1)
	for range 3 {
		p.external(0)
	}
	p.crash(1)
	p.restore()
	p.external(0)
	p.crash(1)
	p.restore()
	p.external(0)
	p.drain()
	if report := Check(p.end(), nil); !report.Holds() || report.Lost != 4 {
		t.Errorf("lost %d, %v", report.Lost, report.Violations)
	}
}

// TestHeldOutputsSurvive: an output may come later than its step, even after a
// restore, if the Node has attached it. Money that is held back is not lost. What
// is not attached would be.
func TestHeldOutputsSurvive(t *testing.T) {
	report, held := holdOver(true)
	if !report.Holds() || held == 0 || !slices.Contains(report.Checks, "conservation") {
		t.Errorf("%d held and attached: %v", held, report.Violations)
	}
	report, _ = holdOver(false)
	v, ok := find(report, "channel-state")
	if !ok || v.Snapshot != 1 || v.Node != 0 || v.Channel != 0 || !slices.Equal(v.Numbers, between(1, 4)[:len(v.Numbers)]) || !strings.Contains(v.Detail, "A->B, messages 1 to ") || !strings.Contains(v.Detail, "neither sent inside the cut nor attached") {
		t.Errorf("held and not attached: %v", report.Violations)
	}
	if _, ok := find(report, "conservation"); !ok {
		t.Errorf("money held and not attached: %v", report.Violations)
	}
}

// holdOver plays a run in which outputs are held back over a snapshot and a restore.
func holdOver(attach bool) (report *Report, count int) {
	p := newPlay(graphOf(2, [2]int32{0, 1}, [2]int32{1, 0}))
	p.holding = true
	for range 4 {
		p.external(0)
	}
	held := slices.Clone(p.held[0])
	s := p.trigger(0)
	p.record(s, 0, 1)
	if s.Attached = make([][]byte, 2); attach {
		s.Attached[0] = []byte("what is held")
	}
	p.release(0)
	p.crash(1)
	p.restore()
	p.held[0] = held
	p.release(0)
	p.holding = false
	p.drain()
	return Check(p.end(), nil), len(held)
}

// TestRearmed: a timer is armed again for when it was due, or for the restore if that
// has passed.
func TestRearmed(t *testing.T) {
	timers := func(id uint32, due int64) []sim.ArmedTimer { return []sim.ArmedTimer{{ID: id, Due: due}} }
	for _, c := range []struct {
		got  []sim.ArmedTimer
		want bool
	}{
		{timers(1, 5), true}, {timers(1, 10), true}, {timers(1, 7), false}, {timers(1, 11), false}, {timers(2, 5), false}, {nil, false},
	} {
		if rearmed(timers(1, 5), c.got, 10) != c.want {
			t.Errorf("%v", c.got)
		}
	}
	if rearmed(slices.Concat(timers(1, 5), timers(2, 5)), slices.Concat(timers(1, 5), timers(2, 6)), 0) {
		t.Error("the second one is due later")
	}
	if rearmed(timers(1, 20), timers(1, 10), 10) || !rearmed(timers(1, 20), timers(1, 20), 10) {
		t.Error("a timer that is due later")
	}
}

// TestNewerOfALaterIncarnation: a snapshot that says it was begun after a restore is
// none that the restore could have gone back to.
func TestNewerOfALaterIncarnation(t *testing.T) {
	p := sample(t)
	p.h.Restores[0].Snapshot, p.h.Snapshots[0].Incarnation = nil, 1
	for _, d := range details(p) {
		if strings.Contains(d, "is newer") {
			t.Error(d)
		}
	}
}

// TestRestoresAtOnce: two restores may be at one instant.
func TestRestoresAtOnce(t *testing.T) {
	p := newPlay(graphOf(2, [2]int32{0, 1}))
	p.crash(0)
	p.restore()
	p.crash(0)
	p.now = p.h.Restores[0].At
	p.restore()
	p.end()
	if got := strings.Join(details(p), " "); strings.Contains(got, "before the one before it") || len(p.h.Restores) != 2 {
		t.Error(got)
	}
}

// TestOneCutOneFault: a restore to a cut with orphans on several channels is one fault.
func TestOneCutOneFault(t *testing.T) {
	p := newPlay(graphOf(3, [2]int32{0, 1}, [2]int32{0, 2}))
	s := p.trigger(0)
	p.record(s, 0)
	for len(p.log[0]) == 0 || len(p.log[1]) == 0 {
		p.external(0)
	}
	p.process(0)
	p.process(1)
	p.record(s, 1, 2)
	p.crash(0)
	p.restore()
	p.end()
	count := 0
	for _, d := range details(p) {
		if strings.Contains(d, "restore 1 goes back to a cut in which message 1 on channel A->B is processed and not sent") {
			count++
		}
	}
	if count != 1 {
		t.Errorf("%v", details(p))
	}
	for _, v := range Check(p.run, nil).Violations {
		if strings.Contains(v.Detail, "a cut in which") && !slices.Equal(v.Numbers, []uint32{1}) {
			t.Errorf("%+v", v)
		}
	}
}

// TestReadOnceOnly: where nothing is read again, every source goes on where it was.
func TestReadOnceOnly(t *testing.T) {
	for v := range int32(2) {
		p := newPlay(graphOf(2, [2]int32{0, 1}, [2]int32{1, 0}))
		p.run.Replay = sim.NoReplay
		p.record(p.trigger(0), 0, 1)
		p.external(v)
		p.crash(1)
		p.restore()
		p.end()
		p.h.Restores[0].Offsets[v] = 0
		says(t, Check(p.run, nil), "recovery", "restore 1: "+p.run.NodeName(v)+" is put at External record 0; it has read 1, and none is to be read again")
	}
}

// complaining is an App that loads a state and says that it could not.
type complaining struct{ trader }

func (a *complaining) Load(state []byte) error {
	a.trader.Load(state)
	return errors.New("no")
}

func TestLoadThatFails(t *testing.T) {
	p := newPlay(graphOf(2, [2]int32{0, 1}))
	p.run.NewApp = func(v int32) sim.App { return &complaining{trader{outputs: 1 - int(v), balance: 50}} }
	p.reset()
	p.external(0)
	p.record(p.trigger(0), 0, 1)
	p.external(0)
	p.crash(1)
	p.restore()
	p.drain()
	says(t, Check(p.end(), []string{"conservation"}), "recovery", "after Load, Save does not give the same state (error: no)")
}

// TestRestoredFromTheFuture: what is recorded after a restore is nothing to go back to.
func TestRestoredFromTheFuture(t *testing.T) {
	p := newPlay(graphOf(2, [2]int32{0, 1}))
	p.crash(1)
	p.restore()
	p.external(0)
	s := p.trigger(0)
	p.record(s, 0, 1)
	p.drain()
	p.h.Restores[0].Snapshot = s
	p.change(sim.RowRestore, 0, numbered(1))
	says(t, Check(p.end(), nil), "recovery", "to which the run cannot be followed")
}
