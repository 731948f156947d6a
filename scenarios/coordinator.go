package scenarios

import (
	"errors"
	"fmt"
	"slices"

	"simrun/algorithms/coordinator"
	"simrun/scenarios/units"
	"simrun/sim"
)

// Coordinator is a checkpoint coordinator, which takes the snapshots in place of
// Snapshots. In chosen order its alarms go off at any step, and its times mean nothing
// but that there is an alarm.
type Coordinator struct {
	Interval      *units.Duration `yaml:"interval,omitempty"`        // between two triggers
	MinPause      *units.Duration `yaml:"min_pause,omitempty"`       // from the end of a checkpoint to the next trigger
	Timeout       *units.Duration `yaml:"timeout,omitempty"`         // after which a checkpoint is aborted
	MaxConcurrent *int            `yaml:"max_concurrent,omitempty"`  // pending checkpoints
	Tolerable     *int            `yaml:"tolerable,omitempty"`       // failed checkpoints in a row
	Retained      *int            `yaml:"retained,omitempty"`        // stored checkpoints
	Finish        bool            `yaml:"finish,omitempty"`          // tasks finish when their input has ended
	Savepoints    []Moment        `yaml:"savepoints,flow,omitempty"` // when the user asks for one
	Restart       Restart         `yaml:"restart,flow,omitempty"`
	Recovery      string          `yaml:"recovery,omitempty"`     // what is restored
	Control       ChannelSettings `yaml:"control,flow,omitempty"` // the channels to and from every task
}

// Restart is the restart strategy; which keys it takes depends on it.
type Restart struct {
	Strategy string          `yaml:"strategy,omitempty"`
	Delay    *units.Duration `yaml:"delay,omitempty"`
	Factor   *int64          `yaml:"factor,omitempty"`
	Most     *units.Duration `yaml:"most,omitempty"`
	Limit    *int            `yaml:"limit,omitempty"`
	Per      *units.Duration `yaml:"per,omitempty"`
}

// The restart strategies.
const (
	fixedDelay  = "fixed-delay"
	exponential = "exponential"
	failureRate = "failure-rate"
	noRestart   = "none"
)

// Strategies are the restart strategies that a scenario can name.
func Strategies() []Named {
	return []Named{
		{fixedDelay, "a restart after a delay, at most limit times: {strategy: fixed-delay, delay: 1ms, limit: 3}"},
		{exponential, "each delay is factor times the one before, up to most: {strategy: exponential, delay: 1ms, factor: 2, most: 1s}"},
		{failureRate, "at most limit restarts within any span of per: {strategy: failure-rate, delay: 1ms, limit: 3, per: 100ms}"},
		{noRestart, "none: the first failure ends the run"},
	}
}

// takes is the keys that each strategy takes.
var takes = map[string][]string{
	fixedDelay: {"delay", "limit"}, exponential: {"delay", "factor", "most", "limit"}, failureRate: {"delay", "limit", "per"}, noRestart: {},
}

// coordinator resolves the coordinator, if there is one.
func (r *resolver) coordinator() error {
	if err := r.suited(); err != nil {
		return err
	}
	if r.Coordinator == nil {
		return r.uncoordinated()
	}
	filled := *r.Coordinator
	r.Coordinator = &filled
	if len(r.Snapshots.At) > 0 {
		return r.fail("snapshots at instants of their own, but the coordinator decides when a checkpoint begins", "leave them out, and write coordinator: {interval: 20ms}", "snapshots", "at")
	}
	if a := r.plan.Algorithm; !a.Wrong && !a.Cancels() {
		return r.fail(a.Name+" cannot give a snapshot up, as a coordinator asks when it aborts one", "choose another algorithm, such as abs", "coordinator")
	}
	if err := r.finish(); err != nil {
		return err
	}
	settings, err := r.settings()
	if err != nil {
		return err
	}
	if r.plan.Algorithm.Unsaved {
		settings.Interval, r.Coordinator.Interval, r.Coordinator.Savepoints = 0, new(units.Duration), nil
	}
	if settings.Restart, err = r.restart(); err != nil {
		return err
	}
	if err := r.recovery(); err != nil {
		return err
	}
	settings.Partial = r.partialRecovery()
	plan := &r.plan.config.Management
	if err := r.control(plan); err != nil {
		return err
	}
	if err := r.store(plan); err != nil {
		return err
	}
	r.plan.settings = settings
	plan.New, plan.Sources = r.plan.Algorithm.coordinator(settings), r.plan.Initiators
	if !r.plan.Algorithm.isTask() {
		r.plan.config.NewNode = coordinator.Task(r.surviving(r.plan.Algorithm.New))
	}
	r.plan.config.Snapshots = sim.SnapshotPlan{Initiators: r.plan.Initiators}
	return r.savepoints()
}

