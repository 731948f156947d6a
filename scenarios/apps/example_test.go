package apps_test

import (
	"encoding/json"
	"fmt"

	"simrun/scenarios/apps"
	"simrun/sim"
	"simrun/topology"
)

// An app can be stepped by hand: here wordcount on a source and a sink, without
// an engine between them.
func Example() {
	g := &topology.Graph{
		Nodes:    []string{"source", "sink"},
		Channels: []topology.Channel{{From: 0, To: 1, Edge: topology.NoEdge}},
	}
	words := apps.NewWordCount()
	words.Lines = []string{"to be or not to be"}
	workload, err := words.Build(&apps.Env{Graph: g})
	if err != nil {
		fmt.Println(err)
		return
	}

	const seed = 1
	source, sink := workload.NewApp(seed, 0), workload.NewApp(seed, 1)
	input := workload.NewSource(seed, 0)
	for k := uint64(0); ; k++ {
		record, _, ok := input.Record(k)
		if !ok {
			break
		}
		var fx, out sim.Effects
		source.Step(sim.External, record, &fx)
		for _, send := range fx.Sends() {
			sink.Step(sim.Input(send.Output), send.Message, &out)
		}
	}
	state, _ := json.Marshal(sink.(sim.Describer).Describe())
	fmt.Println(string(state))
	// Output: {"handled":6,"words":[{"key":"be","count":2},{"key":"not","count":1},{"key":"or","count":1},{"key":"to","count":2}]}
}
