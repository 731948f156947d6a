package sim_test

import (
	"testing"

	"simrun/sim"
)

// late is a node that, with every record, asks for all that there is for snapshot 1,
// whatever it did when it was told to take it.
func late(initiate func(sim.SnapshotID, *sim.Out)) func() *actor {
	return func() *actor {
		return &actor{initiate: initiate, receive: func(in sim.Input, m sim.Message, out *sim.Out) {
			out.Process(in, m)
			out.SaveState(1)
			out.SaveChannel(1, 0, m)
			out.SaveLog(1, 0, m)
			out.Attach(1, []byte("late"))
			out.Done(1)
		}}
	}
}

// A part of a snapshot changes no more when it is being written, is written, or
// belongs to a snapshot that was aborted, however far the node had come.
func TestSealedParts(t *testing.T) {
	undone := func(id sim.SnapshotID, out *sim.Out) { out.SaveState(id) }
	crash := []sim.Fault{{Nodes: []int32{0}, At: 50}}
	for name, c := range map[string]struct {
		initiate func(sim.SnapshotID, *sim.Out)
		write    int64
		late     int64 // when it asks
		faults   []sim.Fault
		status   sim.Status
		done     int64
	}{
		"being written":              {lone, 100, 20, nil, sim.Complete, 10},
		"written":                    {lone, 1, 20, nil, sim.Complete, 10},
		"aborted":                    {lone, 100, 200, crash, sim.Aborted, 10},
		"aborted before it was done": {undone, 1, 200, crash, sim.Aborted, -1},
		"aborted before it recorded": {nil, 1, 200, crash, sim.Aborted, -1},
	} {
		cfg := scene(graph(2, 0, 1))
		cfg.NewSource = feed(nil, releases{c.late})
		cfg.NewNode = cast(nil, late(c.initiate))
		cfg.Snapshots.At = []int64{10}
		cfg.Write = sim.Dist{Low: c.write}
		cfg.Faults = c.faults
		s := play(t, cfg).Snapshots[0]
		if s.Status != c.status || s.DoneAt[1] != c.done || len(s.States[1]) > 0 || s.Attached[1] != nil ||
			len(s.Channels[0]) > 0 || len(s.Logs[1]) > 0 || s.Recordings[1].Seq != 0 && s.Recordings[1].At != 10 {
			t.Errorf("%s: snapshot 1 became %+v", name, s)
		}
	}
}

// Saying Done again is not another node's part.
func TestDoneTwiceIsOnePart(t *testing.T) {
	for _, order := range []sim.Order{sim.Timed, sim.Chosen} {
		cfg := scene(graph(2))
		cfg.Order = order
		cfg.NewSource = feed(releases{30})
		cfg.Snapshots.At = []int64{10}
		cfg.NewNode = cast(func() *actor {
			return &actor{
				initiate: func(id sim.SnapshotID, out *sim.Out) {
					lone(id, out)
					out.Done(id)
				},
				receive: func(in sim.Input, m sim.Message, out *sim.Out) {
					out.Process(in, m)
					out.Done(1)
				},
			}
		}, func() *actor { return &actor{} })
		if order == sim.Timed {
			cfg.Write = sim.Dist{Low: 50} // the second and third time it is not durable yet
		} else {
			cfg.Snapshots.At = []int64{0}
		}
		dones := watch(cfg, sim.EventDone, sim.EventDurable, sim.EventComplete)
		s := play(t, cfg).Snapshots[0]
		if s.Status != sim.Pending || len(dones.lines) != 2 {
			t.Errorf("order %d: snapshot 1 ends in state %d, seen: %v", order, s.Status, dones.lines)
		}
	}
}
