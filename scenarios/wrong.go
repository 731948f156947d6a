package scenarios

import (
	"simrun/algorithms/abs"
	"simrun/algorithms/coordinator"
	"simrun/algorithms/mutants"
	"simrun/sim"
)

// wrong is the algorithms that are wrong on purpose and show it without a coordinator.
func wrong() (list []Algorithm) {
	for _, m := range mutants.All() {
		barriers := m.Base == "abs"
		list = append(list, Algorithm{
			Name: m.Name, Doc: m.Base + " done wrong: " + m.Doc, New: m.New,
			BackEdges: barriers, Aligned: barriers, Invisible: !barriers, Wrong: true, Number: m.Number, Catches: m.Catches,
		})
	}
	return list
}

// wrongUnderCoordinator is wrong coordinators of abs, abs as wrong tasks of the right
// coordinator, and wrong transactional sinks around it.
func wrongUnderCoordinator() (list []Algorithm) {
	for _, m := range mutants.Managed() {
		a := Algorithm{
			Name: m.Name, Doc: "abs as tasks of a coordinator, done wrong: " + m.Doc, New: m.New,
			BackEdges: true, Aligned: true, Coordinated: true, Wrong: true, Number: m.Number, Catches: m.Catches,
		}
		if m.Coordinator != nil {
			a.Doc, a.New = "a coordinator done wrong: "+m.Doc, abs.New
			a.Coordinator = func(s coordinator.Settings) sim.Coordinator {
				return m.Coordinator(mutants.Timing{Interval: s.Interval, Timeout: s.Timeout, Restart: s.Restart.Delay, Concurrent: s.MaxConcurrent, Retained: s.Retained})
			}
		}
		list = append(list, a)
	}
	for _, m := range mutants.Sinks() {
		list = append(list, Algorithm{
			Name: m.Name, Doc: "a transactional sink done wrong: " + m.Doc, New: abs.New, Sink: m.New,
			BackEdges: true, Aligned: true, Coordinated: true, Wrong: true, Number: m.Number, Catches: m.Catches,
		})
	}
	return list
}
