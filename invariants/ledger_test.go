package invariants

import (
	"slices"
	"strings"
	"testing"

	"simrun/sim"
)

// naiveLedger counts by the definition: the stitched run before each restore and at the
// end, and which rows of emissions and records are in which.
func naiveLedger(t *testing.T, run *Run) *Ledger {
	h := run.History
	var final *naive
	left := map[origin]map[int]bool{} // rows, of all incarnations
	for k := 0; k <= len(h.Restores); k++ {
		end := len(h.Rows)
		if k < len(h.Restores) {
			end = h.Restores[k].Row
		}
		n, err := execute(run, stitched(run, end), nil)
		if err != nil {
			t.Fatal(err)
		}
		for from, rows := range n.left {
			if left[from] == nil {
				left[from] = map[int]bool{}
			}
			for _, i := range rows {
				left[from][i] = true
			}
		}
		final = n
	}
	l := &Ledger{}
	for from, rows := range left {
		stays := len(final.left[from])
		switch {
		case stays == 0:
			l.OutputsUnbacked++
			l.Unbacked = append(l.Unbacked, RecordID{from.node, from.number})
		case len(rows) > stays:
			l.OutputsDuplicated++
			l.Duplicates += int64(len(rows) - stays)
			l.Duplicated = append(l.Duplicated, RecordID{from.node, from.number})
		default:
			l.OutputsOnce++
		}
	}
	read, stays := map[RecordID]bool{}, map[RecordID]bool{}
	for _, r := range h.Rows {
		if r.Kind() == sim.RowExternal {
			read[RecordID{r.Entity(), uint64(r.Number)}] = true
		}
	}
	for _, i := range stitched(run, len(h.Rows)) {
		if r := h.Rows[i]; r.Kind() == sim.RowExternal {
			stays[RecordID{r.Entity(), uint64(r.Number)}] = true
		}
	}
	l.Records, l.EffectsOnce = int64(len(read)), int64(len(stays))
	for id := range read {
		switch {
		case stays[id]:
		case run.Replay == sim.NoReplay:
			l.EffectsLost++
			l.Lost = append(l.Lost, id)
		default:
			l.EffectsUndone++
			l.Undone = append(l.Undone, id)
		}
	}
	for _, ids := range [][]RecordID{l.Lost, l.Undone, l.Duplicated, l.Unbacked} {
		slices.SortFunc(ids, RecordID.compare)
	}
	return l
}

// TestLedgerAgreesWithNaive: on right runs the ledger is what counting by the
// definition gives, and a run without restores has none.
func TestLedgerAgreesWithNaive(t *testing.T) {
	var runs, lost, undone, duplicated, unbacked, exactly, atLeast, atMost int
	for seed := range cases(1500) {
		p := drive(seed, false)
		report := Check(p.run, nil)
		got := report.Ledger
		if (got != nil) != (len(p.h.Restores) > 0) {
			t.Fatalf("seed %d: %d restores, ledger %v", seed, len(p.h.Restores), got)
		}
		if got == nil {
			continue
		}
		want := naiveLedger(t, p.run)
		switch got.Outputs {
		case ExactlyOnce:
			exactly++
		case AtLeastOnce:
			atLeast++
		case AtMostOnce:
			atMost++
		}
		same := slices.Equal(got.Lost, want.Lost) && slices.Equal(got.Undone, want.Undone) &&
			slices.Equal(got.Duplicated, want.Duplicated) && slices.Equal(got.Unbacked, want.Unbacked)
		if !same || got.Records != want.Records || got.EffectsOnce != want.EffectsOnce || got.EffectsLost != want.EffectsLost ||
			got.EffectsUndone != want.EffectsUndone || got.OutputsOnce != want.OutputsOnce || got.OutputsDuplicated != want.OutputsDuplicated ||
			got.OutputsUnbacked != want.OutputsUnbacked || got.Duplicates != want.Duplicates || got.OutputsLost != 0 {
			t.Fatalf("seed %d: the ledger is\n%+v, naively\n%+v", seed, got, want)
		}
		runs++
		lost, undone = lost+len(got.Lost), undone+len(got.Undone)
		duplicated, unbacked = duplicated+len(got.Duplicated), unbacked+len(got.Unbacked)
	}
	for what, n := range map[string]int{
		"runs with restores": runs, "records lost": lost, "records undone": undone, "records with outputs that left again": duplicated,
		"records with outputs and no effect": unbacked, "runs exactly once, ten times": 10 * exactly, "runs at least once": atLeast, "runs at most once, five times": 5 * atMost,
	} {
		t.Logf("%d %s", n, what)
		if n < int(cases(200)) {
			t.Errorf("only %d %s", n, what)
		}
	}
}

