package invariants

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"simrun/algorithms/abs"
	"simrun/sim"
)

// TestReachability does damage to states and contents of a snapshot whose counters are
// right. The other checks of contents are switched off, so that what is found is found
// by carrying out the theorem.
func TestReachability(t *testing.T) {
	s1 := func(p *play) *sim.Snapshot { return p.h.Snapshots[0] }
	caught(t, "reachability", []damage{
		{"a state that the window touches", func(p *play) { flip(s1(p).States, 0) }, "A is in another state than the recorded one"},
		{"a state that it does not touch", func(p *play) { flip(p.h.Snapshots[1].States, 1) }, "B is in another state than the recorded one"},
		{"a message sent before the window", func(p *play) { s1(p).Channels[ac] = changed(s1(p).Channels[ac], 0) }, "message 2 on channel A->C is another one than the recorded one"},
		{"a message sent in the window", func(p *play) {
			recorded := s1(p).Channels[ab]
			s1(p).Channels[ab] = changed(recorded, len(recorded)-1)
		}, "on channel A->B is another one than the recorded one"},
		{"of another incarnation", func(p *play) {
			s1(p).Channels[ab] = slices.Clone(s1(p).Channels[ab])
			s1(p).Channels[ab][0].Incarnation++
		}, "on channel A->B is another one than the recorded one"},
		{"two messages exchanged", func(p *play) {
			c := slices.Clone(s1(p).Channels[ab])
			c[0], c[1] = c[1], c[0]
			s1(p).Channels[ab] = c
		}, "channel A->B holds messages 2 to"},
		{"an offset", func(p *play) { s1(p).Recordings[0].Offset-- }, "A is at External record 12, and recorded is 11"},
		{"a timer", func(p *play) { s1(p).Recordings[0].Timers = nil }, "A has armed timer"},
		{"a counter", func(p *play) { s1(p).Sent[ab]-- }, "and in the cut they are"},
		{"the cut behind", func(p *play) { s1(p).Processed[ac]++ }, "and in the cut they are"},
		{"no recording at one node", func(p *play) { s1(p).Recordings[1].Seq = 0 }, "B never recorded it"},
		{"a recording in another row", func(p *play) { p.h.Snapshots[1].Recordings[1].Row-- }, "the recording of B has no row"},
	})
	p := sample(t)
	flip(p.h.Snapshots[0].States, 0)
	report := Check(p.run, []string{"state-truth", "recovery", "conservation", "non-interference"})
	if len(report.Violations) != 1 || report.Violations[0].Invariant != "reachability" || report.SnapshotVerdict(1) != Violated {
		t.Errorf("nobody else looks at states: %v", report.Violations)
	}
}

// flip damages the state of a node.
func flip(states [][]byte, v int) {
	states[v] = slices.Clone(states[v])
	states[v][0] ^= 1
}

// changed is a recorded channel state with one message that says something else.
func changed(recorded []sim.Recorded, i int) []sim.Recorded {
	recorded = slices.Clone(recorded)
	recorded[i].Message.Value++
	return recorded
}

// TestOrphanIsExplained: an event before the cut that needs one after it cannot be
// carried out first.
func TestOrphanIsExplained(t *testing.T) {
	p := newPlay(graphOf(2, [2]int32{0, 1}, [2]int32{1, 0}))
	s := p.trigger(0)
	p.record(s, 0)
	p.external(0) // rows 1 and 2: A reads and sends
	p.process(0)  // row 3: B processes before it records
	p.record(s, 1)
	p.drain()
	report := Check(p.end(), []string{"consistent-cut"})
	v, ok := find(report, "reachability")
	want := "B processes message 1 on channel A->B in row 3, before it records in row "
	if !ok || !strings.Contains(v.Detail, want) || !strings.Contains(v.Detail, "A sends message 1 on channel A->B in row 2, after it recorded in row 0. So row 3 would have to happen before row 2") ||
		v.Channel != 0 || !slices.Equal(v.Numbers, []uint32{1}) || v.Snapshot != 1 {
		t.Errorf("%+v", report.Violations)
	}
}