// suited refuses what the algorithm cannot work on.
func (r *resolver) suited() error {
	a := r.plan.Algorithm
	var err error
	switch {
	case a.Acyclic && r.plan.BackEdge != nil:
		back := slices.Index(r.plan.BackEdge, true)
		err = r.fail(a.Name+" works only on graphs without cycles, and "+r.plan.Graph.ChannelName(int32(back))+" closes one", "use another algorithm, or another graph", "algorithm")
	case a.Coordinated && r.Coordinator == nil:
		err = r.fail(a.Name+" works only under a coordinator", "write coordinator: {interval: 20ms}", "algorithm")
	}
	if err == nil && a.Lossless && r.Coordinator != nil && r.Coordinator.Control.Lose != nil {
		err = r.fail(a.Name+" needs control channels that lose nothing: a task that is not told that a checkpoint is complete never goes on", "leave it out, or use another algorithm", "coordinator", "control", "lose")
	}
	return unsuited(err)
}

// unsuited says of an error that the scenario is right, but not for the algorithm.
func unsuited(err error) error {
	var e *Error
	if errors.As(err, &e) {
		e.Unsuited = true
	}
	return err
}

// Cancels says whether the algorithm can give a snapshot up.
func (a *Algorithm) Cancels() bool {
	_, ok := a.node().(coordinator.Canceller)
	return ok
}

// isTask says whether the algorithm talks to a coordinator itself.
func (a *Algorithm) isTask() bool {
	_, ok := a.node().(sim.Task)
	return ok
}

// node is one to be asked what it can do.
func (a *Algorithm) node() sim.Node {
	return a.New(sim.NodeInfo{Inputs: 1, Outputs: 1, BackEdge: []bool{false}})
}

// coordinator makes the coordinators of a run.
func (a *Algorithm) coordinator(s coordinator.Settings) func() sim.Coordinator {
	if a.Coordinator == nil {
		return coordinator.New(s)
	}
	return func() sim.Coordinator { return a.Coordinator(s) }
}

// span fills in a duration and checks it.
func (r *resolver) span(d **units.Duration, otherwise, least units.Duration, path ...any) (int64, error) {
	if *d == nil {
		*d = &otherwise
	}
	switch name := path[len(path)-1]; {
	case **d > longest:
		return 0, r.fail(fmt.Sprintf("%v: %v", name, tooLong(**d)), "", path...)
	case **d < least:
		return 0, r.fail(fmt.Sprintf("%v is %v", name, **d), fmt.Sprintf("write %v or more", least), path...)
	}
	return int64(**d), nil
}

// whole fills in a number and checks it.
func (r *resolver) whole(n **int, otherwise, least int, path ...any) (int, error) {
	if *n == nil {
		*n = &otherwise
	}
	if **n < least || **n > sim.MaxOpen {
		return 0, r.fail(fmt.Sprintf("%v is %d", path[len(path)-1], **n), fmt.Sprintf("write a number from %d to %d", least, sim.MaxOpen), path...)
	}
	return **n, nil
}

// settings resolves when the coordinator does what.
func (r *resolver) settings() (s coordinator.Settings, err error) {
	c := r.Coordinator
	interval := units.Duration(r.Snapshots.Every.Value)
	if r.Snapshots.Every.Steps {
		interval *= 1_000_000 // any step is as good as another; 0 is never
	}
	for _, x := range []struct {
		key            string
		value          **units.Duration
		otherwise, min units.Duration
		to             *int64
	}{
		{"interval", &c.Interval, interval, 0, &s.Interval},
		{"min_pause", &c.MinPause, 0, 0, &s.MinPause},
		{"timeout", &c.Timeout, 600e9, 0, &s.Timeout},
	} {
		if *x.to, err = r.span(x.value, x.otherwise, x.min, "coordinator", x.key); err != nil {
			return s, err
		}
	}
	for _, x := range []struct {
		key            string
		value          **int
		otherwise, min int
		to             *int
	}{
		{"max_concurrent", &c.MaxConcurrent, 1, 1, &s.MaxConcurrent},
		{"tolerable", &c.Tolerable, 0, 0, &s.Tolerable},
		{"retained", &c.Retained, 1, 1, &s.Retained},
	} {
		if *x.to, err = r.whole(x.value, x.otherwise, x.min, "coordinator", x.key); err != nil {
			return s, err
		}
	}
	return s, nil
}

