package scenarios

import "testing"

// sweptRing is the workload on which the speed of sweeps is measured: a bank on a
// ring of 10, about 1,000 deliveries, three snapshots and one crash.
const sweptRing = `
graph: {generate: ring, nodes: 10}
app: {kind: bank, transfers: 92, every: 2ms}
network: {delay: {uniform: [1ms, 3ms]}}
snapshots: {at: [40ms, 80ms, 150ms]}
faults: [{crash: [n3], at: 130ms, down: 5ms}]
stop: {at: 500ms}
expect: {verdict: holds, snapshots: 2, recoveries: 1}
`

// BenchmarkRun is one run of a sweep, on one core, with rows and all checks.
func BenchmarkRun(b *testing.B) {
	runner := mustResolve(b, sweptRing).NewRunner()
	var deliveries int64
	b.ReportAllocs()
	for seed := uint64(0); b.Loop(); seed++ {
		if o := runner.Outcome(seed); !o.Good {
			b.Fatalf("seed %d: not as expected", seed)
		}
	}
	deliveries = runner.Run(1).Deliveries
	b.ReportMetric(float64(deliveries), "deliveries/run")
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "runs/s")
}
