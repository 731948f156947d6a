package properties_test

import (
	"pgregory.net/rapid"
	"slices"

	"simrun/scenarios/apps"
	"simrun/scenarios/units"
	"simrun/topology"
)

// drawApp draws one of the apps that fit the graph and the algorithm, and its
// parameters.
func drawApp(t *rapid.T, g *topology.Graph, aligned bool) (kind string, builder apps.Builder, workload *apps.Workload) {
	var fitting []apps.Kind
	acyclic := topology.Acyclic(g, nil)
	for _, k := range kinds() {
		if k.Name == "zip" && (aligned || !oneSource(g)) {
			continue
		}
		if acyclic || onCycles[k.Name] {
			fitting = append(fitting, k)
		}
	}
	k := rapid.SampledFrom(fitting).Draw(t, "app")
	builder = k.New()
	every := units.Duration(rapid.IntRange(0, 12).Draw(t, "every") * 100)
	records := rapid.SampledFrom([]int64{1, 10, 20, 30, 40, 60}).Draw(t, "records")
	few := func(label string, most int) int64 { return int64(rapid.IntRange(0, most).Draw(t, label)) }
	switch p := builder.(type) {
	case *apps.Bank:
		p.Balance, p.Amount, p.Transfers, p.Every = 10*few("balance", 20), 1+few("amount", 50), records, every
	case *apps.WordCount:
		p.Repeat, p.Every = 1+2*few("repeat", 4), every
		p.Lines = []string{"to be or not to be", "not to be"}
	case *apps.Loop:
		p.Hops, p.Records, p.Every = 2*few("hops", 5), records, every
	case *apps.Join:
		p.Records, p.Every, p.Keys = records, every, 1+few("keys", 3)
	case *apps.Sums:
		p.Records, p.Every = records, every
	case *apps.Dataflow:
		p.Records, p.Every, p.Keys, p.Skew, p.Hops = records, every, 1+few("keys", 5), few("skew", 2), few("hops", 3)
	case *apps.Zip:
		p.Records, p.Every = records, every
	case *apps.Windows:
		p.Records, p.Every, p.Keys, p.Window = records, every, 1+few("keys", 5), 1+300*units.Duration(few("window", 10))
	case *apps.Activity:
		p.Records, p.Every, p.Work = records, every, 1+100*units.Duration(few("work", 10))
		p.Energy, p.Fanout = 1+few("energy", 7), 1+few("fanout", 2)
	default:
		t.Fatalf("nothing is known of the parameters of %s", k.Name)
	}
	workload, err := builder.Build(&apps.Env{Graph: g})
	if err != nil {
		t.Fatalf("%s does not fit the graph: %v", k.Name, err)
	}
	return k.Name, builder, workload
}

// kinds is the apps that are drawn: not tokens, whose courses package explore searches.
func kinds() []apps.Kind {
	return slices.DeleteFunc(apps.Kinds(), func(k apps.Kind) bool { return k.Name == "tokens" })
}

// onCycles is the apps that run on any graph.
var onCycles = map[string]bool{"bank": true, "loop": true, "dataflow": true, "activity": true}

// oneSource says whether all records of zip come from one node. With several, the end
// of the input can leave records that nobody accepts. An aligned barrier can wait for
// ever behind a record that the app will take only after one behind the barrier.
func oneSource(g *topology.Graph) bool { return len(topology.DefaultInitiators(g)) == 1 }
