package scenarios

import (
	"simrun/scenarios/search"
	"simrun/sim"
)

// This file gives the runs of chosen order their schedulers.

// scheduler is who chooses in a run, unless its plan follows a course; nil leaves it to
// the engine's own random one, which is that of the strategy random, and faster.
func (r *Runner) scheduler(cfg *sim.Config) sim.Scheduler {
	if cfg.Order != sim.Chosen || cfg.Scheduler != nil {
		return cfg.Scheduler
	}
	setting, open := r.plan.search.Alone(cfg.Seed), search.Open(cfg)
	if setting.Strategy == search.Random && len(open) == 0 {
		return nil
	}
	run := search.Run{Seed: cfg.Seed, Nodes: cfg.Graph.Nodes, To: cfg.Graph.To, Open: open}
	if setting.Deep() || len(open) > 0 {
		run.Steps = r.length()
	}
	return setting.New(run)
}

// lengthSeed is the seed of the run that shows how long the runs of a plan are. It is the
// same for all, so that a run does not depend on what was run before.
const lengthSeed = 1

// length is how many steps a run has, about: as many as a random one in which nothing
// happens that is left open.
func (r *Runner) length() int64 {
	if r.steps == 0 {
		cfg := r.plan.Config(lengthSeed)
		cfg.Scheduler, cfg.Rows = search.Necessary(sim.NewRandomScheduler(lengthSeed)), false
		Prepare(&r.engine, &cfg)
		r.steps = max(r.engine.Run().Steps, 1)
	}
	return r.steps
}
