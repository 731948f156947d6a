package comparison

import (
	"bytes"
	"fmt"
	"testing"

	"simrun/scenarios"
	"simrun/sim"
)

// draws is what of a run's draws can be seen, up to its first crash.
type draws struct {
	delays  map[[2]uint32]int64 // by channel and number: where nothing in front pushed the message back
	busy    map[[2]uint32]int64 // by node and how often it had been busy
	records map[[2]uint32]sim.Message

	busyUntil []int64  // by node
	times     []uint32 // by node: how often it has been busy
	due       []int64  // by channel: of the last that was put on it
	over      bool     // somebody has crashed
}

func newDraws(nodes, channels int) *draws {
	return &draws{
		delays: map[[2]uint32]int64{}, busy: map[[2]uint32]int64{}, records: map[[2]uint32]sim.Message{},
		busyUntil: make([]int64, nodes), times: make([]uint32, nodes), due: make([]int64, channels),
	}
}

// Observe implements sim.Observer.
func (d *draws) Observe(ev *sim.Event) {
	if d.over = d.over || ev.Kind == sim.EventCrash || ev.Kind == sim.EventRestore; d.over {
		return
	}
	switch ev.Kind {
	case sim.EventBusy:
		d.times[ev.Node]++
		d.busy[[2]uint32{uint32(ev.Node), d.times[ev.Node]}] = ev.Due - ev.At
		d.busyUntil[ev.Node] = ev.Due
	case sim.EventExternal:
		m := ev.Message
		d.records[[2]uint32{uint32(ev.Node), ev.Number}] = sim.Message{Key: m.Key, Value: m.Value, Aux: m.Aux}
	case sim.EventSend:
		from := max(ev.At, d.busyUntil[ev.Node]) // it leaves when the service ends
		if ev.Due > d.due[ev.Channel] {
			d.delays[[2]uint32{uint32(ev.Channel), ev.Number}] = ev.Due - from
		}
		d.due[ev.Channel] = ev.Due
	}
}

// same compares what both runs have, and returns how much that is.
func same[V comparable](t *testing.T, what string, a, b map[[2]uint32]V) (both int) {
	t.Helper()
	for key, x := range a {
		if y, ok := b[key]; ok {
			both++
			if x != y {
				t.Errorf("%s %d of %d is %v and %v", what, key[1], key[0], x, y)
			}
		}
	}
	return both
}

// TestRunsArePaired: for every pair of runs that is compared, and the run without
// snapshots, all that is drawn is the same: the delay of message k of a channel, the k-th
// service time of a node, the records from outside with their release times, the random
// words in the Apps' first states.
func TestRunsArePaired(t *testing.T) {
	for _, x := range []struct {
		file, more string
		algorithms []string
	}{
		{"wordcount-crash.yaml", "service: {uniform: [10us, 90us]}", []string{"chandy-lamport", "abs", "tracking", "no-blocking"}},
		{"ring-both.yaml", "service: {uniform: [10us, 90us]}", []string{"chandy-lamport", "abs", "loop-hold-outputs", "loop-hold-inputs"}},
		{"stop-the-world.yaml", "", []string{"stop-the-world", "abs", "chandy-lamport"}},
		{"lost-message.yaml", "", []string{"chandy-lamport", "abs"}},
		{"transactional-wordcount.yaml", "", []string{"chandy-lamport", "abs"}},
	} {
		for seed := uint64(1); seed <= 3; seed++ {
			t.Run(fmt.Sprint(x.file, " ", seed), func(t *testing.T) { arePaired(t, x.file, x.more, seed, x.algorithms) })
		}
	}
}

func arePaired(t *testing.T, file, more string, seed uint64, algorithms []string) {
	scenario := load(t, file)
	if more != "" {
		scenario.Service = parse(t, more).Service
	}
	var first *draws
	var firstPlan *scenarios.Plan
	var bare uint64
	for _, name := range append([]string{""}, algorithms...) {
		plan, err := scenario.Resolve(scenarios.Default(), scenarios.Overrides{Algorithm: name})
		if err != nil {
			t.Fatal(err)
		}
		seen := newDraws(len(plan.Graph.Nodes), len(plan.Graph.Channels))
		if name == "" { // without snapshots
			bare = bareDigest(t, plan, seed, seen)
			first, firstPlan = seen, plan
			continue
		}
		if digest := bareDigest(t, plan, seed, nil); digest != bare {
			t.Errorf("%s: without snapshots the run is another one: %x, %x", name, digest, bare)
		}
		plan.NewRunner().Watch(seed, seen)
		delays, busy, records := same(t, "the delay", first.delays, seen.delays), same(t, "the service", first.busy, seen.busy), same(t, "the record", first.records, seen.records)
		if delays < 20 || records < 20 || more != "" && busy < 100 {
			t.Errorf("%s: only %d delays, %d services and %d records are compared", name, delays, busy, records)
		}
		sameInput(t, firstPlan.Config(seed), plan.Config(seed))
	}
}

// bareDigest runs a plan without snapshots and faults.
func bareDigest(t *testing.T, plan *scenarios.Plan, seed uint64, watcher sim.Observer) uint64 {
	t.Helper()
	cfg := plan.Bare(seed)
	cfg.Observer = watcher
	e, err := sim.New(&cfg)
	if err != nil {
		t.Fatal(err)
	}
	return e.Run().Digest
}

// sameInput compares the first states of the Apps and what the sources offer.
func sameInput(t *testing.T, a, b sim.Config) {
	t.Helper()
	for v := range int32(a.Graph.Nodes) {
		if x, y := a.NewApp(v).Save(nil), b.NewApp(v).Save(nil); !bytes.Equal(x, y) {
			t.Errorf("node %d begins with %x and with %x", v, x, y)
		}
		if a.NewSource == nil && b.NewSource == nil {
			continue
		}
		x, y := a.NewSource(v), b.NewSource(v)
		if (x == nil) != (y == nil) {
			t.Fatalf("node %d is a source, and is not", v)
		}
		for k := uint64(0); x != nil && k < 50; k++ {
			m, at, ok := x.Record(k)
			n, when, more := y.Record(k)
			if m != n || at != when || ok != more {
				t.Errorf("record %d of node %d is %v at %d and %v at %d", k, v, m, at, n, when)
			}
		}
	}
}
