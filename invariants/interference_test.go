package invariants

import (
	"slices"
	"strings"
	"testing"

	"simrun/algorithms/abs"
	"simrun/algorithms/chandylamport"
	"simrun/sim"
)

// interferes expects that a run interferes, and says so with these words.
func interferes(t *testing.T, run *Run, words string) Violation {
	t.Helper()
	report := Check(run, nil)
	v, ok := find(report, "non-interference")
	if !ok || !strings.Contains(v.Detail, words) {
		t.Errorf("nothing says %q: %v", words, report.Violations)
	}
	return v
}

func TestApplicationDigestIsCompared(t *testing.T) {
	p := sample(t)
	p.h.ApplicationDigest++
	interferes(t, p.run, "the application digest of the run is ")
}

// hoarder is a pass-through algorithm that lets what the App produces go only with
// the next input, in a handler of another step.
type hoarder struct {
	sim.Node
	sends []sim.Send
}

func (n *hoarder) Receive(in sim.Input, m sim.Message, out *sim.Out) {
	out.Send(n.sends...)
	n.sends = append(n.sends[:0], out.Process(in, m)...)
}

// TestHoldingBackInterferes: outputs leave in the handler that produces them, unless
// the algorithm says that it holds them back.
func TestHoldingBackInterferes(t *testing.T) {
	p := newPlay(graphOf(2, [2]int32{0, 1}, [2]int32{1, 0}))
	p.external(0)
	p.holding = true
	p.process(0) // B produces an emission and perhaps a message
	p.holding, p.run.HoldsOutputs = false, false
	p.external(0)
	p.release(1)
	p.drain()
	v := interferes(t, p.end(), "the algorithm holds back what the App of B has produced: when B processes message 1 on channel A->B (row 2), it produced an emission, which has not left when that was over; in row 3 A reads External record 2 first")
	if v.Node != 1 {
		t.Errorf("%+v", v)
	}
	p.run.HoldsOutputs = true
	if report := Check(p.run, nil); !report.Holds() {
		t.Errorf("an algorithm that says so: %v", report.Violations)
	}

	p = newPlay(graphOf(2, [2]int32{0, 1}, [2]int32{1, 0}))
	p.holding = true
	p.external(0)
	p.h.End = sim.StepLimit
	p.end()
	p.run.HoldsOutputs = false
	interferes(t, p.run, "it produced a message for channel A->B, which has not left when that was over; in row 1 the history ends")
}

// TestOthersDoNotPay: what others do between a step and the leaving of what it has
// produced shows that this was held back.
func TestOthersDoNotPay(t *testing.T) {
	for name, do := range map[string]func(p *play){
		"records":  func(p *play) { p.record(p.trigger(1), 1) },
		"crashes":  func(p *play) { p.crash(1) },
		"can emit": func(p *play) { p.release(1) },
	} {
		p := newPlay(graphOf(3, [2]int32{0, 1}, [2]int32{0, 2}))
		for len(p.log[0]) == 0 || len(p.log[1]) == 0 {
			p.external(0)
		}
		p.holding = true
		p.process(0)
		if name == "can emit" {
			p.process(1)
		} else {
			p.release(1)
			p.external(0)
		}
		do(p)
		p.release(0)
		p.release(2)
		p.end()
		p.run.HoldsOutputs, p.h.End = false, sim.StepLimit
		count := 0
		for _, v := range Check(p.run, nil).Violations {
			if v.Invariant == "non-interference" {
				count++
			}
		}
		if want := map[string]int{"records": 1, "crashes": 1, "can emit": 2}[name]; count != want {
			t.Errorf("while B %s: %v", name, details(p))
		}
	}
}

// TestSameEventsOtherEnds: a run that did the same as the one without snapshots ends
// where that ends, unless somebody crashed.
func TestSameEventsOtherEnds(t *testing.T) {
	for name, do := range map[string]func(f *sim.FinalState){
		"state of A":        func(f *sim.FinalState) { f.States = [][]byte{{1}, f.States[1]} },
		"state of B":        func(f *sim.FinalState) { f.States = [][]byte{f.States[0], {1}} },
		"offsets":           func(f *sim.FinalState) { f.Offsets = []uint64{9, 0} },
		"sent by A":         func(f *sim.FinalState) { f.Sent = []uint32{9, f.Sent[1]} },
		"sent by B":         func(f *sim.FinalState) { f.Sent = []uint32{f.Sent[0], 9} },
		"processed, all of": func(f *sim.FinalState) { f.Processed = []uint32{9, 9} },
	} {
		for _, crashed := range []bool{false, true} {
			p := newPlay(graphOf(2, [2]int32{0, 1}, [2]int32{1, 0}))
			p.external(0)
			p.drain()
			p.end()
			bare := *p.h
			p.run.Bare = &bare
			do(&bare.Final)
			if crashed {
				p.crash(1)
			}
			if _, found := find(Check(p.run, nil), "non-interference"); found == crashed {
				t.Errorf("other %s, crashed %v: %v", name, crashed, details(p))
			}
		}
	}
}

