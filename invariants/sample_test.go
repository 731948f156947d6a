package invariants

import (
	"slices"
	"strings"
	"testing"

	"simrun/sim"
)

// The channels of sample.
const (
	ab = iota
	bc
	ca
	ac
)

// sample plays a run in which nothing is wrong: snapshot 1 with messages in the
// channels, of which C records some before A sends them; a crash of B; a restore;
// snapshot 2; and everything is delivered. Damage is done to it.
func sample(t *testing.T) *play {
	t.Helper()
	p := sampleOpen(t)
	p.drain()
	p.end()
	return p
}

// sampleOpen is sample before everything is delivered.
func sampleOpen(t *testing.T) *play {
	t.Helper()
	p := newPlay(graphOf(3, [2]int32{0, 1}, [2]int32{1, 2}, [2]int32{2, 0}, [2]int32{0, 2}))
	for range 8 {
		p.external(0)
	}
	p.process(ab)
	p.process(ac)
	s := p.trigger(2)
	p.record(s, 2)
	for range 4 {
		p.external(0)
	}
	p.record(s, 0, 1)
	p.process(ab)
	p.external(1)
	p.crash(1)
	p.external(0)
	p.process(ac)
	p.restore()
	p.process(ab)
	p.external(0)
	p.process(ac)
	p.external(1)
	s2 := p.trigger(2)
	p.record(s2, 2)
	p.external(0)
	p.record(s2, 0, 1)
	p.external(0)
	if len(s.Channels[ab]) < 2 || len(s.Channels[ac]) < 2 || len(s.Recordings[0].Timers) == 0 {
		t.Fatalf("the sample is dull: %v %v", s.Channels, s.Recordings)
	}
	return p
}

// damage is something wrong, and a piece of what should be said about it.
type damage struct {
	name   string
	do     func(p *play)
	detail string
}

// caught does each damage to a sample and expects a violation of the invariant.
func caught(t *testing.T, invariant string, damages []damage) {
	t.Helper()
	if report := Check(sample(t).run, nil); !report.Holds() {
		t.Fatalf("the undamaged sample: %v", report.Violations)
	}
	for _, d := range damages {
		p := sample(t)
		d.do(p)
		report := Check(p.run, nil)
		i := slices.IndexFunc(report.Violations, func(v Violation) bool {
			return v.Invariant == invariant && strings.Contains(v.Detail, d.detail)
		})
		if i < 0 {
			t.Errorf("%s: no violation of %s says %q: %v", d.name, invariant, d.detail, report.Violations)
		} else {
			t.Logf("%s: %v", d.name, report.Violations[i])
		}
		if off := Check(p.run, []string{invariant}); slices.Contains(off.Checks, invariant) {
			t.Errorf("%s: %s is switched off and listed", d.name, invariant)
		} else if v, ok := find(off, invariant); ok && !strings.Contains(v.Detail, "damaged") {
			t.Errorf("%s: %s is switched off and reported", d.name, invariant)
		}
	}
}

func find(report *Report, invariant string) (Violation, bool) {
	i := slices.IndexFunc(report.Violations, func(v Violation) bool { return v.Invariant == invariant })
	if i < 0 {
		return Violation{}, false
	}
	return report.Violations[i], true
}

// change replaces the i-th row (from the back if negative) of a kind.
func (p *play) change(kind sim.RowKind, i int, f func(r sim.Row) sim.Row) {
	var at []int
	for k, r := range p.h.Rows {
		if r.Kind() == kind {
			at = append(at, k)
		}
	}
	if i < 0 {
		i += len(at)
	}
	p.h.Rows[at[i]] = f(p.h.Rows[at[i]])
}

func wrongHash(r sim.Row) sim.Row { return sim.NewRow(r.Kind(), r.Entity(), r.Number, r.Hash+1) }

func numbered(n uint32) func(sim.Row) sim.Row {
	return func(r sim.Row) sim.Row { return sim.NewRow(r.Kind(), r.Entity(), n, r.Hash) }
}
