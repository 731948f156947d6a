package scenarios

import (
	"fmt"
	"runtime/debug"
	"slices"

	"simrun/invariants"
	"simrun/scenarios/search"
	"simrun/sim"
)

// The verdicts on a run.
const (
	Holds        = "holds"
	Violated     = "violated"
	Inconclusive = "inconclusive" // a limit was reached before anything was violated
)

// Runner runs a plan, one seed after the other, and keeps memory from one to the
// next. A Runner belongs to one goroutine.
type Runner struct {
	plan    *Plan
	engine  *sim.Engine // of the last run; nil before the first
	bare    *sim.Engine // of the last run without snapshots, likewise
	checker invariants.Checker
	steps   int64        // how many a run has, about; 0: not known yet
	watched *sim.History // of the last run of Watch or Tells; nil before the first
}

// NewRunner is a Runner for this plan.
func (p *Plan) NewRunner() *Runner { return &Runner{plan: p} }

// Run runs the plan with a seed and reports.
func (r *Runner) Run(seed uint64) *Result { return r.Watch(seed, nil) }

// Watch is Run with somebody watching; watcher may be nil.
func (r *Runner) Watch(seed uint64, watcher sim.Observer) *Result {
	x := r.execute(seed, watcher)
	r.watched = x.history
	return r.plan.result(x)
}

// Recorded is what the last run of Watch or Tells had recorded of the channels by its end,
// also in parts that were never finished, which no event tells of: by snapshot of its
// Result, by channel. It lasts until the next run.
func (r *Runner) Recorded() (list [][][]sim.Recorded) {
	for _, s := range r.watched.Snapshots {
		if s.Status != sim.Absent {
			list = append(list, s.Channels)
		}
	}
	return list
}

// Outcome is what a sweep keeps of a run.
type Outcome struct {
	Seed    uint64
	Search  search.Setting // how the order was chosen; in chosen order
	Verdict string
	Good    bool // what is expected or, if nothing is, not violated
	GaveUp  bool // the coordinator did
	Digest  uint64

	Completed  int64 // snapshots
	Deliveries int64 // application messages processed
	Exercised  Exercised
	Broken     []string           // the invariants that are violated, each once, the first wrong event first
	Ledger     *invariants.Ledger // nil: see invariants.Report
	Restored   []sim.SnapshotID   // what each restore went back to; 0: the initial state
	Unfired    []int              // faults that never fired
}

// Outcome runs the plan with a seed and keeps the essence.
func (r *Runner) Outcome(seed uint64) Outcome {
	x := r.carryOut(seed, nil, false)
	good := x.verdict != Violated
	if r.plan.Scenario.Expect != nil {
		good = len(r.plan.unmet(x)) == 0
	}
	return Outcome{seed, r.plan.search.Alone(seed), x.verdict, good, x.history.End == sim.GaveUp, x.history.Digest, x.completed(), x.history.Deliveries, x.exercised, x.broken(), x.report.Ledger, x.restored(), x.history.UnfiredFaults}
}

// execution is a run that is over. It lasts until the Runner's next one.
type execution struct {
	seed    uint64
	history *sim.History
	run     *invariants.Run
	report  *invariants.Report
	verdict string

	exercised   Exercised
	coordinator *CoordinatorResult // nil: there is none
}

// completed is how many snapshots are complete.
func (x *execution) completed() (n int64) {
	for _, s := range x.history.Snapshots {
		n += one(s.Status == sim.Complete)
	}
	return n
}

// restored is what the restores went back to.
func (x *execution) restored() (ids []sim.SnapshotID) {
	for i := range x.history.Restores {
		id := sim.SnapshotID(0)
		if from := x.history.Restores[i].Snapshot; from != nil {
			id = from.ID
		}
		ids = append(ids, id)
	}
	return ids
}

// broken is the invariants that are violated.
func (x *execution) broken() (names []string) {
	for _, v := range x.report.Violations {
		if !slices.Contains(names, v.Invariant) {
			names = append(names, v.Invariant)
		}
	}
	return names
}

// execute runs the plan with a seed and judges.
func (r *Runner) execute(seed uint64, watcher sim.Observer) *execution {
	return r.carryOut(seed, watcher, true)
}

// carryOut is execute with a choice. The run without snapshots that is
// compared with it can be left out where the history itself says that nothing was held
// back: then the events of the Apps cannot be others.
func (r *Runner) carryOut(seed uint64, watcher sim.Observer, bare bool) *execution {
	return r.conducted(seed, watched{watcher}, bare)
}

