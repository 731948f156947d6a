package shrink

import "simrun/scenarios"

// region is up to how many nodes, snapshots or faults each is looked at alone.
const region = 16

// lessTogether leaves out neighbours in a list together, large parts of it first: in a long
// one to try each alone takes too long.
func (x *shrinker) lessTogether(count func(*scenarios.Scenario) int, without func(a *attempt, i int)) {
	for length := count(x.best.s) / 2; length >= region/4 && count(x.best.s) > region; length /= 2 {
		for end := count(x.best.s); end > 0 && !x.over(); end -= length {
			a := x.change()
			for i := end - 1; i >= max(end-length, 0); i-- {
				without(a, i)
			}
			x.take(a)
		}
	}
}

// lessRegions leaves out neighbours in the list of nodes together, or makes them one, large
// parts of the list first: in a large graph to try each node alone takes too long.
func (x *shrinker) lessRegions() {
	for length := len(x.best.s.Graph.Nodes) / 2; length >= region/4 && len(x.best.s.Graph.Nodes) > region; length /= 2 {
		for end := len(x.best.s.Graph.Nodes); end > 0 && !x.over(); end -= length {
			begin := max(end-length, 0)
			if end-begin == len(x.best.s.Graph.Nodes) || !x.take(x.withoutRegion(begin, end)) {
				x.take(x.contracted(begin, end))
			}
		}
	}
}

// withoutRegion leaves nodes out, from begin up to end, and their channels with them.
func (x *shrinker) withoutRegion(begin, end int) *attempt {
	a := x.change()
	gone := setOf(a.s.Graph.Nodes[begin:end])
	a.cut(func(c int) bool {
		ends := a.s.Graph.Channels[c]
		return gone[ends[0]] || gone[ends[1]]
	})
	for v := end - 1; v >= begin; v-- {
		a.forget(v)
	}
	return a
}

// contracted makes nodes one, the first of them: the channels between them go, the others
// are its own.
func (x *shrinker) contracted(begin, end int) *attempt {
	a := x.change()
	one := a.s.Graph.Nodes[begin]
	inside := setOf(a.s.Graph.Nodes[begin:end])
	a.cut(func(c int) bool {
		ends := a.s.Graph.Channels[c]
		return ends[0] != ends[1] && inside[ends[0]] && inside[ends[1]]
	})
	for c := range a.s.Graph.Channels {
		for i, name := range a.s.Graph.Channels[c] {
			if inside[name] {
				a.s.Graph.Channels[c][i] = one
			}
		}
	}
	for v := end - 1; v > begin; v-- {
		a.forget(v)
	}
	return a
}

func setOf(names []string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, name := range names {
		set[name] = true
	}
	return set
}