// ledgerOf plays a run in which node 1 holds back what it emits over a snapshot and a
// restore; again says which of its emissions leave after that, and more whether it
// emits another one.
func ledgerOf(again func(held []sim.Send) []sim.Send, more bool) *Report {
	p := newPlay(graphOf(2, [2]int32{0, 1}))
	p.external(0)
	p.external(0)
	if more {
		p.external(0)
	}
	p.holding = true
	p.process(0)
	p.process(0)
	held := slices.Clone(p.held[1])
	s := p.trigger(0)
	p.record(s, 0, 1)
	s.Attached = [][]byte{nil, []byte("what is held")}
	p.crash(0)
	p.restore()
	p.holding = false
	p.held[1] = again(held)
	p.release(1)
	if p.process(0); more {
		p.drain() // else a timer of node 0 would go off, and node 1 emit once more
	}
	return Check(p.end(), nil)
}

// TestLostOutputs: what a restore should have kept and nobody emits is named.
func TestLostOutputs(t *testing.T) {
	for _, test := range []struct {
		name  string
		again func(held []sim.Send) []sim.Send
		more  bool
		lost  []RecordID
	}{
		{"all", func(held []sim.Send) []sim.Send { return held }, true, nil},
		{"the first", func(held []sim.Send) []sim.Send { return held[1:] }, true, []RecordID{{0, 1}}},
		{"none", func([]sim.Send) []sim.Send { return nil }, true, []RecordID{{0, 1}, {0, 2}}},
		{"the last", func(held []sim.Send) []sim.Send { return held[:1] }, false, []RecordID{{0, 2}}},
		{"none, and nothing follows", func([]sim.Send) []sim.Send { return nil }, false, []RecordID{{0, 1}, {0, 2}}},
	} {
		report := ledgerOf(test.again, test.more)
		l, all := report.Ledger, 2
		if test.more {
			all = 3
		}
		if l == nil || !slices.Equal(l.OutputLost, test.lost) || l.OutputsLost != int64(len(test.lost)) ||
			l.OutputsOnce != int64(all-len(test.lost)) || (l.Outputs == AtMostOnce) != (test.lost != nil) {
			t.Fatalf("%s: %+v, %v", test.name, l, report.Violations)
		}
		if v, ok := find(report, "recovery"); ok != (test.lost != nil) || ok && (!slices.Equal(v.Records, test.lost) || v.Restore != 0 ||
			!strings.Contains(v.Detail, "restore 1 has lost output") || !strings.Contains(v.Detail, "came before the cut and never left")) {
			t.Errorf("%s: %v", test.name, report.Violations)
		} else {
			t.Log(test.name, v)
		}
		for _, v := range report.Violations {
			if v.Invariant == "termination" && strings.Contains(v.Detail, "emission") {
				t.Errorf("%s: said twice: %v", test.name, v)
			}
		}
	}
}

