package scenarios

import (
	"cmp"
	"slices"
	"strings"

	"simrun/algorithms/abs"
	"simrun/algorithms/chandylamport"
	"simrun/algorithms/coordinator"
	"simrun/algorithms/looped"
	"simrun/algorithms/stoptheworld"
	"simrun/algorithms/tracking"
	"simrun/invariants"
	"simrun/scenarios/apps"
	"simrun/sim"
)

// Algorithm is a snapshot algorithm that a scenario can name.
type Algorithm struct {
	Name string
	Doc  string // one line
	// New makes its nodes. Where there is a coordinator, coordinator.Task makes tasks of
	// those that are none yet.
	New sim.NewNode
	// BackEdges says that the algorithm must be told the back-edges of a cyclic
	// graph: those that the scenario declares, else those that a depth-first
	// search from the initiators finds.
	BackEdges bool
	// Aligned says that it promises cuts with nothing in flight off the
	// back-edges; the invariant abs-staged holds it to that.
	Aligned bool
	// HoldsOutputs says that it may keep what an App sends and let it go later;
	// without it, the invariant non-interference calls that interference.
	HoldsOutputs bool
	// Invisible says that it promises to change nothing at all of the computation in
	// timed order; non-interference then compares the run with one without snapshots.
	Invisible bool
	// Promise is what it promises of the effects of each source record after a crash;
	// "" is exactly-once.
	Promise invariants.Guarantee
	// Unsaved says that it takes no snapshots: none is triggered, and unless a file says
	// otherwise nothing is read again.
	Unsaved bool
	// Acyclic says that it cannot work on a graph with cycles, Coordinated that it
	// cannot work without a coordinator, and Lossless that no control message may be lost.
	Acyclic, Coordinated, Lossless bool
	// Coordinator is a coordinator of its own, with a scenario's settings; nil: the one
	// of package coordinator.
	Coordinator func(coordinator.Settings) sim.Coordinator
	// Sink goes around an algorithm as its transactional sink; nil: twophase.Sink. One
	// that has it runs only with transactional sinks.
	Sink func(sim.NewNode) sim.NewNode
	// Wrong says that the algorithm is wrong on purpose.
	Wrong bool
	// Number and Catches are of wrong ones: a number that stays what it is, and
	// the invariant that must be violated where the mistake shows.
	Number  int
	Catches string
}

// Catalogue is what scenarios can name. It is a value: a main of one's own adds
// to it and hands it on. Nothing changes it while it is in use.
type Catalogue struct {
	Algorithms []Algorithm
	Apps       []apps.Kind
	// Program is the name under which people call the program, as it stands in
	// the commands that reports tell them to run; "" is simrun.
	Program string
}

func (c Catalogue) program() string { return cmp.Or(c.Program, "simrun") }

// Default is the catalogue of everything in this module.
func Default() Catalogue {
	c := Catalogue{
		Algorithms: []Algorithm{
			{Name: "chandy-lamport", Doc: "Chandy and Lamport 1985: markers, and channel states recorded until a channel's marker", New: chandylamport.New, Invisible: true},
			{Name: "abs", Doc: "Asynchronous Barrier Snapshotting, Carbone et al. 2015: aligned barriers, and a log of the back-edges", New: abs.New, BackEdges: true, Aligned: true},
			{Name: "tracking", Doc: "barrier tracking, Flink's at-least-once mode: barriers are counted, and no input waits for the others", New: tracking.New, BackEdges: true, Promise: invariants.AtLeastOnce},
			{Name: "stop-the-world", Doc: "as in Naiad: the sources halt, what is in flight is drained, everybody saves; for graphs without cycles, under a coordinator", New: stoptheworld.New, BackEdges: true, Aligned: true, Acyclic: true, Coordinated: true, Lossless: true},
			{Name: "no-snapshots", Doc: "at most once: nothing is saved; after a crash every node begins anew, and the sources go on", New: newPassing, Promise: invariants.AtMostOnce, Unsaved: true},
			{Name: "loop-hold-outputs", Doc: "ABS that waits for the loops: what it emits meanwhile is held, and part of the snapshot", New: looped.NewHoldOutputs, BackEdges: true, Aligned: true, HoldsOutputs: true},
			{Name: "loop-hold-inputs", Doc: "ABS that waits for the loops: what they bring meanwhile is held, and part of the snapshot", New: looped.NewHoldInputs, BackEdges: true, Aligned: true},
			{Name: "loop-no-log", Doc: "ABS that waits for the loops and holds nothing: what it emits meanwhile is lost", New: looped.NewNoLog, BackEdges: true, Aligned: true, Wrong: true, Number: 26, Catches: "channel-state"},
		},
		Apps: apps.Kinds(),
	}
	c.Algorithms = append(c.Algorithms, wrong()...)
	c.Algorithms = append(c.Algorithms, wrongUnderCoordinator()...)
	return c
}

// Algorithm is the algorithm with this name, or nil.
func (c Catalogue) Algorithm(name string) *Algorithm {
	for i := range c.Algorithms {
		if c.Algorithms[i].Name == name {
			return &c.Algorithms[i]
		}
	}
	return nil
}

// Named is the algorithm with this name, or an error that says what there is.
func (c Catalogue) Named(name string) (*Algorithm, error) {
	if a := c.Algorithm(name); a != nil {
		return a, nil
	}
	return nil, &Error{Message: "no algorithm is named " + quote(name), Right: c.chooseAlgorithm(name)}
}

// AlgorithmNames is the names of the algorithms, in the catalogue's order.
func (c Catalogue) AlgorithmNames() []string {
	var names []string
	for _, a := range c.Algorithms {
		names = append(names, a.Name)
	}
	return names
}

// CheckAlgorithms refuses a list of algorithms in which one is unknown or named twice, or
// none is named, and says all that is wrong with it.
func (c Catalogue) CheckAlgorithms(algorithms []string) error {
	if len(algorithms) == 0 {
		return &Error{Message: "no algorithm to compare is named", Right: c.chooseAlgorithm("")}
	}
	var problems []string
	unknown := ""
	for i, name := range algorithms {
		switch {
		case slices.Contains(algorithms[:i], name):
			problems = append(problems, "the algorithm "+quote(name)+" is named twice")
		case c.Algorithm(name) == nil:
			problems = append(problems, "no algorithm is named "+quote(name))
			unknown = cmp.Or(unknown, name)
		}
	}
	if problems == nil {
		return nil
	}
	right := "name each once"
	if unknown != "" || slices.Contains(algorithms, "") {
		right = c.chooseAlgorithm(unknown)
	}
	return &Error{Message: strings.Join(slices.Compact(problems), ", "), Right: right}
}

// chooseAlgorithm words what would have been right instead of a name. It does not
// list the algorithms that are wrong on purpose.
func (c Catalogue) chooseAlgorithm(name string) string {
	var right []string
	for _, a := range c.Algorithms {
		if !a.Wrong {
			right = append(right, a.Name)
		}
	}
	text := "there are " + strings.Join(right, ", ")
	if near := Closest(name, c.AlgorithmNames()); near != "" {
		text = "did you mean " + near + "? " + text
	}
	if len(right) < len(c.Algorithms) {
		text += ", and wrong ones, which simrun list shows"
	}
	return text
}

func (c Catalogue) app(name string) *apps.Kind {
	for i := range c.Apps {
		if c.Apps[i].Name == name {
			return &c.Apps[i]
		}
	}
	return nil
}

func (c Catalogue) appNames() []string {
	var names []string
	for _, k := range c.Apps {
		names = append(names, k.Name)
	}
	return names
}
