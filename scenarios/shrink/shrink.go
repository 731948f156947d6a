package shrink

import (
	"errors"
	"time"

	"simrun/scenarios"
	"simrun/scenarios/audit"
	"simrun/scenarios/reproducer"
	"simrun/sim"
)

// Limits bound the work.
type Limits struct {
	Runs     int           // 0: 30,000
	Time     time.Duration // 0: none
	Progress func(runs int, size Size)
}

// Size is how large a run is.
type Size struct {
	Nodes      int   `json:"nodes"`
	Channels   int   `json:"channels"`
	Faults     int   `json:"faults"`
	Snapshots  int   `json:"snapshots"`
	Deliveries int64 `json:"deliveries"`
	Steps      int64 `json:"steps"`
}

// Shrunk is the outcome.
type Shrunk struct {
	Reproducer *reproducer.Reproducer
	Result     *scenarios.Result
	From, To   Size
	Runs       int
	Ended      string // why it was ended early; "": nothing could be left out any more
}

// Shrink makes the run of a reproducer smaller. The error says that there is nothing to
// keep, because nothing is violated, or that the reproducer is not reproduced.
func Shrink(c scenarios.Catalogue, r *reproducer.Reproducer, limits Limits) (*Shrunk, error) {
	if r.Violation == nil {
		return nil, errors.New("nothing is violated in this run, so that there is nothing that a smaller one would have to violate")
	}
	if r.Violation.Misdeed == audit.Stuck {
		return nil, errors.New("a handler that does not return keeps its processor until the program ends, so that other runs in which it does the same cannot be tried")
	}
	if o := r.Replay(false); o.Outcome != reproducer.Reproduced {
		return nil, errors.New("the run is not what the reproducer says: simrun replay tells where it differs")
	}
	if limits.Runs == 0 {
		limits.Runs = 30_000
	}
	x := &shrinker{catalogue: c, limits: limits, want: targetOf(r.Violation), began: time.Now()}
	if r.Violation.Misdeed != "" { // else an audit finds nothing that is looked for
		x.audit = r.Plan.Audit()
	}
	start := r
	if chosen, err := r.Choices(c); err == nil && x.wanted(chosen) {
		start = chosen
	}
	first := attemptOf(x.planned(start), start.Course)
	if !(first.leavesOpen() && x.take(first.settled(start.Plan.Graph.Nodes))) && !x.take(first) {
		return nil, errors.New("the run cannot be carried out in a form that could be made smaller")
	}
	from := sizeOf(r.Plan, resultOf(r))
	x.reduce()
	best, res, err := reproducer.Along(x.best.plan, x.best.course, r.Tool)
	if err != nil {
		return nil, err
	}
	if !x.want.metBy(res) {
		return nil, errors.New("the smallest run is not the same when it is carried out again")
	}
	return &Shrunk{best, res, from, sizeOf(x.best.plan, res), x.runs, x.ended}, nil
}

// roomy is how many more steps than the run an attempt may take: what is smaller in all
// else but takes many times as long is harder to read, and to make smaller still.
const roomy = 200

// planned is the scenario of a reproducer with every snapshot at an instant of its own, so
// that each can be left out.
func (x *shrinker) planned(r *reproducer.Reproducer) *scenarios.Scenario {
	s := r.Plan.ByID()
	limit := int64(len(r.Course.Steps)) + roomy
	s.Steps = &limit
	if s.Order != "chosen" || s.Coordinator != nil || s.Snapshots.Every.Value == 0 {
		return s
	}
	_, course := r.Plan.NewRunner().Record(r.Plan.Seed)
	s.Snapshots.Every, s.Snapshots.At = &scenarios.Moment{Steps: true}, nil
	for i, t := range course.Triggers {
		if bySearch(course, i) {
			continue
		}
		s.Snapshots.At = append(s.Snapshots.At, scenarios.SnapshotAt{
			At: scenarios.Moment{Value: int64(t.After), Steps: true}, Initiators: names(r.Plan.Graph.Nodes, t.Initiators),
		})
	}
	return s
}

func names(nodes []string, ids []int32) (names []string) {
	for _, id := range ids {
		names = append(names, nodes[id])
	}
	return names
}

func resultOf(r *reproducer.Reproducer) *scenarios.Result {
	res, _ := r.Plan.NewRunner().Follow(r.Plan.Seed, r.Course, true)
	return res
}

func sizeOf(p *scenarios.Plan, res *scenarios.Result) Size {
	return Size{len(p.Graph.Nodes), len(p.Graph.Channels), len(p.Scenario.Faults), len(res.Snapshots), res.Deliveries, res.Steps}
}

