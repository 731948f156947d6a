package invariants

import (
	"slices"
	"strings"
	"testing"

	"simrun/algorithms/abs"
	"simrun/algorithms/chandylamport"
	"simrun/algorithms/mutants"
	"simrun/sim"
)

// hang is a run with one snapshot at 20, or two, and what the pending one must say.
type hang struct {
	name      string
	algorithm string // of mutants; else one of the right ones
	channels  [][2]int32
	back      []int // the channels that are back-edges
	initiator int32
	at        []int64
	snapshot  sim.SnapshotID
	says      string
}

// a node of these graphs is named by a letter, node 0 is A.
var hangs = []hang{
	{"aligned back-edges, a self-loop", "aligned-back-edges", [][2]int32{{0, 1}, {1, 1}}, []int{1}, 0, []int64{20}, 1,
		"waiting in a circle: B waits for the barrier of snapshot 1 on channel B->B, which B itself sends only when it has it on all other inputs"},
	{"aligned back-edges, a loop of two", "aligned-back-edges", [][2]int32{{0, 1}, {1, 2}, {2, 1}, {2, 3}}, []int{2}, 0, []int64{20}, 1,
		"waiting in a circle: B waits for the barrier of snapshot 1 on channel C->B, which C sends only when it has recorded; " +
			"C waits for the barrier of snapshot 1 on channel B->C, which B sends only when it has it on all other inputs, and so on round"},
	{"the next snapshot waits behind the circle", "aligned-back-edges", [][2]int32{{0, 1}, {1, 1}}, []int{1}, 0, []int64{20, 40}, 2,
		"the cause: B waits for its barrier on channel A->B, which it keeps blocked until snapshot 1 is done"},
	{"an initiator whose only input is a back-edge", "aligned-back-edges", [][2]int32{{0, 1}, {1, 0}}, []int{1}, 0, []int64{20}, 1,
		"the cause: B waits for the barrier of snapshot 1 on channel A->B, which A sends only when it has recorded, and A was ordered to initiate and never recorded"},
	{"forgotten output", "forgotten-output", [][2]int32{{0, 1}, {1, 0}}, nil, 0, []int64{20}, 1,
		"the cause: A waits for the marker of snapshot 1 on channel B->A, which B sends only when it has recorded, " +
			"and B waits for its marker on channel A->B; A has recorded, and has never sent it, or it was lost on the way"},
	{"forgotten output to itself", "forgotten-output", [][2]int32{{0, 0}}, nil, 0, []int64{20}, 1,
		"the cause: A waits for its marker on channel A->A; A itself has recorded, and has never sent it, or it was lost on the way"},
	{"first channel open", "first-channel-open", [][2]int32{{0, 1}}, nil, 0, []int64{20}, 1,
		"the cause: B has every marker and never ended its part"},
	{"no ids", "no-ids", [][2]int32{{0, 1}, {1, 0}}, nil, 0, []int64{20, 21}, 2,
		"the cause: B waits for the marker of snapshot 2 on channel A->B, which A sends only when it has recorded, and A was ordered to initiate and never recorded"},
	{"no epochs", "no-epochs", [][2]int32{{0, 1}, {1, 1}}, []int{1}, 0, []int64{20, 21}, 2,
		"the cause: B has the barrier on every input that is no back-edge, and never recorded"},
	{"started at the sink of a DAG", "chandy-lamport", [][2]int32{{0, 1}, {1, 2}}, nil, 2, []int64{20}, 1,
		"the cause: B waits for the marker of snapshot 1 on channel A->B, which A sends only when it has recorded, and A has no input and is no initiator, so nothing ever tells it to record"},
	{"started beside a circle", "chandy-lamport", [][2]int32{{0, 1}, {1, 0}, {1, 2}}, nil, 2, []int64{20}, 1,
		"waiting in a circle: A waits for the marker of snapshot 1 on channel B->A, which B sends only when it has recorded; " +
			"B waits for the marker of snapshot 1 on channel A->B, which A sends only when it has recorded, and so on round"},
	{"waiting for a circle", "chandy-lamport", [][2]int32{{2, 0}, {1, 2}, {2, 1}, {0, 3}}, nil, 3, []int64{20}, 1,
		"waiting in a circle: B waits for the marker of snapshot 1 on channel C->B, which C sends only when it has recorded; " +
			"C waits for the marker of snapshot 1 on channel B->C, which B sends only when it has recorded, and so on round"},
	{"a circle of eight", "chandy-lamport", [][2]int32{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 7}, {7, 0}, {0, 8}}, nil, 8, []int64{20}, 1,
		"B waits for the marker of snapshot 1 on channel A->B, which A sends only when it has recorded, and so on round"},
	{"a long circle", "chandy-lamport", [][2]int32{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 7}, {7, 8}, {8, 9}, {9, 0}, {0, 10}}, nil, 10, []int64{20}, 1,
		"D waits for the marker of snapshot 1 on channel C->D, which C sends only when it has recorded; 2 more links, and so on round"},
}

