package coordinator_test

import (
	"testing"
	"time"

	"simrun/algorithms/abs"
	"simrun/algorithms/coordinator"
	"simrun/sim"
)

// idle is a long run, without a coordinator or with one that has nothing to do before the
// run is over.
func idle(tb testing.TB, coordinated bool) *sim.Config {
	cfg := config(tb, 1, loops, coordinator.Settings{Interval: sim.MaxTime, Timeout: sim.MaxTime})
	cfg.Rows, cfg.Stop.At, cfg.MaxSteps = false, 0, 1<<62
	if !coordinated {
		cfg.NewNode, cfg.Management = abs.New, sim.ManagementPlan{}
	}
	for i := range cfg.Delays {
		cfg.Delays[i] = sim.Dist{Kind: sim.Uniform, Low: 1000, High: 5000}
	}
	inner := cfg.NewSource
	cfg.NewSource = func(v int32) sim.Source {
		if inner(v) == nil {
			return nil
		}
		return endless{}
	}
	return cfg
}

// endless is records that never end.
type endless struct{}

func (endless) Record(k uint64) (m sim.Message, at int64, ok bool) {
	return sim.Message{Key: k % 16}, int64(k) * 1000, true
}

// calls counts what a coordinator is asked.
type calls struct {
	sim.Coordinator
	n *int
}

func (c calls) Alarm(id uint32, out *sim.Decisions) {
	*c.n++
	c.Coordinator.Alarm(id, out)
}

func (c calls) Receive(task int32, m sim.Control, out *sim.Decisions) {
	*c.n++
	c.Coordinator.Receive(task, m, out)
}

// TestIdleCoordinator: while no checkpoint is under way a coordinator is asked nothing, the
// same is delivered in as many steps, and no memory is allocated for it.
func TestIdleCoordinator(t *testing.T) {
	asked := 0
	var allocated [2]float64
	var histories [2]*sim.History
	for i := range histories {
		cfg := idle(t, i == 1)
		if right := cfg.Management.New; right != nil {
			cfg.Management.New = func() sim.Coordinator { return calls{right(), &asked} }
		}
		e, err := sim.New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		e.Step(50_000)
		allocated[i] = testing.AllocsPerRun(5, func() { e.Step(20_000) })
		cfg.Stop.At = 1_000_000
		histories[i] = play(t, cfg)
	}
	if a, b := histories[0], histories[1]; a.ApplicationDigest != b.ApplicationDigest || a.Deliveries != b.Deliveries || a.Steps != b.Steps || a.Deliveries < 5000 {
		t.Errorf("%d deliveries in %d steps without a coordinator, %d in %d with one, or others", a.Deliveries, a.Steps, b.Deliveries, b.Steps)
	}
	if asked != 0 || allocated[1] > allocated[0] {
		t.Errorf("the coordinator was asked %d times; 20,000 steps allocate %v times without it and %v with it", asked, allocated[0], allocated[1])
	}
}

// BenchmarkIdleCoordinator reports what a delivery takes without a coordinator and with
// one that is idle, and the ratio of the two.
func BenchmarkIdleCoordinator(b *testing.B) {
	const turn = 100_000
	var engines [2]*sim.Engine
	for i := range engines {
		e, err := sim.New(idle(b, i == 1))
		if err != nil {
			b.Fatal(err)
		}
		e.Step(turn)
		engines[i] = e
	}
	var best [2]float64
	b.ResetTimer()
	for done := 0; done < b.N || done == 0; done += turn {
		for i, e := range engines {
			start := time.Now()
			e.Step(turn)
			if took := float64(time.Since(start).Nanoseconds()) / turn; done == 0 || took < best[i] {
				best[i] = took
			}
		}
	}
	b.ReportMetric(best[0], "ns-without")
	b.ReportMetric(best[1], "ns-idle")
	b.ReportMetric(best[1]/best[0], "ratio")
}
