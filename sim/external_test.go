package sim_test

import (
	"testing"

	"simrun/sim"
)

// rereading is a node whose snapshot at 15 covers one of its records, and that
// crashes at 50 and is restored at 100.
func rereading(replay sim.Replay) *sim.Config {
	cfg := scene(graph(1))
	cfg.NewSource = feed(releases{10, 20, 30, 90, 200})
	cfg.Snapshots.At = []int64{15}
	cfg.Faults = []sim.Fault{{Nodes: []int32{0}, At: 50, Down: 50}}
	cfg.Replay = replay
	return cfg
}

// The offset is part of the cut. After a restore a record is released at the
// restore or at its own time, whichever is later.
func TestExternalIsReadAgainFromTheCut(t *testing.T) {
	cfg := rereading(sim.FromOffset)
	log := watch(cfg, sim.EventExternal, sim.EventCrash, sim.EventRestore)
	h := play(t, cfg)
	log.wants(t,
		"10 n0 external 1", "20 n0 external 2", "30 n0 external 3", "50 n0 crash",
		"100 restore 1", "100 n0 external 2", "100 n0 external 3", "100 n0 external 4", "200 n0 external 5")
	same(t, "state at the end", texts(h.Final.States), []string{"e1 e2 e3 e4 e5"})
	r := h.Restores[0]
	if h.Snapshots[0].Recordings[0].Offset != 1 || r.Offsets[0] != 1 || r.LostExternal != 2 || h.Final.Offsets[0] != 5 {
		t.Errorf("offsets %d in the cut, %d after the restore, %d at the end, %d records lost; want 1, 1, 5, 2",
			h.Snapshots[0].Recordings[0].Offset, r.Offsets[0], h.Final.Offsets[0], r.LostExternal)
	}
}

// Without a snapshot everything is read again, from the first record.
func TestExternalIsReadAgainFromTheStart(t *testing.T) {
	cfg := rereading(sim.FromOffset)
	cfg.Snapshots.At = nil
	log := watch(cfg, sim.EventExternal)
	play(t, cfg)
	log.wantsAt(t, 100, "n0 external 1", "n0 external 2", "n0 external 3", "n0 external 4")
}

// Without replay the run goes on with the next unread record; what was processed
// after the cut is lost, and counted. Record 4, released while the node was
// down, was not read by anybody.
func TestNoReplayLosesWhatCameAfterTheCut(t *testing.T) {
	cfg := rereading(sim.NoReplay)
	log := watch(cfg, sim.EventExternal)
	h := play(t, cfg)
	log.wants(t, "10 n0 external 1", "20 n0 external 2", "30 n0 external 3", "100 n0 external 4", "200 n0 external 5")
	same(t, "state at the end", texts(h.Final.States), []string{"e1 e4 e5"})
	if r := h.Restores[0]; r.LostExternal != 2 || r.Offsets[0] != 3 {
		t.Errorf("%d records lost, offset %d after the restore; want 2 and 3", r.LostExternal, r.Offsets[0])
	}
}

// A record that the Node was given and did not process is not consumed, with or
// without replay: after the restore it is given it again.
func TestUnprocessedRecordIsGivenAgain(t *testing.T) {
	for _, replay := range []sim.Replay{sim.FromOffset, sim.NoReplay} {
		cfg := rereading(replay)
		cfg.Snapshots.At = nil
		cfg.NewSource = feed(releases{10})
		given := 0
		cfg.NewNode = cast(func() *actor {
			return &actor{receive: func(in sim.Input, m sim.Message, out *sim.Out) {
				if given++; given == 2 {
					out.Process(in, m)
				}
			}}
		})
		h := play(t, cfg)
		same(t, "state at the end", texts(h.Final.States), []string{"e1"})
	}
}
