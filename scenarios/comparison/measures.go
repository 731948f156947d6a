package comparison

import (
	"math/big"
	"strconv"
	"strings"

	"simrun/scenarios/units"
)

// Unit is what a measure counts.
type Unit string

// The units.
const (
	Count      Unit = "count"
	Bytes      Unit = "bytes"
	Nanosecond Unit = "ns"        // of virtual time
	Steps      Unit = "steps"     // in place of it in chosen order
	PerKs      Unit = "per-1000s" // per 1,000 seconds of virtual time
	Millionths Unit = "ppm"
)

// Measure is one of the measures of a run.
type Measure struct {
	Key   string // its field in JSON
	Title string // for people
	Unit  Unit

	field func(*Measured) **int64
}

// Of is the measure's value in a run; nil if there is nothing to measure.
func (m *Measure) Of(run *Measured) *int64 { return *m.field(run) }

// Measures is all of them, in the order in which they are told.
func Measures() []Measure {
	return []Measure{
		{"snapshots_triggered", "snapshots triggered", Count, func(m *Measured) **int64 { return &m.Triggered }},
		{"snapshots_completed", "snapshots completed", Count, func(m *Measured) **int64 { return &m.Completed }},
		{"snapshots_aborted", "snapshots aborted", Count, func(m *Measured) **int64 { return &m.Aborted }},
		{"latency_median_ns", "latency, median", Nanosecond, func(m *Measured) **int64 { return &m.LatencyMedian }},
		{"latency_p99_ns", "latency, p99", Nanosecond, func(m *Measured) **int64 { return &m.LatencyP99 }},
		{"latency_max_ns", "latency, max", Nanosecond, func(m *Measured) **int64 { return &m.LatencyMax }},
		{"recorded_median_ns", "from first record, median", Nanosecond, func(m *Measured) **int64 { return &m.RecordedMedian }},
		{"recorded_p99_ns", "from first record, p99", Nanosecond, func(m *Measured) **int64 { return &m.RecordedP99 }},
		{"recorded_max_ns", "from first record, max", Nanosecond, func(m *Measured) **int64 { return &m.RecordedMax }},
		{"markers", "markers sent", Count, func(m *Measured) **int64 { return &m.Markers }},
		{"coordinator_messages", "coordinator's messages", Count, func(m *Measured) **int64 { return &m.CoordinatorMessages }},
		{"channel_messages", "channel messages stored", Count, func(m *Measured) **int64 { return &m.ChannelMessages }},
		{"channel_bytes", "channel bytes stored", Bytes, func(m *Measured) **int64 { return &m.ChannelBytes }},
		{"state_bytes", "state bytes stored", Bytes, func(m *Measured) **int64 { return &m.StateBytes }},
		{"attached_bytes", "attached bytes stored", Bytes, func(m *Measured) **int64 { return &m.AttachedBytes }},
		{"blocked_ns", "inputs blocked", Nanosecond, func(m *Measured) **int64 { return &m.Blocked }},
		{"blocked_worst_ns", "inputs blocked, worst node", Nanosecond, func(m *Measured) **int64 { return &m.BlockedWorst }},
		{"delay_median_ns", "delay added, median", Nanosecond, func(m *Measured) **int64 { return &m.DelayMedian }},
		{"delay_p99_ns", "delay added, p99", Nanosecond, func(m *Measured) **int64 { return &m.DelayP99 }},
		{"delay_max_ns", "delay added, max", Nanosecond, func(m *Measured) **int64 { return &m.DelayMax }},
		{"throughput_per_ks", "throughput", PerKs, func(m *Measured) **int64 { return &m.Throughput }},
		{"throughput_lost_ppm", "throughput lost", Millionths, func(m *Measured) **int64 { return &m.ThroughputLost }},
		{"recoveries", "recoveries", Count, func(m *Measured) **int64 { return &m.Recoveries }},
		{"records_lost", "records lost", Count, func(m *Measured) **int64 { return &m.RecordsLost }},
		{"records_undone", "records undone", Count, func(m *Measured) **int64 { return &m.RecordsUndone }},
		{"messages_undone", "messages undone", Count, func(m *Measured) **int64 { return &m.MessagesUndone }},
		{"messages_restored", "messages restored", Count, func(m *Measured) **int64 { return &m.MessagesRestored }},
		{"caught_up_ns", "sources caught up after", Nanosecond, func(m *Measured) **int64 { return &m.CaughtUp }},
		{"messages_caught_up_ns", "messages caught up after", Nanosecond, func(m *Measured) **int64 { return &m.MessagesCaughtUp }},
		{"never_caught_up", "never caught up", Count, func(m *Measured) **int64 { return &m.NeverCaughtUp }},
		{"duplicates", "duplicates at the sinks", Count, func(m *Measured) **int64 { return &m.Duplicates }},
		{"deliveries", "messages delivered", Count, func(m *Measured) **int64 { return &m.Deliveries }},
		{"virtual_time_ns", "virtual time", Nanosecond, func(m *Measured) **int64 { return &m.VirtualTime }},
	}
}

// MeasureOf is the measure with this key, or nil.
func MeasureOf(key string) *Measure {
	for _, m := range Measures() {
		if m.Key == key {
			return &m
		}
	}
	return nil
}

// UnitIn is the unit of the measure's values in a run of this order.
func (m *Measure) UnitIn(order string) Unit {
	if m.Unit == Nanosecond && order == inChosenOrder {
		return Steps
	}
	return m.Unit
}

// Text is a value for people, which loses digits of times; "-" if there is none.
func (m *Measure) Text(value *int64, order string) string {
	if value == nil {
		return "-"
	}
	switch m.UnitIn(order) {
	case Nanosecond:
		return units.Duration(*value).Brief()
	case PerKs:
		return decimal(*value, 3) + "/s"
	case Millionths:
		return decimal(*value, 4) + "%"
	}
	return strconv.FormatInt(*value, 10)
}

// Signed is a difference for people: Text, with a plus if it is above zero.
func (m *Measure) Signed(value int64, order string) string {
	text := m.Text(&value, order)
	if value > 0 {
		text = "+" + text
	}
	return text
}

// decimal is a number with its last digits behind a point, without zeros at the end.
func decimal(n int64, digits int) string {
	text := new(big.Rat).SetFrac(big.NewInt(n), new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(digits)), nil)).FloatString(digits)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}
