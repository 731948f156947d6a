package sim_test

import (
	"fmt"
	"slices"
	"testing"

	"simrun/algorithms/abs"
	"simrun/algorithms/chandylamport"
	"simrun/sim"
)

// post is one message or marker put on a channel.
type post struct {
	at, due int64
	number  uint32 // of the message; of the next message for a marker
	marker  bool
}

// postman notes what is put on each channel.
type postman struct {
	posts map[int32][]post
	sent  map[int32]uint32
}

func watchPosts(cfg *sim.Config) *postman {
	p := &postman{map[int32][]post{}, map[int32]uint32{}}
	cfg.Observer = p
	return p
}

func (p *postman) Observe(ev *sim.Event) {
	switch ev.Kind {
	case sim.EventSend:
		p.sent[ev.Channel] = ev.Number
		p.posts[ev.Channel] = append(p.posts[ev.Channel], post{ev.At, ev.Due, ev.Number, false})
	case sim.EventMarkerSent:
		p.posts[ev.Channel] = append(p.posts[ev.Channel], post{ev.At, ev.Due, p.sent[ev.Channel] + 1, true})
	}
}

// crowded is a run in which messages are sent faster than they travel: two
// sources into a join, which passes everything on.
func crowded(newNode sim.NewNode) *sim.Config {
	cfg := scene(graph(4, 0, 2, 1, 2, 2, 3), pass, pass, pass)
	cfg.NewNode = newNode
	cfg.Delays = []sim.Dist{{Kind: sim.Uniform, Low: 1, High: 1000}, {Kind: sim.Uniform, Low: 1, High: 40}}
	cfg.DelayOf = []uint8{0, 0, 1}
	var often releases
	for k := range int64(300) {
		often = append(often, 20*k)
	}
	cfg.NewSource = feed(often, often)
	cfg.Snapshots = sim.SnapshotPlan{Every: 500, Initiators: []int32{0, 1}}
	cfg.Stop.At = 20 * 300
	return cfg
}

// due = max(now + delay, due of the one before), where the delay is the draw of
// the message's channel and number, and a marker's is that of the message that
// comes next.
func TestDueNeverFallsAlongAChannel(t *testing.T) {
	cfg := crowded(chandylamport.New)
	p := watchPosts(cfg)
	play(t, cfg)
	pushed, markers := 0, 0
	for c := range int32(3) {
		before := int64(0)
		for i, got := range p.posts[c] {
			delay := cfg.Delays[cfg.DelayOf[c]].Draw(sim.Draw(cfg.Seed, sim.ForDelay, c, 0, uint64(got.number)))
			if want := max(got.at+delay, before); got.due != want {
				t.Fatalf("channel %d, entry %d: due %d, want %d", c, i, got.due, want)
			}
			if got.due > got.at+delay {
				pushed++
			}
			if got.marker {
				markers++
			}
			before = got.due
		}
	}
	if pushed == 0 || markers == 0 {
		t.Errorf("%d messages wait for the one before and %d markers were sent: the run shows nothing", pushed, markers)
	}
}

// A marker never pushes a message back: without the markers every message of the
// same run is due at the same instant.
func TestMarkersPushNothingBack(t *testing.T) {
	with, without := crowded(chandylamport.New), crowded(chandylamport.New)
	without.Snapshots = sim.SnapshotPlan{}
	seenWith, seenWithout := watchPosts(with), watchPosts(without)
	play(t, with)
	play(t, without)
	behind := 0 // messages that have a marker right before them in time
	for c := range int32(3) {
		var messages []post
		for i, p := range seenWith.posts[c] {
			if !p.marker {
				messages = append(messages, p)
			} else if i+1 < len(seenWith.posts[c]) && seenWith.posts[c][i+1].due == p.due {
				behind++
			}
		}
		if len(messages) != len(seenWithout.posts[c]) {
			t.Fatalf("channel %d: %d messages with markers, %d without", c, len(messages), len(seenWithout.posts[c]))
		}
		for i, p := range messages {
			if p != seenWithout.posts[c][i] {
				t.Fatalf("channel %d: %+v with markers, %+v without", c, p, seenWithout.posts[c][i])
			}
		}
	}
	if behind == 0 {
		t.Error("no message is due together with the marker before it: the run shows nothing")
	}
}

