package series

import (
	"context"
	"runtime"
	"testing"

	"simrun/scenarios"
	"simrun/scenarios/comparison"
)

// medians is what a measure is, by value and algorithm, in a series over a scenario file.
type medians map[string]map[string]int64

// over compares with the seeds 1-20 and gives what is asked for of a measure.
func over(t *testing.T, file, parameter, values string, algorithms ...string) func(measure string) medians {
	t.Helper()
	c := scenarios.Default()
	s, err := scenarios.Load(c, "../../testdata/scenarios/"+file)
	if err != nil {
		t.Fatal(err)
	}
	list, err := Values(values)
	if err != nil {
		t.Fatal(err)
	}
	out, err := Of(context.Background(), s, c, Options{Parameter: parameter, Values: list,
		Compare: comparison.Options{Algorithms: algorithms, Seeds: &comparison.Range{First: 1, Last: 20}, Workers: runtime.GOMAXPROCS(0)}})
	if err != nil {
		t.Fatal(err)
	}
	if code := out.ExitCode(); code != 0 {
		t.Errorf("%s: exit code %d", file, code)
	}
	return func(measure string) medians {
		m, err := NamedMeasures([]string{measure})
		if err != nil {
			t.Fatal(err)
		}
		table := medians{}
		for _, p := range out.Points {
			table[p.Value] = map[string]int64{}
			for i := range p.Comparison.Algorithms {
				a := &p.Comparison.Algorithms[i]
				if v := a.Summary(m[0].Key).Median; v != nil {
					table[p.Value][a.Name] = *v
				}
			}
		}
		return table
	}
}

const cl, abs, world, none = "chandy-lamport", "abs", "stop-the-world", "no-snapshots"

// percent is one percent of what is measured in millionths.
const percent = 10_000

// TestIntervalCosts is what snapshot-interval.yaml says: the shorter the interval, the more
// stop-the-world loses, while ABS stays within one percent of no snapshots.
func TestIntervalCosts(t *testing.T) {
	of := over(t, "snapshot-interval.yaml", "coordinator.interval", "20ms,50ms,100ms,200ms,500ms", none, world, abs, cl)
	lost, complete := of("throughput_lost"), of("snapshots_completed")
	before := int64(101 * percent)
	for _, interval := range []string{"20ms", "50ms", "100ms", "200ms", "500ms"} {
		row := lost[interval]
		if row[world] > before || row[abs] > percent || row[abs] < 0 || row[cl] != 0 || row[none] != 0 {
			t.Errorf("with %s lost, in millionths: %v; stop-the-world before: %d", interval, row, before)
		}
		before = row[world]
	}
	if lost["20ms"][world] < 15*percent || lost["100ms"][world] > 12*percent || lost["500ms"][world] != 0 {
		t.Errorf("stop-the-world loses %v", lost)
	}
	if complete["50ms"][abs] < 4 || complete["500ms"][abs] != 0 || complete["20ms"][world] < 4 || complete["20ms"][none] != 0 {
		t.Errorf("complete snapshots: %v", complete)
	}
	if delay := of("delay_p99")["50ms"]; delay[world] < 3*delay[abs] || delay[abs] <= 0 || delay[cl] != 0 {
		t.Errorf("delays, p99: %v", delay)
	}
}

// TestHotKeyBehindSlowChannel is what skewed-keys.yaml says.
func TestHotKeyBehindSlowChannel(t *testing.T) {
	of := over(t, "skewed-keys.yaml", "app.skew", "0,3,7", cl, abs)
	stored, delay := of("channel_messages"), of("delay_p99")
	for skew, row := range stored {
		if row[abs] != 0 || delay[skew][abs] < 8_000_000 || delay[skew][cl] != 0 {
			t.Errorf("skew %s: stored %v, delays %v", skew, row, delay[skew])
		}
	}
	if !(stored["0"][cl] < stored["3"][cl] && stored["3"][cl] < stored["7"][cl]) || stored["7"][cl]*2 < stored["0"][cl]*3 {
		t.Errorf("stored: %v", stored)
	}
	// Where the slow channel leads to another counter fewer records wait.
	cold := over(t, "skewed-keys.yaml", "network.channels.source-2->count-1.delay", "2ms,25ms", cl, abs)("delay_p99")
	if cold["2ms"][abs]*4 > cold["25ms"][abs] {
		t.Errorf("delays: %v", cold)
	}
}

