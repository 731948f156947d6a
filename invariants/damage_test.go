package invariants

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"simrun/sim"
)

// wreck changes something at random in a history, without any sense.
func (p *play) wreck(word *sim.Word) {
	h := p.h
	row := func() int { return word.Below(len(h.Rows)) }
	some := func() *sim.Snapshot {
		if len(h.Snapshots) == 0 {
			return new(sim.Snapshot)
		}
		if s := h.Snapshots[word.Below(len(h.Snapshots))]; s != nil {
			return s
		}
		return new(sim.Snapshot)
	}
	restore := new(sim.Restore)
	if len(h.Restores) > 0 {
		restore = &h.Restores[word.Below(len(h.Restores))]
	}
	number := uint32(word.Next())
	if word.Below(2) == 0 {
		number %= 8
	}
	entity := int32(number & (1<<28 - 1))
	if word.Below(2) == 0 {
		entity %= 6
	}
	s := some()
	things := []func(){
		func() { h.Rows[row()] = sim.NewRow(sim.RowKind(word.Below(16)), entity, number, word.Next()) },
		func() { h.Rows = slices.Delete(slices.Clone(h.Rows), 0, row()) },
		func() { h.Rows = h.Rows[:row()] },
		func() { h.Rows = append(slices.Clone(h.Rows), h.Rows...) },
		func() { s.States = s.States[:len(s.States)/2] },
		func() { s.Recordings = nil },
		func() { s.Channels, s.Marked, s.Logs = nil, nil, nil },
		func() { s.Sent, s.Durable = nil, nil },
		func() { s.ID = sim.SnapshotID(number) },
		func() { s.Status = sim.Status(number % 5) },
		func() { s.Incarnation, s.Initiators = uint8(number), []int32{entity, -entity} },
		func() { s.Twice = []int32{entity, -1} },
		func() { s.DoneAt = nil },
		func() { h.Snapshots = append(h.Snapshots, nil, s) },
		func() { h.Snapshots = h.Snapshots[:len(h.Snapshots)/2] },
		func() { restore.Row = int(int32(number)) },
		func() { restore.Snapshot = s },
		func() { restore.States, restore.Offsets, restore.Timers, restore.Logged = nil, nil, nil, nil },
		func() { restore.Crashed = []int32{entity, -3} },
		func() { h.Restores = append(h.Restores, *restore) },
		func() { h.Restores, restore.Snapshot = h.Restores[:len(h.Restores)/2], nil },
		func() {
			h.Breaches = []sim.Breach{{Channel: -entity, Row: -1, Number: number, Incarnation: uint8(number)}}
		},
		func() { h.Final = sim.FinalState{Down: []int32{entity, -1}} },
		func() { h.Final.Blocked = []sim.SnapshotID{s.ID, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9} },
		func() {
			for v := range s.Recordings {
				s.Recordings[v].Row = int(int32(word.Next()))
			}
		},
		func() {
			for ch := range s.Sent {
				s.Sent[ch], s.Processed[ch] = uint32(word.Next()), number
			}
		},
		func() {
			for v := range s.Logs {
				s.Logs[v] = []sim.LogEntry{{Channel: entity, Index: -1}, {Channel: 0, Index: int32(number)}}
			}
		},
	}
	things[word.Below(len(things))]()
}

// TestDamagedHistories: whatever a history says, Check gives a verdict.
func TestDamagedHistories(t *testing.T) {
	var c Checker
	holds, ledgers := 0, 0
	for seed := range cases(6000) {
		p := drive(seed%500, seed%3 == 0)
		word := sim.Word(seed)
		if seed%4 == 0 {
			p.run.BackEdge = make([]bool, word.Below(2*len(p.g.From)))
			for ch := range p.run.BackEdge {
				p.run.BackEdge[ch] = word.Below(2) == 0
			}
		}
		for range 1 + word.Below(3) {
			if len(p.h.Rows) > 0 {
				p.wreck(&word)
			}
		}
		p.run.Aligned = seed%2 == 0
		report := c.Check(p.run, nil)
		if report.Holds() {
			holds++
		}
		if l := report.Ledger; l != nil {
			ledgers++
			if l.Records != l.EffectsOnce+l.EffectsLost+l.EffectsUndone || l.EffectsOnce < 0 || l.OutputsOnce < 0 || l.Duplicates < l.OutputsDuplicated {
				t.Errorf("seed %d: %+v", seed, l)
			}
		}
	}
	if ledgers < int(cases(200)) {
		t.Errorf("only %d ledgers of damaged histories", ledgers)
	}
	if holds > int(cases(3000)) {
		t.Errorf("nothing is said against %d of the histories", holds)
	}
}