// TestEmissionsInAnotherOrder: what has crossed no restore is not lost but late.
func TestEmissionsInAnotherOrder(t *testing.T) {
	p := newPlay(graphOf(2, [2]int32{0, 1}))
	p.external(0)
	p.external(0)
	p.holding = true
	p.drain()
	slices.Reverse(p.held[1])
	p.release(1)
	report := Check(p.end(), nil)
	if v, ok := find(report, "state-truth"); !ok || !strings.Contains(v.Detail, "is not the one that its App produces") {
		t.Errorf("%v", report.Violations)
	}
}

// TestLostAndTakenBack: a restore that takes back the loss of an output has it still.
func TestLostAndTakenBack(t *testing.T) {
	play := func(lost int) *Ledger {
		p := newPlay(graphOf(2, [2]int32{0, 1}))
		p.external(0)
		p.external(0)
		p.holding = true
		p.process(0)
		held := slices.Clone(p.held[1])
		s := p.trigger(0)
		p.record(s, 0, 1)
		s.Attached = [][]byte{nil, []byte("what is held")}
		p.holding = false
		for restore := range 2 {
			p.crash(0)
			p.restore()
			if restore != lost {
				p.held[1] = held
			}
			p.release(1)
			p.process(0)
		}
		report := Check(p.end(), nil)
		if v, ok := find(report, "recovery"); !ok || v.Restore != lost || !slices.Equal(v.Records, []RecordID{{0, 1}}) || report.Ledger == nil {
			t.Fatalf("%v", report.Violations)
		}
		return report.Ledger
	}
	if l := play(0); l.OutputsLost != 0 || l.OutputsOnce != 1 || l.OutputsDuplicated != 1 {
		t.Errorf("%+v", l)
	}
	// What leaves before a restore and is lost by it is lost.
	if l := play(1); l.OutputsLost != 1 || l.OutputsOnce != 0 || l.OutputsDuplicated != 1 || l.OutputsUnbacked != 0 {
		t.Errorf("%+v", l)
	}
}

// TestHeldAfterRestore: a message that is produced after the restore, and held back for
// ever, is no loss of its.
func TestHeldAfterRestore(t *testing.T) {
	p := newPlay(graphOf(2, [2]int32{0, 1}))
	p.record(p.trigger(0), 0, 1)
	p.crash(0)
	p.restore()
	p.holding = true
	p.external(0)
	report := Check(p.end(), nil)
	_, termination := find(report, "termination")
	if _, ok := find(report, "recovery"); ok || !termination {
		t.Errorf("%v", report.Violations)
	}
}

// TestNoLedgerOfTheUnknown: where the rows lack a restore, nobody can tell.
func TestNoLedgerOfTheUnknown(t *testing.T) {
	p := sample(t)
	r := p.h.Restores[0]
	r.Row, r.Incarnation = 1<<30, 2
	p.h.Restores = append(p.h.Restores, r)
	if report := Check(p.run, nil); report.Ledger != nil {
		t.Errorf("%+v", report.Ledger)
	}
}

// TestUnsentIsLost: so is a message that was held back over the cut and never sent.
func TestUnsentIsLost(t *testing.T) {
	p := newPlay(graphOf(2, [2]int32{0, 1}))
	p.holding = true
	p.external(0)
	s := p.trigger(0)
	p.record(s, 0, 1)
	s.Attached = [][]byte{[]byte("what is held"), nil}
	p.crash(0)
	p.restore()
	report := Check(p.end(), nil)
	if v, ok := find(report, "recovery"); !ok || !slices.Equal(v.Records, []RecordID{{0, 1}}) || report.Ledger.EffectsLost != 1 {
		t.Errorf("%v", report.Violations)
	}
}

// TestSwallowedAfterRestore: what was sent after the restore is no loss of its.
func TestSwallowedAfterRestore(t *testing.T) {
	p := newPlay(graphOf(2, [2]int32{0, 1}))
	p.external(0)
	p.process(0)
	p.record(p.trigger(0), 0, 1)
	p.crash(1)
	p.restore()
	p.external(0)
	run := p.end()
	run.History.Final.InFlight[0] = nil // its receiver was given it
	report := Check(run, nil)
	_, termination := find(report, "termination")
	if _, ok := find(report, "recovery"); ok || !termination || report.Ledger.EffectsLost != 0 {
		t.Errorf("%v, %+v", report.Violations, report.Ledger)
	}
}

