package invariants

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"simrun/sim"
)

// says wants a violation of an invariant with this in its detail.
func says(t *testing.T, report *Report, invariant, detail string) {
	t.Helper()
	if !slices.ContainsFunc(report.Violations, func(v Violation) bool {
		return v.Invariant == invariant && strings.Contains(v.Detail, detail)
	}) {
		t.Errorf("no violation of %s says %q: %v", invariant, detail, report.Violations)
	}
}

// TestInitialStateIsCompared: where no snapshot was complete, a restore puts back
// what the Apps began with, and nothing else.
func TestInitialStateIsCompared(t *testing.T) {
	for detail, do := range map[string]func(r *sim.Restore){
		"": func(*sim.Restore) {},
		"the state of A is not the one in the initial state":                                        func(r *sim.Restore) { r.States[0] = r.States[1] },
		"A is put at External record 1, in the initial state it is 0":                               func(r *sim.Restore) { r.Offsets[0] = 1 },
		"B has timer 3 due at 9, in the initial state it has no timer":                              func(r *sim.Restore) { r.Timers[1] = []sim.ArmedTimer{{ID: 3, Due: 9}} },
		"put back into channel A->B: message 1; in the initial state: no message":                   func(r *sim.Restore) { r.Requeued[0] = []sim.Recorded{{Number: 1}} },
		"replayed from the backup log of channel A->B: message 1; in the initial state: no message": func(r *sim.Restore) { r.Logged[0] = []sim.Recorded{{Number: 1}} },
	} {
		p := newPlay(graphOf(2, [2]int32{0, 1}))
		p.external(0)
		p.crash(1)
		p.restore()
		p.external(0)
		p.drain()
		p.end()
		do(&p.h.Restores[0])
		if report := Check(p.run, nil); detail == "" && !report.Holds() {
			t.Errorf("undamaged: %v", report.Violations)
		} else if detail != "" {
			says(t, report, "recovery", detail)
		}
	}
}

// TestOffsetsWithoutReplay: without replay a restore leaves the offset where it is;
// without rows all that is known is that this is not before the cut.
func TestOffsetsWithoutReplay(t *testing.T) {
	for _, c := range []struct {
		read        uint64
		rows, holds bool
	}{{1, true, false}, {2, true, false}, {3, true, true}, {4, true, false}, {1, false, false}, {2, false, true}, {3, false, true}} {
		p := newPlay(graphOf(2, [2]int32{0, 1}))
		p.run.Replay = sim.NoReplay
		p.external(0)
		p.external(0)
		p.record(p.trigger(0), 0, 1)
		p.external(0)
		p.crash(1)
		p.restore()
		p.drain()
		p.end()
		p.h.Restores[0].Offsets[0] = c.read
		if !c.rows {
			p.h.Rows = nil
		}
		_, found := find(Check(p.run, nil), "recovery")
		if found == c.holds {
			t.Errorf("put at record %d where the cut is at 2 and 3 were read: recovery is violated: %v", c.read, found)
		}
	}
}

// twoRestores plays two complete snapshots, a restore to the newer one, and a crash
// after it. The caller restores again.
func twoRestores() (p *play, one, two *sim.Snapshot) {
	p = newPlay(graphOf(2, [2]int32{0, 1}, [2]int32{1, 0}))
	one, two = p.trigger(0), p.trigger(0)
	p.external(0)
	p.record(one, 0, 1)
	p.external(0)
	p.record(two, 0, 1)
	p.external(0)
	p.crash(1)
	p.restoreTo(two)
	p.external(0)
	p.crash(0)
	return p, one, two
}

// TestNewestOfEarlierIncarnations: the newest complete snapshot may be several
// incarnations old.
func TestNewestOfEarlierIncarnations(t *testing.T) {
	p, _, two := twoRestores()
	p.restoreTo(two)
	p.drain()
	if report := Check(p.end(), nil); !report.Holds() {
		t.Fatalf("to the same one again: %v", report.Violations)
	}
	p, one, _ := twoRestores()
	p.restoreTo(one)
	p.drain()
	says(t, Check(p.end(), nil), "recovery", "restore 2 goes back to snapshot 1, but snapshot 2 is newer and was complete")
}

// TestCompleteAtTheInstantOfTheRestore: whether such a snapshot counts is not known.
func TestCompleteAtTheInstantOfTheRestore(t *testing.T) {
	p := newPlay(graphOf(2, [2]int32{0, 1}, [2]int32{1, 0}))
	one, two := p.trigger(0), p.trigger(0)
	p.record(one, 0, 1)
	p.record(two, 0, 1)
	p.crash(1)
	p.restoreTo(one)
	p.drain()
	p.end()
	one.CompletedAt, two.CompletedAt = p.h.Restores[0].At, p.h.Restores[0].At
	if report := Check(p.run, nil); !report.Holds() {
		t.Error(report.Violations)
	}
}

