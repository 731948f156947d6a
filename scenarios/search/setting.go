package search

import (
	"fmt"

	"simrun/sim"
)

// The names of the strategies.
const (
	Random    = "random"
	PCT       = "pct"
	POS       = "pos"
	Delay     = "delay"
	Portfolio = "portfolio"
)

// Setting is a strategy, and how deep it goes.
type Setting struct {
	Strategy string
	Depth    int // of pct: ordered steps; of delay: delays; 0 for the others
}

// Run is what a strategy must know of a run.
type Run struct {
	Seed  uint64
	Nodes int
	To    []int32 // by channel, its receiver
	Steps int64   // how many a run has, about
	Open  []Choice
}

// Alone is the strategy that the setting comes to with a seed: itself, or the member of
// the portfolio whose turn it is.
func (s Setting) Alone(seed uint64) Setting {
	if s.Strategy != Portfolio {
		return s
	}
	return members[seed%uint64(len(members))]
}

// New is the scheduler of a run.
func (s Setting) New(r Run) sim.Scheduler {
	r.Steps = max(r.Steps, 1)
	order := s.Alone(r.Seed).order(r)
	if len(r.Open) == 0 {
		return order
	}
	return newOpener(order, r)
}

// order is the scheduler of what a run must do.
func (s Setting) order(r Run) sim.Scheduler {
	switch s.Strategy {
	case PCT:
		return newPCT(s.Depth, r)
	case POS:
		return newPOS(r)
	case Delay:
		return newDelay(s.Depth, r)
	case Random:
		return sim.NewRandomScheduler(r.Seed)
	}
	panic(fmt.Sprintf("search: no strategy is named %q", s.Strategy))
}