// TestOnlyLoggedMessagesAreReplayed: a record with the number of a logged message is none.
func TestOnlyLoggedMessagesAreReplayed(t *testing.T) {
	p := newPlay(graphOf(2, [2]int32{1, 0}, [2]int32{0, 1}))
	p.external(1)
	s := p.trigger(0)
	p.record(s, 0, 1)
	s.Channels[0][0].Logged = true
	s.Logs[0] = []sim.LogEntry{{Channel: 0, Index: 0}}
	p.crash(0)
	p.restore()
	r := &p.h.Restores[0]
	r.Logged[0], r.Requeued[0] = r.Requeued[0], nil
	p.holding = true
	p.external(0) // record 1 of node 0, as message 1 of channel 0
	p.external(1)
	p.end()
	p.run.HoldsOutputs = false
	interferes(t, p.run, "when A reads External record 1")
}

// TestEngineRunsOfHoarders: the same in the engine, and a right algorithm cut short by
// crashes, which is TestRightAlgorithmsHold.
func TestEngineRunsOfHoarders(t *testing.T) {
	cfg := &sim.Config{Seed: 1, Rows: true, Delays: []sim.Dist{{Kind: sim.Constant, Low: 3}}}
	cfg.Graph = graphOf(2, [2]int32{0, 1}, [2]int32{1, 0})
	cfg.NewNode = func(info sim.NodeInfo) sim.Node { return &hoarder{Node: chandylamport.New(info)} }
	interferes(t, judged(t, cfg, false), "the algorithm holds back what the App of ")
}

// TestReplaysMayHold: when a step on a message of a backup log lets go what it
// produces is for Recover to decide, but not beyond its end.
func TestReplaysMayHold(t *testing.T) {
	for _, late := range []bool{false, true} {
		p := newPlay(graphOf(2, [2]int32{0, 1}, [2]int32{1, 0}))
		p.external(0)
		s := p.trigger(0)
		p.record(s, 0, 1)
		s.Channels[0][0].Logged = true
		s.Logs[1] = []sim.LogEntry{{Channel: 0, Index: 0}}
		p.crash(0)
		p.restore()
		r := &p.h.Restores[0]
		r.Logged[0], r.Requeued[0] = r.Requeued[0], nil
		p.holding = true
		p.process(0)
		if late {
			p.external(0)
		}
		p.holding = false
		p.release(1)
		p.release(0)
		p.drain()
		p.end()
		p.run.HoldsOutputs = false
		if !late {
			if report := Check(p.run, nil); !report.Holds() {
				t.Errorf("%v", report.Violations)
			}
			continue
		}
		interferes(t, p.run, "B has processed its backup log, and has not let go message 1, which its App produced for channel B->A then")
		s.Channels[0][0].Logged, s.Logs[1] = false, nil
		interferes(t, p.run, "when B processes message 1 on channel A->B")
	}
}

// alone is the run of a configuration without snapshots and crashes.
func alone(t testing.TB, cfg *sim.Config) *sim.History {
	bare := *cfg
	bare.Snapshots, bare.Faults = sim.SnapshotPlan{}, nil
	engine, err := sim.New(&bare)
	if err != nil {
		t.Fatal(err)
	}
	return engine.Run()
}

// TestChandyLamportChangesNothing: in timed order the run is the same without
// snapshots, up to the first crash. Barriers change runs, and are found out.
func TestChandyLamportChangesNothing(t *testing.T) {
	var crashed, cutShort, whole, changed int
	var c Checker
	for seed := range cases(600) {
		staged := seed%3 == 2
		cfg := dealt(seed, staged)
		cfg.Order = sim.Timed
		run := judged(t, cfg, staged)
		run.Bare = alone(t, cfg)
		report := c.Check(run, nil)
		v, found := find(report, "non-interference")
		switch {
		case staged:
			changed += len(report.Violations)
		case !report.Holds():
			t.Fatalf("seed %d: %v", seed, report.Violations[0])
		case len(run.History.Crashes) > 0:
			crashed++
		case run.History.End.Limited():
			cutShort++
		default:
			whole++
		}
		if staged && found && !strings.Contains(v.Detail, "without snapshots") {
			t.Errorf("%v", v)
		}
	}
	t.Logf("%d with crashes, %d cut short, %d whole, %d changed by barriers", crashed, cutShort, whole, changed)
	for _, n := range []int{crashed, cutShort, whole, changed} {
		if n < int(cases(20)) {
			t.Error("too few")
		}
	}
}

