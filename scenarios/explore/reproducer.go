package explore

import (
	"fmt"
	"slices"

	"simrun/scenarios"
	"simrun/scenarios/reproducer"
	"simrun/sim"
)

// Reproducer is the run of the violation that was found, or nil if there is none. tool is
// the version of the program. It begins with all snapshots, as the search does: their
// orders to initiate are then carried out where the schedule says so.
func (r *Result) Reproducer(c scenarios.Catalogue, tool string) (*reproducer.Reproducer, error) {
	v := r.Violation
	if v == nil {
		return nil, nil
	}
	s := r.plan.ByID()
	limit := int64(sim.DefaultMaxSteps) // that of the scenario ended no schedule
	s.Seed, s.Steps = &r.Seed, &limit
	steps := begun(s, !r.plan.Algorithm.BackEdges)
	plan, err := s.Resolve(c, scenarios.Overrides{})
	if err != nil {
		return nil, fmt.Errorf("the schedule cannot be kept: %w", err)
	}
	_, course := plan.NewRunner().RecordBy(plan.Seed, scenarios.NewLoosely(append(steps, v.schedule...)))
	found, res, err := reproducer.Along(plan, course, tool)
	if err != nil {
		return nil, err
	}
	for _, invariant := range v.Violates {
		for i := range res.Violations {
			if res.Violations[i].Invariant == invariant {
				return found, nil
			}
		}
	}
	return nil, fmt.Errorf("the schedule cannot be kept: its run, carried on to the end, does not violate %s", v.Violates[0])
}

// begun puts every snapshot of a scenario at its beginning, and lets the input end by
// itself. It returns the steps that begin those which may begin at any step: all, unless
// some have initiators of their own, which not every algorithm takes notice of.
func begun(s *scenarios.Scenario, own bool) (steps []sim.Step) {
	end := scenarios.Moment{Value: *s.Steps - 1, Steps: true}
	s.Stop = scenarios.Stop{At: &end}
	others := func(at scenarios.SnapshotAt) bool { return len(at.Initiators) > 0 }
	if !own || !slices.ContainsFunc(s.Snapshots.At, others) {
		s.Snapshots.Any, s.Snapshots.At = s.Snapshots.Any+len(s.Snapshots.At), nil
	}
	s.Snapshots.At = append([]scenarios.SnapshotAt(nil), s.Snapshots.At...)
	for i := range s.Snapshots.At {
		at := &s.Snapshots.At[i]
		at.At = scenarios.Moment{Steps: true}
		if len(at.Initiators) == 0 {
			at.Initiators = s.Snapshots.Initiators // one of its own, beside the others
		}
	}
	for range s.Snapshots.Any {
		steps = append(steps, sim.Step{Kind: sim.StepSnapshot})
	}
	return steps
}