// Message k on channel c has the same delay under every algorithm, although ABS,
// which blocks, lets it be sent at another time.
func TestDelaysArePaired(t *testing.T) {
	delays := func(newNode sim.NewNode) (list []int64, at []int64) {
		cfg := crowded(newNode)
		p := watchPosts(cfg)
		play(t, cfg)
		before := int64(0)
		for _, m := range p.posts[2] {
			switch {
			case m.marker:
			case m.due > before: // the delay alone decided
				list, at = append(list, m.due-m.at), append(at, m.at)
			default:
				list, at = append(list, 0), append(at, m.at)
			}
			before = m.due
		}
		return list, at
	}
	none, when := delays(func(sim.NodeInfo) sim.Node { return &passThrough{} })
	for name, newNode := range map[string]sim.NewNode{"Chandy-Lamport": chandylamport.New, "ABS": abs.New} {
		got, gotWhen := delays(newNode)
		if len(got) != len(none) {
			t.Fatalf("%s: %d messages, want %d", name, len(got), len(none))
		}
		compared, moved := 0, 0
		for k := range got {
			if gotWhen[k] != when[k] {
				moved++
			}
			if got[k] == 0 || none[k] == 0 {
				continue
			}
			if compared++; got[k] != none[k] {
				t.Fatalf("%s: message %d travels %d ns, without snapshots %d", name, k+1, got[k], none[k])
			}
		}
		if compared < 50 {
			t.Errorf("%s: only %d messages could be compared", name, compared)
		}
		if name == "ABS" && moved == 0 {
			t.Error("ABS sent every message at the time of the run without snapshots: the run shows nothing")
		}
	}
}

// Delays, service times and write times are draws of the channel or node, the
// incarnation, and a counter: the message's number, the inputs served, the id.
func TestDrawsAreKeyed(t *testing.T) {
	cfg := scene(graph(2, 1, 0), nil, pass)
	wide := sim.Dist{Kind: sim.Uniform, Low: 1, High: 1_000_000}
	cfg.Delays, cfg.Service, cfg.Write = []sim.Dist{wide}, wide, wide
	cfg.NewSource = feed(nil, releases{0})
	cfg.Snapshots.At = []int64{4_000_000}
	cfg.Faults = []sim.Fault{{Nodes: []int32{0}, At: 2_500_000, Down: 500_000}}
	draw := func(p sim.Purpose, entity int32, incarnation uint8, counter uint64) int64 {
		return wide.Draw(sim.Draw(cfg.Seed, p, entity, incarnation, counter))
	}
	log := watch(cfg, sim.EventExternal, sim.EventSend, sim.EventDurable)
	play(t, cfg)
	first := draw(sim.ForService, 1, 0, 1) + draw(sim.ForDelay, 0, 0, 1)
	second := 3_000_000 + draw(sim.ForService, 1, 1, 2) + draw(sim.ForDelay, 0, 1, 1)
	durable := []string{
		fmt.Sprintf("%d n0 durable 1", 4_000_000+draw(sim.ForWrite, 0, 1, 1)),
		fmt.Sprintf("%d n1 durable 1", 4_000_000+draw(sim.ForWrite, 1, 1, 1)),
	}
	slices.Sort(durable) // all have seven digits
	log.wants(t,
		"0 n1 external 1", fmt.Sprintf("0 c0 sends 1 due %d", first),
		"3000000 n1 external 1", fmt.Sprintf("3000000 c0 sends 1 due %d", second),
		durable[0], durable[1])
}
