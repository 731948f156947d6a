package simtest

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"simrun/scenarios"
)

// experiment tries an algorithm on drawn scenarios.
type experiment struct {
	*settings
	catalogue scenarios.Catalogue
	home      home
	deadline  time.Time // of the test; zero: none

	tried, unsuited int64
	gaveUp, unended int64 // of those that were tried, under a coordinator
	completed       int64 // snapshots
	exercised       scenarios.Exercised
}

func newExperiment(test string, s *settings) *experiment {
	return &experiment{settings: s, catalogue: s.catalogue(), home: homeOf(test)}
}

// patience is how long a run may be made smaller: half of the time that is left, so that
// there is time to tell.
func (x *experiment) patience() time.Duration {
	if x.deadline.IsZero() {
		return 0
	}
	return max(time.Until(x.deadline)/2, time.Millisecond)
}

// run is a scenario that was run under the algorithm.
type run struct {
	plan *scenarios.Plan // nil: it is none for the algorithm
	out  scenarios.Outcome

	what, again string // which run it is, and the command that repeats it
}

// run runs a scenario. what names the run, and again is the command that repeats it.
func (x *experiment) run(s *scenarios.Scenario, what, again string) *run {
	plan, err := s.Resolve(x.catalogue, scenarios.Overrides{Algorithm: x.algorithm.Name})
	var refused *scenarios.Error
	if errors.As(err, &refused) && refused.Unsuited {
		x.unsuited++
		return &run{}
	}
	if err != nil {
		panic("simtest: a scenario that was drawn is refused: " + err.Error())
	}
	plan = plan.RepeatedBy(again).Audited()
	r := &run{plan, plan.NewRunner().Outcome(plan.Seed), what, again}
	x.tried++
	x.gaveUp += one(r.out.GaveUp)
	x.unended += one(r.undecided() && !r.out.GaveUp)
	x.completed += r.out.Completed
	x.exercised.Add(&r.out.Exercised)
	return r
}

func one(yes bool) int64 {
	if yes {
		return 1
	}
	return 0
}

// undecided says whether a run has not ended, and that need not be the algorithm's fault: a
// coordinator may give up, and a checkpoint that takes longer than it may is tried again
// for ever.
func (r *run) undecided() bool {
	return r.plan != nil && r.out.Verdict == scenarios.Inconclusive && r.plan.Scenario.Coordinator != nil
}

// wrong names what is wrong with a run; "" if nothing is.
func (r *run) wrong() string {
	switch {
	case r.plan == nil || r.undecided():
		return ""
	case r.out.Verdict == scenarios.Violated:
		return r.out.Broken[0]
	case r.out.Verdict == scenarios.Inconclusive:
		return r.out.Verdict
	}
	return ""
}

// failure tells what is wrong with a run.
func (x *experiment) failure(r *run) *failure {
	if r.out.Verdict == scenarios.Violated {
		small, f := x.shrunk(r)
		if f == nil {
			f = x.told(r, small)
		}
		return f
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s is inconclusive: it does not end\n\n", r.what)
	r.plan.NewRunner().Run(r.plan.Seed).WriteText(&b)
	fmt.Fprintf(&b, "reproduce: %s\n", r.again)
	return &failure{text: b.String()}
}

// untested says why the runs say nothing about the algorithm; "" if they do.
func (x *experiment) untested() string {
	switch {
	case x.tried == 0:
		return fmt.Sprintf("none of the %d scenarios is one for the algorithm: draw others", x.unsuited)
	case x.completed == 0 && !x.algorithm.Unsaved:
		return fmt.Sprintf("nothing was put to the test: no snapshot was complete in any of %d runs; draw more of them, or fewer crashes", x.tried)
	case x.unended > x.tried/10:
		return fmt.Sprintf("%d of %d runs do not end", x.unended, x.tried)
	}
	return ""
}

// summary counts what was put to the test.
func (x *experiment) summary() string {
	text := fmt.Sprintf("%d runs hold; %d snapshots complete; exercised: %v", x.tried-x.gaveUp-x.unended, x.completed, x.exercised)
	if x.gaveUp > 0 {
		text += fmt.Sprintf("; in %d more the coordinator gave up", x.gaveUp)
	}
	if x.unended > 0 {
		text += fmt.Sprintf("; %d more did not end", x.unended)
	}
	if x.unsuited > 0 {
		text += fmt.Sprintf("; %d scenarios are none for the algorithm", x.unsuited)
	}
	return text
}
