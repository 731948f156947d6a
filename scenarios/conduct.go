package scenarios

import (
	"slices"

	"simrun/invariants"
	"simrun/scenarios/audit"
	"simrun/sim"
)

// conduct is the invariant that the Runner judges: nobody else sees what panics.
const conduct = "conduct"

// Audited is the plan with every handler carried out again in its runs, and compared: see
// package audit. The runs are the same.
func (p *Plan) Audited() *Plan { return p.AuditedAs(audit.Usual) }

// AuditedAs is Audited with settings.
func (p *Plan) AuditedAs(s audit.Settings) *Plan {
	own := *p
	own.audit = s
	return &own
}

// Audit says how the plan's runs are audited.
func (p *Plan) Audit() audit.Settings { return p.audit }

// audits says whether the plan's runs are audited.
func (p *Plan) audits() bool {
	return p.audit.Again > 0 && !slices.Contains(p.Scenario.Checks.Off, conduct)
}

// happens lets a run happen, which is over when its conductor or somebody's misdeed has
// ended it, or it has ended by itself.
func (r *Runner) happens(cfg sim.Config, by conductor, x *execution) (misdeeds []audit.Misdeed) {
	p := r.plan
	settings := p.audit
	if !p.audits() {
		settings = audit.Settings{}
	}
	watch := audit.Over(&cfg, settings, audit.Names{Node: func(v int32) string { return p.Graph.Nodes[v] }, Channel: p.Graph.ChannelName})
	started := false
	deed := watch.Run(func() {
		Prepare(&r.engine, &cfg)
		started = true
		watch.Started(r.engine)
		by.started(r.engine)
		for by.goesOn() && r.engine.Step(by.stride()) {
		}
		if by.goesOn() {
			by.ended()
			x.history = r.engine.Run()
		}
	})
	switch {
	case deed == nil && x.history != nil:
		return watch.Ended(x.history)
	case deed == nil:
		return nil
	case started:
		x.history = r.engine.Abandon()
		if by.goesOn() {
			by.ended()
		}
	default:
		x.history = &sim.History{End: sim.Misbehaved}
	}
	r.engine = nil // a goroutine that is stuck may have it
	return []audit.Misdeed{*deed}
}

// judge lets the run be judged. Apps are executed again there, and may panic.
func (r *Runner) judge(cfg *sim.Config, x *execution, bare bool) (misdeeds []audit.Misdeed) {
	p := r.plan
	x.run = p.judged(cfg, x.history)
	if x.history.Final.Offsets == nil { // it has not begun
		x.report = &invariants.Report{}
		return nil
	}
	deed := audit.Judging(func() {
		if bare || x.history.HeldBack {
			x.run.Bare = r.runBare(cfg, x.history)
		}
		x.run.BareAfter = r.runBareAfter(cfg, x.history, bare)
		x.report = r.checker.Check(x.run, p.Scenario.Checks.Off)
	})
	if deed == nil {
		return nil
	}
	r.bare, r.checker, x.run.Bare, x.run.BareAfter = nil, invariants.Checker{}, nil, nil
	x.report = invariants.Unjudged(x.run)
	return []audit.Misdeed{*deed}
}

// accuse adds misdeeds to the report on a run.
func (p *Plan) accuse(x *execution, misdeeds []audit.Misdeed) {
	if slices.Contains(p.Scenario.Checks.Off, conduct) {
		return
	}
	if p.audits() || len(misdeeds) > 0 {
		x.report.Checks = append(x.report.Checks, conduct)
	}
	for _, m := range misdeeds {
		if m.Snapshot > 0 {
			x.report.Snapshots[m.Snapshot-1] = invariants.Violated
		}
		x.report.Violations = append(x.report.Violations, invariants.Violation{
			Invariant: conduct, Snapshot: m.Snapshot, Restore: -1, Node: m.Node, Channel: -1, Misdeed: m.Kind, Detail: m.Detail,
		})
	}
}
