package sim_test

import (
	"testing"

	"simrun/sim"
)

// gate is a Node that blocks and unblocks its inputs by order of its External
// records: key 1 blocks inputs 0 and 1 for snapshot 1, key 2 unblocks them, and
// key 3 blocks them for snapshot 2.
func gate() *actor {
	a := &actor{}
	a.receive = func(in sim.Input, m sim.Message, out *sim.Out) {
		switch {
		case in != sim.External:
		case m.Key == 2:
			out.Unblock(0)
			out.Unblock(1)
		default:
			id := sim.SnapshotID(m.Key+1) / 2
			out.Block(0, id)
			out.Block(1, id)
		}
		a.passThrough.Receive(in, m, out)
	}
	return a
}

// gated is two sources into a gate; the snapshots 1 and 2 are triggered at 1 and
// 2, so that they can be named.
func gated(first, second, orders releases) *sim.Config {
	cfg := scene(graph(3, 0, 2, 1, 2), pass, pass)
	cfg.NewSource = feed(first, second, orders)
	cfg.NewNode = cast(nil, nil, gate)
	cfg.Snapshots.At = []int64{1, 2}
	return cfg
}

// A blocked channel buffers; unblocked, what has become due is taken at once, by
// (due, id) over all channels and in order along each.
func TestUnblockTakesWhatWaited(t *testing.T) {
	cfg := gated(releases{15, 30, 40, 90}, releases{10, 25, 90}, releases{5, 50})
	log := watch(cfg, sim.EventBlock, sim.EventUnblock, sim.EventProcess)
	h := play(t, cfg)
	log.wants(t,
		"5 c0 block 1", "5 c1 block 1", "50 c0 unblock 1", "50 c1 unblock 1",
		"50 c1 process 1", "50 c0 process 1", "50 c1 process 2", "50 c0 process 2", "50 c0 process 3",
		"100 c0 process 4", "100 c1 process 3")
	same(t, "blocked for snapshots 1 and 2", []int64{h.Snapshots[0].BlockedFor, h.Snapshots[1].BlockedFor}, []int64{90, 0})
	if len(h.Breaches) > 0 {
		t.Errorf("breaches: %+v", h.Breaches)
	}
}

// The time is put down to the snapshot that blocked: a second order to block
// changes nothing, and neither does one to unblock what is open.
func TestBlockedTimeBelongsToWhoBlocked(t *testing.T) {
	cfg := gated(nil, nil, releases{5, 20, 30})
	cfg.NewNode = cast(nil, nil, func() *actor {
		return &actor{receive: func(in sim.Input, m sim.Message, out *sim.Out) {
			switch m.Key {
			case 1:
				out.Unblock(0)
				out.Block(0, 1)
			case 2:
				out.Block(0, 2)
				out.Block(1, 2)
			case 3:
				out.Unblock(0)
				out.Unblock(1)
			}
			out.Process(in, m)
		}}
	})
	log := watch(cfg, sim.EventBlock, sim.EventUnblock)
	h := play(t, cfg)
	log.wants(t, "5 c0 block 1", "20 c1 block 2", "30 c0 unblock 1", "30 c1 unblock 2")
	same(t, "blocked for snapshots 1 and 2", []int64{h.Snapshots[0].BlockedFor, h.Snapshots[1].BlockedFor}, []int64{25, 10})
}

// A crash ends the blocking of the node's inputs, at once; a restore that of all
// others.
func TestCrashEndsBlocking(t *testing.T) {
	for crashed, want := range map[int32]int64{2: 2 * (20 - 5), 0: 2 * (27 - 5)} {
		cfg := gated(nil, nil, releases{5})
		cfg.Faults = []sim.Fault{{Nodes: []int32{crashed}, At: 20, Down: 7}}
		cfg.Stop.At = 25
		h := play(t, cfg)
		if got := h.Snapshots[0].BlockedFor; got != want {
			t.Errorf("node %d crashes: blocked for %d, want %d", crashed, got, want)
		}
	}
}

// What is blocked at the end is named with the snapshot, and its messages are
// stranded.
func TestStrandedBehindABlock(t *testing.T) {
	cfg := gated(releases{10, 20}, nil, releases{5, 6, 7})
	cfg.NewNode = cast(func() *actor {
		return &actor{initiate: func(id sim.SnapshotID, out *sim.Out) {
			if id == 2 {
				out.SendMarker(0, id)
			}
		}}
	}, nil, gate)
	cfg.Snapshots.At = []int64{1, 6}
	h := play(t, cfg)
	same(t, "blocked at the end", h.Final.Blocked, []sim.SnapshotID{2, 2})
	same(t, "in flight at the end", numbers(h.Final.InFlight[0]), []uint32{1, 2})
	same(t, "markers at the end", h.Final.Markers, []uint32{1, 0})
	if h.Final.Sent[0] != 2 || h.Final.Processed[0] != 0 {
		t.Errorf("channel 0: %d sent, %d processed, want 2 and 0", h.Final.Sent[0], h.Final.Processed[0])
	}
}

// A channel that is blocked while its receiver is busy keeps its messages,
// although they were waiting for the node.
func TestBlockWhileBusy(t *testing.T) {
	cfg := gated(releases{0}, nil, releases{1, 2, 3})
	cfg.Service = sim.Dist{Low: 10}
	cfg.NewNode = cast(nil, nil, func() *actor {
		return &actor{receive: func(in sim.Input, m sim.Message, out *sim.Out) {
			switch {
			case in == sim.External && m.Key == 2:
				out.Block(0, 1)
			case in == sim.External && m.Key == 3:
				out.Unblock(0)
			}
			out.Process(in, m)
		}}
	})
	cfg.Delays = []sim.Dist{{Low: 2}} // the message is due at 12, at a node busy until 31
	log := watch(cfg, sim.EventBlock, sim.EventUnblock, sim.EventExternal, sim.EventProcess)
	play(t, cfg)
	log.wants(t,
		"0 n0 external 1", "1 n2 external 1", "11 c0 block 1", "11 n2 external 2",
		"21 c0 unblock 1", "21 n2 external 3", "31 c0 process 1")
}
