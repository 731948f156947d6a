package generate

import (
	"fmt"
	"slices"
	"strings"

	"simrun/scenarios"
	"simrun/topology"
)

// Settings narrow what Draw draws. The zero value narrows nothing.
type Settings struct {
	Graphs    Graphs
	Crashes   *Range                    // nil: what is usual
	Snapshots *Range                    // nil: what is usual
	Apps      []string                  // nil: all that suit the graph
	Order     string                    // timed or chosen; "": one or the other
	Channels  scenarios.ChannelSettings // what becomes of messages on every channel; its delay is drawn

	// Coordinated puts a checkpoint coordinator in place of triggers. It decides when there
	// are snapshots.
	Coordinated bool
	// Partial lets some of these runs restore only what has failed and what is upstream
	// of it, where that is sound. It is for algorithms with aligned barriers.
	Partial bool
}

// Graphs are those of a kind, with so many nodes.
type Graphs struct {
	Kind  GraphKind
	Nodes *Range // nil: what is usual
}

// GraphKind is a property that all graphs have which are drawn.
type GraphKind uint8

// The kinds of graphs.
const (
	Any     GraphKind = iota // also with channels from a node to itself, parallel ones, several back-edges
	Strong                   // every node can be reached from every other
	Acyclic                  // no loops
)

// Range is from Min to Max, both included.
type Range struct{ Min, Max int }

// The most that can be asked for: scenarios are small.
const (
	mostNodes     = 100
	mostCrashes   = 20
	mostSnapshots = 50
)

// Validate says what of the settings cannot be met.
func (s *Settings) Validate() error {
	for _, r := range []struct {
		what        string
		got         *Range
		least, most int
	}{{"nodes", s.Graphs.Nodes, s.Graphs.Kind.least(), mostNodes}, {"crashes", s.Crashes, 0, mostCrashes}, {"snapshots", s.Snapshots, 1, mostSnapshots}} {
		switch {
		case r.got == nil:
		case r.got.Min > r.got.Max:
			return fmt.Errorf("from %d to %d %s: the first must not be the larger one", r.got.Min, r.got.Max, r.what)
		case r.got.Max < r.least || r.got.Min < 0 || r.got.Max > r.most:
			return fmt.Errorf("from %d to %d %s: there are from %d to %d", r.got.Min, r.got.Max, r.what, r.least, r.most)
		}
	}
	if !slices.Contains([]string{"", "timed", "chosen"}, s.Order) {
		return fmt.Errorf("the order %q: there are timed and chosen", s.Order)
	}
	for _, name := range s.Apps {
		if !has(withoutLoops, name) {
			return fmt.Errorf("the app %q: there are %s", name, strings.Join(choices(withoutLoops), ", "))
		}
	}
	if s.Graphs.Kind == Strong && s.acyclicApps() {
		return fmt.Errorf("the apps %s are for graphs without loops, and strongly connected ones have loops", strings.Join(s.Apps, ", "))
	}
	if s.Coordinated && s.Snapshots != nil {
		return fmt.Errorf("from %d to %d snapshots: a coordinator decides when there are any", s.Snapshots.Min, s.Snapshots.Max)
	}
	return nil
}

// least is how many nodes a graph of the kind has at least.
func (k GraphKind) least() int {
	if k == Acyclic {
		return 2
	}
	return 1
}

// acyclicApps says whether all apps that may be drawn are for graphs without loops.
func (s *Settings) acyclicApps() bool {
	return s.Apps != nil && !slices.ContainsFunc(s.Apps, func(name string) bool { return has(anywhere, name) })
}

// kind is what the graphs have to be, also for the apps.
func (s *Settings) kind() GraphKind {
	if s.acyclicApps() {
		return Acyclic
	}
	return s.Graphs.Kind
}

// fits says whether a graph is as it is wanted.
func (s *Settings) fits(g *topology.Graph) bool {
	if r := s.Graphs.Nodes; r != nil && (len(g.Nodes) < r.Min || len(g.Nodes) > r.Max) {
		return false
	}
	switch s.kind() {
	case Strong:
		return len(g.Components()) == 1 && len(g.Channels) > 0
	case Acyclic:
		return topology.Acyclic(g, nil)
	}
	return true
}

// among is those of the apps that may be drawn.
func (s *Settings) among(kinds []weighted[string]) []weighted[string] {
	if s.Apps == nil {
		return kinds
	}
	return slices.DeleteFunc(slices.Clone(kinds), func(w weighted[string]) bool { return !slices.Contains(s.Apps, w.choice) })
}

// inChosenOrder draws the order.
func (s *Settings) inChosenOrder(d *dice) bool {
	if s.Order != "" {
		return s.Order == "chosen"
	}
	return d.chance(25)
}

// channels lets happen on every channel what is asked for.
func (x *draft) channels() {
	asked := x.settings.Channels
	if !asked.Reorder && asked.Lose == nil && asked.Duplicate == nil {
		return
	}
	own := make([]scenarios.ChannelSettings, len(x.g.Channels))
	for c := range own {
		own[c] = scenarios.ChannelSettings{Channel: channelRef(c), Reorder: asked.Reorder, Lose: asked.Lose, Duplicate: asked.Duplicate}
	}
	for _, slow := range x.s.Network.Channels {
		for c := range own {
			if own[c].Channel == slow.Channel {
				own[c].Delay = slow.Delay
			}
		}
	}
	x.s.Network.Channels = own
}

func has(list []weighted[string], name string) bool { return slices.Contains(choices(list), name) }

func choices(list []weighted[string]) (names []string) {
	for _, w := range list {
		names = append(names, w.choice)
	}
	return names
}
