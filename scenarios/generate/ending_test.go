package generate

import (
	"testing"

	"simrun/scenarios"
)

// TestOrdersDoNotPileUp: where control channels double a third of what they carry, and any
// alarm may come at any step, runs end all the same.
func TestOrdersDoNotPileUp(t *testing.T) {
	ended := 0
	for seed := uint64(1); seed <= 1200; seed++ {
		s := Coordinated(seed)
		c := s.Coordinator
		if s.Order != "chosen" || c.Timeout == nil || *c.Timeout == 0 {
			continue
		}
		c.Control.Lose, c.Control.Duplicate, c.Control.Reorder = &scenarios.Failure{Rate: 100_000}, &scenarios.Failure{Rate: 450_000}, false
		p, err := s.Resolve(scenarios.Default(), scenarios.Overrides{Algorithm: "abs"})
		if err != nil {
			continue
		}
		o := p.NewRunner().Outcome(seed)
		if o.Verdict == scenarios.Violated || o.Verdict == scenarios.Inconclusive && !o.GaveUp {
			t.Errorf("seed %d: %s", seed, o.Verdict)
		}
		ended++
	}
	if ended < 100 {
		t.Errorf("only %d runs", ended)
	}
}