// secretive is an App with a state that it does not save.
type secretive struct {
	trader
	steps uint64
}

func (a *secretive) Step(in sim.Input, m sim.Message, fx *sim.Effects) {
	a.steps++
	fx.Send(0, a.steps, 1, 0)
	if in == sim.External {
		fx.Emit(a.steps, 0, 0)
	}
}

// stubborn is an App that cannot be loaded.
type stubborn struct{ trader }

func (a *stubborn) Load([]byte) error { return fmt.Errorf("no") }

// straying is an App that forgets what its outputs are when it is loaded.
type straying struct{ trader }

func (a *straying) Load(state []byte) error {
	a.outputs = 9
	a.word = 0
	return a.trader.Load(state)
}

// TestReachabilityLoadsApps: in a window the Apps are loaded from the state in which
// they were, so that an App for which that is not the whole state is found out.
func TestReachabilityLoadsApps(t *testing.T) {
	for want, app := range map[string]func() sim.App{
		"it comes out differently": func() sim.App { return &secretive{trader: trader{outputs: 1}} },
		"the App of A cannot load the state in which it was when the first node recorded: no": func() sim.App {
			return &stubborn{trader{outputs: 1, balance: 50, word: 1}}
		},
		"which it does not have": func() sim.App { return &straying{trader{outputs: 1, balance: 50, word: 1}} },
	} {
		p := newPlay(graphOf(2, [2]int32{0, 1}, [2]int32{1, 0}))
		p.run.NewApp = func(int32) sim.App { return app() }
		p.reset()
		p.external(0)
		s := p.trigger(1)
		p.record(s, 1)
		for range 4 {
			p.external(0)
		}
		p.record(s, 0)
		report := Check(p.end(), []string{"conservation"})
		if v, ok := find(report, "reachability"); !ok || !strings.Contains(v.Detail, want) {
			t.Errorf("%s: %v", want, report.Violations)
		}
	}
}

// TestStateThatOnlyTheEndShows: what is lost by loading and shows only after the
// recordings is found at the window's end.
func TestStateThatOnlyTheEndShows(t *testing.T) {
	p := newPlay(graphOf(2, [2]int32{0, 1}, [2]int32{1, 0}))
	p.run.NewApp = func(v int32) sim.App { return &slow{} }
	p.reset()
	p.external(0)
	s := p.trigger(1)
	p.record(s, 1, 0)
	s2 := p.trigger(0)
	p.record(s2, 0)
	p.external(0)
	p.record(s2, 1)
	report := Check(p.end(), []string{"conservation"})
	if v, ok := find(report, "reachability"); !ok || len(report.Violations) != 1 || v.Snapshot != 2 ||
		!strings.Contains(v.Detail, "when what happened after the recordings has followed, A is in another state than it really was") {
		t.Errorf("%v", report.Violations)
	}
}

// slow is an App that shows the number of its steps only from the second on, and does
// not save the first.
type slow struct{ steps byte }

func (a *slow) Step(sim.Input, sim.Message, *sim.Effects) { a.steps++ }
func (a *slow) Load(state []byte) error                   { a.steps = 0; return nil }
func (a *slow) Save(buf []byte) []byte {
	if a.steps < 2 {
		return append(buf, 0)
	}
	return append(buf, a.steps)
}

