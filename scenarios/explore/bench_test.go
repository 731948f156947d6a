package explore

import (
	"context"
	"testing"
)

// BenchmarkStates searches three fully connected nodes, each of which sends one token,
// without reduction. A machine that is busy with something else makes it slower: compare
// with what SPIN does in the same minute.
func BenchmarkStates(b *testing.B) {
	plan := resolve(b, `
version: 1
order: chosen
graph: {generate: complete, nodes: 3}
app: {kind: tokens, tokens: 2, sends: 1}
snapshots: {any: 1, initiators: [n0]}
`, "chandy-lamport")
	states, bytes := int64(0), 0.0
	for b.Loop() {
		result, err := Run(context.Background(), plan, Options{Seed: 1, Full: true})
		if err != nil || !result.Finished {
			b.Fatalf("%+v, %v", result, err)
		}
		states, bytes = states+result.States, result.Bytes
	}
	b.ReportMetric(float64(states)/b.Elapsed().Seconds(), "states/s")
	b.ReportMetric(bytes, "B/state")
}
