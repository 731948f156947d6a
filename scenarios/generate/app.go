package generate

import (
	"slices"

	"simrun/scenarios"
	"simrun/scenarios/apps"
	"simrun/scenarios/units"
	"simrun/topology"
)

// endless is more records than any run reads: it is the stop that ends them.
const endless = 10_000

// The apps that there are for a graph with loops and for one without.
var (
	anywhere     = []weighted[string]{{3, "bank"}, {4, "loop"}, {3, "dataflow"}, {1, "activity"}}
	withoutLoops = []weighted[string]{{3, "bank"}, {1, "loop"}, {2, "dataflow"}, {2, "wordcount"}, {2, "join"}, {2, "sums"}, {1, "windows"}, {1, "activity"}}
)

// app draws a computation that fits the graph, and how fast its sources are. Each of
// these has so many records.
func (x *draft) app(d *dice, each int64) {
	records := int64(d.between(20, 80)) // of all sources together
	every := units.Duration(d.within(100*microsecond, millisecond))
	hops := int64(d.between(1, 4))
	kinds := anywhere
	if topology.Acyclic(x.g, nil) {
		kinds = withoutLoops
	}
	kind := pick(d, x.settings.among(kinds))
	if !x.chosen {
		every = units.Duration(x.length * max(int64(len(x.sources(kind))), 1) / records)
	}
	x.s.App = scenarios.App{Kind: kind, Params: params(kind, d, each, every, hops)}
}

func params(kind string, d *dice, records int64, every units.Duration, hops int64) apps.Builder {
	switch kind {
	case "bank":
		return &apps.Bank{Balance: int64(d.between(20, 200)), Amount: int64(d.between(1, 20)), Transfers: records, Every: every}
	case "loop":
		return &apps.Loop{Hops: hops, Records: records, Every: every}
	case "dataflow":
		return &apps.Dataflow{Records: records, Every: every, Keys: int64(d.between(1, 8)), Skew: int64(d.between(0, 2)), Hops: min(hops, 2)}
	case "wordcount":
		return &apps.WordCount{Repeat: records, Every: every}
	case "join":
		return &apps.Join{Records: records, Every: every, Keys: int64(d.between(1, 3))}
	case "windows":
		return &apps.Windows{Records: records, Every: every, Keys: int64(d.between(1, 5)), Window: every * units.Duration(d.between(1, 10))}
	case "activity":
		return &apps.Activity{Records: records, Every: every * 4, Energy: int64(d.between(2, 6)), Fanout: int64(d.between(1, 3)), Work: every * units.Duration(d.between(1, 4))}
	}
	return &apps.Sums{Records: records, Every: every}
}

// sources is the nodes that take records from outside.
func (x *draft) sources(kind string) (nodes []int32) {
	if kind != "bank" {
		return topology.DefaultInitiators(x.g)
	}
	for _, c := range x.g.Channels {
		if !slices.Contains(nodes, c.From) {
			nodes = append(nodes, c.From)
		}
	}
	return nodes
}
