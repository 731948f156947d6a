package sim_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"simrun/sim"
)

// over is a source and a node that writes down what comes over one channel: n
// records, a nanosecond apart, with delays of up to 50 ns.
func over(order sim.Order, n int, u sim.Unreliable) *sim.Config {
	cfg := scene(graph(2, 0, 1), pass)
	cfg.Order = order
	cfg.Delays = []sim.Dist{{Kind: sim.Uniform, Low: 1, High: 50}}
	var r releases
	for k := range int64(n) {
		r = append(r, k+1)
	}
	cfg.NewSource = feed(r)
	cfg.Unreliable = []sim.Unreliable{u}
	return cfg
}

// got is the keys that node 1 was given, in order.
func got(h *sim.History) (keys []int) {
	for _, word := range texts(h.Final.States)[1:] {
		var key int
		for i := 0; i < len(word); i++ {
			if _, err := fmt.Sscanf(word[i:], "c0:%d", &key); err == nil {
				keys = append(keys, key)
			}
		}
	}
	return keys
}

var bothOrders = []sim.Order{sim.Timed, sim.Chosen}

// On a channel that reorders, messages come in another order, each once, and that is
// no breach.
func TestReorder(t *testing.T) {
	for _, order := range bothOrders {
		overtaken := 0
		for seed := range uint64(30) {
			cfg := over(order, 10, sim.Unreliable{Reorder: true})
			cfg.Seed = seed
			h := play(t, cfg)
			keys := got(h)
			if !slices.IsSorted(keys) {
				overtaken++
			}
			slices.Sort(keys)
			same(t, "what came", keys, []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
			same(t, "breaches", len(h.Breaches), 0)
			same(t, "gaps at the end", len(h.Final.Gaps[0]), 0)
		}
		if overtaken < 25 {
			t.Errorf("order %d: only in %d of 30 runs a message was overtaken", order, overtaken)
		}
	}
}

// What is lost does not come; what comes twice does; the order stays.
func TestLoseAndDuplicate(t *testing.T) {
	for _, order := range bothOrders {
		cfg := over(order, 6, sim.Unreliable{Lose: sim.Failure{Messages: []uint32{1, 4}}, Duplicate: sim.Failure{Messages: []uint32{2, 6}}})
		h := play(t, cfg)
		same(t, "what came", got(h), []int{2, 2, 3, 5, 6, 6})
		same(t, "breaches", len(h.Breaches), 0)
		same(t, "never processed", h.Final.Gaps[0], []uint32{1, 4})
		var rows []sim.Row
		for _, r := range h.Rows {
			if r.Kind() == sim.RowLose || r.Kind() == sim.RowDuplicate {
				rows = append(rows, r)
			}
		}
		if want := []sim.Row{
			sim.NewRow(sim.RowLose, 0, 1, 0), sim.NewRow(sim.RowDuplicate, 0, 2, 0),
			sim.NewRow(sim.RowLose, 0, 4, 0), sim.NewRow(sim.RowDuplicate, 0, 6, 0),
		}; !slices.Equal(rows, want) {
			t.Errorf("rows %v, want %v", rows, want)
		}
	}
}

// So many of a million fail, drawn for each message.
func TestFailureRates(t *testing.T) {
	const n = 4000
	cfg := over(sim.Timed, n, sim.Unreliable{Lose: sim.Failure{PerMillion: 250_000}, Duplicate: sim.Failure{PerMillion: 100_000}})
	h := play(t, cfg)
	lost, came := len(h.Final.Gaps[0])+int(h.Final.Sent[0]-h.Final.Processed[0]), len(got(h))
	if lost < n/5 || lost > n*3/10 {
		t.Errorf("%d of %d are lost", lost, n)
	}
	if twice := came - (n - lost); twice < (n-lost)/15 || twice > (n-lost)/7 {
		t.Errorf("%d of %d came twice", twice, n-lost)
	}
}

// Markers are lost, come twice and are overtaken like messages.
func TestMarkersOnUnreliableChannels(t *testing.T) {
	marks := func() *actor {
		return &actor{initiate: func(id sim.SnapshotID, out *sim.Out) {
			out.SendMarker(0, id)
			lone(id, out)
		}}
	}
	takes := func() *actor {
		return &actor{receive: func(in sim.Input, m sim.Message, out *sim.Out) {
			if m.Kind() == sim.Data {
				out.Process(in, m)
			}
		}}
	}
	for _, order := range bothOrders {
		cfg := over(order, 1, sim.Unreliable{Lose: sim.Failure{Markers: []sim.SnapshotID{1}}, Duplicate: sim.Failure{Markers: []sim.SnapshotID{2}}})
		cfg.NewNode = cast(marks, takes)
		cfg.Snapshots.At = []int64{2, 3}
		cfg.Snapshots.Initiators = []int32{0}
		book := watch(cfg, sim.EventMarker)
		h := play(t, cfg)
		var markers []string
		for _, l := range book.lines {
			markers = append(markers, l.what)
		}
		same(t, "markers", markers, []string{"c0 marker 2", "c0 marker 2"})
		same(t, "where marker 1 was lost", h.Snapshots[0].LostOn, []int32{0})
		same(t, "where marker 2 was lost", h.Snapshots[1].LostOn, []int32(nil))
	}
	overtakes := 0
	for seed := range uint64(20) {
		cfg := over(sim.Chosen, 5, sim.Unreliable{Reorder: true})
		cfg.Seed = seed
		cfg.NewNode = cast(marks, takes)
		cfg.Snapshots.At = []int64{4}
		cfg.Snapshots.Initiators = []int32{0}
		book := watch(cfg, sim.EventSend, sim.EventMarkerSent, sim.EventMarker, sim.EventProcess)
		play(t, cfg)
		sent, came := false, false
		behind := 0 // messages sent before the marker, and not yet there when it comes
		for _, l := range book.lines {
			switch verb := strings.Fields(l.what)[1]; {
			case l.what == "c0 sends marker 1 due 0":
				sent = true
			case verb == "sends" && !sent:
				behind++
			case verb == "process" && !came:
				behind--
			case verb == "marker":
				came = true
			}
		}
		if behind > 0 {
			overtakes++
		}
	}
	if overtakes == 0 {
		t.Error("no marker overtook a message")
	}
}

// A message that no unreliable channel would bring is a breach there too.
func TestBreachesOnUnreliableChannels(t *testing.T) {
	for name, u := range map[string]sim.Unreliable{
		"again": {Reorder: true}, "again, though others come twice": {Duplicate: sim.Failure{Messages: []uint32{2}}},
	} {
		cfg := over(sim.Timed, 2, u)
		twice := func() *actor {
			return &actor{receive: func(in sim.Input, m sim.Message, out *sim.Out) {
				out.Process(in, m)
				if m.Key == 1 {
					out.Process(in, m)
				}
			}}
		}
		cfg.NewNode = cast(nil, twice)
		h := play(t, cfg)
		if len(h.Breaches) != 1 || h.Breaches[0].Number != 1 {
			t.Errorf("%s: breaches %+v", name, h.Breaches)
		}
	}
	cfg := over(sim.Timed, 3, sim.Unreliable{Lose: sim.Failure{Messages: []uint32{3}}})
	drops := func() *actor {
		return &actor{receive: func(in sim.Input, m sim.Message, out *sim.Out) {
			if m.Key != 1 {
				out.Process(in, m)
			}
		}}
	}
	cfg.NewNode = cast(nil, drops)
	if h := play(t, cfg); len(h.Breaches) != 1 || h.Breaches[0].Number != 2 || h.Breaches[0].Next != 1 {
		t.Errorf("a Node that drops a message: breaches %+v", h.Breaches)
	}
}

// Blocked, down, busy or refusing: what comes over an unreliable channel waits, and
// comes when it can. A restore goes back to the cut, and a saved engine goes on.
func TestUnreliableChannelsGoOn(t *testing.T) {
	for _, order := range bothOrders {
		restores, gaps := 0, 0
		for seed := range uint64(40) {
			cfg := over(order, 30, sim.Unreliable{Reorder: seed%2 == 0, Lose: sim.Failure{PerMillion: 100_000}, Duplicate: sim.Failure{PerMillion: 100_000}})
			cfg.Seed = seed
			cfg.Service = sim.Dist{Kind: sim.Uniform, Low: 0, High: 3}
			cfg.NewNode = cast(nil, func() *actor {
				return &actor{initiate: lone, receive: func(in sim.Input, m sim.Message, out *sim.Out) {
					out.Process(in, m)
					if in == 0 && m.Key%7 == 0 && m.Value >= 0 {
						out.Block(in, 1)
					}
				}, recover: func(_ []byte, _ []sim.Logged, out *sim.Out) {}}
			})
			cfg.Snapshots.At = []int64{5, 20, 40, 60}
			cfg.Faults = []sim.Fault{{Nodes: []int32{1}, Step: 60, Down: 5}}
			want := runOf(t, cfg)
			restores += len(want.Restores)
			for _, s := range want.Snapshots {
				if s.Gaps != nil && len(s.Gaps[0]) > 0 {
					gaps++
				}
			}
			for n := int64(0); n < want.Steps; n += 3 {
				first, second := engineOf(t, cfg), engineOf(t, cfg)
				first.Step(n)
				if err := second.Load(first.Save(nil)); err != nil {
					t.Fatal(err)
				}
				same(t, "the digest", second.Run().Digest, want.Digest)
			}
		}
		if restores == 0 || gaps == 0 {
			t.Errorf("order %d: %d restores, %d cuts with gaps", order, restores, gaps)
		}
	}
}
