package generate

import (
	"fmt"

	"simrun/scenarios"
)

// SearchedName is what the file of a seed's scenario for strategies is called.
func SearchedName(seed uint64) string { return fmt.Sprintf("searched-%d.yaml", seed) }

// Searched is a scenario in chosen order that leaves to the search what it can: one to
// three snapshots at any steps, and, in more than half of them, one or two crashes of any
// node. Its sources have few records, so that its runs end by themselves: a strategy may
// hold a channel back for as long as anything else can happen, and with sources that
// never end that would be all there is.
func Searched(seed uint64) *scenarios.Scenario {
	x := ofSeed(seed, SearchedName(seed))
	x.s.Order, x.chosen = "chosen", true
	x.s.Graph, x.g = x.settings.graph(x.dice(ofGraph))
	d := x.dice(ofTimes)
	x.app(x.dice(ofApp), int64(d.between(3, 20)))
	x.length = searchedLength
	stop := x.moment(x.length)
	x.s.Stop.At = &stop
	d = x.dice(ofSnapshots)
	never := x.moment(0)
	x.s.Snapshots = scenarios.Snapshots{Every: &never, Any: d.between(1, 4), Initiators: x.initiators(d)}
	d = x.dice(ofFaults)
	if times := pick(d, []weighted[int]{{20, 0}, {30, 1}, {30, 2}, {20, 3}}); times > 0 {
		x.s.Faults = []scenarios.Fault{{Crash: scenarios.Names{"any"}, Times: &times}}
	}
	return x.s
}

// searchedLength is more steps than such a run has before its input is over.
const searchedLength = 20_000
