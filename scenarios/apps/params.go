package apps

import (
	"fmt"
	"math"

	"simrun/scenarios/units"
	"simrun/sim"
	"simrun/topology"
)

const (
	mostRecords = 1_000_000_000 // per source: far below the 40 bits of a RecordID
	mostKeys    = 1 << 20       // a node keeps a slot for each
	mostMoney   = 1 << 40       // per account: the sum over all accounts fits 63 bits
	mostHops    = 1_000_000
)

// within checks that a parameter is in a range, both ends included.
func within(name string, value, low, high int64) error {
	if value >= low && value <= high {
		return nil
	}
	return &ParameterError{
		Parameter: name,
		Problem:   fmt.Sprintf("%d is out of range", value),
		Right:     fmt.Sprintf("write a number from %d to %d", low, high),
	}
}

// fits checks that the release times of this many records, one every so often,
// are nanoseconds in 64 bits. That there are records at all is another check.
func fits(every units.Duration, records int64) error {
	if every < 0 {
		return &ParameterError{Parameter: "every", Problem: every.String() + " is negative", Right: "write 0ns or more, such as 5ms"}
	}
	if longest := math.MaxInt64 / max(records, 1); int64(every) > longest {
		return &ParameterError{
			Parameter: "every",
			Problem:   fmt.Sprintf("%d records, one every %v, take longer than 64 bits of nanoseconds hold", records, every),
			Right:     fmt.Sprintf("write at most %v", units.Duration(longest)),
		}
	}
	return nil
}

// timer checks a time that an app sets a timer for.
func timer(name string, after units.Duration) error {
	if after >= 1 && after <= sim.MaxTime {
		return nil
	}
	return &ParameterError{Parameter: name, Problem: after.String() + " is out of range", Right: fmt.Sprintf("write 1ns to %v, such as 5ms", units.Duration(sim.MaxTime))}
}

// firstError is the first of several checks that failed.
func firstError(checks ...error) error {
	for _, err := range checks {
		if err != nil {
			return err
		}
	}
	return nil
}

// acyclic checks that the graph has no cycle, for an app whose records would
// never leave one.
func acyclic(g *topology.Graph, app string) error {
	component := componentOf(g)
	for _, c := range g.Channels {
		if component[c.From] != component[c.To] {
			continue
		}
		return &ParameterError{
			Parameter: "kind",
			Problem:   fmt.Sprintf("%s needs a graph without cycles, and the channel %s->%s is part of one", app, g.Nodes[c.From], g.Nodes[c.To]),
			Right:     "use bank, loop, dataflow or activity on this graph",
		}
	}
	return nil
}

// componentOf is the number of each node's strongly connected component. A
// channel between two nodes of one component, a self-loop too, is part of a cycle.
func componentOf(g *topology.Graph) []int32 {
	component := make([]int32, len(g.Nodes))
	for i, nodes := range g.Components() {
		for _, v := range nodes {
			component[v] = int32(i)
		}
	}
	return component
}

// defaultSources marks the nodes that take External input when none are named:
// those without input channels and, where a component has no way in, its lowest
// node.
func defaultSources(g *topology.Graph) []bool {
	source := make([]bool, len(g.Nodes))
	for _, v := range topology.DefaultInitiators(g) {
		source[v] = true
	}
	return source
}
