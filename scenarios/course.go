package scenarios

import (
	"fmt"
	"math"
	"slices"

	"simrun/sim"
)

// Course is the way that a run has taken: its steps, and the running digest before each
// of them. In chosen order the steps are the choices of the Scheduler, and the run can be
// made to take them again; in timed order they say what the clock has chosen.
type Course struct {
	Steps   []sim.Step
	Digests []uint64
	// Triggers is where snapshots began. A file does not hold it.
	Triggers []Trigger
}

// Trigger is a snapshot that began: after so many steps, and who was to initiate it.
type Trigger struct {
	After      int
	Initiators []int32
	Savepoint  bool // the user had asked a coordinator for it
}

// Record is Run, and keeps the course.
func (r *Runner) Record(seed uint64) (*Result, *Course) {
	d := &recorder{}
	return r.plan.result(r.conducted(seed, d, true)), &d.course
}

// RecordBy is Record under a Scheduler, for a plan in chosen order.
func (r *Runner) RecordBy(seed uint64, by sim.Scheduler) (*Result, *Course) {
	d := &recorder{}
	if r.plan.Scenario.Order == chosen {
		d.inner = by
	}
	return r.plan.result(r.conducted(seed, d, true)), &d.course
}

// Follow runs the plan with a seed along a course that was recorded before. Where the run
// takes another way it says so, and ends without a result; or, if it is to go on, is
// carried on as it would be without a course, and judged.
func (r *Runner) Follow(seed uint64, course *Course, goOn bool) (*Result, *Divergence) {
	d := &follower{plan: r.plan, course: course, goOn: goOn}
	x := r.conducted(seed, d, true)
	if x == nil || d.divergence != nil && !goOn {
		return nil, d.divergence
	}
	return r.plan.result(x), d.divergence
}

// Divergence is where a run has left a course.
type Divergence struct {
	// Step is which step it was, from 1.
	Step     int    `json:"step"`
	Expected string `json:"expected"`
	Instead  string `json:"instead"`
}

// Error says it in a sentence.
func (d *Divergence) Error() string {
	return fmt.Sprintf("the run differs at step %d: expected %s, but %s", d.Step, d.Expected, d.Instead)
}

// conductor stands beside a run from its first step to its last.
type conductor interface {
	// begin is given the configuration, to be completed.
	begin(cfg *sim.Config)
	// started is given the engine, which has not run yet.
	started(e *sim.Engine)
	// goesOn says whether the run is carried on, and stride for how many steps at least
	// before that is asked again.
	goesOn() bool
	stride() int64
	// ended is told that the run has come to its own end.
	ended()
}

// watched is the conductor that only has somebody watch; or nobody.
type watched struct{ watcher sim.Observer }

func (w watched) begin(cfg *sim.Config) { cfg.Observer = w.watcher }

func (w watched) started(*sim.Engine) {}

func (w watched) goesOn() bool { return true }

func (w watched) stride() int64 { return math.MaxInt64 / 2 }

func (w watched) ended() {}

// recorder is the conductor that keeps the course.
type recorder struct {
	course Course
	engine *sim.Engine
	inner  sim.Scheduler // nil: the one of the run

	savepoint bool // what the coordinator begins is one
}

func (r *recorder) begin(cfg *sim.Config) {
	if r.inner != nil {
		cfg.Scheduler = r.inner
	}
	r.inner = join(cfg, r)
}

func (r *recorder) started(e *sim.Engine) { r.engine = e }

func (r *recorder) goesOn() bool { return true }

func (r *recorder) stride() int64 { return math.MaxInt64 / 2 }

func (r *recorder) ended() {}

// join puts somebody where the steps of a run can be seen, and returns the Scheduler that
// would have picked them.
func join(cfg *sim.Config, by interface {
	sim.Scheduler
	sim.Chronicler
}) (inner sim.Scheduler) {
	cfg.Observer = by
	if cfg.Order != sim.Chosen {
		return nil
	}
	inner = cfg.Scheduler
	if inner == nil {
		inner = sim.NewRandomScheduler(cfg.Seed)
	}
	cfg.Scheduler = by
	return inner
}

// Pick implements sim.Scheduler.
func (r *recorder) Pick(n int64, enabled sim.Enabled) int {
	i := r.inner.Pick(n, enabled)
	r.Took(enabled.At(i))
	return i
}

// Took implements sim.Chronicler.
func (r *recorder) Took(s sim.Step) {
	r.course.Steps = append(r.course.Steps, s)
	r.course.Digests = append(r.course.Digests, digestBy(r.engine))
}

