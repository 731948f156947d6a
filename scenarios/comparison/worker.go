package comparison

import (
	"simrun/scenarios"
	"simrun/scenarios/audit"
	"simrun/sim"
)

// What the delay is measured of.
const (
	ofOutputs  = "outputs"
	ofMessages = "messages"
)

// paired is the runs with one seed.
type paired struct {
	runs       []Run    // by algorithm; of one that is refused the zero Run
	reproduces []string // by algorithm: the command that runs it again
	good       []bool   // by algorithm
	delayOf    string
	accounts   int64 // runs with recoveries of whose records nothing is known
}

// worker runs every algorithm with one seed after the other, on one goroutine.
type worker struct {
	plans   []*scenarios.Plan // nil: refused
	runners []*scenarios.Runner
	delayOf func() string
	keep    bool // the Results
	bare    *sim.Engine
}

func newWorker(plans []*scenarios.Plan, delayOf func() string, keep bool) *worker {
	w := &worker{plans: plans, delayOf: delayOf, keep: keep, runners: make([]*scenarios.Runner, len(plans))}
	for i, p := range plans {
		if p != nil {
			w.runners[i] = p.NewRunner()
		}
	}
	return w
}

// some is one of the plans: without snapshots they are all the same.
func (w *worker) some() *scenarios.Plan {
	for _, p := range w.plans {
		if p != nil {
			return p
		}
	}
	return nil
}

// run runs every algorithm with a seed.
func (w *worker) run(seed uint64) paired {
	n := len(w.plans)
	out := paired{runs: make([]Run, n), reproduces: make([]string, n), good: make([]bool, n), delayOf: w.delayOf()}
	base := w.baseline(seed)
	for i, p := range w.plans {
		if p == nil {
			continue
		}
		m := newMeter(p)
		res := w.runners[i].Watch(seed, m)
		m.ended(res.VirtualTime)
		run := Run{Seed: seed, Verdict: res.Verdict, Expected: res.Expected}
		run.Measures = measured(res, m, p.Scenario.Coordinator != nil)
		if base != nil {
			run.Measures.against(base, m.timeline, out.delayOf, res)
		}
		worst, span := m.worst()
		if run.Measures.BlockedWorst = &span; worst >= 0 {
			run.WorstNode = p.Graph.Nodes[worst]
		}
		if w.keep {
			run.Result = res
		}
		if len(res.Recoveries) > 0 && res.Ledger == nil {
			out.accounts++
		}
		out.runs[i], out.reproduces[i], out.good[i] = run, res.Reproduce, res.ExitCode() != 1
	}
	return out
}

// baseline is the timeline of the run without snapshots and faults; nil in chosen order,
// where its instants are the steps of another schedule, and if it cannot be had because an
// App misbehaves.
func (w *worker) baseline(seed uint64) *timeline {
	p := w.some()
	cfg := p.Bare(seed)
	if cfg.Order == sim.Chosen {
		return nil
	}
	t := newTimeline(len(p.Graph.Nodes), len(p.Graph.Channels))
	cfg.Observer = t
	var end sim.End
	deed := audit.Judging(func() {
		scenarios.Prepare(&w.bare, &cfg)
		end = w.bare.Run().End
	})
	if deed != nil || end == sim.Misbehaved {
		w.bare = nil
		return nil
	}
	t.limited = end.Limited()
	return t
}

// kind is what delays are measured of, by the run with this seed.
func (w *worker) kind(seed uint64) string {
	t := w.baseline(seed)
	switch {
	case t == nil:
		return ""
	case t.left > 0:
		return ofOutputs
	}
	return ofMessages
}
