package invariants

import (
	"slices"
	"strings"
	"testing"

	"simrun/sim"
)

func TestAbsStaged(t *testing.T) {
	p := sample(t)
	if report := Check(p.run, nil); !report.Holds() || strings.Contains(strings.Join(report.Checks, " "), "abs-staged") {
		t.Errorf("abs-staged was checked for an algorithm that does not align: %v", report)
	}
	p.run.Aligned = true
	v, ok := find(Check(p.run, nil), "abs-staged")
	if !ok || !strings.Contains(v.Detail, "is not aligned on channel A->B") || len(v.Numbers) == 0 {
		t.Errorf("barriers that are not aligned: %v", v)
	}
	p.run.BackEdge = []bool{ca: true, ac: false}
	if v, ok = find(Check(p.run, nil), "abs-staged"); !ok || v.Channel != ab {
		t.Errorf("barriers that are not aligned off the back-edges of a graph that has some: %v", v)
	}
	p.run.BackEdge = []bool{true, true, true, true}
	if report := Check(p.run, nil); !report.Holds() {
		t.Errorf("on back-edges messages may be in flight: %v", report.Violations)
	}

	p = newPlay(graphOf(2, [2]int32{0, 1}))
	s := p.trigger(0)
	p.record(s, 0, 1)
	s.Channels[0] = []sim.Recorded{{Number: 1}}
	p.run.Aligned = true
	v, ok = find(Check(p.end(), nil), "abs-staged")
	if !ok || !strings.Contains(v.Detail, "snapshot 1 stores 1 message of channel A->B") {
		t.Errorf("something stored off the back-edges: %v", v)
	}

	s.Channels[0], s.Sent[0] = nil, 1
	says(t, Check(p.run, nil), "abs-staged", "A sent message 1 before it recorded, B did not process it before it did")
	s.Sent[0], s.Processed[0] = 0, 1
	v, ok = find(Check(p.run, nil), "abs-staged")
	if !ok || !strings.Contains(v.Detail, "B processed message 1 before it recorded, A sent it only after it did") {
		t.Errorf("something processed that is sent behind the barrier: %v", v)
	}
}

// TestStagedByRecords: the record is named, also where the counters are right.
func TestStagedByRecords(t *testing.T) {
	play := func(early, finish bool) *Report {
		p := newPlay(graphOf(3, [2]int32{0, 1}, [2]int32{1, 2}))
		p.run.Aligned = true
		p.external(0) // it has the key 3 and so is passed on
		s := p.trigger(0)
		if early {
			s.Recordings[0].Seq = 0
			p.record(s, 0)
			p.external(0)
			p.process(0)
			p.process(0)
			p.record(s, 1)
			p.process(1)
			p.process(1)
			p.record(s, 2)
		} else {
			p.record(s, 0, 1, 2)
		}
		if finish {
			p.drain()
		}
		return Check(p.end(), nil)
	}
	for _, test := range []struct {
		early, finish bool
		record        RecordID
		details       []string
	}{
		{true, true, RecordID{0, 2}, []string{
			"(S_c = 1, R_c = 2): so it has in the state of B the effect of record 2 of A, which A read only after it had recorded",
			"snapshot 1 has in the state of C the effect of record 2 of A, which A read only after it had recorded: C processed message 2 on channel B->C before it recorded"}},
		{false, true, RecordID{0, 1}, []string{
			"(S_c = 1, R_c = 0): so it lacks the effect of record 1 of A on B",
			"snapshot 1 lacks the effect of record 1 of A on C: C did not process message 1 on channel B->C before it recorded"}},
		{false, false, RecordID{0, 1}, []string{"(S_c = 1, R_c = 0): so it lacks the effect of record 1 of A on B"}},
	} {
		report := play(test.early, test.finish)
		var found []string
		for _, v := range report.Violations {
			if v.Invariant != "abs-staged" {
				continue
			}
			if !slices.Equal(v.Records, []RecordID{test.record}) {
				t.Errorf("%v: records %v", v, v.Records)
			}
			found = append(found, v.Detail)
		}
		if !slices.EqualFunc(found, test.details, strings.HasSuffix) {
			t.Errorf("early %v, finish %v:\n%s", test.early, test.finish, strings.Join(found, "\n"))
		}
	}
}

// TestHeldOutputsAreExempt: an output that is part of the snapshot takes effect after
// it, and so does what descends from it. If it is no part, that is for channel-state.
func TestHeldOutputsAreExempt(t *testing.T) {
	for _, attach := range []bool{true, false} {
		p := newPlay(graphOf(3, [2]int32{0, 1}, [2]int32{1, 2}))
		p.run.Aligned = true
		p.holding = true
		p.external(0)
		s := p.trigger(0)
		p.record(s, 0, 1, 2)
		if attach {
			s.Attached[0] = []byte("what is held")
		}
		p.holding = false
		p.release(0)
		p.drain()
		report := Check(p.end(), nil)
		if _, found := find(report, "abs-staged"); found {
			t.Errorf("attached %v: %v", attach, report.Violations)
		}
		if _, found := find(report, "channel-state"); found == attach {
			t.Errorf("attached %v: %v", attach, report.Violations)
		}
	}
}

