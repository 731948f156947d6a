package sim_test

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"testing"
	"time"

	"simrun/sim"
)

// The benchmarks hold the engine against the yardsticks on the token workload:
// out-degree 4, random targets, one token per node. Engine and yardstick take
// turns within one run, and the figure to read is their ratio.

const degree = 4

var (
	units        = sim.Dist{Kind: sim.Uniform, Low: 1, High: 1024}
	milliseconds = sim.Dist{Kind: sim.Uniform, Low: 1_000_000, High: 10_000_000}
)

// BenchmarkTimed: delays of 1 to 1,024 units, and of 1 to 10 ms in nanoseconds.
func BenchmarkTimed(b *testing.B) {
	for _, nodes := range []int{1_000, 1_000_000} {
		for _, d := range []struct {
			name string
			dist sim.Dist
		}{{"units", units}, {"ms", milliseconds}} {
			b.Run(fmt.Sprintf("nodes=%d/delay=%s", nodes, d.name), func(b *testing.B) {
				g := randomTargets(nodes, degree)
				bare := newBareWheel(g, degree)
				against(b, nodes, bare.run, deliver(b, tokenRun(g, d.dist)))
			})
		}
	}
}

// BenchmarkChosen: the seeded random scheduler.
func BenchmarkChosen(b *testing.B) {
	for _, nodes := range []int{1_000, 1_000_000} {
		b.Run(fmt.Sprintf("nodes=%d", nodes), func(b *testing.B) {
			g := randomTargets(nodes, degree)
			cfg := tokenRun(g, units)
			cfg.Order = sim.Chosen
			bare := newBareReady(g, degree)
			against(b, nodes, bare.run, deliver(b, cfg))
		})
	}
}

// BenchmarkRows: the engine with the history's rows on against rows off.
func BenchmarkRows(b *testing.B) {
	g := randomTargets(1_000, degree)
	on := tokenRun(g, units)
	on.Rows = true
	against(b, 1_000, deliver(b, tokenRun(g, units)), deliver(b, on))
}

// BenchmarkMemory reports the resident bytes of the large run after set-up and
// at its peak.
func BenchmarkMemory(b *testing.B) {
	g := randomTargets(1_000_000, degree)
	cfg := tokenRun(g, milliseconds)
	for range b.N {
		e := engineOf(b, cfg)
		debug.FreeOSMemory()
		b.ReportMetric(residentMB("VmRSS:"), "MB-set-up")
		e.Step(3_000_000)
		b.ReportMetric(residentMB("VmRSS:"), "MB-running")
		b.ReportMetric(residentMB("VmHWM:"), "MB-high-water")
		runtime.KeepAlive(e)
		return
	}
}

func engineOf(tb testing.TB, cfg *sim.Config) *sim.Engine {
	e, err := sim.New(cfg)
	if err != nil {
		tb.Fatal(err)
	}
	return e
}

// deliver carries out steps of a run.
func deliver(tb testing.TB, cfg *sim.Config) func(int) {
	e := engineOf(tb, cfg)
	return func(n int) { e.Step(int64(n)) }
}

// against times yardstick and engine in turns and reports the ratio of their
// fastest turns: what disturbs the machine can only make a turn slower.
func against(b *testing.B, nodes int, yardstick, engine func(int)) {
	const turn = 100_000
	yardstick(2 * nodes)
	engine(3 * nodes)
	var bare, ours []float64
	b.ResetTimer()
	for done := 0; done < b.N || len(ours) == 0; done += turn {
		bare = append(bare, timeOf(yardstick, turn))
		ours = append(ours, timeOf(engine, turn))
	}
	b.ReportMetric(slices.Min(bare), "ns-yardstick")
	b.ReportMetric(slices.Min(ours), "ns-engine")
	b.ReportMetric(slices.Min(ours)/slices.Min(bare), "ratio")
}

func timeOf(f func(int), n int) float64 {
	start := time.Now()
	f(n)
	return float64(time.Since(start).Nanoseconds()) / float64(n)
}
