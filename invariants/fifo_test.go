package invariants

import (
	"slices"
	"strings"
	"testing"

	"simrun/sim"
)

func TestFIFO(t *testing.T) {
	caught(t, "fifo", []damage{
		{"a breach", func(p *play) {
			p.h.Breaches = []sim.Breach{{Channel: ab, Number: 5, Next: 4}}
		}, "message 5 was processed where message 4 was due"},
		{"a breach of no channel's", func(p *play) {
			p.h.Breaches = []sim.Breach{{Channel: 99, Next: 4}}
		}, "no channel ever carried"},
		{"a message from before a restore", func(p *play) {
			p.h.Breaches = []sim.Breach{{Channel: ab, Number: 4, Next: 4, Incarnation: 1}}
		}, "although incarnation 0 sent it after the cut"},
		{"a message behind an end", func(p *play) {
			p.h.Behind = []sim.Behind{{Channel: ab, Number: 2}}
		}, "message 2 is sent on channel A->B, behind the end of the stream"},
		{"a marker behind an end", func(p *play) {
			p.h.Behind = []sim.Behind{{Channel: ab, Marker: 1, Incarnation: 1}}
		}, "the marker of snapshot 1 is sent on channel A->B, behind the end of the stream"},
		{"an end behind an end", func(p *play) {
			p.h.Behind = []sim.Behind{{Channel: 99, Row: -5}}
		}, "is ended a second time"},
		{"another content", func(p *play) { p.change(sim.RowProcess, 0, wrongHash) }, "another content"},
		{"processed again", func(p *play) { p.change(sim.RowProcess, 2, numbered(1)) }, "again"},
		{"overtaken", func(p *play) { p.change(sim.RowProcess, 0, numbered(2)) }, "message 2 on channel A->B where message 1 was due"},
		{"never sent", func(p *play) { p.change(sim.RowProcess, 0, numbered(99)) }, "on which so far"},
		{"in no channel ever", func(p *play) { p.change(sim.RowProcess, 0, numbered(0)) }, "no channel ever carried"},
		{"no such channel", func(p *play) {
			p.change(sim.RowProcess, 0, func(r sim.Row) sim.Row { return sim.NewRow(sim.RowProcess, 99, 1, 0) })
		}, "channel 99"},
	})
}

// TestBreachBelongsToAnIncarnation: a breach counts for the restore that began its
// incarnation, and for none if there was none.
func TestBreachBelongsToAnIncarnation(t *testing.T) {
	for incarnation, want := range []Verdict{Holds, Violated} {
		p := sample(t)
		p.h.Breaches = []sim.Breach{{Channel: ab, Number: 5, Next: 4, Incarnation: uint8(incarnation)}}
		report := Check(p.run, nil)
		if v, ok := find(report, "fifo"); !ok || v.Restore != incarnation-1 || report.Restores[0] != want {
			t.Errorf("incarnation %d: restore %d is named, and restore 0 is %s", incarnation, v.Restore, report.Restores[0])
		}
	}
}

// TestBreachHidesNothingElse: only what the engine itself has reported is not said
// again; anything else that is wrong at the same row is.
func TestBreachHidesNothingElse(t *testing.T) {
	p := sample(t)
	p.change(sim.RowSend, 0, wrongHash)
	i := slices.IndexFunc(p.h.Rows, func(r sim.Row) bool { return r.Kind() == sim.RowSend })
	p.h.Breaches = []sim.Breach{{Channel: ab, Row: i, Number: 2, Next: 1}}
	report := Check(p.run, nil)
	if _, ok := find(report, "state-truth"); !ok {
		t.Errorf("a send that the App does not make, at the row of a breach: %v", report.Violations)
	}
}

// TestBreachIsReportedOnce: the engine and the replay find the same.
func TestBreachIsReportedOnce(t *testing.T) {
	p := sample(t)
	for i, r := range p.h.Rows {
		if r.Kind() == sim.RowProcess {
			p.h.Rows[i] = numbered(2)(r)
			p.h.Breaches = []sim.Breach{{Channel: r.Entity(), Row: i, Number: 2, Next: 1}}
			break
		}
	}
	p.h.ApplicationDigest = sim.ApplicationDigest(p.h.Rows)
	report := Check(p.run, nil)
	if len(report.Violations) != 1 || report.Violations[0].Invariant != "fifo" {
		t.Errorf("%v", report.Violations)
	}
	if report.SnapshotVerdict(1) != Violated || report.Restores[0] != Violated {
		t.Errorf("what follows has no legal run to agree with: %v %v", report.Snapshots, report.Restores)
	}
}

// TestRestoresAfterAnIllegalEvent: a restore that comes after it has no legal run to
// agree with, and says so, also where it goes back to the initial state.
func TestRestoresAfterAnIllegalEvent(t *testing.T) {
	p := newPlay(graphOf(2, [2]int32{0, 1}, [2]int32{1, 0}))
	p.external(0)
	p.process(0)
	p.crash(1)
	p.restore()
	p.drain()
	p.end()
	if report := Check(p.run, nil); !report.Holds() || report.Restores[0] != Holds || report.RestoreBecause[0] != "" {
		t.Fatalf("the undamaged run: %v, %v", report.Violations, report.RestoreBecause)
	}
	p.change(sim.RowProcess, 0, numbered(9))
	report := Check(p.run, nil)
	if report.Restores[0] != Violated || !strings.Contains(report.RestoreBecause[0], "after the first illegal event: fifo, message 9 on channel A->B") {
		t.Errorf("the restore: %s, %q", report.Restores[0], report.RestoreBecause[0])
	}
	if report := Check(p.run, []string{"fifo"}); report.Restores[0] != Holds {
		t.Errorf("what is switched off condemns the restore: %q", report.RestoreBecause[0])
	}
}
