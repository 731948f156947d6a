package scenarios

import (
	"fmt"
	"math"
	"slices"

	"simrun/scenarios/units"
	"simrun/sim"
)

// FaultKinds are the keys that say when a crash happens, and how.
func FaultKinds() []Named {
	return []Named{
		{"at", "a crash at an instant of virtual time: {crash: [a], at: 20ms}"},
		{"step", "a crash after so many steps of the run: {crash: [a, b], step: 90}"},
		{"when", "a crash when the first node reaches a phase of a snapshot: {crash: [a], when: {phase: aligning, snapshot: 2, occurrence: 1}}"},
		{"times", "in chosen order a crash of one of the nodes, or of any, when the search says so, at most so many times: {crash: any, times: 2}"},
		{"after-outputs", "with any of the first three: the crash falls inside a handler, after so many of its outputs"},
		{"down", "with any of them: how long the nodes stay down, 5ms if nothing is said"},
	}
}

// faults resolves the crashes.
func (r *resolver) faults() error {
	r.Faults = slices.Clone(r.Faults)
	for i := range r.Faults {
		f, err := r.fault(&r.Faults[i], i)
		if err != nil {
			return err
		}
		r.plan.config.Faults = append(r.plan.config.Faults, f)
	}
	return nil
}

func (r *resolver) fault(f *Fault, i int) (out sim.Fault, err error) {
	if len(f.Crash) == 0 {
		return out, r.fail("a fault that crashes no node", "write crash: [a]", "faults", i)
	}
	if r.crashesAny(f) {
		out.Nodes = r.all()
		if f.Times == nil {
			f.Times = new(int)
			*f.Times = 1
		}
	} else if out.Nodes, err = r.crashing(f.Crash, "faults", i, "crash"); err != nil {
		return out, err
	}
	if given := count(f.At != nil, f.Step != nil, f.When != nil, f.Times != nil); given != 1 {
		has := "none"
		if given > 0 {
			has = fmt.Sprint(given)
		}
		return out, r.fail("a fault needs one of at, step, when, times, and has "+has, "such as at: 20ms", "faults", i)
	}
	if f.Times != nil {
		return out, r.faultTimes(f, &out, i)
	}
	if err := r.faultInstant(f, &out, i); err != nil {
		return out, err
	}
	if f.When != nil {
		if err := r.faultPhase(f, &out, i); err != nil {
			return out, err
		}
	}
	if n := f.AfterOutputs; n != nil {
		if *n < 0 {
			return out, r.fail(fmt.Sprintf("after-outputs is %d", *n), "write 0 or more", "faults", i, "after-outputs")
		}
		out.AfterOutputs = n
	}
	if f.Down == nil {
		down := units.Duration(5_000_000)
		f.Down = &down
	}
	if *f.Down > longest {
		return out, r.fail("down: "+tooLong(*f.Down).Error(), "", "faults", i, "down")
	}
	out.Down = int64(*f.Down)
	return out, nil
}

// anyNode stands for all nodes in a fault that is left open.
const anyNode = "any"

// crashesAny says whether a fault is about any node there is. A node may have that name.
func (r *resolver) crashesAny(f *Fault) bool {
	_, named := r.plan.Graph.Node(anyNode)
	return !named && len(f.Crash) == 1 && f.Crash[0] == anyNode && count(f.At != nil, f.Step != nil, f.When != nil) == 0
}

// all is every node, and the coordinator, if there is one.
func (r *resolver) all() []int32 {
	n := int32(len(r.plan.Graph.Nodes))
	if r.Coordinator != nil {
		n++
	}
	ids := make([]int32, n)
	for v := range ids {
		ids[v] = int32(v)
	}
	return ids
}

// faultTimes resolves a fault that is left open.
func (r *resolver) faultTimes(f *Fault, out *sim.Fault, i int) error {
	switch {
	case *f.Times < 1:
		return r.fail(fmt.Sprintf("times is %d", *f.Times), "write 1 or more", "faults", i, "times")
	case f.AfterOutputs != nil:
		return r.fail("after-outputs, but the crash comes between two steps, at any of them", "leave it out, or write step or when instead of times", "faults", i, "after-outputs")
	case f.Down != nil:
		return r.fail("down, but there is no time in order: chosen", "leave it out", "faults", i, "down")
	}
	out.Times = *f.Times
	return r.leftOpen(*f.Times, "times", "faults", i, "times")
}