// TestCheckerForgets: what a Checker says does not depend on what it checked before.
func TestCheckerForgets(t *testing.T) {
	var c Checker
	for seed := range uint64(200) {
		p := drive(seed%40, seed%2 == 0)
		p.run.Aligned = seed%3 == 0
		got, want := c.Check(p.run, nil), Check(p.run, nil)
		if len(got.Violations) != len(want.Violations) || !slices.Equal(got.Snapshots, want.Snapshots) || got.Lost != want.Lost ||
			!reflect.DeepEqual(got.Ledger, want.Ledger) {
			t.Fatalf("seed %d: %v, and afresh %v", seed, got.Violations, want.Violations)
		}
	}
}

func TestRowsOff(t *testing.T) {
	p := sample(t)
	p.h.Rows = nil
	p.run.Aligned, p.run.BackEdge = true, []bool{true, true, true, true}
	report := Check(p.run, nil)
	if !report.Holds() || report.Ledger != nil {
		t.Error(report.Violations)
	}
	if got, want := strings.Join(report.Checks, " "), "consistent-cut fifo monotone-cuts conservation termination coordinator"; got != want {
		t.Errorf("checked: %s, not %s", got, want)
	}
	if got, want := strings.Join(report.Partial, " "), "channel-state abs-staged recovery"; got != want {
		t.Errorf("checked in part: %s, not %s", got, want)
	}
	p.h.Snapshots[0].Channels[ab] = nil
	report = Check(p.run, nil)
	for _, invariant := range []string{"channel-state", "recovery", "conservation"} {
		if _, ok := find(report, invariant); !ok {
			t.Errorf("the counters show that %s is violated: %v", invariant, report.Violations)
		}
	}
}

func TestChecksAreListed(t *testing.T) {
	p := sample(t)
	p.run.Aligned, p.run.BackEdge = true, []bool{true, true, true, true}
	want := "consistent-cut channel-state state-truth abs-staged fifo monotone-cuts reachability conservation recovery termination coordinator non-interference"
	if got := strings.Join(Check(p.run, nil).Checks, " "); got != want {
		t.Errorf("checked: %s", got)
	}
	if len(Names()) != 13 {
		t.Errorf("%d names", len(Names()))
	}
	report := Check(p.run, Names())
	if len(report.Checks)+len(report.Partial) != 0 {
		t.Errorf("all are off, and %v ran", report.Checks)
	}
}

// TestViolationsAreCapped: the hundred first of each snapshot are listed, the
// others are counted, and none of one snapshot hides those of another.
func TestViolationsAreCapped(t *testing.T) {
	p := newPlay(graphOf(2, [2]int32{0, 1}))
	for range 150 {
		s := p.trigger(0)
		p.record(s, 0, 1)
		s.Twice = []int32{1}
	}
	p.run.History.Snapshots[0].Twice = make([]int32, 150)
	report := Check(p.end(), nil)
	if len(report.Violations) != 249 || report.Unlisted != 50 || report.SnapshotVerdict(150) != Violated {
		t.Errorf("%d listed, %d not, the last %s", len(report.Violations), report.Unlisted, report.SnapshotVerdict(150))
	}
}

func TestVerdicts(t *testing.T) {
	p := sampleOpen(t)
	p.trigger(0)
	p.crash(1)
	p.restore()
	p.trigger(1)
	p.drain()
	p.end()
	report := Check(p.run, nil)
	if want := []Verdict{Holds, Holds, Aborted, Pending}; !slices.Equal(report.Snapshots, want) {
		t.Errorf("snapshots: %v, not %v", report.Snapshots, want)
	}
	if want := []Verdict{Holds, Holds}; !slices.Equal(report.Restores, want) {
		t.Errorf("restores: %v, not %v", report.Restores, want)
	}
}

func TestLongListsAreCut(t *testing.T) {
	ids := make([]int32, 20)
	if got := list(ids[:8], func(int32) string { return "X" }); got != "X, X, X, X, X, X, X, X" {
		t.Error(got)
	}
	if got := list(ids, func(int32) string { return "X" }); got != "X, X, X, X, X, X, X, X and 12 more" {
		t.Error(got)
	}
	if got := messages([]uint32{1, 2, 3, 7, 9, 10}); got != "messages 1 to 3, 7, 9 to 10" {
		t.Error(got)
	}
	for want, numbers := range map[string][]uint32{
		"message 4 (2 times)": {4, 4}, "messages 13, 14 to 16 (2 times each), 17, 18 (3 times)": {13, 14, 14, 15, 15, 16, 16, 17, 18, 18, 18}, "messages 5, 4": {5, 4},
	} {
		if got := messages(numbers); got != want {
			t.Errorf("%v: %s, want %s", numbers, got, want)
		}
	}
	var odd []uint32
	for n := range uint32(20) {
		odd = append(odd, 2*n+1)
	}
	if got := messages(odd); got != "messages 1, 3, 5, 7, 9, 11, 13, 15, 12 more" {
		t.Error(got)
	}
}