// TestWindowsAreWide: the random runs have windows with something to exchange, that
// overlap, that come after a restore, and in which outputs are held back. In none of them
// is anything wrong, and the witness of each is found.
func TestWindowsAreWide(t *testing.T) {
	var swapped, overlapping, later, held int
	var c Checker
	for seed := range cases(1000) {
		staged := seed%2 == 0
		run := judged(t, dealt(seed, staged), staged)
		report := c.Check(run, nil)
		ends := 0
		for _, s := range run.History.Snapshots {
			if s.Status != sim.Complete {
				continue
			}
			w, err := WitnessOf(run, s.ID)
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if got := report.Swaps[s.ID-1]; got != w.Swaps {
				t.Fatalf("seed %d: %d swaps, and in the witness %d", seed, got, w.Swaps)
			}
			if w.First < ends {
				overlapping++
			}
			ends = max(ends, w.Last)
			swapped += min(1, int(w.Swaps))
			later += min(1, int(s.Incarnation))
		}
		if !report.Holds() {
			t.Fatalf("seed %d: %v", seed, report.Violations[0])
		}
	}
	for seed := range cases(400) {
		held += holdAndRelease(t, &c, seed)
	}
	for what, n := range map[string]int{
		"windows with exchanges": swapped, "windows that overlap": overlapping, "windows after a restore": later,
		"windows in which outputs are held back": held,
	} {
		t.Logf("%d %s", n, what)
		if n < int(cases(100)) {
			t.Errorf("only %d %s", n, what)
		}
	}
}

// TestCrashInAWindow: a node whose part is durable may crash while others have not
// recorded, also in the middle of a handler. The snapshot is complete all the same,
// and its window has nothing wrong in it.
func TestCrashInAWindow(t *testing.T) {
	crashed, cut := 0, 0
	for seed := range uint64(60) {
		outputs := int(seed % 3)
		cfg := &sim.Config{Seed: seed, Rows: true, NewNode: abs.New, Delays: []sim.Dist{{Kind: sim.Uniform, Low: 10, High: 40}}}
		cfg.Graph = graphOf(5, [2]int32{0, 1}, [2]int32{1, 2}, [2]int32{2, 3}, [2]int32{3, 4}, [2]int32{0, 2})
		cfg.Snapshots = sim.SnapshotPlan{At: []int64{50}, Initiators: []int32{0}}
		cfg.Faults = []sim.Fault{{Nodes: []int32{0}, At: 54, Down: 500, AfterOutputs: &outputs}}
		run := judged(t, cfg, true)
		if report := Check(run, nil); !report.Holds() || report.Snapshots[0] != Holds {
			t.Fatalf("seed %d: %v, %v", seed, report.Violations, report.Snapshots)
		}
		w, err := WitnessOf(run, 1)
		if err != nil {
			t.Fatal(err)
		}
		for i, row := range run.History.Rows[w.First:w.Last] {
			if row.Kind() == sim.RowCrash {
				crashed++
				if before := run.History.Rows[w.First+i-1]; before.Kind() == sim.RowExternal || before.Kind() == sim.RowTimer {
					cut++ // the App has stepped, and nothing has left
				}
			}
		}
	}
	if crashed < 50 || cut < 10 {
		t.Errorf("only %d crashes in windows, %d of them in a handler", crashed, cut)
	}
}

// holdAndRelease plays a run whose outputs are held back and let go at random, across
// recordings too, and says in how many windows some were.
func holdAndRelease(t *testing.T, c *Checker, seed uint64) (held int) {
	word := sim.Word(seed)
	p := newPlay(graphOf(3, [2]int32{0, 1}, [2]int32{1, 2}, [2]int32{2, 0}))
	p.holding = true
	for range 60 {
		v := int32(word.Below(3))
		switch word.Below(6) {
		case 0:
			p.release(v)
		case 1:
			p.external(v)
		case 2:
			s := p.trigger(v)
			for u := range s.Attached {
				s.Attached[u] = []byte{1}
			}
			for k := range int32(3) {
				u := (v + k) % 3
				held += min(1, len(p.held[u]))
				if s.Recordings[u].Seq == 0 {
					p.record(s, u)
				}
				p.before(u)
				p.process(u)
				p.release((u + 1) % 3)
			}
		default:
			p.before(v)
			p.process(v)
		}
	}
	p.holding = false
	for v := range int32(3) {
		p.release(v)
	}
	p.drain()
	if report := c.Check(p.end(), nil); !report.Holds() {
		t.Fatalf("seed %d: %v", seed, report.Violations[0])
	}
	return held
}
