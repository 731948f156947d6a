package generate

import (
	"fmt"

	"simrun/scenarios"
	"simrun/topology"
)

// stepLimit is far beyond what a right algorithm needs; a wrong one may go on for
// ever.
const stepLimit = 100_000

// Name is what the file of a seed's scenario is called.
func Name(seed uint64) string { return fmt.Sprintf("generated-%d.yaml", seed) }

// Scenario is the scenario of a seed, which is the seed of its run, too. The same
// seed gives the same scenario everywhere.
func Scenario(seed uint64) *scenarios.Scenario {
	x := begin(seed, Name(seed), 1)
	x.snapshots(newDice(seed, ofSnapshots))
	x.faults(newDice(seed, ofFaults))
	return x.s
}

// Family is a way to make scenarios from seeds.
type Family struct {
	Scenario func(seed uint64) *scenarios.Scenario
	Name     func(seed uint64) string // of its file
	Flags    string                   // of the command that prints it, beside --seed

	Coordinated bool // there is a coordinator
}

// Suits says whether the algorithm is one for such scenarios. With a coordinator it must
// be able to give a snapshot up; those that are wrong under a coordinator only do that
// themselves.
func (f Family) Suits(a *scenarios.Algorithm) bool {
	if f.Coordinated {
		return a.Coordinated || !a.Wrong && a.Cancels()
	}
	return !a.Coordinated
}

// Plain is what Scenario makes, Managed what Coordinated does, Open what Searched does.
var (
	Plain   = Family{Scenario, Name, "", false}
	Managed = Family{Coordinated, CoordinatedName, " --coordinator", true}
	Open    = Family{Searched, SearchedName, " --search", false}
)

// begin draws what every scenario has: the graph, the times and the app. It is so many
// times as long as a plain one.
func begin(seed uint64, name string, times int64) *draft {
	steps := int64(stepLimit)
	x := &draft{s: &scenarios.Scenario{Version: 1, Name: name, Seed: &seed, Steps: &steps}}
	x.s.Graph, x.g = graph(newDice(seed, ofGraph))
	x.times(newDice(seed, ofTimes), times)
	x.app(newDice(seed, ofApp), endless)
	return x
}

// draft is a scenario that is being drawn.
type draft struct {
	s      *scenarios.Scenario
	g      *topology.Graph
	chosen bool  // the order
	length int64 // until the input ends: ns, or steps in chosen order
}

func (x *draft) seed() uint64 { return *x.s.Seed }

// moment is an instant in the order of the run.
func (x *draft) moment(at int64) scenarios.Moment {
	return scenarios.Moment{Value: at, Steps: x.chosen}
}

const (
	microsecond = 1_000
	millisecond = 1_000_000
)