// restart resolves the restart strategy.
func (r *resolver) restart() (s coordinator.Restart, err error) {
	x := &r.Coordinator.Restart
	at := func(key string) []any { return []any{"coordinator", "restart", key} }
	var names []string
	for _, n := range Strategies() {
		names = append(names, n.Name)
	}
	if err := r.oneOf(&x.Strategy, "strategy", names, at("strategy")...); err != nil {
		return s, err
	}
	taken := takes[x.Strategy]
	for i, given := range []bool{x.Delay != nil, x.Factor != nil, x.Most != nil, x.Limit != nil, x.Per != nil} {
		if key := [...]string{"delay", "factor", "most", "limit", "per"}[i]; given && !slices.Contains(taken, key) {
			return s, r.fail("the restart strategy "+x.Strategy+" has no "+key, "leave it out, or choose another strategy", at(key)...)
		}
	}
	if x.Strategy == noRestart {
		return coordinator.Restart{None: true}, nil
	}
	if s.Delay, err = r.span(&x.Delay, 1_000_000, 0, at("delay")...); err != nil {
		return s, err
	}
	switch x.Strategy {
	case exponential:
		if x.Factor == nil {
			x.Factor = new(int64)
			*x.Factor = 2
		}
		if *x.Factor < 1 || *x.Factor > 1000 {
			return s, r.fail(fmt.Sprintf("factor is %d", *x.Factor), "write a number from 1 to 1000", at("factor")...)
		}
		s.Factor = *x.Factor
		if s.Most, err = r.span(&x.Most, max(*x.Delay, 1e9), *x.Delay, at("most")...); err != nil {
			return s, err
		}
	case failureRate:
		if s.Limit, err = r.whole(&x.Limit, 1, 1, at("limit")...); err != nil {
			return s, err
		}
		s.Per, err = r.span(&x.Per, 60e9, 1, at("per")...)
		return s, err
	}
	if x.Limit != nil {
		s.Limit, err = r.whole(&x.Limit, 1, 1, at("limit")...)
	}
	return s, err
}

// control resolves how control messages travel.
func (r *resolver) control(plan *sim.ManagementPlan) (err error) {
	x := &r.Coordinator.Control
	if x.Delay == nil {
		x.Delay = &Dist{Uniform: &Range{1e6, 3e6}}
	}
	path := []any{"coordinator", "control"}
	if x.Delay, plan.Delay, err = r.dist(x.Delay, 1, append(path, "delay")...); err != nil {
		return err
	}
	for _, f := range []struct {
		key     string
		failure *Failure
	}{{"lose", x.Lose}, {"duplicate", x.Duplicate}} {
		at := append(slices.Clone(path), f.key)
		if f.failure != nil && f.failure.Any != 0 {
			return r.fail("any is for the channels of the graph", "write a rate or messages", append(at, "any")...)
		}
		if f.failure != nil && len(f.failure.Markers) > 0 {
			return r.fail("no markers travel on control channels", "name messages, by number", append(at, "markers")...)
		}
		if err := r.numbered(f.failure, at); err != nil {
			return err
		}
	}
	plan.Fails = sim.Unreliable{Reorder: x.Reorder, Lose: x.Lose.sim(), Duplicate: x.Duplicate.sim()}
	return nil
}

// crashing is the nodes that a fault takes down, the coordinator among them as the
// number behind the last node.
func (r *resolver) crashing(names []string, path ...any) ([]int32, error) {
	at := slices.Index(names, CoordinatorName)
	_, named := r.plan.Graph.Node(CoordinatorName)
	switch {
	case at < 0 || r.Coordinator == nil && named:
		return r.nodes(names, path...)
	case r.Coordinator == nil:
		return nil, r.fail("a crash of the coordinator, and there is none", "write coordinator: {}", append(path, at)...)
	case named:
		return nil, r.fail("coordinator is a node of the graph and the coordinator, too", "give the node another name", append(path, at)...)
	case slices.Contains(names[at+1:], CoordinatorName):
		return nil, r.fail("the coordinator is named twice", "name it once", path...)
	}
	ids, err := r.nodes(slices.Concat(names[:at], names[at+1:]), path...)
	return slices.Insert(ids, min(at, len(ids)), int32(len(r.plan.Graph.Nodes))), err
}
