package invariants

import (
	"slices"
	"strings"
	"testing"
)

// TestOneOfTwoOutputs: a record of which one output has left and another is lost does not
// count as once.
func TestOneOfTwoOutputs(t *testing.T) {
	p := newPlay(graphOf(3, [2]int32{0, 1}, [2]int32{1, 2}))
	p.external(0)
	p.process(0)
	p.holding = true
	p.process(1)
	s := p.trigger(0)
	p.record(s, 0, 1, 2)
	s.Attached[2] = []byte("what is held")
	p.crash(0)
	p.restore()
	p.holding = false
	l := Check(p.end(), nil).Ledger
	if l == nil || l.OutputsLost != 1 || l.OutputsOnce != 0 || l.Records != 1 {
		t.Errorf("%+v", l)
	}
}

// TestListsOfRecords: they are sorted, have each record once, and end.
func TestListsOfRecords(t *testing.T) {
	if got := recordsOf([]lineage{rootOf(1, 2), rootOf(0, 5), rootOf(1, 2) | timerCrossed}); !slices.Equal(got, []RecordID{{0, 5}, {1, 2}}) {
		t.Error(got)
	}
	var list []RecordID
	for k := range uint64(recordsMax + 5) {
		list = listRecord(list, RecordID{0, k})
	}
	if len(list) != recordsMax {
		t.Error(len(list))
	}
	p := position{timers: []armed{{id: 3}, {id: 4}}}
	if got := p.timerIDs(); !slices.Equal(got, []uint32{3, 4}) {
		t.Error(got)
	}
}

// TestLostByTheFirstNode: so is what the first node should have let leave.
func TestLostByTheFirstNode(t *testing.T) {
	p := newPlay(graphOf(2, [2]int32{1, 0}))
	p.external(1)
	p.holding = true
	p.process(0)
	s := p.trigger(0)
	p.record(s, 0, 1)
	s.Attached = [][]byte{[]byte("what is held"), nil}
	p.crash(1)
	p.restore()
	says(t, Check(p.end(), nil), "recovery", "restore 1 has lost output: 1 emission of A, of record 1 of B, came before the cut and never left")
}

// TestNotLostByARestore: nor is what is still on its way when the run ends, or what was
// lost with a node that is down then.
func TestNotLostByARestore(t *testing.T) {
	for name, do := range map[string]func(p *play){
		"in the channel":           func(*play) {},
		"with its receiver":        func(p *play) { p.crash(1); p.processed[0]++ },
		"held back by a dead node": func(p *play) { p.crash(0) },
	} {
		p := newPlay(graphOf(2, [2]int32{0, 1}))
		p.holding = strings.HasPrefix(name, "held")
		p.external(0)
		s := p.trigger(0)
		p.record(s, 0, 1)
		s.Attached = [][]byte{[]byte("what is held"), nil}
		p.crash(0)
		p.restore()
		do(p)
		p.end()
		p.h.Final.Processed[0] = 0
		if v, found := find(Check(p.run, nil), "recovery"); found {
			t.Errorf("%s: %v", name, v)
		}
	}
}
