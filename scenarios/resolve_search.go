package scenarios

import (
	"fmt"

	"simrun/scenarios/search"
)

// Search is how a run of chosen order chooses.
type Search struct {
	Strategy string `yaml:"strategy"`
	Depth    *int   `yaml:"depth,omitempty"`
}

// SearchStrategies lists the strategies that choose the order of steps.
func SearchStrategies() (list []Named) {
	for _, s := range search.Strategies() {
		list = append(list, Named{s.Name, s.Doc})
	}
	return list
}

// strategy resolves how a run of chosen order chooses. What the command line says stands
// in place of what the file says, and a depth of the file's is for its own strategy.
func (r *resolver) strategy(o Overrides) error {
	fail := func(message, right string, key string) error { return r.fail(message, right, "search", key) }
	s := Search{}
	if r.Search != nil {
		s = *r.Search
	}
	if o.Strategy != "" || o.Depth != nil {
		fail = func(message, right string, _ string) error { return &Error{Message: message, Right: right} }
		if o.Strategy != "" && o.Strategy != s.Strategy {
			s = Search{Strategy: o.Strategy}
		}
		if o.Depth != nil {
			s.Depth = o.Depth
		}
	}
	asked := s != Search{}
	if asked && r.Order != chosen {
		return r.fail("a strategy chooses the order of steps, but in order: timed the instants decide it", "write order: chosen; instants are numbers of steps there", "order")
	}
	names := make([]string, 0, len(search.Strategies()))
	for _, known := range search.Strategies() {
		names = append(names, known.Name)
	}
	if s.Strategy == "" {
		s.Strategy = search.Random
	}
	known := search.Named(s.Strategy)
	if known == nil {
		return fail("no strategy is named "+quote(s.Strategy), choose(s.Strategy, names), "strategy")
	}
	r.plan.search = search.Setting{Strategy: s.Strategy, Depth: known.Depth}
	switch {
	case s.Depth == nil:
	case !known.Deep:
		return fail("the strategy "+s.Strategy+" has no depth", "leave it out; pct and delay have one", "depth")
	case *s.Depth < known.Least || *s.Depth > search.MostDepth:
		return fail(fmt.Sprintf("depth is %d", *s.Depth), fmt.Sprintf("write a number from %d to %d", known.Least, search.MostDepth), "depth")
	default:
		r.plan.search.Depth = *s.Depth
	}
	if r.Search = nil; asked {
		r.Search = &Search{Strategy: s.Strategy}
		if known.Deep {
			depth := r.plan.search.Depth
			r.Search.Depth = &depth
		}
	}
	return nil
}
