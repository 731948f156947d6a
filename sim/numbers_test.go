package sim_test

import (
	"fmt"
	"testing"

	"simrun/sim"
)

// recorder is a Node that saves its state when told to, keeps what then comes on
// input 0 as channel state, and is done when this many messages have come.
func recorder(channelState int) func() *actor {
	return func() *actor {
		a := &actor{}
		var open sim.SnapshotID
		left := 0
		a.initiate = func(id sim.SnapshotID, out *sim.Out) {
			out.SaveState(id)
			if open, left = id, channelState; left == 0 {
				out.Done(id)
			}
		}
		a.receive = func(in sim.Input, m sim.Message, out *sim.Out) {
			if left > 0 && in == 0 {
				out.SaveChannel(open, in, m)
				if left--; left == 0 {
					out.Done(open)
				}
			}
			a.passThrough.Receive(in, m, out)
		}
		return a
	}
}

// The cut at 35 has three messages sent and one processed, so after the restore
// messages 2 and 3 are in the channel again under their numbers, with the tag of
// the incarnation that sent them, and the next one sent is number 4.
func TestNumbersGoOnAtTheCut(t *testing.T) {
	cfg := scene(graph(2, 0, 1), pass)
	cfg.Delays = []sim.Dist{{Low: 21}}
	cfg.NewSource = feed(releases{10, 20, 30, 40})
	cfg.NewNode = cast(nil, recorder(2))
	cfg.Snapshots.At = []int64{35}
	cfg.Faults = []sim.Fault{{Nodes: []int32{0}, At: 70, Down: 30}}
	var tags []uint8
	log := watch(cfg, sim.EventRestore, sim.EventSend, sim.EventProcess)
	cfg.Observer = observers{log, observer(func(ev *sim.Event) {
		if ev.Kind == sim.EventProcess {
			tags = append(tags, ev.SentIncarnation)
		}
	})}
	h := play(t, cfg)
	log.wants(t,
		"10 c0 sends 1 due 31", "20 c0 sends 2 due 41", "30 c0 sends 3 due 51", "31 c0 process 1",
		"40 c0 sends 4 due 61", "41 c0 process 2", "51 c0 process 3", "61 c0 process 4",
		"100 restore 1", "100 c0 sends 4 due 121", "100 c0 process 2", "100 c0 process 3", "121 c0 process 4")
	same(t, "tags", tags, []uint8{0, 0, 0, 0, 0, 0, 1})
	s, r := h.Snapshots[0], h.Restores[0]
	want := []sim.Recorded{{Message: sim.Message{Key: 2, Value: 1}, Number: 2}, {Message: sim.Message{Key: 3, Value: 2}, Number: 3}}
	same(t, "recorded", s.Channels[0], want)
	same(t, "put back", r.Requeued[0], want)
	if s.Sent[0] != 3 || s.Processed[0] != 1 || r.Replayed != 2 || r.LostProcessed != 3 {
		t.Errorf("the cut has %d sent and %d processed; %d messages put back, %d deliveries lost; want 3, 1, 2, 3",
			s.Sent[0], s.Processed[0], r.Replayed, r.LostProcessed)
	}
	same(t, "breaches", h.Breaches, nil)
	same(t, "states at the end", texts(h.Final.States), []string{"e1 e2 e3 e4", "c0:1 c0:2 c0:3 c0:4"})
}

// observer lets a function watch a run; observers lets several.
type observer func(*sim.Event)

func (f observer) Observe(ev *sim.Event) { f(ev) }

type observers []sim.Observer

func (all observers) Observe(ev *sim.Event) {
	for _, o := range all {
		o.Observe(ev)
	}
}

// breaching is a run in which node 1 gets messages 1, 2 and 3 on channel 0 and
// handles them in its own way.
func breaching(receive func(m sim.Message, out *sim.Out)) *sim.Config {
	cfg := scene(graph(2, 0, 1), pass)
	cfg.NewSource = feed(releases{10, 20, 30})
	cfg.NewNode = cast(nil, func() *actor {
		return &actor{initiate: lone, receive: func(in sim.Input, m sim.Message, out *sim.Out) { receive(m, out) }}
	})
	return cfg
}

