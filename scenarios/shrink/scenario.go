package shrink

import (
	"maps"
	"slices"

	"simrun/scenarios"
)

// change is an attempt whose scenario may be changed: what it shares with the best one is
// copied before.
func (x *shrinker) change() *attempt {
	a := *x.best.attempt
	s := *a.s
	a.s = &s
	a.items = slices.Clone(a.items)
	s.Faults, s.Snapshots.At = slices.Clone(s.Faults), slices.Clone(s.Snapshots.At)
	s.Network.Channels, s.BackEdges = slices.Clone(s.Network.Channels), slices.Clone(s.BackEdges)
	s.Snapshots.Initiators = slices.Clone(s.Snapshots.Initiators)
	s.Stop.Sources = maps.Clone(s.Stop.Sources)
	s.Graph.Nodes, s.Graph.Channels = slices.Clone(s.Graph.Nodes), slices.Clone(s.Graph.Channels)
	s.Graph.Edges = slices.Clone(s.Graph.Edges)
	return &a
}

// lessFaults leaves out faults, and nodes of those that take down several.
func (x *shrinker) lessFaults() {
	x.lessTogether(func(s *scenarios.Scenario) int { return len(s.Faults) }, (*attempt).dropFault)
	for i := len(x.best.s.Faults) - 1; i >= 0 && !x.over(); i-- {
		a := x.change()
		a.dropFault(i)
		if x.takeAnyhow(a) {
			continue
		}
		for v := len(x.best.s.Faults[i].Crash) - 1; v >= 0 && len(x.best.s.Faults[i].Crash) > 1; v-- {
			a := x.change()
			a.s.Faults[i].Crash = slices.Delete(slices.Clone(a.s.Faults[i].Crash), v, v+1)
			x.takeAnyhow(a)
		}
	}
}

// lessSnapshots leaves out snapshots, and initiators.
func (x *shrinker) lessSnapshots() {
	x.lessTogether(func(s *scenarios.Scenario) int { return len(s.Snapshots.At) }, (*attempt).dropSnapshot)
	for i := len(x.best.s.Snapshots.At) - 1; i >= 0 && !x.over(); i-- {
		a := x.change()
		a.dropSnapshot(i)
		if x.takeAnyhow(a) {
			continue
		}
		for v := len(x.best.s.Snapshots.At[i].Initiators) - 1; v >= 0 && len(x.best.s.Snapshots.At[i].Initiators) > 1; v-- {
			a := x.change()
			own := &a.s.Snapshots.At[i]
			own.Initiators = slices.Delete(slices.Clone(own.Initiators), v, v+1)
			x.takeAnyhow(a)
		}
	}
	if x.best.s.Coordinator == nil && len(x.best.s.Snapshots.At) > 0 && x.best.s.Snapshots.Every != nil && x.best.s.Snapshots.Every.Value > 0 {
		a := x.change()
		a.s.Snapshots.Every = &scenarios.Moment{Steps: !a.timed}
		x.takeAnyhow(a)
	}
}

// drop takes a mark out of the list; the later ones of its kind are counted anew.
func (a *attempt) drop(m mark, index int) {
	a.items = slices.DeleteFunc(a.items, func(it item) bool { return it.mark == m && it.index == index })
	for i := range a.items {
		if it := &a.items[i]; it.mark == m && it.index > index {
			it.index--
		}
	}
}

// dropFault takes a fault out.
func (a *attempt) dropFault(i int) {
	a.s.Faults = slices.Delete(a.s.Faults, i, i+1)
	a.drop(aFault, i)
}

// dropSnapshot takes a snapshot out; where all are at instants, ids are counted anew.
func (a *attempt) dropSnapshot(i int) {
	a.s.Snapshots.At = slices.Delete(a.s.Snapshots.At, i, i+1)
	a.drop(aTrigger, i)
}
