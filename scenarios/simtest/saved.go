package simtest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"simrun/scenarios"
	"simrun/scenarios/reproducer"
)

// saved carries out every reproducer of the test again, in the order of their names, and
// tells of those that are still violated or cannot be read.
func (x *experiment) saved() (problems []string) {
	entries, err := os.ReadDir(x.home.path(""))
	if err != nil && !os.IsNotExist(err) {
		return []string{fmt.Sprintf("the reproducers cannot be read: %v", err)}
	}
	for _, e := range entries {
		if e.IsDir() || filepath.Ext(e.Name()) != ".yaml" {
			continue // that of a subtest, or what is no reproducer
		}
		if text, ok := x.carryOut(x.home.path(e.Name())); !ok {
			problems = append(problems, text)
		}
	}
	return problems
}

// carryOut carries out one reproducer, and tells what became of it. A run that has become
// another one is judged like any.
func (x *experiment) carryOut(path string) (text string, holds bool) {
	r, err := reproducer.ReadFor(x.catalogue, path, x.algorithm.Name)
	if err != nil {
		return x.unreadable(path, err), false
	}
	r.Path = x.home.shown(path)
	var b strings.Builder
	o := x.tell(&b, r, x.home.again(path))
	headline := ""
	switch {
	case o.Result.Verdict == scenarios.Violated && o.Outcome == reproducer.Reproduced:
		headline = fmt.Sprintf("%s violates %s as before", r.Path, o.Result.Violations[0].Invariant)
	case o.Result.Verdict == scenarios.Violated:
		headline = fmt.Sprintf("%s is another run now, and violates %s", r.Path, o.Result.Violations[0].Invariant)
	default:
		headline = fmt.Sprintf("%s: %s now", r.Path, o.Result.Verdict)
	}
	return headline + "\n" + b.String(), o.Result.Verdict == scenarios.Holds
}

func (x *experiment) unreadable(path string, err error) string {
	return fmt.Sprintf("%v\nIf nobody needs it any more, delete %s.", err, x.home.shown(path))
}

// explained is everything that there is to say about a reproducer.
func (x *experiment) explained(path string) (text string, holds bool) {
	text, holds = x.carryOut(path)
	r, err := reproducer.ReadFor(x.catalogue, path, x.algorithm.Name)
	if err != nil {
		return text, false // which says so
	}
	r.Path = x.home.shown(path)
	r.Plan.Name = r.Path
	e, err := r.Plan.RepeatedBy(x.home.again(path)).NewRunner().Explain(r.Plan.Seed, 0)
	if err != nil {
		return text + "\n" + err.Error(), false
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", text)
	e.WriteText(&b)
	return b.String(), holds
}

// asked is the path of the reproducer that -simrun.file names, and whether the test is the
// one that it belongs to, as far as the path says that.
func (x *experiment) asked(file string) (path string, own bool) {
	path = file
	if !filepath.IsAbs(path) {
		path = filepath.Join(x.home.work, path)
	}
	of, err := filepath.Rel(filepath.Join(x.home.work, all), path)
	elsewhere := err != nil || !filepath.IsLocal(of)
	return path, elsewhere || filepath.Dir(path) == filepath.Clean(x.home.path(""))
}
