package scenarios

import (
	"errors"
	"fmt"
	"slices"

	"simrun/sim"
)

// Choices carries out a run in timed order and turns its course into that of a run in
// chosen order in which the same happens to the application, in the same order: its plan,
// and the choices. Delays, service and write times are gone, and every instant is a number
// of choices. The error is why the run cannot be told in this way.
func (p *Plan) Choices(c Catalogue, seed uint64) (*Plan, *Course, error) {
	if p.Scenario.Order == chosen {
		return nil, nil, errors.New("the run is in chosen order: its steps are the choices")
	}
	r := &recorder{}
	timed := p.NewRunner().conducted(seed, r, true)
	s, picks, err := p.inChosenOrder(seed, &r.course, timed.history.UnfiredFaults)
	if err != nil {
		return nil, nil, err
	}
	plan, err := s.Resolve(c, Overrides{})
	if err != nil {
		return nil, nil, fmt.Errorf("in chosen order the scenario is refused: %w", err)
	}
	plan.audit = p.audit
	follow := &listed{steps: picks}
	d := &recorder{inner: follow}
	x := plan.NewRunner().conducted(seed, d, true)
	if follow.missing != nil {
		return nil, nil, fmt.Errorf("in chosen order the step %q, number %d, is not possible", FormatStep(*follow.missing), follow.at+1)
	}
	if timed.history.ApplicationDigest != x.history.ApplicationDigest {
		return nil, nil, errors.New("in chosen order the application does not do the same")
	}
	return plan, &d.course, nil
}

// inChosenOrder is the scenario of a course in chosen order, and the steps to pick.
func (p *Plan) inChosenOrder(seed uint64, course *Course, unfired []int) (*Scenario, []sim.Step, error) {
	s := *p.printed()
	s.doc, s.Order, s.Seed = nil, chosen, &seed
	s.Service, s.Store.Write, s.Store.Read, s.Store.Bandwidth = nil, nil, nil, nil
	s.Network.Delay, s.Network.Channels = nil, nil
	for _, own := range p.Scenario.Network.Channels {
		own.Delay = nil
		if own.Reorder || own.Lose != nil || own.Duplicate != nil {
			s.Network.Channels = append(s.Network.Channels, own)
		}
	}
	if s.Coordinator != nil {
		own := *s.Coordinator
		own.Control.Delay, own.Savepoints = nil, nil
		s.Coordinator = &own
	}
	s.Faults = nil
	for _, f := range p.Scenario.Faults {
		f.Down = nil
		s.Faults = append(s.Faults, f)
	}
	s.Snapshots.Every, s.Snapshots.At = nil, nil
	picks, err := p.retimed(&s, course)
	for _, i := range slices.Backward(unfired) {
		s.Faults = slices.Delete(s.Faults, i, i+1) // in chosen order it could find its moment
	}
	if err == nil && s.Coordinator == nil && s.Snapshots.At == nil {
		s.Snapshots.Every = &Moment{Steps: true} // never, which is not the same as nothing
	}
	return &s, picks, err
}

// retimed gives what the clock decided in a course its place among the choices.
func (p *Plan) retimed(s *Scenario, course *Course) (picks []sim.Step, err error) {
	stop, lastRecord, triggers := int64(-1), int64(-1), 0
	for _, step := range course.Steps {
		k := int64(len(picks))
		switch step.Kind {
		case sim.StepTrigger:
			if course.Triggers[triggers].Savepoint {
				s.Coordinator.Savepoints = append(s.Coordinator.Savepoints, Moment{k, true})
			} else if s.Coordinator == nil {
				s.Snapshots.At = append(s.Snapshots.At, SnapshotAt{At: Moment{k, true}, Initiators: p.nodeNames(course.Triggers[triggers].Initiators)})
			}
			triggers++
		case sim.StepStop:
			stop = k
		case sim.StepFault:
			if f := &s.Faults[step.Index]; f.When == nil {
				if k == 0 {
					return nil, errors.New("a fault strikes before the first step, and in chosen order none can")
				}
				f.At, f.Step = nil, &k
			}
		default:
			if step.Kind == sim.StepExternal {
				lastRecord = k
			}
			picks = append(picks, step)
		}
	}
	// Which records are read is among the choices, so that the input may end with them; but
	// a coordinator is told of the end.
	at := Moment{max(int64(len(picks)), 1), true}
	if s.Coordinator != nil && stop >= 0 {
		if lastRecord >= stop {
			return nil, errors.New("records that were released before the input ended are read later, and in chosen order none is")
		}
		at.Value = max(stop, 1)
	}
	s.Stop = Stop{At: &at, Sources: s.Stop.Sources}
	return picks, nil
}

// Along is the plan of a run that takes the steps of a course, if it is in chosen order.
// file is the reproducer that the course stands in, for the commands that repeat the run.
func (p *Plan) Along(course *Course, file string) *Plan {
	own := *p
	own.replayed = file
	if p.Scenario.Order == chosen {
		own.choices = course.Steps
	}
	return &own
}

// listed is the Scheduler that takes the steps of a list; when they are over it takes
// what is there.
type listed struct {
	steps   []sim.Step
	at      int
	missing *sim.Step // the first that was not there
}

// Pick implements sim.Scheduler.
func (l *listed) Pick(_ int64, enabled sim.Enabled) int {
	if l.missing != nil || l.at == len(l.steps) {
		return 0
	}
	i := sim.IndexOf(enabled, l.steps[l.at])
	if i < 0 {
		l.missing = &l.steps[l.at]
		return 0
	}
	l.at++
	return i
}
