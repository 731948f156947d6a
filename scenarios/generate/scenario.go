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
	x := ofSeed(seed, Name(seed))
	x.plain()
	return x.s
}

// Draw draws a scenario, and the seed of its run, as the settings say, which must be
// valid. The same draws give the same scenario.
func Draw(from Source, s Settings) *scenarios.Scenario {
	d := &dice{from}
	x := newDraft(d.Word(), "drawn.yaml", func(int32) *dice { return d })
	x.settings = s
	if s.Coordinated {
		x.coordinated()
		if s.Partial {
			x.partial(d)
		}
	} else {
		x.plain()
	}
	x.channels()
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

func newDraft(seed uint64, name string, parts func(part int32) *dice) *draft {
	steps := int64(stepLimit)
	return &draft{s: &scenarios.Scenario{Version: 1, Name: name, Seed: &seed, Steps: &steps}, dice: parts}
}

// ofSeed is a draft of which every part is drawn from a stream of its own.
func ofSeed(seed uint64, name string) *draft {
	return newDraft(seed, name, func(part int32) *dice { return newDice(seed, part) })
}

func (x *draft) plain() {
	x.begin(1)
	x.snapshots(x.dice(ofSnapshots))
	x.faults(x.dice(ofFaults))
}

// begin draws what every scenario has: the graph, the times and the app. It is so many
// times as long as a plain one.
func (x *draft) begin(times int64) {
	x.s.Graph, x.g = x.settings.graph(x.dice(ofGraph))
	x.times(x.dice(ofTimes), times)
	x.app(x.dice(ofApp), endless)
}

// draft is a scenario that is being drawn.
type draft struct {
	s      *scenarios.Scenario
	g      *topology.Graph
	chosen bool  // the order
	length int64 // until the input ends: ns, or steps in chosen order

	settings Settings
	dice     func(part int32) *dice // what a part is drawn with
}

// moment is an instant in the order of the run.
func (x *draft) moment(at int64) scenarios.Moment {
	return scenarios.Moment{Value: at, Steps: x.chosen}
}

const (
	microsecond = 1_000
	millisecond = 1_000_000
)
