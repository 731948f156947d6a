package scenarios

import "simrun/sim"

// Loosely is a Scheduler that takes the steps of a list as far as they are possible, and
// leaves out those that are not. When they are over it takes the smallest that there is:
// kind before place.
type Loosely struct {
	steps []sim.Step
	at    int
}

// NewLoosely is a Loosely for these steps.
func NewLoosely(steps []sim.Step) *Loosely { return &Loosely{steps: steps} }

// Pick implements sim.Scheduler.
func (l *Loosely) Pick(_ int64, enabled sim.Enabled) int {
	for ; l.at < len(l.steps); l.at++ {
		if i := sim.IndexOf(enabled, l.steps[l.at]); i >= 0 {
			l.at++
			return i
		}
	}
	least := 0
	for i := 1; i < enabled.Len(); i++ {
		if enabled.At(i).Compare(enabled.At(least)) < 0 {
			least = i
		}
	}
	return least
}