// digestBy is the running digest of an engine; 0 before it is there and anything has
// happened.
func digestBy(e *sim.Engine) uint64 {
	if e == nil {
		return 0
	}
	return e.RunningDigest()
}

// Observe implements sim.Observer.
func (r *recorder) Observe(ev *sim.Event) {
	switch {
	case ev.Kind == sim.EventFact && ev.Fact.Kind == sim.FactBegan:
		r.savepoint = ev.Fact.Number == 1
	case ev.Kind == sim.EventTrigger:
		r.course.Triggers = append(r.course.Triggers, Trigger{len(r.course.Steps), ev.Initiators, r.savepoint})
	}
}

// follower is the conductor that holds a run to a course.
type follower struct {
	plan       *Plan
	course     *Course
	goOn       bool
	at         int // how many steps have been taken
	engine     *sim.Engine
	inner      sim.Scheduler
	divergence *Divergence
	last       []sim.Event // what the last step did
}

func (f *follower) begin(cfg *sim.Config) { f.inner = join(cfg, f) }

func (f *follower) started(e *sim.Engine) { f.engine = e }

func (f *follower) goesOn() bool { return f.divergence == nil || f.goOn }

func (f *follower) stride() int64 { return 1 }

// ended looks whether the run has ended where the course does.
func (f *follower) ended() {
	if f.divergence == nil && f.at < len(f.course.Steps) {
		f.diverge(f.plan.DescribeStep(f.course.Steps[f.at]), "the run ends")
	}
}

func (f *follower) diverge(expected, instead string) {
	f.divergence = &Divergence{Step: f.at + 1, Expected: expected, Instead: instead}
}

// same says whether everything up to the step that comes now is as it was.
func (f *follower) same() bool {
	if f.at == len(f.course.Steps) || shortDigest(digestBy(f.engine)) == shortDigest(f.course.Digests[f.at]) {
		return true
	}
	f.at--
	did := f.plan.describeEvents(f.last)
	if f.at < 0 {
		f.at = 0
		f.diverge("another beginning", "the run begins differently: "+did)
	} else {
		f.diverge(f.plan.DescribeStep(f.course.Steps[f.at])+" with another outcome", "what happens there now is: "+did)
	}
	return false
}

// shortDigest is as much of a running digest as is compared: enough, because a
// difference stays in all the digests that follow.
func shortDigest(d uint64) uint16 { return uint16(d >> 48) }

// Pick implements sim.Scheduler.
func (f *follower) Pick(n int64, enabled sim.Enabled) int {
	if f.divergence != nil || !f.same() {
		return f.inner.Pick(n, enabled)
	}
	if f.at == len(f.course.Steps) {
		f.diverge("the end of the run", "there are steps left, such as: "+f.plan.DescribeStep(enabled.At(0)))
		return f.inner.Pick(n, enabled)
	}
	want := f.course.Steps[f.at]
	i := f.inner.Pick(n, enabled) // so that it goes on from here if the run diverges
	if j := sim.IndexOf(enabled, want); j >= 0 {
		f.at++
		f.last = f.last[:0]
		return j
	}
	f.diverge(f.plan.DescribeStep(want), "that is not possible; possible are: "+f.plan.listSteps(enabled))
	return i
}

// listSteps lists what a Scheduler can pick.
func (p *Plan) listSteps(enabled sim.Enabled) string {
	var texts []string
	for i := range enabled.Len() {
		texts = append(texts, p.DescribeStep(enabled.At(i)))
	}
	slices.Sort(texts)
	const most = 5
	if n := len(texts); n > most {
		texts = append(texts[:most], fmt.Sprintf("%d more", n-most))
	}
	text := texts[0]
	for _, t := range texts[1:] {
		text += "; " + t
	}
	return text
}

// Took implements sim.Chronicler.
func (f *follower) Took(s sim.Step) {
	switch {
	case f.divergence != nil || !f.same():
	case f.at == len(f.course.Steps):
		f.diverge("the end of the run", "there is one more step: "+f.plan.DescribeStep(s))
	case f.course.Steps[f.at] != s:
		f.diverge(f.plan.DescribeStep(f.course.Steps[f.at]), "the run takes another step: "+f.plan.DescribeStep(s))
	default:
		f.at++
		f.last = f.last[:0]
	}
}

// Observe implements sim.Observer: it remembers what a step did, for the case that it is
// another thing than before.
func (f *follower) Observe(ev *sim.Event) {
	if f.divergence == nil {
		f.last = append(f.last, *ev)
		f.last[len(f.last)-1].State = nil // not valid after the call, and not told
	}
}
