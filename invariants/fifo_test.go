package invariants

import (
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
	report := Check(p.run, nil)
	if len(report.Violations) != 1 || report.Violations[0].Invariant != "fifo" {
		t.Errorf("%v", report.Violations)
	}
	if report.SnapshotVerdict(1) != Violated || report.Restores[0] != Violated {
		t.Errorf("what follows has no legal run to agree with: %v %v", report.Snapshots, report.Restores)
	}
}
