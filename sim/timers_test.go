package sim_test

import (
	"testing"

	"simrun/sim"
)

// sets arms timer 1 to fire so long after each External record.
func sets(after ...int64) deed {
	return func(in sim.Input, m sim.Message, fx *sim.Effects) {
		if in == sim.External {
			fx.SetTimer(1, after[m.Key-1])
		}
	}
}

// A timer that is armed again fires once, at its new instant, be that earlier or
// later; its old instant is nothing that happens in the run.
func TestTimerArmedAgain(t *testing.T) {
	for second, fires := range map[int64]int64{50: 70, 200: 220} {
		cfg := scene(graph(1), sets(100, second))
		cfg.NewSource = feed(releases{10, 20})
		log := watch(cfg, sim.EventTimer)
		h := play(t, cfg)
		if len(log.lines) != 1 || log.lines[0].at != fires {
			t.Errorf("armed again for %d: fires at %v", fires, log.lines)
		}
		if h.EndedAt != fires || h.Steps != 3 {
			t.Errorf("the run ends at %d after %d steps, want %d and 3", h.EndedAt, h.Steps, fires)
		}
	}
}

// Armed again while it waits for a busy node, a timer fires at its new instant
// only: it comes at 105, while the second record is served, and the third, which
// has waited longer, arms it again.
func TestTimerArmedAgainWhileItWaits(t *testing.T) {
	cfg := scene(graph(1), func(in sim.Input, m sim.Message, fx *sim.Effects) {
		switch {
		case in == sim.External && m.Key == 1:
			fx.SetTimer(1, 5)
		case in == sim.External && m.Key == 3:
			fx.SetTimer(1, 1000)
		}
	})
	cfg.Service = sim.Dist{Low: 100}
	cfg.NewSource = feed(releases{0, 50, 101})
	log := watch(cfg, sim.EventExternal, sim.EventTimer)
	play(t, cfg)
	log.wants(t, "0 n0 external 1", "100 n0 external 2", "200 n0 external 3", "1300 n0 timer 1")
}

// Armed again inside its own handler a timer fires again. Zero counts as 1 ns.
func TestTimerArmsItself(t *testing.T) {
	cfg := scene(graph(1), func(in sim.Input, m sim.Message, fx *sim.Effects) {
		switch {
		case in == sim.External:
			fx.SetTimer(1, 0)
		case m.Key < 3:
			fx.SetTimer(uint32(m.Key)+1, -5)
		}
	})
	cfg.NewSource = feed(releases{10})
	log := watch(cfg, sim.EventArm, sim.EventTimer)
	play(t, cfg)
	log.wants(t, "10 n0 arms 1 due 11", "11 n0 timer 1", "11 n0 arms 2 due 12", "12 n0 timer 2", "12 n0 arms 3 due 13", "13 n0 timer 3")
}

// Armed timers are part of the snapshot. After the restore they fire at their
// own instant or at the restore, whichever is later.
func TestTimersAreRestored(t *testing.T) {
	cfg := scene(graph(1), func(in sim.Input, m sim.Message, fx *sim.Effects) {
		if in == sim.External {
			fx.SetTimer(8, 60)  // due at 70
			fx.SetTimer(3, 190) // due at 200
			fx.SetTimer(5, 10)  // due at 20, and over
		}
	})
	cfg.NewSource = feed(releases{10})
	cfg.Snapshots.At = []int64{30}
	cfg.Faults = []sim.Fault{{Nodes: []int32{0}, At: 50, Down: 50}}
	log := watch(cfg, sim.EventTimer)
	h := play(t, cfg)
	log.wants(t, "20 n0 timer 5", "100 n0 timer 8", "200 n0 timer 3")
	same(t, "timers in the snapshot", h.Snapshots[0].Recordings[0].Timers, []sim.ArmedTimer{{ID: 3, Due: 200}, {ID: 8, Due: 70}})
	same(t, "timers after the restore", h.Restores[0].Timers[0], []sim.ArmedTimer{{ID: 3, Due: 200}, {ID: 8, Due: 100}})
}

// Without a snapshot a crash loses the timers of every node, because the whole
// graph goes back to where none was armed.
func TestTimersAreLostWithoutASnapshot(t *testing.T) {
	cfg := scene(graph(2), sets(90), sets(90))
	cfg.NewSource = feed(releases{10}, releases{10})
	cfg.Replay = sim.NoReplay // else the records would arm them again
	cfg.Faults = []sim.Fault{{Nodes: []int32{0}, At: 50, Down: 10}}
	log := watch(cfg, sim.EventTimer)
	h := play(t, cfg)
	log.wants(t)
	if len(h.Final.Timers[0])+len(h.Final.Timers[1]) > 0 {
		t.Errorf("timers are armed at the end: %v", h.Final.Timers)
	}
}

// A node that is down has no timer and fires none; the others do.
func TestTimersOfANodeThatIsDown(t *testing.T) {
	cfg := scene(graph(2), sets(50), sets(50))
	cfg.NewSource = feed(releases{10}, releases{10})
	cfg.Replay = sim.NoReplay
	cfg.Faults = []sim.Fault{{Nodes: []int32{0}, At: 40, Down: 100}}
	log := watch(cfg, sim.EventTimer)
	play(t, cfg)
	log.wants(t, "60 n1 timer 1")

	cfg.MaxSteps = 4 // two records, the crash, the timer of node 1
	h := runOf(t, cfg)
	same(t, "down at the step limit", h.Final.Down, []int32{0})
	same(t, "timers then", len(h.Final.Timers[0])+len(h.Final.Timers[1]), 0)
}

// A timer that the Node was given and did not process is still armed: it is in
// the snapshot, and fires again after a restore.
func TestUnprocessedTimerStaysArmed(t *testing.T) {
	cfg := scene(graph(1), sets(10))
	cfg.NewSource = feed(releases{10})
	ignore := true
	cfg.NewNode = cast(func() *actor {
		a := &actor{initiate: lone}
		a.receive = func(in sim.Input, m sim.Message, out *sim.Out) {
			if in == sim.Timer && ignore {
				ignore = false
				return
			}
			a.passThrough.Receive(in, m, out)
		}
		return a
	})
	cfg.Snapshots.At = []int64{30}
	cfg.Faults = []sim.Fault{{Nodes: []int32{0}, At: 50, Down: 50}}
	log := watch(cfg, sim.EventTimer)
	h := play(t, cfg)
	log.wants(t, "100 n0 timer 1")
	same(t, "timers in the snapshot", h.Snapshots[0].Recordings[0].Timers, []sim.ArmedTimer{{ID: 1, Due: 20}})
}
