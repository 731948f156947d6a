package generate

import (
	"slices"

	"simrun/scenarios"
	"simrun/topology"
)

// partial lets some scenarios restore what has failed and what is upstream of it, and
// nothing else, where that sends the same again: on graphs with nodes that have one input
// at most, as all do upstream of them, and with apps without timers. Only such nodes
// crash then, alone or together, and the coordinator.
func (x *draft) partial(d *dice) {
	sound := x.replayable()
	if len(sound) == 0 || x.s.Coordinator.Finish || !d.chance(60) {
		return
	}
	x.s.Coordinator.Recovery, x.s.Algorithm = "partial", "abs"
	for i := range x.s.Faults {
		f := &x.s.Faults[i]
		var names scenarios.Names
		for _, name := range f.Crash {
			if name != scenarios.CoordinatorName && !slices.Contains(sound, name) {
				name = sound[d.below(len(sound))]
			}
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		f.Crash = names
	}
}

// replayable is the nodes of which what they send is a function of what their source
// reads.
func (x *draft) replayable() (names []string) {
	switch x.s.App.Kind {
	case "bank", "windows", "activity":
		return nil // every node reads, or has timers
	}
	upstream := make([][]int32, len(x.g.Nodes))
	for _, v := range topology.DefaultInitiators(x.g) {
		upstream[v] = append(upstream[v], v) // from outside
	}
	for _, c := range x.g.Channels {
		upstream[c.To] = append(upstream[c.To], c.From)
	}
	for v := range x.g.Nodes {
		at, steps := int32(v), 0
		for len(upstream[at]) == 1 && upstream[at][0] != at && steps < len(x.g.Nodes) {
			at, steps = upstream[at][0], steps+1
		}
		if len(upstream[at]) == 1 && upstream[at][0] == at {
			names = append(names, x.g.Nodes[v])
		}
	}
	return names
}