// breaches tells when which number was processed instead of which.
func breaches(h *sim.History) (all []string) {
	for _, b := range h.Breaches {
		all = append(all, fmt.Sprintf("%d: %d for %d", b.At, b.Number, b.Next))
	}
	return all
}

// A message that is processed twice is not the next one the second time, and
// nothing after it is.
func TestProcessingTwiceIsABreach(t *testing.T) {
	cfg := breaching(func(m sim.Message, out *sim.Out) {
		out.Process(0, m)
		if m.Key == 2 {
			out.Process(0, m)
		}
	})
	h := play(t, cfg)
	same(t, "breaches", breaches(h), []string{"30: 2 for 3", "40: 3 for 4"})
	if row := h.Rows[h.Breaches[0].Row]; row.Kind() != sim.RowProcess || row.Number != 2 || row.Entity() != 0 {
		t.Errorf("the breach points at row %d: kind %d, number %d", h.Breaches[0].Row, row.Kind(), row.Number)
	}
	if h.Deliveries != 4 {
		t.Errorf("%d deliveries, want 4", h.Deliveries)
	}
}

// Messages that are processed in another order than they were sent are breaches.
func TestProcessingOutOfOrderIsABreach(t *testing.T) {
	var held sim.Message
	cfg := breaching(func(m sim.Message, out *sim.Out) {
		switch m.Key {
		case 1:
			held = m
		case 2:
			out.Process(0, m)
			out.Process(0, held)
		case 3:
			out.Process(0, m)
		}
	})
	same(t, "breaches", breaches(play(t, cfg)), []string{"30: 2 for 1", "30: 1 for 2"})
}

// So is what comes after a message that was dropped, and a message that no channel
// carried.
func TestDroppingAndInventingAreBreaches(t *testing.T) {
	cfg := breaching(func(m sim.Message, out *sim.Out) {
		switch m.Key {
		case 2:
			out.Process(0, m)
		case 3:
			out.Process(0, m)
			out.Process(0, sim.Message{Key: 4})
		}
	})
	same(t, "breaches", breaches(play(t, cfg)), []string{"30: 2 for 1", "40: 3 for 2", "40: 0 for 3"})
}

// smuggler is a Node that hides the first message it ever gets where no restore
// can take it away, and processes it in Recover, as number 1.
func smuggler(hidden *sim.Message, at uint8) func() *actor {
	incarnation := uint8(0)
	return func() *actor {
		a := recorder(1)()
		receive := a.receive
		a.receive = func(in sim.Input, m sim.Message, out *sim.Out) {
			if *hidden == (sim.Message{}) {
				*hidden = m
				return
			}
			receive(in, m, out)
		}
		a.recover = func(_ []byte, _ []sim.Logged, out *sim.Out) {
			if incarnation++; incarnation == at {
				out.Process(0, *hidden)
			}
		}
		return a
	}
}

// A message of an incarnation that was rolled back is a breach, although its
// number is the next one.
func TestOldMessageIsABreach(t *testing.T) {
	cfg := breaching(nil)
	cfg.NewSource = feed(releases{10})
	cfg.NewNode = cast(nil, smuggler(new(sim.Message), 1))
	cfg.Faults = []sim.Fault{{Nodes: []int32{1}, At: 50, Down: 10}}
	h := play(t, cfg)
	if len(h.Breaches) != 2 {
		t.Fatalf("breaches %+v, want two: the old message, and the new one that comes second", h.Breaches)
	}
	want := sim.Breach{At: 60, Row: h.Breaches[0].Row, Channel: 0, Incarnation: 1, Number: 1, Next: 1, SentIncarnation: 0}
	same(t, "first breach", h.Breaches[0], want)
}

