package sim_test

import (
	"testing"

	"simrun/sim"
)

// keeper is a Node that processes what comes and holds back what the App sends:
// one message at a time, the one before leaves when the next comes. What it holds
// is attached to the snapshot, and leaves in Recover.
func keeper() *actor {
	a := &actor{}
	var held []sim.Message
	release := func(out *sim.Out) {
		for _, m := range held {
			out.Send(sim.Send{Message: m, Output: 0})
		}
		held = nil
	}
	a.receive = func(in sim.Input, m sim.Message, out *sim.Out) {
		release(out)
		for _, s := range out.Process(in, m) {
			held = append(held, s.Message)
		}
	}
	a.initiate = func(id sim.SnapshotID, out *sim.Out) {
		out.SaveState(id)
		var data []byte
		for _, m := range held {
			data = sim.AppendMessage(data, m)
		}
		out.Attach(id, data)
		clear(data) // it is attached by value
		out.Done(id)
	}
	a.recover = func(attached []byte, _ []sim.Logged, out *sim.Out) {
		for m, rest, ok := sim.ReadMessage(attached); ok; m, rest, ok = sim.ReadMessage(rest) {
			held = append(held, m)
		}
		release(out)
	}
	return a
}

// A Node may send later than the step that produced the message: in incarnation 0
// at the next record, after the restore in Recover, before any input. The numbers
// are those of the channel: message 1 left before the cut, message 2 after it.
func TestHeldOutputsSurvive(t *testing.T) {
	cfg := scene(graph(2, 0, 1), pass)
	cfg.NewSource = feed(releases{10, 20, 30})
	cfg.NewNode = cast(keeper)
	cfg.Snapshots.At = []int64{25}
	cfg.Faults = []sim.Fault{{Nodes: []int32{1}, At: 35, Down: 65}}
	cfg.Stop.At = 100
	log := watch(cfg, sim.EventExternal, sim.EventSend, sim.EventRestore, sim.EventProcess)
	h := play(t, cfg)
	log.wants(t,
		"10 n0 external 1", "20 c0 sends 1 due 30", "20 n0 external 2", "30 c0 sends 2 due 40", "30 n0 external 3",
		"30 c0 process 1", // after the cut of node 1, and lost: nobody here saves channels
		"100 restore 1", "100 c0 sends 2 due 110", "100 n0 external 3", "110 c0 process 2")
	if s := h.Snapshots[0]; s.Sent[0] != 1 || len(s.Attached[0]) == 0 || s.Attached[1] != nil {
		t.Errorf("snapshot 1: %d sent, attached %v", s.Sent[0], s.Attached)
	}
	if len(h.Breaches) != 1 { // number 2 where 1 was due: this algorithm saves no channel
		t.Errorf("breaches %+v", h.Breaches)
	}
}

// Without a snapshot Recover is given nothing.
func TestRecoverFromTheInitialState(t *testing.T) {
	cfg := scene(graph(2))
	calls := 0
	cfg.NewNode = cast(func() *actor {
		return &actor{recover: func(attached []byte, log []sim.Logged, _ *sim.Out) {
			if calls++; attached != nil || log != nil {
				t.Errorf("Recover is given %v and %v", attached, log)
			}
		}}
	})
	cfg.Faults = []sim.Fault{{Nodes: []int32{1}, At: 10}}
	h := play(t, cfg)
	if calls != 1 || h.Restores[0].Snapshot != nil {
		t.Errorf("%d calls of Recover, restores %+v", calls, h.Restores)
	}
}

// logger is a Node with two inputs that saves its state when told to, then logs
// everything that comes until three messages have come, and replays the log.
func logger(given *[]sim.Logged) func() *actor {
	return func() *actor {
		a := &actor{}
		left := 0
		a.initiate = func(id sim.SnapshotID, out *sim.Out) {
			out.SaveState(id)
			left = 3
		}
		a.receive = func(in sim.Input, m sim.Message, out *sim.Out) {
			if left > 0 && in >= 0 {
				out.SaveLog(1, in, m)
				if left--; left == 0 {
					out.Done(1)
				}
			}
			a.passThrough.Receive(in, m, out)
		}
		a.recover = func(_ []byte, log []sim.Logged, out *sim.Out) {
			*given = append(*given, log...)
			for _, l := range log {
				a.passThrough.Receive(l.Input, l.Message, out)
			}
		}
		return a
	}
}

