package properties_test

import (
	"slices"
	"strings"
	"testing"

	"simrun/invariants"
	"simrun/sim"
)

// TestErrorsThatCancel: a snapshot of bank that has lost one transfer and has another
// of the same amount twice holds as much money as it should. The weights, random for
// each transfer, tell.
func TestErrorsThatCancel(t *testing.T) {
	off := slices.DeleteFunc(invariants.Names(), func(name string) bool { return name == "conservation" })
	found := 0
	for i := 1; i < 2000 && found < 50; i++ {
		r := trials.Example(i)
		if r.app != "bank" {
			continue
		}
		h := engineOf(t, &r.config).Run()
		s, lost, twice := equalAmounts(h)
		if s == nil {
			continue
		}
		if report := invariants.Check(r.checked(h), off); !report.Holds() || len(report.Checks) != 1 {
			t.Fatalf("example %d: %v checked, %v", i, report.Checks, report.Violations)
		}
		found++
		lost.Message = twice.Message
		report := invariants.Check(r.checked(h), off)
		if len(report.Violations) != 1 || report.Violations[0].Snapshot != s.ID || !strings.Contains(report.Violations[0].Detail, "as at the start, but not the same pieces") {
			t.Errorf("example %d: a transfer of %d is lost and another one is there twice: %v", i, twice.Message.Value, report.Violations)
		}
	}
	if found < 50 {
		t.Errorf("only %d runs had two transfers of the same amount in one snapshot", found)
	}
}

// equalAmounts finds two transfers of the same amount in the channel states of one
// complete snapshot.
func equalAmounts(h *sim.History) (s *sim.Snapshot, one, other *sim.Recorded) {
	for _, s := range h.Snapshots {
		if s.Status != sim.Complete {
			continue
		}
		var all []*sim.Recorded
		for _, messages := range s.Channels {
			for i := range messages {
				for _, m := range all {
					if m.Message.Value == messages[i].Message.Value {
						return s, m, &messages[i]
					}
				}
				all = append(all, &messages[i])
			}
		}
	}
	return nil, nil, nil
}