func TestHangsSayWhoWaitsForWhom(t *testing.T) {
	for _, h := range hangs {
		t.Run(h.name, func(t *testing.T) {
			v, ok := pendingIn(t, &h)
			if !ok || !strings.HasSuffix(v.Detail, "; "+h.says) {
				t.Errorf("%v", v)
			}
		})
	}
}

// pendingIn runs a case and returns what is said of its pending snapshot.
func pendingIn(t *testing.T, h *hang) (Violation, bool) {
	newNode, aligned := algorithmNamed(h.algorithm)
	cfg := &sim.Config{Seed: 1, Rows: true, NewNode: newNode}
	for i, ch := range h.channels {
		cfg.Graph.From, cfg.Graph.To = append(cfg.Graph.From, ch[0]), append(cfg.Graph.To, ch[1])
		cfg.Graph.Nodes = max(cfg.Graph.Nodes, int(ch[0])+1, int(ch[1])+1)
		cfg.BackEdge = append(cfg.BackEdge, slices.Contains(h.back, i))
	}
	cfg.Delays = []sim.Dist{{Kind: sim.Uniform, Low: 5, High: 10}}
	cfg.Write = sim.Dist{Kind: sim.Constant, Low: 1}
	cfg.Service = sim.Dist{Kind: sim.Constant}
	cfg.Snapshots = sim.SnapshotPlan{At: h.at, Initiators: []int32{h.initiator}}
	cfg.Stop.At = 100
	report := Check(judged(t, cfg, aligned), nil)
	for _, v := range report.Violations {
		if v.Invariant == "termination" && v.Snapshot == h.snapshot && strings.Contains(v.Detail, "is pending") {
			return v, true
		}
	}
	return Violation{}, false
}

func algorithmNamed(name string) (newNode sim.NewNode, aligned bool) {
	switch name {
	case "chandy-lamport":
		return chandylamport.New, false
	case "abs":
		return abs.New, true
	}
	for _, m := range mutants.All() {
		if m.Name == name {
			return m.New, m.Base == "abs"
		}
	}
	return nil, false
}

// TestHangsOfOtherKinds: what runs of right algorithms on these channels cannot show.
func TestHangsOfOtherKinds(t *testing.T) {
	for says, do := range map[string]func(p *play, s *sim.Snapshot){
		"and C is down": func(p *play, _ *sim.Snapshot) { p.h.Final.Down = []int32{2} },
		"and C waits for its marker on channel A->C, where it stands behind a message that its App does not accept": func(p *play, _ *sim.Snapshot) {
			p.h.Final.Refused, p.h.Final.Markers[ac] = []int32{ac}, 1
		},
		"and C waits for its marker on channel A->C, and the channel has lost it": func(_ *play, s *sim.Snapshot) { s.LostOn = []int32{ac} },
		"and A has every marker and never recorded": func(p *play, s *sim.Snapshot) {
			s.Recordings[0] = sim.Recording{}
			s.Initiators = nil
			for ch := range s.Marked {
				s.Marked[ch] = p.run.Graph.To[ch] == 0
			}
			p.h.Final.Blocked[ca] = s.ID
		},
		"not recorded by B, C (down)":                       func(p *play, _ *sim.Snapshot) { p.h.Final.Down = []int32{2} },
		"the cause: the part of A was never written":        func(_ *play, s *sim.Snapshot) { s.DoneAt[0] = 0 },
		"and C has received a marker and never recorded":    func(_ *play, s *sim.Snapshot) { s.Marked[ac] = true },
		"the cause: B waits for its marker on channel A->B": func(_ *play, s *sim.Snapshot) { s.DoneAt[0], s.Durable[0] = 1, true },
		"which B sends only when it has recorded, and B waits for its barrier on channel A->B; A has recorded": func(p *play, s *sim.Snapshot) {
			p.run.Aligned, s.Marked[ac] = true, true // C has one of its barriers and holds nothing back
		},
		"which C sends only when it has recorded, and C waits for its barrier on channel A->C; A has recorded": func(p *play, s *sim.Snapshot) {
			p.run.Aligned, p.run.BackEdge = true, []bool{bc: true} // for which C does not wait
			s.Recordings[1], s.Marked[ab] = s.Recordings[0], true
		},
	} {
		p := sampleOpen(t)
		p.drain()
		s := p.trigger(0)
		p.record(s, 0)
		p.end()
		do(p, s)
		if !strings.Contains(strings.Join(details(p), " "), says) {
			t.Errorf("it does not say %q: %v", says, details(p))
		}
	}
}

