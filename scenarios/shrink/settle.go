package shrink

import (
	"slices"

	"simrun/scenarios"
	"simrun/sim"
)

// settled is the attempt in which the snapshots and crashes that its scenario leaves to a
// search are planned, where its steps have them: then they can be left out one by one,
// and nobody has to know about searches who reads what is left. Losses have no place in a
// plan that moves along with the steps, and stay.
func (a *attempt) settled(nodes []string) *attempt {
	s := *a.s
	own := &attempt{s: &s}
	s.Faults, s.Snapshots.At, s.Snapshots.Any = slices.Clone(s.Faults), slices.Clone(s.Snapshots.At), 0
	for _, it := range a.items {
		if it.mark == aStep && it.step.Kind == sim.StepSnapshot {
			it = item{mark: aTrigger, index: len(s.Snapshots.At)}
			s.Snapshots.At = append(s.Snapshots.At, scenarios.SnapshotAt{Initiators: s.Snapshots.Initiators})
		}
		if it.mark == aStep && it.step.Kind == sim.StepCrash {
			name := scenarios.CoordinatorName
			if v := int(it.step.Entity); v < len(nodes) {
				name = nodes[v]
			}
			it = item{mark: aFault, index: len(s.Faults)}
			s.Faults = append(s.Faults, scenarios.Fault{Crash: scenarios.Names{name}, Step: new(int64)})
		}
		own.items = append(own.items, it)
	}
	for i := len(s.Faults) - 1; i >= 0; i-- {
		if s.Faults[i].Times != nil {
			s.Faults = slices.Delete(s.Faults, i, i+1)
			own.drop(aFault, i)
		}
	}
	return own
}

// leavesOpen says whether there is anything to settle.
func (a *attempt) leavesOpen() bool {
	return !a.timed && (a.s.Snapshots.Any > 0 || slices.ContainsFunc(a.s.Faults, func(f scenarios.Fault) bool { return f.Times != nil }))
}

// bySearch says whether a trigger of a course was a step of it: it is the first of those
// that came with that step.
func bySearch(course *scenarios.Course, i int) bool {
	after := course.Triggers[i].After
	return after > 0 && course.Steps[after-1].Kind == sim.StepSnapshot && (i == 0 || course.Triggers[i-1].After != after)
}
