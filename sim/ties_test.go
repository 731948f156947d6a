package sim_test

import (
	"testing"

	"simrun/sim"
)

// What a run can do falls on the instant 100, at nodes whose ids stand in the
// opposite order of the classes.
func TestClassesAtOneInstant(t *testing.T) {
	const crashed, writer, sleeper, source = 4, 3, 2, 1
	cfg := scene(graph(5, source, 0), nil, pass, func(in sim.Input, _ sim.Message, fx *sim.Effects) {
		if in == sim.External {
			fx.SetTimer(9, 10)
		}
	})
	cfg.NewSource = feed(nil, releases{90, 100}, releases{90})
	cfg.Snapshots = sim.SnapshotPlan{At: []int64{70, 100}, Initiators: []int32{writer}}
	cfg.Write = sim.Dist{Low: 30}
	cfg.Faults = []sim.Fault{{Nodes: []int32{crashed}, At: 100}}
	cfg.Faults[0].Down = 1000
	cfg.Stop.At = 200
	log := watch(cfg, sim.EventCrash, sim.EventDurable, sim.EventTimer, sim.EventExternal,
		sim.EventTrigger, sim.EventInitiate, sim.EventProcess)
	play(t, cfg)
	log.wantsAt(t, 100,
		"n4 crash", "n3 durable 1", "n2 timer 9", "n1 external 2", "trigger 2", "n3 initiate 2", "c0 process 1")
}

// A restore at 100 runs before everything else that is due then, what the
// snapshot puts back included.
func TestClassesAtTheInstantOfARestore(t *testing.T) {
	const crashed, sleeper, source, sink = 3, 2, 1, 0
	cfg := scene(graph(4, source, sink), nil, pass, func(in sim.Input, _ sim.Message, fx *sim.Effects) {
		if in == sim.External {
			fx.SetTimer(9, 75)
		}
	})
	cfg.NewSource = feed(nil, releases{10, 90}, releases{5})
	cfg.NewNode = cast(func() *actor { // records the message that crosses the cut
		a := &actor{initiate: func(id sim.SnapshotID, out *sim.Out) { out.SaveState(id) }}
		a.receive = func(in sim.Input, m sim.Message, out *sim.Out) {
			out.SaveChannel(1, in, m)
			out.Process(in, m)
			out.Done(1)
		}
		return a
	})
	cfg.Snapshots.At = []int64{15, 100}
	cfg.Faults = []sim.Fault{{Nodes: []int32{crashed}, At: 50, Down: 50}}
	log := watch(cfg, sim.EventRestore, sim.EventTimer, sim.EventExternal, sim.EventTrigger, sim.EventInitiate, sim.EventProcess)
	play(t, cfg)
	log.wantsAt(t, 100, "restore 1", "n2 timer 9", "n1 external 2",
		"trigger 2", "n0 initiate 2", "n1 initiate 2", "n2 initiate 2", "n3 initiate 2", "c0 process 1")
}

// A fault at the instant of a restore comes first and puts it off.
func TestFaultBeforeRestore(t *testing.T) {
	cfg := scene(graph(2))
	cfg.Faults = []sim.Fault{
		{Nodes: []int32{0}, At: 50, Down: 50},
		{Nodes: []int32{1}, At: 100, Down: 7},
	}
	log := watch(cfg, sim.EventCrash, sim.EventRestore)
	play(t, cfg)
	log.wants(t, "50 n0 crash", "100 n1 crash", "107 restore 0")
}

// The last part of a snapshot is durable at 100. A restore at 100 comes first and
// aborts the snapshot; one at 101 goes back to it.
func TestRestoreBeforeWrite(t *testing.T) {
	for down, want := range map[int64]string{50: "restore 0", 51: "restore 1"} {
		cfg := scene(graph(2))
		cfg.NewSource = feed(nil, releases{60})
		cfg.NewNode = cast(nil, func() *actor {
			a := &actor{initiate: func(id sim.SnapshotID, out *sim.Out) { out.SaveState(id) }}
			a.receive = func(in sim.Input, m sim.Message, out *sim.Out) {
				out.Process(in, m)
				out.Done(1)
			}
			return a
		})
		cfg.Snapshots.At = []int64{5}
		cfg.Write = sim.Dist{Low: 40}
		cfg.Faults = []sim.Fault{{Nodes: []int32{0}, At: 50, Down: down}}
		log := watch(cfg, sim.EventRestore)
		play(t, cfg)
		log.wantsAt(t, 50+down, want)
	}
}

// Within a class the lower id is first, although it was armed later.
func TestEntitiesAtOneInstant(t *testing.T) {
	later := func(after int64) deed {
		return func(in sim.Input, _ sim.Message, fx *sim.Effects) {
			if in == sim.External {
				fx.SetTimer(9, after)
			}
		}
	}
	turns := func(_ sim.Input, m sim.Message, fx *sim.Effects) { fx.Send(2-int32(m.Key), m.Key, 0, 0) }
	cfg := scene(graph(4, 2, 3, 2, 3), later(80), later(90), turns)
	cfg.Delays, cfg.DelayOf = []sim.Dist{{Low: 10}, {Low: 20}}, []uint8{0, 1}
	cfg.NewSource = feed(releases{20, 100}, releases{10, 100}, releases{80, 90})
	log := watch(cfg, sim.EventTimer, sim.EventExternal, sim.EventProcess)
	play(t, cfg)
	log.wantsAt(t, 100, "n0 timer 9", "n1 timer 9", "n0 external 2", "n1 external 2", "c0 process 1", "c1 process 1")
}

// Timers of one node that are due together fire in the order in which they were
// armed, whatever their ids.
func TestTimersFireInArmingOrder(t *testing.T) {
	cfg := scene(graph(1), func(in sim.Input, _ sim.Message, fx *sim.Effects) {
		if in == sim.External {
			fx.SetTimer(7, 90)
			fx.SetTimer(3, 90)
			fx.SetTimer(5, 90)
		}
	})
	cfg.NewSource = feed(releases{10})
	log := watch(cfg, sim.EventTimer)
	play(t, cfg)
	log.wants(t, "100 n0 timer 7", "100 n0 timer 3", "100 n0 timer 5")
}

// Channel 0 holds two messages and channel 1 one, all due at 20: the second of
// channel 0 competes as soon as the first is taken, and has the lower id.
func TestNextOfAChannelCompetesAtOnce(t *testing.T) {
	cfg := scene(graph(3, 0, 2, 1, 2),
		func(_ sim.Input, m sim.Message, fx *sim.Effects) {
			fx.Send(0, m.Key, 0, 0)
			fx.Send(0, m.Key, 0, 0)
		}, pass)
	cfg.NewSource = feed(releases{10}, releases{10})
	log := watch(cfg, sim.EventProcess)
	play(t, cfg)
	log.wants(t, "20 c0 process 1", "20 c0 process 2", "20 c1 process 1")
}
