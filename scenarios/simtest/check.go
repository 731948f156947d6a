package simtest

import (
	"cmp"
	"flag"
	"fmt"
	"sync"
	"testing"

	"simrun/sim"
)

// The flags of a test binary. Zero values mean that a flag is not given.
var (
	runsFlag = flag.Int("simrun.runs", 0, "simrun: how many scenarios are drawn, in place of what the test says")
	seedFlag = flag.Int("simrun.seed", 1, "simrun: the seed of the first scenario")
	fileFlag = flag.String("simrun.file", "", "simrun: carry out this reproducer alone, and tell all that there is to say")
)

// Check draws scenarios and runs the algorithm on each. It fails the test at the first run
// that is violated, with the reason and a reproducer of it as small as it can be; and
// before that, if a reproducer that an earlier Check of this test has kept is violated.
//
// A test has one Check. Several belong into subtests of their own, which may be parallel.
func Check(t *testing.T, algorithm sim.NewNode, options ...Option) {
	t.Helper()
	s, err := newSettings(algorithm, options)
	if err != nil {
		t.Fatal(err)
	}
	if !enter(t) {
		t.Fatal("simtest: a second Check in one test: give each a subtest of its own (t.Run), so that their reproducers lie apart")
	}
	x := newExperiment(t.Name(), s)
	x.deadline, _ = t.Deadline()
	if *fileFlag != "" {
		x.checkFile(t, *fileFlag)
		return
	}
	problems, note := x.check(*seedFlag, *runsFlag)
	for _, p := range problems {
		t.Error(p)
	}
	if len(problems) > 0 {
		t.FailNow()
	}
	t.Log(note)
}

// check is Check but that it returns what is wrong, or if nothing is, what was tested.
func (x *experiment) check(seed, runs int) (problems []string, note string) {
	if problems := x.saved(); problems != nil {
		return problems, ""
	}
	if runs < 1 {
		runs = x.runs
	}
	if f := x.search(seed, runs); f != nil {
		return []string{f.text}, ""
	}
	if why := x.untested(); why != "" {
		return []string{why}, ""
	}
	return nil, x.summary()
}

// search draws so many scenarios, and ends at the first run that is not right. If that
// needs a clock to go wrong, so that single steps cannot be left out, it looks whether one
// of the next wrong runs does not, and tells that.
func (x *experiment) search(seed, runs int) *failure {
	drawn := x.scenarios()
	var first *run
	for n, wrong := 0, 0; n < runs && wrong < wrongRuns; n++ {
		s := drawn.Example(seed + n)
		s.Name = fmt.Sprintf("scenario %d", seed+n)
		r := x.run(s, fmt.Sprintf("run %d of %d (seed %d)", n+1, runs, seed+n), x.home.seedAgain(seed+n))
		if r.wrong() == "" {
			continue
		}
		if x.clockless(r) {
			return x.failure(r)
		}
		first = cmp.Or(first, r)
		wrong++
	}
	if first == nil {
		return nil
	}
	return x.failure(first)
}

// wrongRuns is at how many runs that are not right a search looks at most.
const wrongRuns = 20

// checkFile carries out the reproducer that the flag names.
func (x *experiment) checkFile(t testing.TB, file string) {
	t.Helper()
	path, own := x.asked(file)
	if !own {
		t.Skipf("%s belongs to another test", file)
	}
	text, holds := x.explained(path)
	if !holds {
		t.Fatal(text)
	}
	t.Log(text)
}

// entered is the tests in which there is a Check at the moment.
var entered struct {
	sync.Mutex
	tests map[string]bool
}

// enter notes that a test has a Check, until it ends. It says whether that is the first.
func enter(t testing.TB) bool {
	entered.Lock()
	defer entered.Unlock()
	if entered.tests[t.Name()] {
		return false
	}
	if entered.tests == nil {
		entered.tests = map[string]bool{}
	}
	entered.tests[t.Name()] = true
	t.Cleanup(func() {
		entered.Lock()
		defer entered.Unlock()
		delete(entered.tests, t.Name())
	})
	return true
}