// TestBareRunsAreCompared changes the run without snapshots.
func TestBareRunsAreCompared(t *testing.T) {
	cfg := &sim.Config{Seed: 1, Rows: true, NewNode: chandylamport.New, Delays: []sim.Dist{{Kind: sim.Uniform, Low: 1, High: 9}}}
	cfg.Graph = graphOf(3, [2]int32{0, 1}, [2]int32{1, 2}, [2]int32{2, 0})
	cfg.Snapshots = sim.SnapshotPlan{At: []int64{40}, Initiators: []int32{0}}
	run := judged(t, cfg, false)
	fresh := func() *sim.History { return alone(t, cfg) }
	if run.Bare = fresh(); !Check(run, nil).Holds() {
		t.Fatal(Check(run, nil).Violations)
	}
	n := len(run.Bare.Rows)
	for _, d := range []struct {
		name   string
		do     func(h *sim.History)
		detail string
	}{
		{"another content", func(h *sim.History) { h.Rows[20] = wrongHash(h.Rows[20]) }, "event 21 of the computation is not what it is without snapshots: here "},
		{"another order", func(h *sim.History) { h.Rows[30], h.Rows[31] = h.Rows[31], h.Rows[30] }, "event 31 of the computation is not what it is without snapshots: here "},
		{"shorter", func(h *sim.History) { h.Rows = h.Rows[:n-3] }, "without snapshots the computation comes to rest after "},
		{"longer", func(h *sim.History) { h.Rows = append(slices.Clone(h.Rows), h.Rows[:2]...) }, "without snapshots it goes on: "},
		{"no rows", func(h *sim.History) { h.Rows = nil }, "without snapshots "},
		{"another state", func(h *sim.History) { h.Final.States[1][0]++; h.ApplicationDigest = run.History.ApplicationDigest }, "at the end the state of B is not what it is without snapshots"},
		{"another counter", func(h *sim.History) { h.Final.Sent[1]++; h.ApplicationDigest = run.History.ApplicationDigest }, "at the end channel B->C has carried other numbers of messages"},
	} {
		run.Bare = fresh()
		run.Bare.ApplicationDigest++
		d.do(run.Bare)
		interferes(t, run, d.detail)
		if report := Check(run, []string{"non-interference"}); !report.Holds() {
			t.Errorf("%s, and switched off: %v", d.name, report.Violations)
		}
	}
	run.Bare = fresh()
	run.Bare.Rows, run.Bare.End, run.Bare.ApplicationDigest = run.Bare.Rows[:9], sim.StepLimit, 1
	if report := Check(run, nil); !report.Holds() {
		t.Errorf("a run without snapshots that was cut short: %v", report.Violations)
	}
	run.History.Rows = nil
	run.Bare = fresh()
	if report := Check(run, nil); !report.Holds() || !slices.Contains(report.Partial, "non-interference") {
		t.Errorf("without rows the digests are compared: %v, %v", report.Partial, report.Violations)
	}
	run.Bare.ApplicationDigest++
	interferes(t, run, "without snapshots ")
}

// TestCutsInHandlersAreNoInterference: what a crash has cut is lost, not held back.
func TestCutsInHandlersAreNoInterference(t *testing.T) {
	cut := 0
	for seed := range cases(200) {
		cfg := dealt(seed, true)
		outputs := 1 + int(seed%3)
		cfg.NewNode, cfg.MaxSteps = abs.New, 0
		cfg.Faults = []sim.Fault{{Nodes: []int32{0, 1}, Step: 10 + int64(seed%40), AfterOutputs: &outputs}}
		run := judged(t, cfg, true)
		if report := Check(run, nil); !report.Holds() {
			t.Fatalf("seed %d: %v", seed, report.Violations[0])
		}
		for i, row := range run.History.Rows[1:] {
			if before := run.History.Rows[i].Kind(); row.Kind() == sim.RowCrash && before >= sim.RowProcess && before <= sim.RowTimer {
				cut++
			}
		}
	}
	if cut < int(cases(40)) {
		t.Errorf("only %d handlers were cut behind their step", cut)
	}
}