// conducted is carryOut with a conductor. What a conductor has ended is not judged.
func (r *Runner) conducted(seed uint64, by conductor, bare bool) *execution {
	p := r.plan
	defer p.explainPanic(seed)
	cfg := p.Config(seed)
	cfg.Scheduler = r.scheduler(&cfg)
	by.begin(&cfg)
	x := &execution{seed: seed}
	misdeeds := r.happens(cfg, by, x)
	if x.history == nil {
		return nil
	}
	if more := r.judge(&cfg, x, bare); misdeeds == nil {
		misdeeds = more // else they are of the same App, which is executed again
	}
	p.accuse(x, misdeeds)
	x.coordinator = p.coordinatorResult(x.history)
	x.exercised = exercised(x.history, x.coordinator)
	switch {
	case !x.report.Holds():
		x.verdict = Violated
	case x.history.End.Limited():
		x.verdict = Inconclusive
	default:
		x.verdict = Holds
	}
	return x
}

// Prepare makes an engine ready for a run, in the memory of its last one.
func Prepare(engine **sim.Engine, cfg *sim.Config) {
	var err error
	if *engine == nil {
		*engine, err = sim.New(cfg)
	} else {
		err = (*engine).Reset(cfg)
	}
	if err != nil {
		panic(fmt.Sprintf("scenarios: the engine refuses a resolved scenario: %v", err))
	}
}

// judged is what a verdict on a run of the plan is about.
func (p *Plan) judged(cfg *sim.Config, h *sim.History) *invariants.Run {
	run := invariants.Of(cfg, h)
	run.MaxPending, run.Restarts = p.settings.MaxConcurrent, p.settings.Restart.Least()
	run.Aligned, run.HoldsOutputs = p.Algorithm.Aligned, p.Algorithm.HoldsOutputs
	run.Promise = p.Algorithm.Promise
	if p.Scenario.Sinks == transactional {
		run.HoldsOutputs, run.Transactional = true, true
		run.Waiting = p.waiting
	}
	run.NodeName = func(v int32) string { return p.Graph.Nodes[v] }
	run.ChannelName = p.Graph.ChannelName
	return run
}

// explainPanic adds to a panic which run it happened in, and lets it go on.
func (p *Plan) explainPanic(seed uint64) {
	if cause := recover(); cause != nil {
		panic(fmt.Sprintf("%v\n\nin the run of: %s\n\n%s", cause, p.reproduce(seed), debug.Stack()))
	}
}

// unmet is what of the expectation is not met, or nothing.
func (p *Plan) unmet(x *execution) (problems []string) {
	e := p.Scenario.Expect
	complain := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	want := e.Verdict
	switch {
	case want != "":
	case e.Violation != "":
		want = Violated
	case !e.Incomplete:
		want = Holds
	}
	if want != "" && x.verdict != want {
		complain("the verdict is %s, expected %s", x.verdict, want)
	}
	if e.Violation != "" && !slices.ContainsFunc(x.report.Violations, func(v invariants.Violation) bool { return v.Invariant == e.Violation }) {
		complain("%s is not violated", e.Violation)
	}
	if e.Incomplete {
		if !slices.ContainsFunc(x.history.Snapshots, func(s *sim.Snapshot) bool { return s.Status == sim.Pending }) {
			complain("no snapshot is incomplete")
		}
		for _, v := range x.report.Violations {
			// An incomplete snapshot is what termination complains of.
			if want == "" && v.Invariant != "termination" {
				complain("%s is violated", v.Invariant)
				break
			}
		}
	}
	if complete := x.completed(); e.Snapshots != nil && complete < int64(*e.Snapshots) {
		complain("%s completed, expected at least %d", plural(complete, "snapshot"), *e.Snapshots)
	}
	if e.Recoveries != nil {
		if got := len(x.history.Restores); got != *e.Recoveries {
			complain("%s, expected %d", pluralOf(int64(got), "recovery", "recoveries"), *e.Recoveries)
		}
		for _, i := range x.history.UnfiredFaults {
			complain("fault %d never fired: %s", i, p.Scenario.Faults[i])
		}
	}
	if e.Guarantee != "" {
		problems = append(problems, unmetGuarantee(e.Guarantee, x.report.Ledger)...)
	}
	if e.Exercised != nil {
		least := e.Exercised.exercises()
		for i, got := range x.exercised.exercises() {
			if want := *least[i].count; *got.count < want {
				complain("%s, expected at least %d", pluralOf(*got.count, got.one, got.many), want)
			}
		}
	}
	return problems
}
