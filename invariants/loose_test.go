package invariants

import (
	"slices"
	"strings"
	"testing"

	"simrun/sim"
)

// unreliably makes the channels of a configuration fail.
func unreliably(cfg *sim.Config, seed uint64) {
	word := sim.Word(seed ^ 0x100)
	cfg.Unreliable = make([]sim.Unreliable, len(cfg.Graph.From))
	for ch := range cfg.Unreliable {
		u := &cfg.Unreliable[ch]
		u.Reorder = word.Below(2) == 0
		if word.Below(2) == 0 {
			u.Lose.PerMillion = uint32(word.Below(300_000))
		}
		if word.Below(2) == 0 {
			u.Duplicate.PerMillion = uint32(word.Below(300_000))
		}
	}
}

// mishaps is what happened on the channels of a run.
func mishaps(h *sim.History) (lost, doubled, gaps int) {
	for _, row := range h.Rows {
		switch row.Kind() {
		case sim.RowLose:
			lost++
		case sim.RowDuplicate:
			doubled++
		}
	}
	for _, g := range h.Final.Gaps {
		gaps += len(g)
	}
	return lost, doubled, gaps
}

// TestChannelsThatFailAreNoViolation: where nobody takes a snapshot nothing is
// violated, whatever the channels do and whoever crashes.
func TestChannelsThatFailAreNoViolation(t *testing.T) {
	var c Checker
	var lost, doubled, gaps, restores int
	for seed := range cases(600) {
		cfg := dealt(seed, false)
		unreliably(cfg, seed)
		cfg.Snapshots.Every = 0
		run := judged(t, cfg, false)
		run.Unreliable = cfg.Unreliable
		if report := c.Check(run, nil); !report.Holds() {
			t.Fatalf("seed %d: %v", seed, report.Violations)
		}
		l, d, g := mishaps(run.History)
		lost, doubled, gaps, restores = lost+l, doubled+d, gaps+g, restores+len(run.History.Restores)
	}
	for what, n := range map[string]int{"lost": lost, "doubled": doubled, "passed over for good": gaps, "restores": restores} {
		if n < int(cases(100)) {
			t.Errorf("only %d %s", n, what)
		}
	}
}

// TestSnapshotsOnUnreliableChannels: what is violated then is what a snapshot made of
// it; nobody blames the Apps or the order of deliveries.
func TestSnapshotsOnUnreliableChannels(t *testing.T) {
	var c Checker
	found := map[string]int{}
	for seed := range cases(600) {
		cfg := dealt(seed, seed%2 == 0)
		cfg.Faults, cfg.MaxSteps = nil, 0
		unreliably(cfg, seed)
		run := judged(t, cfg, seed%2 == 0)
		run.Unreliable = cfg.Unreliable
		for _, v := range c.Check(run, nil).Violations {
			found[v.Invariant]++
			if v.Invariant == "fifo" || v.Invariant == "state-truth" || v.Invariant == "recovery" {
				t.Fatalf("seed %d: %v", seed, v)
			}
		}
	}
	for _, name := range []string{"consistent-cut", "channel-state", "termination"} {
		if found[name] < int(cases(100)) {
			t.Errorf("only %d violations of %s", found[name], name)
		}
	}
}

// failing is a run in which channels lose, double and reorder, and a snapshot
// without a violation.
func failing(t *testing.T) *Run {
	for seed := uint64(0); ; seed++ {
		cfg := dealt(seed, false)
		cfg.Faults, cfg.MaxSteps, cfg.Order = nil, 0, sim.Timed
		cfg.Unreliable = make([]sim.Unreliable, len(cfg.Graph.From))
		cfg.Unreliable[0] = sim.Unreliable{Lose: sim.Failure{PerMillion: 200_000}, Duplicate: sim.Failure{PerMillion: 200_000}}
		cfg.Unreliable[1].Reorder = true
		run := judged(t, cfg, false)
		run.Unreliable = cfg.Unreliable
		held := 0
		for _, verdict := range Check(run, nil).Snapshots {
			if verdict == Holds {
				held++
			}
		}
		if lost, doubled, _ := mishaps(run.History); lost > 2 && doubled > 2 && held > 0 {
			return run
		}
	}
}

