package properties_test

import (
	"slices"

	"pgregory.net/rapid"

	"simrun/sim"
)

// drawDist draws a distribution of any shape; none of its draws is below least.
func drawDist(t *rapid.T, label string, least int) sim.Dist {
	span := func(low int) (int64, int64) {
		from := low + 50*rapid.IntRange(0, 20).Draw(t, label)
		return int64(from), int64(from + 50*rapid.IntRange(0, 20).Draw(t, label))
	}
	d := sim.Dist{Kind: rapid.SampledFrom([]sim.DistKind{sim.Constant, sim.Uniform, sim.Exponential, sim.Bimodal}).Draw(t, label)}
	d.Low, d.High = span(least)
	switch d.Kind {
	case sim.Constant:
		d.High = 0
	case sim.Bimodal:
		d.SlowLow, d.SlowHigh = span(2000)
		d.Percent = int64(rapid.IntRange(0, 50).Draw(t, label))
	}
	return d
}

// drawTimes draws how long things take, with other delays on some channels.
func drawTimes(t *rapid.T, cfg *sim.Config) {
	for range rapid.IntRange(1, 3).Draw(t, "delays") {
		cfg.Delays = append(cfg.Delays, drawDist(t, "delay", 1))
	}
	if len(cfg.Delays) > 1 {
		for range cfg.Graph.From {
			cfg.DelayOf = append(cfg.DelayOf, uint8(rapid.IntRange(0, len(cfg.Delays)-1).Draw(t, "delay of")))
		}
	}
	if rapid.Bool().Draw(t, "service") {
		cfg.Service = drawDist(t, "service", 0)
		cfg.Service.Low, cfg.Service.High = cfg.Service.Low/8, cfg.Service.High/8 // else nothing else matters
	}
	if rapid.Bool().Draw(t, "write") {
		cfg.Write = drawDist(t, "write", 0)
	}
}

// horizon is about how long the input of a run lasts: nanoseconds, or steps in
// chosen order.
func horizon(cfg *sim.Config) int {
	if cfg.Order == sim.Chosen {
		return 300
	}
	return 20_000
}

// drawSnapshots draws when snapshots begin, and when the input ends. Frequent
// periodic snapshots can keep one another going, so those runs have an end.
func drawSnapshots(t *rapid.T, cfg *sim.Config) {
	long := horizon(cfg)
	plan := &cfg.Snapshots
	if rapid.IntRange(0, 3).Draw(t, "periodic") > 0 {
		plan.Every = int64(long / 20 * rapid.IntRange(1, 10).Draw(t, "period"))
	}
	for range rapid.IntRange(0, 3).Draw(t, "instants") {
		plan.At = append(plan.At, int64(long/100*rapid.IntRange(0, 80).Draw(t, "instant")))
	}
	slices.Sort(plan.At)
	stop := rapid.SampledFrom([]string{"rest", "rest", "time", "records", "both"}).Draw(t, "stop")
	if stop == "time" || stop == "both" || plan.Every > 0 && plan.Every < int64(long/3) {
		cfg.Stop.At = int64(long / 10 * rapid.IntRange(3, 20).Draw(t, "stop at"))
	}
	if stop == "records" || stop == "both" {
		cfg.Stop.Records = rapid.SampledFrom([]int64{1, 20, 50, 100}).Draw(t, "stop after records")
	}
}

// drawFaults draws crashes, sometimes one that comes while the one before it is
// being recovered from.
func drawFaults(t *rapid.T, cfg *sim.Config) {
	long := horizon(cfg)
	for range rapid.SampledFrom([]int{0, 1, 1, 2, 3}).Draw(t, "faults") {
		f := drawFault(t, cfg, long)
		cfg.Faults = append(cfg.Faults, f)
		if f.Phase != sim.NoPhase || !rapid.Bool().Draw(t, "crash during recovery") {
			continue
		}
		next := drawFault(t, cfg, long)
		next.Phase, next.Snapshot, next.Occurrence = sim.NoPhase, 0, 0
		next.At, next.Step = f.At, f.Step
		if f.At > 0 {
			next.At += int64(rapid.IntRange(0, int(f.Down)).Draw(t, "later"))
		} else {
			next.Step += int64(rapid.IntRange(0, 4).Draw(t, "later"))
		}
		cfg.Faults = append(cfg.Faults, next)
	}
}

func drawFault(t *rapid.T, cfg *sim.Config, long int) sim.Fault {
	f := sim.Fault{Down: int64(50 * rapid.IntRange(0, 60).Draw(t, "down"))}
	for range rapid.IntRange(1, 2).Draw(t, "crashes") {
		f.Nodes = append(f.Nodes, int32(rapid.IntRange(0, cfg.Graph.Nodes-1).Draw(t, "node")))
	}
	when := rapid.SampledFrom([]string{"time", "step", "phase", "phase"}).Draw(t, "when")
	switch {
	case when == "phase":
		f.Phase = rapid.SampledFrom([]sim.Phase{sim.PhaseBeforeRecord, sim.PhaseAligning, sim.PhaseAligning, sim.PhaseRecorded}).Draw(t, "phase")
		f.Snapshot = sim.SnapshotID(rapid.SampledFrom([]int{0, 0, 0, 0, 1, 2, 3}).Draw(t, "snapshot"))
		f.Occurrence = rapid.SampledFrom([]int{0, 0, 0, 2, 3}).Draw(t, "occurrence")
	case when == "time" && cfg.Order == sim.Timed:
		f.At = int64(1 + long/20*rapid.IntRange(1, 20).Draw(t, "at") + rapid.IntRange(0, long/20).Draw(t, "and"))
	default:
		f.Step = int64(1 + 20*rapid.IntRange(0, 15).Draw(t, "step") + rapid.IntRange(0, 19).Draw(t, "and"))
	}
	if rapid.Bool().Draw(t, "inside a handler") {
		f.AfterOutputs = new(int)
		*f.AfterOutputs = rapid.IntRange(0, 4).Draw(t, "after outputs")
	}
	return f
}
