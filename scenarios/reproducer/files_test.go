package reproducer

import (
	"path/filepath"
	"testing"

	"simrun/scenarios"
)

// TestScenarioFiles: the reproducer of every scenario file is of the very run that the file
// gives, also where its graph stood in a file of its own, with the plan of a job, and where
// no snapshot can complete.
func TestScenarioFiles(t *testing.T) {
	files, err := filepath.Glob("../../testdata/scenarios/*.yaml")
	if err != nil || len(files) < 30 {
		t.Fatal(files, err)
	}
	plans, incomplete := 0, 0
	for _, file := range files {
		s, err := scenarios.Load(catalogue, file)
		if err != nil {
			t.Fatal(err)
		}
		p, err := s.Resolve(catalogue, scenarios.Overrides{})
		if err != nil {
			t.Fatal(err)
		}
		if s.Graph.File != "" && len(p.Graph.Edges) > 0 {
			plans++
		}
		if s.Expect != nil && s.Expect.Incomplete {
			incomplete++
		}
		want := p.NewRunner().Run(p.Seed)
		r, _, err := Of(catalogue, p, p.Seed, "test")
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		if r.Digest != want.Digest || r.Verdict != want.Verdict {
			t.Errorf("%s: the run is %s with the digest %s, and its reproducer %s with %s", file, want.Verdict, want.Digest, r.Verdict, r.Digest)
		}
		if o := again(t, r).Replay(false); o.Outcome != Reproduced {
			t.Errorf("%s: %s: %s", file, o.Outcome, o.why())
		}
	}
	if plans == 0 || incomplete == 0 {
		t.Errorf("%d files with the plan of a job, %d in which no snapshot completes", plans, incomplete)
	}
}