// TestDamageOnUnreliableChannels: what such a channel does not do is a violation.
func TestDamageOnUnreliableChannels(t *testing.T) {
	find := func(run *Run, kind sim.RowKind, ch int32, i int) int {
		for k, r := range run.History.Rows {
			if r.Kind() == kind && r.Entity() == ch {
				if i--; i < 0 {
					return k
				}
			}
		}
		t.Fatalf("no row of kind %d on channel %d", kind, ch)
		return 0
	}
	insert := func(run *Run, k int, row sim.Row) {
		run.History.Rows = slices.Insert(run.History.Rows, k, row)
	}
	renumber := func(run *Run, k int, n uint32) {
		r := run.History.Rows[k]
		run.History.Rows[k] = sim.NewRow(r.Kind(), r.Entity(), n, r.Hash)
	}
	damages := []damageTo{
		{"a lost message comes", func(run *Run) {
			k := find(run, sim.RowLose, 0, 0)
			insert(run, k+1, sim.NewRow(sim.RowProcess, 0, run.History.Rows[k].Number, run.History.Rows[k-1].Hash))
		}, "which the channel lost"},
		{"a message comes once more", func(run *Run) {
			k := find(run, sim.RowProcess, 1, 0)
			insert(run, k+1, run.History.Rows[k])
		}, "again; the channel brought it 1 time"},
		{"out of order on a channel that keeps it", func(run *Run) {
			a, b := find(run, sim.RowProcess, 0, 1), find(run, sim.RowProcess, 0, 4)
			rows := run.History.Rows
			rows[a], rows[b] = rows[b], rows[a]
		}, "processed message"},
		{"never sent", func(run *Run) { renumber(run, find(run, sim.RowProcess, 1, 0), 1<<31) }, "on which so far"},
		{"never carried", func(run *Run) { renumber(run, find(run, sim.RowProcess, 1, 0), 0) }, "that no channel ever carried"},
		{"lost on a channel that loses nothing", func(run *Run) {
			k := find(run, sim.RowSend, 1, 0)
			insert(run, k+1, sim.NewRow(sim.RowLose, 1, run.History.Rows[k].Number, 0))
		}, "which this channel does not do"},
		{"doubled on a channel that doubles nothing", func(run *Run) {
			k := find(run, sim.RowSend, 1, 0)
			insert(run, k+1, sim.NewRow(sim.RowDuplicate, 1, run.History.Rows[k].Number, 0))
		}, "which this channel does not do"},
		{"lost before it is sent", func(run *Run) { renumber(run, find(run, sim.RowLose, 0, 0), 1<<31) }, "not to a message sent before"},
		{"a channel that does not exist", func(run *Run) {
			insert(run, 0, sim.NewRow(sim.RowLose, 1000, 1, 0))
		}, "which does not exist"},
		{"the end knows other gaps", func(run *Run) { run.History.Final.Gaps[0] = []uint32{1, 2, 3, 4} }, "the rows say"},
		{"the end knows no gaps", func(run *Run) { run.History.Final.Gaps = nil }, "the rows say"},
		{"something is left at the end", func(run *Run) {
			run.History.Final.InFlight[1] = []sim.Recorded{{Number: 1}}
		}, "which is not on the way"},
		{"what no channel carries is left at the end", func(run *Run) {
			run.History.Final.InFlight[1] = []sim.Recorded{{Number: 0}}
		}, "holds message 0, which is not on the way"},
		{"what was never sent is left at the end", func(run *Run) {
			run.History.Final.InFlight[1] = []sim.Recorded{{Number: 1 << 31}}
		}, "which is not on the way"},
		{"lost before anything is sent", func(run *Run) { insert(run, 0, sim.NewRow(sim.RowLose, 0, 0, 0)) }, "not to a message sent before"},
		{"a cut with other gaps", func(run *Run) {
			for _, s := range run.History.Snapshots {
				if s.Status == sim.Complete {
					s.Gaps[1] = []uint32{1}
				}
			}
		}, "had been passed over"},
		{"a cut of four thousand million", func(run *Run) {
			for _, s := range run.History.Snapshots {
				if s.Status == sim.Complete {
					s.Sent[0] = 1<<32 - 1
				}
			}
		}, "it should hold"},
	}
	if report := Check(failing(t), nil); slices.Contains(report.Checks, "conservation") {
		t.Error("conservation is asked of channels that lose and double")
	}
	for _, d := range damages {
		run := failing(t)
		d.do(run)
		if report := Check(run, nil); !slices.ContainsFunc(report.Violations, func(v Violation) bool { return strings.Contains(v.Detail, d.detail) }) {
			t.Errorf("%s: no violation says %q: %v", d.name, d.detail, report.Violations)
		}
	}
}

// damageTo is a damage to a real run.
type damageTo struct {
	name   string
	do     func(run *Run)
	detail string
}