// TestWhatWasTakenBackCannotBeFollowed: neither to a snapshot that an earlier restore
// took back, nor from a snapshot to the initial state, can a run be followed.
func TestWhatWasTakenBackCannotBeFollowed(t *testing.T) {
	p := newPlay(graphOf(2, [2]int32{0, 1}, [2]int32{1, 0}))
	one, two := p.trigger(0), p.trigger(0)
	p.record(one, 0, 1)
	p.external(0)
	p.record(two, 0, 1)
	p.crash(1)
	p.restoreTo(one)
	p.external(0)
	p.crash(1)
	p.restoreTo(two)
	p.drain()
	says(t, Check(p.end(), nil), "recovery", "restore 2 goes back to snapshot 2, to which the run cannot be followed")

	p, _, _ = twoRestores()
	p.restoreTo(nil)
	p.drain()
	says(t, Check(p.end(), nil), "recovery", "restore 2 goes back to the initial state, to which the run cannot be followed")
}

// TestRestoresComeInOrder: a restore that is before the one before it is damage.
func TestRestoresComeInOrder(t *testing.T) {
	p, _, two := twoRestores()
	p.restoreTo(two)
	p.drain()
	p.end()
	p.h.Restores[1].At = p.h.Restores[0].At - 1
	says(t, Check(p.run, nil), "recovery", "restore 2 is at")
}

// refuser is an App that loads its state and says that it cannot.
type refuser struct{ trader }

func (a *refuser) Load(state []byte) error {
	if err := a.trader.Load(state); err != nil {
		return err
	}
	return errors.New("no")
}

// TestLoadOnABranch: what a node does after the cut to which the next restore goes
// back is executed on a copy of its App. One that cannot be copied is found there,
// also if it is never seen to be wrong afterwards.
func TestLoadOnABranch(t *testing.T) {
	base := func(v int32) trader { return trader{outputs: 1, balance: 50, word: sim.Word(v + 1)} }
	for detail, newApp := range map[string]func(v int32) sim.App{
		"the App of A cannot be restored: after Load, Save does not give the same state (error: no)":    func(v int32) sim.App { return &refuser{base(v)} },
		"the App of A cannot be restored: after Load, Save does not give the same state (error: <nil>)": func(v int32) sim.App { return &amnesiac{base(v)} },
	} {
		p := newPlay(graphOf(2, [2]int32{0, 1}, [2]int32{1, 0}))
		p.run.NewApp = newApp
		p.reset()
		p.record(p.trigger(0), 0, 1)
		p.external(0)
		p.crash(1)
		p.restore()
		p.drain()
		says(t, Check(p.end(), nil), "recovery", detail)
	}
}

// TestMisplacedRecordingBeforeAnIllegalEvent: a recording that has no row is found even
// if the run stops being legal later.
func TestMisplacedRecordingBeforeAnIllegalEvent(t *testing.T) {
	p := newPlay(graphOf(2, [2]int32{0, 1}))
	s := p.trigger(0)
	p.external(0)
	p.record(s, 0, 1)
	p.external(0)
	p.drain()
	p.end()
	s.Recordings[1].Row = 0
	last := len(p.h.Rows) - 1
	p.h.Rows[last] = sim.NewRow(p.h.Rows[last].Kind(), p.h.Rows[last].Entity(), 99, 0)
	report := Check(p.run, nil)
	says(t, report, "state-truth", "recorded it in row 0, which is another one")
	if got := report.SnapshotVerdict(s.ID); got != Violated {
		t.Errorf("the snapshot %s", got)
	}
}

// TestSnapshotIsNotBlamedForItsRestore: what a restore does wrong is not the fault of
// the snapshot that it goes back to; what a snapshot does wrong across a restore is.
func TestSnapshotIsNotBlamedForItsRestore(t *testing.T) {
	for _, c := range []struct {
		do                func(h *sim.History)
		snapshot, restore Verdict
	}{
		{func(*sim.History) {}, Holds, Holds},
		{func(h *sim.History) { h.Restores[0].States[0] = h.Restores[0].States[1] }, Holds, Violated},
		{func(h *sim.History) { h.Restores[0].Requeued[ab] = nil }, Holds, Violated},
		{func(h *sim.History) { h.Snapshots[0].CompletedAt = h.Restores[0].At + 1 }, Violated, Violated},
	} {
		p := sample(t)
		c.do(p.h)
		report := Check(p.run, nil)
		if report.Snapshots[0] != c.snapshot || report.Restores[0] != c.restore {
			t.Errorf("the snapshot %s, want %s; the restore %s, want %s: %v",
				report.Snapshots[0], c.snapshot, report.Restores[0], c.restore, report.Violations)
		}
	}
}
