package shrink

import (
	"bytes"
	"os"
	"testing"
	"time"

	"simrun/algorithms/mutants"
	"simrun/scenarios"
	"simrun/scenarios/generate"
	"simrun/scenarios/reproducer"
)

var catalogue = scenarios.Default()

// failing is the run of the first generated scenario that convicts a wrong algorithm.
func failing(t *testing.T, name, invariant string) *reproducer.Reproducer {
	t.Helper()
	for seed := uint64(1); seed < 400; seed++ {
		plan, err := generate.Scenario(seed).Resolve(catalogue, scenarios.Overrides{Algorithm: name})
		if err != nil {
			continue
		}
		res := plan.NewRunner().Run(plan.Seed)
		if res.Verdict != scenarios.Violated || res.Violations[0].Invariant != invariant {
			continue
		}
		r, _, err := reproducer.Of(catalogue, plan, plan.Seed, "test")
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	return nil
}

func TestMutants(t *testing.T) {
	for _, m := range mutants.All() {
		r := failing(t, m.Name, m.Catches)
		if r == nil {
			t.Logf("%s: no run", m.Name)
			continue
		}
		began := time.Now()
		s, err := Shrink(catalogue, r, Limits{})
		if err != nil {
			t.Errorf("%s: %v", m.Name, err)
			continue
		}
		t.Logf("%3d %-28s %v -> %v  %d runs %v %s", m.Number, m.Name, s.From, s.To, s.Runs, time.Since(began).Round(time.Millisecond), s.Ended)
		if os.Getenv("SHOW") == m.Name {
			var b bytes.Buffer
			s.Reproducer.Write(&b)
			t.Log(b.String())
		}
	}
}