// Recover is given the backup log in the order in which it was saved, over all
// inputs, and processes it under the numbers after the cut, before anything else:
// the first rows of the node in the new incarnation.
func TestBackupLog(t *testing.T) {
	cfg := scene(graph(3, 0, 2, 1, 2), pass, pass, emit)
	cfg.Delays = []sim.Dist{{Low: 30}}
	cfg.NewSource = feed(releases{1, 11, 90}, releases{5, 10, 12})
	var given []sim.Logged
	cfg.NewNode = cast(nil, nil, logger(&given))
	cfg.Snapshots.At = []int64{32} // the sources have sent all but one; node 2 has processed one
	cfg.Faults = []sim.Fault{{Nodes: []int32{0}, At: 60, Down: 40}}
	log := watch(cfg, sim.EventRestore, sim.EventProcess, sim.EventEmit, sim.EventExternal)
	h := play(t, cfg)
	log.wants(t,
		"1 n0 external 1", "5 n1 external 1", "10 n1 external 2", "11 n0 external 2", "12 n1 external 3",
		"31 c0 process 1", "31 n2 emits 1: 1", "35 c1 process 1", "35 n2 emits 2: 1",
		"40 c1 process 2", "40 n2 emits 3: 2", "41 c0 process 2", "41 n2 emits 4: 2", "42 c1 process 3", "42 n2 emits 5: 3",
		"100 restore 1",
		"100 c1 process 1", "100 n2 emits 6: 1", "100 c1 process 2", "100 n2 emits 7: 2", "100 c0 process 2", "100 n2 emits 8: 2",
		"100 n0 external 3", "130 c0 process 3", "130 n2 emits 9: 3")
	s, r := h.Snapshots[0], h.Restores[0]
	same(t, "logged of channel 0", numbers(r.Logged[0]), []uint32{2})
	same(t, "logged of channel 1", numbers(r.Logged[1]), []uint32{1, 2})
	same(t, "put back", [][]sim.Recorded{r.Requeued[0], r.Requeued[1]}, [][]sim.Recorded{nil, nil})
	same(t, "the log of node 2", s.Logs[2], []sim.LogEntry{{Channel: 1, Index: 0}, {Channel: 1, Index: 1}, {Channel: 0, Index: 0}})
	same(t, "what Recover is given", given, []sim.Logged{
		{Input: 1, Message: sim.Message{Key: 1}}, {Input: 1, Message: sim.Message{Key: 2, Value: 1}},
		{Input: 0, Message: sim.Message{Key: 2, Value: 1}},
	})
	for _, content := range s.Channels[:2] {
		for _, m := range content {
			if !m.Logged {
				t.Errorf("%+v is not marked as logged", m)
			}
		}
	}
	if r.Replayed != 3 {
		t.Errorf("%d messages replayed, want 3", r.Replayed)
	}
	// Message 3 of channel 1 is in nobody's log, because the node was done.
	if len(h.Breaches) > 0 || h.Final.Processed[1] != 2 || h.Final.Sent[1] != 3 {
		t.Errorf("breaches %+v; channel 1: %d sent, %d processed", h.Breaches, h.Final.Sent[1], h.Final.Processed[1])
	}
}

// What comes for a snapshot that is aborted or complete changes nothing in it.
func TestLateEntriesChangeNothing(t *testing.T) {
	cfg := scene(graph(2, 0, 1), pass)
	cfg.NewSource = feed(releases{50})
	cfg.NewNode = cast(nil, func() *actor {
		return &actor{initiate: lone, receive: func(in sim.Input, m sim.Message, out *sim.Out) {
			out.Process(in, m)
			out.SaveState(1)
			out.SaveChannel(1, in, m)
			out.SaveLog(1, in, m)
			out.Attach(1, []byte("late"))
			out.Done(1)
		}}
	})
	cfg.Snapshots.At = []int64{10}
	h := play(t, cfg)
	s := h.Snapshots[0]
	if s.Status != sim.Complete || s.CompletedAt != 10 || string(s.States[1]) != "" || len(s.Channels[0]) > 0 || s.Attached[1] != nil || s.DoneAt[1] != 10 {
		t.Errorf("snapshot 1 became %+v", s)
	}
	same(t, "recorded again", s.Twice, []int32{1})
}

// A snapshot that was given up has no cut, so it is nothing to record it again.
func TestRecordedAgainWhenGivenUp(t *testing.T) {
	cfg := scene(graph(2, 0, 1), pass)
	cfg.NewSource = feed(releases{50})
	cfg.NewNode = cast(nil, func() *actor {
		return &actor{initiate: func(id sim.SnapshotID, out *sim.Out) { out.SaveState(id) }, receive: func(in sim.Input, m sim.Message, out *sim.Out) {
			out.Process(in, m)
			out.SaveState(1)
		}}
	})
	cfg.Snapshots.At = []int64{10}
	cfg.Faults = []sim.Fault{{Nodes: []int32{0}, At: 20}}
	s := play(t, cfg).Snapshots[0]
	if s.Status != sim.Aborted || s.Recordings[0].At != 10 || len(s.Twice) > 0 {
		t.Errorf("snapshot 1 became %+v", s)
	}
}

// What a sink emitted is never taken back: the account goes on counting after a
// restore.
func TestEmissionsAreNotTakenBack(t *testing.T) {
	cfg := scene(graph(1), emit)
	cfg.NewSource = feed(releases{10, 20})
	cfg.Faults = []sim.Fault{{Nodes: []int32{0}, At: 30, Down: 10}}
	log := watch(cfg, sim.EventEmit)
	h := play(t, cfg)
	log.wants(t, "10 n0 emits 1: 1", "20 n0 emits 2: 2", "40 n0 emits 3: 1", "40 n0 emits 4: 2")
	emits := 0
	for _, r := range h.Rows {
		if r.Kind() == sim.RowEmit {
			if emits++; r.Number != uint32(emits) {
				t.Errorf("emission %d has number %d", emits, r.Number)
			}
		}
	}
	if emits != 4 {
		t.Errorf("%d emissions, want 4", emits)
	}
}