// The restored cut may contain a message with the same number that another
// incarnation sent. The hidden one is a breach all the same: incarnation 0 sent
// it after the cut from which incarnation 1 began.
func TestOldMessageWithANumberInsideTheCutIsABreach(t *testing.T) {
	cfg := breaching(nil)
	cfg.NewSource = feed(releases{30})
	cfg.Snapshots.At = []int64{10, 105}
	cfg.Faults = []sim.Fault{
		{Nodes: []int32{0}, At: 50, Down: 50}, // back to before message 1, which is sent again
		{Nodes: []int32{0}, At: 150, Down: 50},
	}
	newActor := smuggler(new(sim.Message), 2)
	cfg.NewNode = cast(nil, func() *actor {
		a := newActor()
		initiate := a.initiate
		a.initiate = func(id sim.SnapshotID, out *sim.Out) {
			if id == 1 {
				lone(id, out) // the channel is empty; in snapshot 2 it holds message 1 of incarnation 1
				return
			}
			initiate(id, out)
		}
		return a
	})
	h := play(t, cfg)
	if len(h.Restores) != 2 || h.Restores[1].Snapshot != h.Snapshots[1] {
		t.Fatalf("the restores are %+v", h.Restores)
	}
	same(t, "put back by the second restore", h.Restores[1].Requeued[0],
		[]sim.Recorded{{Message: sim.Message{Key: 1}, Number: 1, Incarnation: 1}})
	want := []sim.Breach{
		{At: 200, Channel: 0, Incarnation: 2, Number: 1, Next: 1, SentIncarnation: 0},
		{At: 200, Channel: 0, Incarnation: 2, Number: 1, Next: 2, SentIncarnation: 1}, // the right one, too late
	}
	for i := range h.Breaches {
		h.Breaches[i].Row = 0
	}
	same(t, "breaches", h.Breaches, want)
}

// A message of the channel state is no breach however many restores have kept it:
// its tag is that of an ancestor. Snapshot 2 is taken at the very restore that
// puts the messages of incarnation 0 back, so that it has them once more.
func TestMessageOfAnAncestorIsNoBreach(t *testing.T) {
	cfg := scene(graph(2, 0, 1), pass)
	cfg.NewSource = feed(releases{10, 20, 130})
	cfg.Delays = []sim.Dist{{Low: 30}}
	cfg.NewNode = cast(nil, recorder(2))
	cfg.Snapshots.At = []int64{25, 100}
	cfg.Faults = []sim.Fault{{Nodes: []int32{0}, At: 70, Down: 30}, {Nodes: []int32{0}, At: 110, Down: 10}}
	h := play(t, cfg)
	same(t, "breaches", h.Breaches, nil)
	same(t, "states at the end", texts(h.Final.States), []string{"e1 e2 e3", "c0:1 c0:2 c0:3"})
	if len(h.Restores) != 2 || h.Restores[1].Snapshot != h.Snapshots[1] {
		t.Fatalf("the restores are %+v", h.Restores)
	}
	for _, r := range h.Restores {
		if len(r.Requeued[0]) != 2 || r.Requeued[0][0].Incarnation != 0 {
			t.Errorf("put back in incarnation %d: %+v", r.Incarnation, r.Requeued[0])
		}
	}
}

// A node that records a snapshot twice is named.
func TestRecordingTwiceIsNoted(t *testing.T) {
	cfg := scene(graph(2))
	cfg.NewNode = cast(nil, func() *actor {
		return &actor{initiate: func(id sim.SnapshotID, out *sim.Out) {
			out.SaveState(id)
			out.SaveState(id)
			out.Done(id)
			out.Done(id) // once is enough
		}}
	})
	cfg.Snapshots.At = []int64{10}
	h := play(t, cfg)
	same(t, "recorded twice", h.Snapshots[0].Twice, []int32{1})
	if h.Snapshots[0].Status != sim.Complete {
		t.Errorf("the snapshot ends in state %d", h.Snapshots[0].Status)
	}
}
