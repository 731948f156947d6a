package scenarios

import (
	"fmt"
	"slices"

	"simrun/algorithms/coordinator"
	"simrun/invariants"
	"simrun/scenarios/apps"
	"simrun/scenarios/audit"
	"simrun/scenarios/search"
	"simrun/scenarios/units"
	"simrun/sim"
	"simrun/topology"
)

// Plan is a scenario that is ready to run, with any seed. Nothing changes it, so
// that runs on several goroutines share one.
type Plan struct {
	// Scenario is the scenario with every default filled in. Printed, it is a
	// scenario that gives the same run.
	Scenario *Scenario
	Name     string
	Seed     uint64 // the scenario's

	Algorithm  *Algorithm
	Graph      *topology.Graph
	Workload   *apps.Workload
	Initiators []int32 // ascending
	BackEdge   []bool  // by channel; nil if the algorithm needs none or there are none

	// Files is every file that the plan was made from: the scenario's, and those
	// that it names.
	Files []string

	set      []Setting            // that stand in place of what the file says
	repeat   string               // the command that repeats its run; "": one of the program
	program  string               // how commands that reproduce a run begin
	restored string               // the checkpoint that its run begins with; "": none
	waiting  [][]sim.Message      // what that holds of transactions that had not left; see invariants.Run
	choices  []sim.Step           // that its run takes; nil: others decide
	replayed string               // the reproducer that it was read from; "": none
	audit    audit.Settings       // of its runs
	config   sim.Config           // all but what depends on the seed
	settings coordinator.Settings // if there is a coordinator
	search   search.Setting       // in chosen order
}

// Overrides is what a command line says instead of the file.
type Overrides struct {
	Algorithm string  // "": the file's
	Seed      *uint64 // nil: the file's
	Strategy  string  // "": the file's; it must be in chosen order
	Depth     *int    // of the strategy; nil: the file's, or the strategy's own
}

// Config is the engine's part of a run with this seed. Rows are on, because the
// verdict needs them. The caller may change it.
func (p *Plan) Config(seed uint64) sim.Config {
	cfg := p.config
	cfg.Seed, cfg.Rows = seed, true
	p.Workload.Into(&cfg)
	if p.choices != nil {
		cfg.Scheduler = NewLoosely(p.choices)
	}
	return cfg
}

// resolver turns a scenario into a Plan, section by section.
type resolver struct {
	*Scenario // a copy, to be filled in
	catalogue Catalogue
	plan      *Plan
}

// Resolve checks a scenario, fills in its defaults, and builds what it asks for.
func (s *Scenario) Resolve(c Catalogue, o Overrides) (*Plan, error) {
	filled := *s
	r := &resolver{Scenario: &filled, catalogue: c, plan: &Plan{Scenario: &filled, Name: s.Name, program: c.program(), set: s.settings}}
	if s.doc != nil {
		r.plan.Files = []string{s.Name}
	}
	for _, step := range []func() error{
		func() error { return r.head(o) },
		func() error { return r.strategy(o) },
		r.graph, r.app, r.network, r.snapshots, r.roots, r.coordinator, r.sinks, r.stop, r.faults, r.checks, r.expect,
	} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return r.plan, nil
}

func (r *resolver) fail(message, right string, path ...any) error {
	return r.doc.fail(message, right, path...)
}

// oneOf checks a word that must be one of a few; an empty one is the first.
func (r *resolver) oneOf(word *string, what string, names []string, path ...any) error {
	if *word == "" {
		*word = names[0]
	}
	for _, name := range names {
		if *word == name {
			return nil
		}
	}
	return r.fail(fmt.Sprintf("%s is %s", what, quote(*word)), choose(*word, names), path...)
}

const (
	timed  = "timed"
	chosen = "chosen"
)

// head resolves the fields that stand for themselves.
func (r *resolver) head(o Overrides) error {
	if r.Version != 1 {
		return r.fail(fmt.Sprintf("version is %d", r.Version), "this simrun reads version 1", "version")
	}
	if err := r.oneOf(&r.Order, "order", []string{timed, chosen}, "order"); err != nil {
		return err
	}
	if r.Order == chosen {
		r.plan.config.Order = sim.Chosen
	}
	if err := r.algorithm(o); err != nil {
		return err
	}
	replays := []string{"from-offset", "none"}
	if r.plan.Algorithm.Unsaved {
		slices.Reverse(replays)
	}
	if err := r.oneOf(&r.Replay, "replay", replays, "replay"); err != nil {
		return err
	}
	if r.Replay == "none" {
		r.plan.config.Replay = sim.NoReplay
	}
	if o.Seed != nil {
		r.Seed = o.Seed
	}
	if r.Seed == nil {
		r.Seed = new(uint64)
		*r.Seed = 1
	}
	r.plan.Seed = *r.Seed
	return nil
}

func (r *resolver) algorithm(o Overrides) error {
	if r.Algorithm == "" {
		r.Algorithm = r.catalogue.Algorithms[0].Name
	}
	if o.Algorithm != "" {
		r.Algorithm = o.Algorithm
	}
	a := r.catalogue.Algorithm(r.Algorithm)
	if a == nil {
		message, right := "no algorithm is named "+quote(r.Algorithm), r.catalogue.chooseAlgorithm(r.Algorithm)
		if o.Algorithm != "" {
			return &Error{Message: message, Right: right}
		}
		return r.fail(message, right, "algorithm")
	}
	r.plan.Algorithm = a
	r.plan.config.NewNode = a.New
	r.plan.config.Duplicates = a.Promise == invariants.AtLeastOnce
	return nil
}

// moment checks an instant against the order of the run.
func (r *resolver) moment(m Moment, what string, path ...any) error {
	switch {
	case r.Order == timed && m.Steps && m.Value != 0:
		return r.fail(fmt.Sprintf("%s is %d, without a unit", what, m.Value), fmt.Sprintf("write a duration, such as %dms", m.Value), path...)
	case r.Order == chosen && !m.Steps && m.Value != 0:
		return r.fail(what+" is a duration, but in order: chosen time is the number of steps", "write a number without a unit", path...)
	case !m.Steps && m.Value > int64(longest):
		return r.fail(what+": "+tooLong(units.Duration(m.Value)).Error(), "", path...)
	}
	return nil
}

func (r *resolver) stop() error {
	if r.Stop.At == nil && r.Stop.Records == nil {
		r.Stop.At = &Moment{200_000_000, false}
		if r.Order == chosen {
			r.Stop.At = &Moment{2000, true}
		}
	}
	if at := r.Stop.At; at != nil {
		if err := r.moment(*at, "stop", "stop", "at"); err != nil {
			return err
		}
		if at.Value == 0 {
			return r.fail("a run that stops at 0 has no input", "leave it out or write a later instant, such as 200ms", "stop", "at")
		}
		r.plan.config.Stop.At = at.Value
		if err := r.beforeStop(*at); err != nil {
			return err
		}
	}
	if records := r.Stop.Records; records != nil {
		if *records < 1 {
			return r.fail(fmt.Sprintf("records is %d", *records), "write 1 or more", "stop", "records")
		}
		r.plan.config.Stop.Records = *records
	}
	if err := r.limits(); err != nil {
		return err
	}
	if r.Steps == nil {
		r.Steps = new(int64)
		*r.Steps = sim.DefaultMaxSteps
	}
	if *r.Steps < 1 {
		return r.fail(fmt.Sprintf("steps is %d", *r.Steps), "write 1 or more", "steps")
	}
	r.plan.config.MaxSteps = *r.Steps
	return nil
}
