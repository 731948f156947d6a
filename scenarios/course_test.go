package scenarios

import (
	"path/filepath"
	"testing"
)

func planOf(t *testing.T, file string) *Plan {
	t.Helper()
	s, err := Load(Default(), file)
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.Resolve(Default(), Overrides{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestCourses: every scenario file follows its own course to the same result, in both
// orders; told in chosen order it does the same to the application.
func TestCourses(t *testing.T) {
	files, err := filepath.Glob("../testdata/scenarios/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		p := planOf(t, file)
		for seed := range uint64(3) {
			res, course := p.NewRunner().Record(seed)
			if int64(len(course.Steps)) == 0 {
				t.Fatalf("%s: no steps", file)
			}
			again, divergence := p.NewRunner().Follow(seed, course, false)
			if divergence != nil || again.Digest != res.Digest {
				t.Fatalf("%s, seed %d: %v", file, seed, divergence)
			}
			if plain := p.NewRunner().Run(seed); plain.Digest != res.Digest {
				t.Fatalf("%s, seed %d: recording changes the run", file, seed)
			}
			if p.Scenario.Order == chosen {
				continue
			}
			q, choices, err := p.Choices(Default(), seed)
			if err != nil {
				t.Errorf("%s, seed %d: %v", file, seed, err)
				continue
			}
			got, divergence := q.NewRunner().Follow(seed, choices, false)
			if divergence != nil || got.ApplicationDigest != res.ApplicationDigest || got.Verdict != res.Verdict {
				t.Errorf("%s, seed %d: %v, %s instead of %s", file, seed, divergence, got.Verdict, res.Verdict)
			}
		}
	}
}
