package comparison

import (
	"math/big"

	"simrun/scenarios"
)

// measured is what a run says of itself, and what a meter has seen of it.
func measured(res *scenarios.Result, m *meter, managed bool) (out Measured) {
	m.fill(&out)
	var triggered, completed, markers int64
	var latencies, recorded []int64
	for i := range res.Snapshots {
		s := &res.Snapshots[i]
		triggered++
		markers += s.Markers
		if s.Completed == nil {
			continue
		}
		completed++
		latencies = append(latencies, *s.Completed-s.Triggered)
		if s.Started != nil {
			recorded = append(recorded, *s.Completed-*s.Started)
		}
	}
	out.Triggered, out.Completed, out.Markers = &triggered, &completed, &markers
	latency := spreadOf(latencies)
	out.LatencyMedian, out.LatencyP99, out.LatencyMax = latency.median, latency.p99, latency.max
	spread := spreadOf(recorded)
	out.RecordedMedian, out.RecordedP99, out.RecordedMax = spread.median, spread.p99, spread.max
	if managed {
		out.CoordinatorMessages = new(m.posted)
	}
	out.Deliveries, out.VirtualTime = new(res.Deliveries), new(res.VirtualTime)
	out.recoveries(res, m.catchUp)
	return out
}

// recoveries is what recoveries cost.
func (out *Measured) recoveries(res *scenarios.Result, c *catchUp) {
	n := int64(len(res.Recoveries))
	out.Recoveries = &n
	if res.Ledger != nil {
		out.RecordsLost, out.Duplicates = new(res.Ledger.EffectsLost), new(res.Ledger.Duplicates)
	}
	if n == 0 && !c.waiting {
		return
	}
	var records, messages, restored int64
	for i := range res.Recoveries {
		r := &res.Recoveries[i]
		records, messages, restored = records+r.UndoneRecords, messages+r.UndoneMessages, restored+r.Replayed
	}
	out.RecordsUndone, out.MessagesUndone, out.MessagesRestored = &records, &messages, &restored
	out.CaughtUp, out.MessagesCaughtUp = c.sources.longest, c.messages.longest
	var missed int64
	if c.sources.on {
		missed = 1
	}
	out.NeverCaughtUp = &missed
}

// against is what a run is against the one without snapshots.
func (out *Measured) against(base, run *timeline, of string, res *scenarios.Result) {
	delays := later(run.messages, base.messages)
	if of == ofOutputs {
		delays = later(run.outputs, base.outputs)
	}
	delay := spreadOf(delays)
	out.DelayMedian, out.DelayP99, out.DelayMax = delay.median, delay.p99, delay.max

	got, last, usual, usualLast := run.left, run.lastLeft, base.left, base.lastLeft
	switch {
	case !res.Whole() || base.limited:
		return
	case of != ofOutputs:
		got, last, usual, usualLast = run.done, run.lastDone, base.done, base.lastDone
		for i := range res.Recoveries {
			got -= res.Recoveries[i].UndoneMessages + res.Recoveries[i].UndoneRecords
		}
	case res.Ledger != nil:
		got -= res.Ledger.Duplicates
	case len(res.Recoveries) > 0:
		return // some may have left twice
	}
	if usual == 0 || usualLast == 0 {
		return
	}
	throughput := ratio(got, kilosecond, max(last, usualLast))
	out.Throughput = &throughput
	// 1 - (got / the later) / (usual / its last), of a million
	lost := million - new(big.Int).Div(
		product(got, usualLast, million), product(usual, max(last, usualLast), 1)).Int64()
	out.ThroughputLost = &lost
}

const (
	million    = 1_000_000
	kilosecond = 1_000_000_000_000 // ns
)

// ratio is a*b/c, rounded down.
func ratio(a, b, c int64) int64 {
	return new(big.Int).Div(product(a, b, 1), big.NewInt(c)).Int64()
}

func product(a, b, c int64) *big.Int {
	p := new(big.Int).Mul(big.NewInt(a), big.NewInt(b))
	return p.Mul(p, big.NewInt(c))
}
