package sim_test

import (
	"testing"

	"simrun/algorithms/chandylamport"
	"simrun/sim"
)

// A handler runs when its service starts; what it sends and the timers that it
// arms count from the end, and the node takes nothing until then.
func TestServiceTime(t *testing.T) {
	cfg := scene(graph(2, 0, 1), func(in sim.Input, m sim.Message, fx *sim.Effects) {
		if m.Key == 1 && in == sim.External {
			fx.SetTimer(9, 45)
		}
		fx.Send(0, m.Key, 0, 0)
	})
	cfg.Service = sim.Dist{Low: 20}
	cfg.NewSource = feed(releases{5, 7, 45})
	log := watch(cfg, sim.EventExternal, sim.EventTimer, sim.EventBusy, sim.EventArm, sim.EventSend, sim.EventProcess)
	play(t, cfg)
	log.wants(t,
		"5 n0 busy until 25", "5 n0 external 1", "5 n0 arms 9 due 70", "5 c0 sends 1 due 35",
		"25 n0 busy until 45", "25 n0 external 2", "25 c0 sends 2 due 55", // came at 7
		"35 n1 busy until 55", "35 c0 process 1",
		"45 n0 busy until 65", "45 n0 external 3", "45 c0 sends 3 due 75", // finds the node just free
		"55 n1 busy until 75", "55 c0 process 2",
		"70 n0 busy until 90", "70 n0 timer 9", "70 c0 sends 4 due 100",
		"75 n1 busy until 95", "75 c0 process 3",
		"100 n1 busy until 120", "100 c0 process 4")
}

// The draw is that of the node and the number of inputs it has served.
func TestServiceTimeIsDrawn(t *testing.T) {
	cfg := scene(graph(1))
	cfg.Service = sim.Dist{Kind: sim.Uniform, Low: 1, High: 1_000_000}
	cfg.NewSource = feed(releases{0, 0, 0})
	log := watch(cfg, sim.EventBusy)
	play(t, cfg)
	end := int64(0)
	for i, s := range log.lines {
		if s.at != end {
			t.Errorf("service %d begins at %d, want %d", i+1, s.at, end)
		}
		end += cfg.Service.Draw(sim.Draw(cfg.Seed, sim.ForService, 0, 0, uint64(i+1)))
	}
	if len(log.lines) != 3 {
		t.Errorf("%d services, want 3", len(log.lines))
	}
}

// What waits at a busy node is taken by (due, class, entity id). The sources are
// busy too, so each channel has a
// delay of its own to make them meet.
func TestWaitingOrder(t *testing.T) {
	cfg := scene(graph(4, 0, 3, 1, 3, 2, 3), pass, pass, pass, func(in sim.Input, m sim.Message, fx *sim.Effects) {
		if in == sim.External && m.Key == 1 {
			fx.SetTimer(9, 120) // due at 220
			fx.SetTimer(4, 120)
		}
	})
	// Node 3 is busy from 0 to 100 with its first record, then to 200 with what
	// came at 105, and to 300 with the next; the other nodes serve for 100 too.
	cfg.Service = sim.Dist{Low: 100}
	cfg.Delays, cfg.DelayOf = []sim.Dist{{Low: 20}, {Low: 115}, {Low: 120}}, []uint8{2, 2, 1}
	cfg.NewSource = feed(releases{0}, releases{0, 1}, releases{0}, releases{0, 105, 115, 220})
	cfg.Snapshots = sim.SnapshotPlan{At: []int64{220}, Initiators: []int32{3}}
	log := watch(cfg, sim.EventExternal, sim.EventTimer, sim.EventInitiate, sim.EventProcess)
	play(t, cfg)
	var at3 []seen
	for _, s := range log.lines {
		if s.at >= 105 && s.what[:2] != "n0" && s.what[:2] != "n1" && s.what[:2] != "n2" {
			at3 = append(at3, s)
		}
	}
	log.lines = at3
	log.wants(t,
		"105 n3 external 2",
		"205 n3 external 3", // due 115
		"305 c2 process 1",  // due 215
		"405 n3 timer 4",    // due 220, as all that follow
		"505 n3 timer 9",
		"605 n3 external 4",
		"705 n3 initiate 1", // costs nothing
		"705 c0 process 1",
		"805 c1 process 1",
		"905 c1 process 2") // due 320
}

// What is taken next is chosen again after each: the second message of channel 0,
// due at 120, has been behind the first, and is taken before the record of 121,
// which has been waiting all the time.
func TestChosenAgainAfterEach(t *testing.T) {
	cfg := scene(graph(2, 0, 1), func(_ sim.Input, m sim.Message, fx *sim.Effects) {
		fx.Send(0, m.Key, 0, 0)
		fx.Send(0, m.Key, 0, 0)
	})
	cfg.Delays = []sim.Dist{{Low: 20}}
	cfg.Service = sim.Dist{Low: 100}
	cfg.NewSource = feed(releases{0}, releases{115, 121})
	log := watch(cfg, sim.EventExternal, sim.EventProcess)
	play(t, cfg)
	log.wants(t, "0 n0 external 1", "115 n1 external 1", "215 c0 process 1", "315 c0 process 2", "415 n1 external 2")
}

// What has waited is taken before what is due at the very instant at which the
// node becomes free, whatever its class: the message has been there since 190.
func TestWhatWaitedComesFirst(t *testing.T) {
	cfg := scene(graph(2, 0, 1), pass, func(in sim.Input, m sim.Message, fx *sim.Effects) {
		if in == sim.External && m.Key == 1 {
			fx.SetTimer(9, 100) // due at 200, when the second record's service ends
		}
	})
	cfg.Service = sim.Dist{Low: 100}
	cfg.Delays = []sim.Dist{{Low: 90}}
	cfg.NewSource = feed(releases{0}, releases{0, 10})
	log := watch(cfg, sim.EventExternal, sim.EventTimer, sim.EventProcess)
	play(t, cfg)
	log.wants(t, "0 n0 external 1", "0 n1 external 1", "100 n1 external 2", "200 c0 process 1", "300 n1 timer 9")
}

// Markers and orders to initiate wait for a free node, and cost it nothing.
func TestMarkersWaitAndCostNothing(t *testing.T) {
	cfg := scene(graph(2, 0, 1), pass)
	cfg.NewNode = chandylamport.New
	cfg.Service = sim.Dist{Low: 20}
	cfg.NewSource = feed(releases{0, 30}, releases{30})
	cfg.Snapshots = sim.SnapshotPlan{At: []int64{10}, Initiators: []int32{0}}
	log := watch(cfg, sim.EventInitiate, sim.EventRecord, sim.EventMarkerSent, sim.EventMarker, sim.EventBusy)
	play(t, cfg)
	log.wants(t,
		"0 n0 busy until 20",
		"20 n0 initiate 1", "20 n0 record 1", "20 c0 sends marker 1 due 30",
		"30 n0 busy until 50", "30 n1 busy until 50", // with the record of 30
		"50 n1 busy until 70", // with the message before the marker
		"70 c0 marker 1", "70 n1 record 1", "70 n1 busy until 90")
}