// mostOpen is how often a run may do each of the things that it is free to do.
const mostOpen = 1000

// leftOpen checks how often something that the search decides about may come.
func (r *resolver) leftOpen(n int, what string, path ...any) error {
	switch {
	case n < 0 || n > mostOpen:
		return r.fail(fmt.Sprintf("%s is %d", what, n), fmt.Sprintf("write a number from 1 to %d", mostOpen), path...)
	case n > 0 && r.Order != chosen:
		return r.fail("something that may come at any step, but in order: timed nobody chooses when", "write order: chosen, or when it comes", path...)
	}
	return nil
}

// crashes is how many crashes the faults can be.
func (r *resolver) crashes() (n int) {
	for i := range r.Faults {
		if t := r.Faults[i].Times; t != nil {
			n += *t
		} else {
			n++
		}
	}
	return n
}

func count(set ...bool) (n int) {
	for _, s := range set {
		if s {
			n++
		}
	}
	return n
}

// faultInstant resolves at and step. The engine takes 0 for "not used".
func (r *resolver) faultInstant(f *Fault, out *sim.Fault, i int) error {
	if at := f.At; at != nil {
		switch {
		case r.Order == chosen:
			return r.fail("a fault at an instant, but order: chosen knows no time", "write step: 90 or when: {phase: recorded}", "faults", i, "at")
		case *at == 0:
			return r.fail("a crash at 0ns, before anything happened", "write 1ns or more", "faults", i, "at")
		case *at > longest:
			return r.fail("at: "+tooLong(*at).Error(), "", "faults", i, "at")
		case r.Stop.At != nil && int64(*at) >= r.Stop.At.Value:
			return r.fail(fmt.Sprintf("a crash at %v, but the run stops at %v and no fault begins then or later", *at, r.Stop.At),
				"write an earlier instant, or a later one for stop: {at: ...}", "faults", i, "at")
		}
		out.At = int64(*at)
	}
	if step := f.Step; step != nil {
		if *step < 1 {
			return r.fail(fmt.Sprintf("step is %d", *step), "write 1 or more", "faults", i, "step")
		}
		if err := r.stepComes(*step, i); err != nil {
			return err
		}
		out.Step = *step
	}
	return nil
}

// stepComes refuses a step that no run reaches.
func (r *resolver) stepComes(step int64, i int) error {
	const right = "write an earlier step, or a higher limit"
	switch stop := r.Stop.At; {
	case step >= *r.Steps:
		return r.fail(fmt.Sprintf("a crash after step %d, but the run is given up after steps: %d", step, *r.Steps), right, "faults", i, "step")
	case r.Order == chosen && stop != nil && step > stop.Value:
		return r.fail(fmt.Sprintf("a crash after step %d, but the run stops at step %d and no fault begins later", step, stop.Value), right, "faults", i, "step")
	}
	return nil
}

func (r *resolver) faultPhase(f *Fault, out *sim.Fault, i int) error {
	when := *f.When
	f.When = &when
	var names []string
	for _, p := range Phases() {
		names = append(names, p.Name)
		if p.Name == when.Phase {
			out.Phase = p.Sim
		}
	}
	if out.Phase == sim.NoPhase {
		return r.fail("phase is "+quote(when.Phase), choose(when.Phase, names), "faults", i, "when", "phase")
	}
	coordinator := int(out.Nodes[0]) == len(r.plan.Graph.Nodes)
	switch {
	case r.plan.config.Management.New == nil && out.Phase.Managed():
		return r.fail("phase "+when.Phase+", but the scenario has no coordinator", "without one there are "+phaseNames(func(p sim.Phase) bool { return !p.Managed() }), "faults", i, "when", "phase")
	case coordinator && !out.Phase.OfCoordinator():
		return r.fail("the coordinator does not come to the phase "+when.Phase, "it comes to "+phaseNames(sim.Phase.OfCoordinator), "faults", i, "when", "phase")
	}
	if when.Occurrence == nil {
		when.Occurrence = new(int)
		*when.Occurrence = 1
	}
	if n := *when.Occurrence; n < 1 || n > math.MaxInt32 {
		return r.fail(fmt.Sprintf("occurrence is %d", n), "write 1 or more", "faults", i, "when", "occurrence")
	}
	out.Snapshot, out.Occurrence = sim.SnapshotID(when.Snapshot), *when.Occurrence
	return nil
}