// alone is how many seeds are tried to find one with which the scenario violates the same
// without anybody to choose the steps.
const alone = 500

// Alone is the plan of the smallest scenario with a seed that makes it violate the same
// in an order that is drawn from it, if one of a few hundred does: a scenario is easier
// to read and to change than a reproducer.
func (s *Shrunk) Alone(c scenarios.Catalogue) (*scenarios.Plan, bool) {
	want := targetOf(s.Reproducer.Violation)
	for seed := range uint64(alone) {
		plan, err := s.Reproducer.Plan.Scenario.Resolve(c, scenarios.Overrides{Seed: &seed})
		if err != nil {
			return nil, false
		}
		plan = plan.AuditedAs(s.Reproducer.Plan.Audit())
		if want.metBy(plan.NewRunner().Run(seed)) {
			return plan, true
		}
	}
	return nil, false
}

// shrinker is the work.
type shrinker struct {
	catalogue scenarios.Catalogue
	limits    Limits
	want      target
	audit     audit.Settings
	began     time.Time
	runs      int
	ended     string
	best      success
}

// success is an attempt that violates what it has to, and its run.
type success struct {
	*attempt
	plan   *scenarios.Plan
	course *scenarios.Course
	size   Size
}

// resolve is the plan of a scenario, audited as the run was from which the work began.
func (x *shrinker) resolve(s *scenarios.Scenario) (*scenarios.Plan, error) {
	plan, err := s.Resolve(x.catalogue, scenarios.Overrides{})
	if err != nil {
		return nil, err
	}
	return plan.AuditedAs(x.audit), nil
}

func (x *shrinker) wanted(r *reproducer.Reproducer) bool {
	return r.Violation != nil && x.want.metBy(resultOf(r))
}

// over says whether the work has to end.
func (x *shrinker) over() bool {
	switch {
	case x.ended != "":
	case x.runs >= x.limits.Runs:
		x.ended = "the runs that were allowed are used up"
	case x.limits.Time > 0 && time.Since(x.began) > x.limits.Time:
		x.ended = "the time is over"
	}
	return x.ended != ""
}

// tries is how many random orders an attempt with another scenario is given.
const tries = 24

// take carries an attempt out along its steps, and makes it the best if it violates what
// it has to.
func (x *shrinker) take(a *attempt) bool {
	s, steps := a.scenario()
	plan, err := x.resolve(s)
	return err == nil && x.takeBy(a, plan, scenarios.NewLoosely(steps))
}

// takeAnyhow is take, with random orders as well.
func (x *shrinker) takeAnyhow(a *attempt) bool {
	s, steps := a.scenario()
	plan, err := x.resolve(s)
	if err != nil {
		return false
	}
	if x.takeBy(a, plan, scenarios.NewLoosely(steps)) {
		return true
	}
	for seed := range uint64(tries) {
		if a.timed && x.takeWith(a, seed) || !a.timed && x.takeBy(a, plan, sim.NewRandomScheduler(seed)) {
			return true
		}
	}
	return false
}

// takeWith is take with another seed: in timed order that is another order.
func (x *shrinker) takeWith(a *attempt, seed uint64) bool {
	own, s := *a, *a.s
	s.Seed, own.s = &seed, &s
	return x.take(&own)
}

// takeBy carries an attempt out with a Scheduler.
func (x *shrinker) takeBy(a *attempt, plan *scenarios.Plan, by sim.Scheduler) bool {
	if x.over() {
		return false
	}
	x.runs++
	res, course := plan.NewRunner().RecordBy(plan.Seed, by)
	if !x.want.metBy(res) {
		return false
	}
	taken := *a
	if !a.timed {
		taken.s = plan.Scenario
		taken.items = withMarks(plan.Scenario, course.Steps)
	}
	x.best = success{&taken, plan, course, sizeOf(plan, res)}
	if x.limits.Progress != nil {
		x.limits.Progress(x.runs, x.best.size)
	}
	return true
}

// reduce leaves out what can be left out, again and again until nothing can.
func (x *shrinker) reduce() {
	x.thin(len(x.best.items) / 16) // long runs take long
	x.lessRegions()
	for {
		before := x.best.size
		x.lessFaults()
		x.lessSnapshots()
		x.lessSavepoints()
		x.lessGraph()
		x.lessSettings()
		x.lessInput()
		x.lessTime()
		x.thin(1)
		if x.best.size == before || x.over() {
			break
		}
	}
	x.order()
}
