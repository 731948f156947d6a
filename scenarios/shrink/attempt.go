package shrink

import (
	"slices"

	"simrun/scenarios"
	"simrun/sim"
)

// attempt is a scenario in chosen order and the steps that its run is to take. Where in
// them snapshots are triggered, faults strike and the input ends is marked in the list
// itself, so that these move along when steps are left out.
type attempt struct {
	s     *scenarios.Scenario
	items []item
	timed bool // in timed order, without items
}

// item is an entry of an attempt's list: a step, or a mark.
type item struct {
	step  sim.Step
	mark  mark
	index int // of the snapshot among those at an instant, of the savepoint, or of the fault
}

type mark uint8

const (
	aStep mark = iota
	aFault
	theStop
	aTrigger
	aSavepoint
)

// attemptOf is the attempt that is a run as it was.
func attemptOf(s *scenarios.Scenario, course *scenarios.Course) *attempt {
	a := &attempt{s: s, timed: s.Order != "chosen"}
	if a.timed {
		return a
	}
	a.items = withMarks(s, course.Steps)
	return a
}

// withMarks puts the marks of a scenario between the steps of its run: of those at the
// same place faults come first, then the stop, as in the engine.
func withMarks(s *scenarios.Scenario, steps []sim.Step) (items []item) {
	at := func(k int64) {
		for i, f := range s.Faults {
			if f.Step != nil && *f.Step == k {
				items = append(items, item{mark: aFault, index: i})
			}
		}
		if s.Stop.At != nil && s.Stop.At.Value == k {
			items = append(items, item{mark: theStop})
		}
		for i := range s.Snapshots.At {
			if s.Snapshots.At[i].At.Value == k {
				items = append(items, item{mark: aTrigger, index: i})
			}
		}
		for i, m := range savepoints(s) {
			if m.Value == k {
				items = append(items, item{mark: aSavepoint, index: i})
			}
		}
	}
	for k, step := range steps {
		at(int64(k))
		items = append(items, item{step: step})
	}
	at(int64(len(steps)))
	return items
}

// scenario is the attempt's scenario with the marks where they are in the list, and the
// steps without them.
func (a *attempt) scenario() (*scenarios.Scenario, []sim.Step) {
	s := *a.s
	if a.timed {
		return &s, nil
	}
	s.Faults, s.Snapshots.At = slices.Clone(s.Faults), slices.Clone(s.Snapshots.At)
	at := ownSavepoints(&s)
	var steps []sim.Step
	stop := int64(-1)
	for _, x := range a.items {
		k := int64(len(steps))
		switch x.mark {
		case aFault:
			k = max(k, 1)
			s.Faults[x.index].Step = &k
		case theStop:
			stop = k
		case aTrigger:
			s.Snapshots.At[x.index].At = scenarios.Moment{Value: k, Steps: true}
		case aSavepoint:
			if at != nil { // the coordinator may be left out
				at[x.index].Value = k
			}
		default:
			steps = append(steps, x.step)
		}
	}
	if stop < 0 {
		stop = int64(len(steps))
	}
	for _, f := range s.Faults { // the engine asks for faults that come before the stop
		if f.Step != nil {
			stop = max(stop, *f.Step)
		}
	}
	for i := range s.Snapshots.At {
		stop = max(stop, s.Snapshots.At[i].At.Value+1)
	}
	for i := range at {
		stop = max(stop, at[i].Value+1)
	}
	s.Stop = scenarios.Stop{At: &scenarios.Moment{Value: max(stop, 1), Steps: true}, Sources: s.Stop.Sources}
	return &s, steps
}