// TestHangsOfNoSuchKind: what must not be said of runs that look alike.
func TestHangsOfNoSuchKind(t *testing.T) {
	for _, c := range []struct {
		do       func(p *play, s *sim.Snapshot)
		not, but string
	}{
		{func(p *play, s *sim.Snapshot) { p.h.Final.Blocked = slices.Repeat([]sim.SnapshotID{s.ID}, 9) },
			"does not exist", "blocked for it: channel A->B, channel B->C, channel C->A, channel A->C;"},
		{func(_ *play, s *sim.Snapshot) { s.DoneAt[0] = 1 }, "recorded, and A waits", "done and not durable: A"},
		{func(_ *play, s *sim.Snapshot) { s.Marked[ca], s.Durable[0] = true, true }, "A waits", "the cause: A has every marker and never ended its part"},
		{func(p *play, s *sim.Snapshot) { p.run.Aligned, s.Recordings[0] = true, sim.Recording{} }, "ordered to initiate", "waiting in a circle"},
		{func(_ *play, s *sim.Snapshot) { s.Recordings[0], s.Marked[ca] = sim.Recording{}, true },
			"ordered to initiate", "A has every marker and never recorded"},
		{func(p *play, _ *sim.Snapshot) { p.run.Aligned, p.run.BackEdge = true, []bool{true, true, true, true} },
			"that is no back-edge, and never recorded", "not recorded by B, C"},
		{func(p *play, s *sim.Snapshot) { p.h.Final.Blocked[ac], s.Marked[ab] = 2, true },
			"which it keeps blocked", "not recorded by B, C"},
		{func(p *play, s *sim.Snapshot) { p.h.Final.Refused, s.Marked[ab] = []int32{ac}, true },
			"stands behind a message", "not recorded by B, C"},
		{func(p *play, _ *sim.Snapshot) { p.h.Final.Markers[ab], p.h.Final.Markers[ac] = 1, 1 }, "stands behind a message", "not recorded by B, C"},
		{func(p *play, _ *sim.Snapshot) { p.h.Final.Markers[ab], p.h.Final.Markers[ac] = 1, 1 },
			"has never sent it", "not recorded by B, C"},
	} {
		p := sampleOpen(t)
		p.drain()
		s := p.trigger(0)
		p.record(s, 0)
		p.end()
		c.do(p, s)
		got := strings.Join(details(p), " ")
		if strings.Contains(got, c.not) || !strings.Contains(got, c.but) {
			t.Errorf("%q, or not %q: %v", c.not, c.but, got)
		}
	}
}

// TestAligningSources: a source is ordered to initiate, also where barriers are aligned,
// and a node that holds back one input waits for all others.
func TestAligningSources(t *testing.T) {
	p := newPlay(graphOf(4, [2]int32{0, 3}, [2]int32{1, 3}, [2]int32{2, 3}, [2]int32{3, 3}))
	p.run.Aligned, p.run.BackEdge = true, []bool{3: true}
	s := p.trigger(0, 1, 2)
	p.record(s, 0, 1)
	s.Marked[0], s.Marked[1] = true, true
	p.end()
	p.h.Final.Blocked[0] = s.ID
	p.says(t, "D waits for the barrier of snapshot 1 on channel C->D, which C sends only when it has recorded, and C was ordered to initiate and never recorded")
	s.Marked[2] = true
	p.record(s, 2)
	for v := range 3 {
		s.DoneAt[v], s.Durable[v] = p.now, true
	}
	p.says(t, "waiting in a circle: D waits for the barrier of snapshot 1 on channel D->D, which D itself sends only when it has it on all other inputs")
}

// TestHalfInformed: of two markers the one that is missing is named.
func TestHalfInformed(t *testing.T) {
	for marked, want := range []string{
		"not recorded, and C waits for its marker on channel B->C from B;",
		"not recorded, and C waits for its marker on channel A->C from A;",
	} {
		p := newPlay(graphOf(3, [2]int32{0, 2}, [2]int32{1, 2}))
		s := p.trigger(0, 1)
		p.record(s, 0, 1)
		s.Marked[marked] = true
		s.DoneAt[0] = 0
		p.end()
		p.says(t, want)
		p.says(t, "done and not durable: A")
	}
}

// details is what all violations of a play say.
func details(p *play) (list []string) {
	for _, v := range Check(p.run, nil).Violations {
		list = append(list, v.Detail)
	}
	return list
}