// TestHotCounterWaitsLongest: the node whose inputs are blocked longest is the one with the
// hot key.
func TestHotCounterWaitsLongest(t *testing.T) {
	c := scenarios.Default()
	s, err := scenarios.Load(c, "../../testdata/scenarios/skewed-keys.yaml")
	if err != nil {
		t.Fatal(err)
	}
	out, err := comparison.Of(context.Background(), s, c, comparison.Options{Algorithms: []string{abs}, Seeds: &comparison.Range{First: 1, Last: 20}})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range out.Algorithms[0].Runs {
		if r.WorstNode != "count-1" {
			t.Errorf("seed %d: %s", r.Seed, r.WorstNode)
		}
	}
}

// TestCycleStoresUnderBoth is what cycle-both.yaml says: ABS waits and stores, and stores as
// much as Chandy-Lamport, which does not wait.
func TestCycleStoresUnderBoth(t *testing.T) {
	of := over(t, "cycle-both.yaml", "app.hops", "6", cl, abs)
	stored, delay, blocked := of("channel_messages")["6"], of("delay_p99")["6"], of("blocked")["6"]
	if stored[abs] < 50 || 10*stored[abs] < 9*stored[cl] || 10*stored[abs] > 11*stored[cl] {
		t.Errorf("stored: %v", stored)
	}
	if delay[abs] < 5_000_000 || delay[cl] != 0 || blocked[abs] == 0 || blocked[cl] != 0 {
		t.Errorf("delays, p99: %v, blocked %v", delay, blocked)
	}
}

// TestChannelsStored is what stored-channels.yaml says: Chandy-Lamport stores the more, the
// more channels there are, and ABS nothing; without a second input they are the same.
func TestChannelsStored(t *testing.T) {
	of := over(t, "stored-channels.yaml", "graph.parallelism", "1,2,3,5", cl, abs)
	stored, latency, delay := of("channel_messages"), of("latency_median"), of("delay_p99")
	for p, row := range stored {
		if row[abs] != 0 || (p == "1") != (row[cl] == 0) || (p == "1") != (latency[p][cl] == latency[p][abs]) || (p == "1") != (delay[p][abs] == 0) {
			t.Errorf("parallelism %s: stored %v, latencies %v, delays %v", p, row, latency[p], delay[p])
		}
	}
	if stored["3"][cl] < 80 || stored["5"][cl] < 3*stored["3"][cl] || stored["3"][cl] < 2*stored["2"][cl] {
		t.Errorf("stored: %v", stored)
	}
}

// TestAlignmentHurts is what alignment-cost.yaml says: the slower one channel, the later the
// records of the other.
func TestAlignmentHurts(t *testing.T) {
	of := over(t, "alignment-cost.yaml", "network.channels.orders->join.delay", "1ms,10ms,25ms,50ms,100ms", cl, abs)
	delay, stored := of("delay_p99"), of("channel_messages")
	before := int64(-1)
	for _, value := range []string{"1ms", "10ms", "25ms", "50ms", "100ms"} {
		if delay[value][cl] != 0 || delay[value][abs] <= before || stored[value][abs] != 0 || stored[value][cl] == 0 {
			t.Errorf("%s: delays %v, stored %v", value, delay[value], stored[value])
		}
		before = delay[value][abs]
	}
	if delay["1ms"][abs] > 1_000_000 || delay["25ms"][abs] < 8_000_000 || before < 30_000_000 {
		t.Errorf("delays: %v", delay)
	}
}
