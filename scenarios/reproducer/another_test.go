package reproducer

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"simrun/scenarios"
	"simrun/scenarios/generate"
)

// TestAnother: under another algorithm a run goes on along the steps that are still
// possible, and is judged and told. So what is wrong in a like way is found in most of the
// runs, which it is not in runs that go on anyhow.
func TestAnother(t *testing.T) {
	c := scenarios.Default()
	kept, diverged, violated := 0, 0, 0
	for seed := uint64(1); kept < 30; seed++ {
		s := generate.Scenario(seed)
		s.Algorithm, s.Order = "no-channel-state", "chosen"
		plan, err := s.Resolve(c, scenarios.Overrides{})
		if err != nil {
			continue // it was one in timed order
		}
		r, _, err := Of(c, plan, seed, "test")
		if err != nil {
			t.Fatal(err)
		}
		if r.Violation == nil || r.Violation.Invariant != "channel-state" {
			continue
		}
		kept++
		path := filepath.Join(t.TempDir(), "r.yaml")
		var text bytes.Buffer
		if err := r.Write(&text); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, text.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		other, err := ReadFor(c, path, "saves-idle")
		if err != nil {
			t.Fatal(err)
		}
		o := other.Replay(true)
		if o.Divergence == nil {
			continue
		}
		diverged++
		if o.Result.Verdict != scenarios.Violated {
			continue
		}
		violated++
		var told strings.Builder
		if err := o.Result.WriteText(&told); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(told.String(), "saves-idle, seed ") || !strings.Contains(told.String(), "What happened at each node, in its order") {
			t.Errorf("seed %d: not told\n%s", seed, told.String())
		}
	}
	t.Log(kept, diverged, violated)
	if diverged < 10 || violated < diverged*2/3 {
		t.Errorf("%d kept, %d become another run, %d of them violated", kept, diverged, violated)
	}
}