// TestLostEffects: a message that crossed the cut and that nobody processes after the
// restore is missed, with the record whose effect it is.
func TestLostEffects(t *testing.T) {
	p := newPlay(graphOf(2, [2]int32{0, 1}))
	p.external(0)
	p.external(0)
	p.process(0)
	p.record(p.trigger(0), 0, 1)
	p.crash(1)
	p.restore()
	run := p.end()
	run.History.Final.InFlight[0] = nil // its receiver was given it
	report := Check(run, nil)
	v, ok := find(report, "recovery")
	if !ok || !slices.Equal(v.Records, []RecordID{{0, 2}}) || v.Channel != 0 || !slices.Equal(v.Numbers, []uint32{2}) ||
		!strings.Contains(v.Detail, "restore 1 has lost effects of record 2 of A: message 2 on channel A->B crossed the cut, and B never processed it") {
		t.Errorf("%v", report.Violations)
	}
	if l := report.Ledger; l == nil || l.EffectsLost != 1 || l.EffectsOnce != 1 || l.Records != 2 || !slices.Equal(l.Lost, []RecordID{{0, 2}}) {
		t.Errorf("%+v", l)
	}
	p.h.End = sim.StepLimit
	if report = Check(run, nil); !report.Holds() || report.Ledger.EffectsLost != 0 {
		t.Errorf("cut short: %v", report.Violations)
	}
}

// TestWrongRecords: a source that goes on with another record after a restore loses
// some, or has them take effect twice.
func TestWrongRecords(t *testing.T) {
	for offset, want := range map[uint64]string{
		3: "read External record 4 where record 3 was due, so that record 3 of A is lost",
		1: "read External record 2 where record 3 was due, so that it takes effect twice",
	} {
		p := newPlay(graphOf(2, [2]int32{0, 1}))
		p.external(0)
		p.external(0)
		p.record(p.trigger(0), 0, 1)
		p.crash(1)
		p.restore()
		p.offsets[0] = offset
		p.external(0)
		p.drain()
		report := Check(p.end(), nil)
		if v, ok := find(report, "recovery"); !ok || !strings.Contains(v.Detail, want) || report.Ledger != nil {
			t.Errorf("%v, ledger %v", report.Violations, report.Ledger)
		}
	}
}

func TestGuarantees(t *testing.T) {
	for _, test := range []struct {
		l      Ledger
		replay sim.Replay
		want   Guarantee
	}{
		{Ledger{}, sim.FromOffset, NoOutputs},
		{Ledger{OutputsOnce: 1}, sim.FromOffset, ExactlyOnce},
		{Ledger{OutputsOnce: 1, EffectsUndone: 2}, sim.FromOffset, ExactlyOnce},
		{Ledger{OutputsDuplicated: 1}, sim.FromOffset, AtLeastOnce},
		{Ledger{OutputsUnbacked: 1}, sim.FromOffset, AtLeastOnce},
		{Ledger{OutputsUnbacked: 1, EffectsLost: 1}, sim.NoReplay, AtMostOnce},
		{Ledger{OutputsOnce: 3, EffectsLost: 1}, sim.NoReplay, AtMostOnce},
		{Ledger{OutputsLost: 1}, sim.FromOffset, AtMostOnce},
		{Ledger{OutputsLost: 1, OutputsDuplicated: 1}, sim.FromOffset, Unreliable},
		{Ledger{OutputsDuplicated: 1, EffectsLost: 1}, sim.NoReplay, Unreliable},
	} {
		if got := test.l.guarantee(test.replay); got != test.want {
			t.Errorf("%+v, replay %d: %s, want %s", test.l, test.replay, got, test.want)
		}
	}
}
