package shrink

import (
	"slices"

	"simrun/scenarios"
)

// savepoints is when the user asks for some.
func savepoints(s *scenarios.Scenario) []scenarios.Moment {
	if s.Coordinator == nil {
		return nil
	}
	return s.Coordinator.Savepoints
}

// ownSavepoints is the same, for a scenario of whose coordinator nobody else has the
// savepoints.
func ownSavepoints(s *scenarios.Scenario) []scenarios.Moment {
	if s.Coordinator == nil {
		return nil
	}
	own := *s.Coordinator
	own.Savepoints = slices.Clone(own.Savepoints)
	s.Coordinator = &own
	return own.Savepoints
}

// lessSavepoints leaves out savepoints.
func (x *shrinker) lessSavepoints() {
	for i := len(savepoints(x.best.s)) - 1; i >= 0 && !x.over(); i-- {
		a := x.change()
		at := ownSavepoints(a.s)
		a.s.Coordinator.Savepoints = slices.Delete(at, i, i+1)
		a.drop(aSavepoint, i)
		x.takeAnyhow(a)
	}
}
