package simtest

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"

	"simrun/invariants"
	"simrun/scenarios"
	"simrun/scenarios/generate"
	"simrun/sim"
)

// Option says what is drawn, or what the algorithm promises. Of two that contradict each
// other the later one counts.
type Option interface{ apply(*settings) }

// settings is what the options say.
type settings struct {
	algorithm scenarios.Algorithm
	drawn     generate.Settings
	runs      int
}

type option func(*settings)

func (o option) apply(s *settings) { o(s) }

// usualRuns is how many scenarios are drawn if nobody says another number.
const usualRuns = 200

// newSettings puts the options together. The error is that they cannot be met.
func newSettings(algorithm sim.NewNode, options []Option) (*settings, error) {
	s := &settings{runs: usualRuns}
	for _, o := range options {
		o.apply(s)
	}
	s.algorithm.New = algorithm
	if s.algorithm.Name == "" {
		s.algorithm.Name = nameOf(algorithm)
	}
	if s.algorithm.Acyclic && s.drawn.Graphs.Kind == generate.Any {
		s.drawn.Graphs.Kind = generate.Acyclic
	}
	s.drawn.Coordinated = s.algorithm.Coordinated
	s.drawn.Partial = s.algorithm.Coordinated && s.algorithm.Aligned
	switch {
	case algorithm == nil:
		return nil, errors.New("simtest: the algorithm is nil")
	case s.runs < 1:
		return nil, fmt.Errorf("simtest: %d runs: there must be one at least", s.runs)
	case s.algorithm.Coordinated && !s.algorithm.Wrong && !s.algorithm.Cancels():
		return nil, errors.New("simtest: under a coordinator an algorithm must be able to give a snapshot up: implement coordinator.Canceller")
	}
	if err := s.drawn.Validate(); err != nil {
		return nil, fmt.Errorf("simtest: %w", err)
	}
	return s, nil
}

// nameOf is the name of the package that an algorithm comes from.
func nameOf(algorithm sim.NewNode) string {
	if algorithm == nil {
		return ""
	}
	name := runtime.FuncForPC(reflect.ValueOf(algorithm).Pointer()).Name()
	name = name[strings.LastIndex(name, "/")+1:]
	name, _, _ = strings.Cut(name, ".")
	return name
}

// catalogue is that of simrun with the algorithm under test in it.
func (s *settings) catalogue() scenarios.Catalogue {
	c := scenarios.Default()
	c.Algorithms = slices.DeleteFunc(c.Algorithms, func(a scenarios.Algorithm) bool { return a.Name == s.algorithm.Name })
	c.Algorithms = slices.Insert(c.Algorithms, 0, s.algorithm)
	return c
}

// Crashes is how many crashes a run has, both bounds included. Without it there are up to
// two, or up to four and another in the middle of a checkpoint under a coordinator.
func Crashes(least, most int) Option {
	return option(func(s *settings) { s.drawn.Crashes = &generate.Range{Min: least, Max: most} })
}

// Snapshots is how many snapshots a run has, both bounds included. They may overlap.
// Without it some runs have them so often that they overlap all the time.
func Snapshots(least, most int) Option {
	return option(func(s *settings) { s.drawn.Snapshots = &generate.Range{Min: least, Max: most} })
}

// Apps names the apps that are drawn from. Some are for graphs without loops only.
func Apps(names ...string) Option {
	return option(func(s *settings) { s.drawn.Apps = names })
}

// Order says in which order the events of a run come.
type Order string

// The orders.
const (
	Timed  Order = "timed"  // the earliest first: delays, service and write times are drawn
	Chosen Order = "chosen" // any that is possible: there is no clock
)

// InOrder draws runs in this order only; without it most are in timed order.
func InOrder(o Order) Option {
	return option(func(s *settings) { s.drawn.Order = string(o) })
}

// Unreliable lets messages and markers on every channel overtake each other, be lost or
// come twice, as the settings say; their delay does not count. Few algorithms can bear it.
func Unreliable(c scenarios.ChannelSettings) Option {
	return option(func(s *settings) { s.drawn.Channels = c })
}

// Runs is how many scenarios are drawn.
func Runs(n int) Option {
	return option(func(s *settings) { s.runs = n })
}

// Named is the name of the algorithm in reproducers. Without it that is the name of the
// package that it comes from.
func Named(name string) Option {
	return option(func(s *settings) { s.algorithm.Name = name })
}

// BackEdges says that the algorithm must be told the back-edges of a graph with loops.
func BackEdges() Option {
	return option(func(s *settings) { s.algorithm.BackEdges = true })
}

// Aligned says that the algorithm promises cuts with nothing in flight off the back-edges.
func Aligned() Option {
	return option(func(s *settings) { s.algorithm.Aligned = true })
}

// HoldsOutputs says that the algorithm may keep what an app sends and let it go later;
// without it that counts as interference.
func HoldsOutputs() Option {
	return option(func(s *settings) { s.algorithm.HoldsOutputs = true })
}

// Invisible says that the algorithm promises to change nothing at all of the computation;
// runs in timed order are then compared with the same run without snapshots.
func Invisible() Option {
	return option(func(s *settings) { s.algorithm.Invisible = true })
}

// Promise is what the algorithm promises of the effects of each source record after a
// crash; without it that is exactly-once.
func Promise(g invariants.Guarantee) Option {
	return option(func(s *settings) { s.algorithm.Promise = g })
}

// Coordinated runs the algorithm under a checkpoint coordinator, which crashes, too,
// whose messages are lost and late, and whose store fails. coordinator.Task makes its
// tasks of an algorithm that has none of its own.
func Coordinated() Option {
	return option(func(s *settings) { s.algorithm.Coordinated = true })
}

// Algorithm says everything about the algorithm at once, as a Catalogue has it; its New
// does not count.
func Algorithm(a scenarios.Algorithm) Option {
	return option(func(s *settings) { s.algorithm = a })
}