// TestStagedBeforeTheEnd: what is found before a run stops being legal is said.
func TestStagedBeforeTheEnd(t *testing.T) {
	p := newPlay(graphOf(2, [2]int32{0, 1}))
	p.run.Aligned = true
	p.external(0)
	p.record(p.trigger(0), 0, 1)
	p.process(0)
	p.external(0)
	p.change(sim.RowExternal, -1, wrongHash)
	report := Check(p.end(), nil)
	if v, ok := find(report, "abs-staged"); !ok || !slices.Equal(v.Records, []RecordID{{0, 1}}) {
		t.Errorf("%v", report.Violations)
	}
	if _, ok := find(report, "state-truth"); !ok {
		t.Errorf("%v", report.Violations)
	}
}

// TestDoubtedOffset: where a snapshot says wrongly what a source had read, that is said,
// and not what would follow from it.
func TestDoubtedOffset(t *testing.T) {
	p := newPlay(graphOf(2, [2]int32{0, 1}))
	p.run.Aligned = true
	s := p.trigger(0)
	p.external(0)
	p.process(0)
	p.record(s, 0, 1)
	p.external(0)
	p.drain()
	s.Recordings[0].Offset++
	report := Check(p.end(), []string{"reachability"}) // which says it too
	if len(report.Violations) != 1 || report.Violations[0].Invariant != "state-truth" {
		t.Errorf("%v", report.Violations)
	}
}

// TestOtherOffsetsAreTrusted: a record of another source than the doubted one is still
// held against the snapshot, and so is more than one.
func TestOtherOffsetsAreTrusted(t *testing.T) {
	p := newPlay(graphOf(3, [2]int32{0, 1}, [2]int32{2, 1}))
	p.run.Aligned = true
	p.external(0)
	p.external(2)
	p.external(2)
	s := p.trigger(0)
	p.record(s, 0, 1, 2)
	p.drain()
	s.Recordings[0].Offset++
	report := Check(p.end(), []string{"reachability"})
	says(t, report, "state-truth", "snapshot 1 has A at External record 2, but it had read 1 when it recorded")
	says(t, report, "abs-staged", "C sent messages 1 to 2 before it recorded, B did not process them before it did (S_c = 2, R_c = 0): so it lacks the effects of records 1 to 2 of C on B")
}

// TestDoubtIsForgotten: an offset that is doubted in one run is not in the next.
func TestDoubtIsForgotten(t *testing.T) {
	var c Checker
	for _, doubted := range []bool{true, false} {
		p := newPlay(graphOf(2, [2]int32{0, 1}))
		p.run.Aligned = true
		p.external(0)
		s := p.trigger(0)
		p.record(s, 0, 1)
		p.drain()
		if p.end(); doubted {
			s.Recordings[0].Offset++
		}
		v, _ := find(c.Check(p.run, nil), "abs-staged")
		if len(v.Records) > 0 == doubted {
			t.Errorf("doubted %v: %+v", doubted, v)
		}
	}
}

// TestStraysAreCapped: a message is noted once, and of very many channels one each.
func TestStraysAreCapped(t *testing.T) {
	var x strays
	s := &sim.Snapshot{ID: 1}
	for ch := range int32(10*violationsMax + 1) {
		for n := range uint32(3) {
			x.add(s, ch, n+1, rootOf(0, 1), false)
			x.add(s, ch, n+1, rootOf(0, 1), false)
		}
	}
	if first, last := len(x.list[0].numbers), len(x.list[10*violationsMax].numbers); first != 3 || last != 1 {
		t.Errorf("%d and %d", first, last)
	}
}

func TestRecordsInWords(t *testing.T) {
	p := newPlay(graphOf(12, [2]int32{0, 1}))
	if got := p.run.records([]RecordID{{0, 3}, {0, 4}, {0, 5}, {0, 9}, {1, 1}}); got != "records 3 to 5, 9 of A and record 1 of B" {
		t.Error(got)
	}
	var ids []RecordID
	for v := range int32(12) {
		ids = append(ids, RecordID{v, 1})
	}
	if got := p.run.records(ids); !strings.HasSuffix(got, "record 1 of H and 4 more") {
		t.Error(got)
	}
	if got := p.run.records(ids[:8]); !strings.HasSuffix(got, ", record 1 of G and record 1 of H") {
		t.Error(got)
	}
	if got := p.run.readLate(ids[:2]); got != "their sources read only after they had recorded" {
		t.Error(got)
	}
}
