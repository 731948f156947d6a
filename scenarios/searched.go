package scenarios

import (
	"fmt"
	"slices"
	"strings"

	"simrun/scenarios/search"
	"simrun/sim"
)

// Searched is how the order of a run was chosen.
type Searched struct {
	Strategy string `json:"strategy"`
	Depth    *int   `json:"depth"` // null: the strategy has none
}

func searched(s search.Setting) Searched {
	if !s.Deep() {
		return Searched{Strategy: s.Strategy}
	}
	return Searched{s.Strategy, &s.Depth}
}

// searched is how the run with a seed chooses; nil: its order is not chosen, or that of a
// course.
func (p *Plan) searched(seed uint64) *Searched {
	if p.config.Order != sim.Chosen || p.choices != nil {
		return nil
	}
	s := searched(p.search.Alone(seed))
	return &s
}

// String is the strategy on one line.
func (s Searched) String() string {
	if s.Depth == nil {
		return s.Strategy
	}
	return fmt.Sprintf("%s %d", s.Strategy, *s.Depth)
}

// flags is what makes a command choose like this.
func (s Searched) flags() string {
	if s.Depth == nil {
		return " --strategy " + s.Strategy
	}
	return fmt.Sprintf(" --strategy %s --depth %d", s.Strategy, *s.Depth)
}

// by is the end of a line that says of which order a run is.
func (s *Searched) by() string {
	if s == nil || s.Strategy == search.Random {
		return ""
	}
	return " by " + s.String()
}

// Found is a failing run of chosen order, and what found it.
type Found struct {
	Seed uint64 `json:"seed"`
	Searched
	Invariants []string `json:"invariants"` // that are violated
	Reproduce  string   `json:"reproduce"`  // the command that repeats the run, alone
}

// Tried is what came of a strategy.
type Tried struct {
	Searched
	Runs    int64 `json:"runs"`
	Failing int64 `json:"failing"`

	setting search.Setting
}

// try counts a run for its strategy.
func (s *Sweep) try(o *Outcome) {
	if s.plan.Scenario.Order != chosen {
		return
	}
	i := slices.IndexFunc(s.Strategies, func(t Tried) bool { return t.setting == o.Search })
	if i < 0 {
		i = len(s.Strategies)
		s.Strategies = append(s.Strategies, Tried{Searched: searched(o.Search), setting: o.Search})
	}
	s.Strategies[i].Runs++
	if !o.Good {
		s.Strategies[i].Failing++
		s.Found = append(s.Found, Found{o.Seed, searched(o.Search), append([]string{}, o.Broken...), s.plan.reproduce(o.Seed)})
	}
}

// writeTried says what came of each of several strategies.
func (s *Sweep) writeTried(b *strings.Builder) {
	if len(s.Strategies) < 2 {
		return
	}
	var parts []string
	for i := range s.Strategies {
		t := &s.Strategies[i]
		parts = append(parts, fmt.Sprintf("%s %d of %d", t.Searched, t.Failing, t.Runs))
	}
	fmt.Fprintf(b, "failing by strategy: %s\n", strings.Join(parts, ", "))
}
