package invariants

import (
	"testing"

	"simrun/sim"
)

// counting is an App that numbers its messages, and does not save the number.
type counting struct{ steps uint64 }

func (a *counting) Step(_ sim.Input, _ sim.Message, fx *sim.Effects) {
	a.steps++
	fx.Send(0, a.steps, 1, 0)
}
func (a *counting) Load([]byte) error      { a.steps = 0; return nil }
func (a *counting) Save(buf []byte) []byte { return buf }

// TestWhatFollowsTheRecordings: an App that is not the one it was shows after the
// recordings too, by what it sends or, if its Node holds that back, by what is there at
// the end of the window.
func TestWhatFollowsTheRecordings(t *testing.T) {
	for holding, want := range map[bool]string{
		false: "A sends message 2 on channel A->B (row 4), and when this is carried out again",
		true:  "when what happened after the recordings has followed, channel A->B holds something else than it really did",
	} {
		p := newPlay(graphOf(2, [2]int32{0, 1}, [2]int32{1, 0}))
		p.run.NewApp = func(int32) sim.App { return new(counting) }
		p.reset()
		p.external(0)
		s := p.trigger(0)
		p.record(s, 0)
		p.holding = holding
		p.external(0)
		s.Attached[0], s.Attached[1] = []byte{1}, []byte{1}
		p.record(s, 1)
		says(t, Check(p.end(), nil), "reachability", want)
	}
}

// TestInFlightOf words what is in flight.
func TestInFlightOf(t *testing.T) {
	for want, got := range map[string]string{
		"no message": inFlightOf(3, 3), "message 4": inFlightOf(3, 4), "messages 4 to 6": inFlightOf(3, 6),
	} {
		if got != want {
			t.Errorf("%s, not %s", got, want)
		}
	}
}

// TestRestoredInAWindow: a snapshot that goes on across a restore has no window.
func TestRestoredInAWindow(t *testing.T) {
	p := newPlay(graphOf(2, [2]int32{0, 1}))
	s := p.trigger(0)
	p.record(s, 0)
	p.crash(1)
	p.restore()
	p.record(s, 1)
	says(t, Check(p.end(), nil), "reachability", "the system is restored between two recordings of it")
}

// TestOrphanAmongOthers: the sending of an orphan is told from other rows with its
// number, and other messages of its channel.
func TestOrphanAmongOthers(t *testing.T) {
	p := newPlay(graphOf(2, [2]int32{0, 1}, [2]int32{1, 0}))
	s := p.trigger(0)
	p.record(s, 0)
	p.external(0) // rows 1 and 2: A sends message 1
	p.external(1)
	p.process(1) // A lets emission 1 leave
	p.external(0)
	p.process(0)
	p.record(s, 1)
	p.drain()
	says(t, Check(p.end(), nil), "reachability", "but A sends message 1 on channel A->B in row 2, after it recorded in row 0")
}

// emitting is an App that numbers what it emits, and emits from a number on once it was
// loaded, or nothing.
type emitting struct {
	steps, loaded uint64
	mute          bool
}

func (a *emitting) Step(_ sim.Input, _ sim.Message, fx *sim.Effects) {
	if a.steps++; !a.mute {
		fx.Emit(a.steps, 0, 0)
	}
}
func (a *emitting) Load([]byte) error      { a.steps, a.mute = a.loaded, a.loaded == 0; return nil }
func (a *emitting) Save(buf []byte) []byte { return buf }

// TestEmissionsInAWindow: what leaves the system in a window is compared too.
func TestEmissionsInAWindow(t *testing.T) {
	for loaded, legal := range map[uint64]bool{0: false, 1: true, 7: false} {
		p := newPlay(graphOf(2, [2]int32{0, 1}))
		p.run.NewApp = func(int32) sim.App { return &emitting{loaded: loaded} }
		p.reset()
		p.external(0)
		s := p.trigger(0)
		p.record(s, 0)
		p.external(0)
		p.record(s, 1)
		report := Check(p.end(), nil)
		if report.Holds() != legal {
			t.Errorf("loaded as %d: %v", loaded, report.Violations)
		}
		if !legal {
			says(t, report, "reachability", "A lets emission 2 leave the system (row 4), and when this is carried out again")
		}
	}
}

// arming is an App that arms another timer once it was loaded.
type arming struct{ id uint32 }

func (a *arming) Step(_ sim.Input, _ sim.Message, fx *sim.Effects) { fx.SetTimer(a.id, 5) }
func (a *arming) Load([]byte) error                                { a.id = 2; return nil }
func (a *arming) Save(buf []byte) []byte                           { return buf }

// TestNodesAtTheWindowEnd: the timers that are armed at the end of a window, the
// emissions that are held back and the number of messages are compared, next to states.
func TestNodesAtTheWindowEnd(t *testing.T) {
	for _, c := range []struct {
		name   string
		newApp func() sim.App
		how    sim.Unreliable
		says   string
	}{
		{"the same", func() sim.App { return &wayward{1, 1} }, sim.Unreliable{}, ""},
		{"another timer", func() sim.App { return &arming{1} }, sim.Unreliable{}, "A is in another state than it really was"},
		{"another emission", func() sim.App { return &emitting{loaded: 7} }, sim.Unreliable{}, "A is in another state than it really was"},
		{"fewer messages", func() sim.App { return &wayward{2, 1} }, sim.Unreliable{}, "channel A->B holds something else"},
		{"more messages", func() sim.App { return &wayward{1, 2} }, sim.Unreliable{}, "channel A->B holds something else"},
		{"fewer on a channel that reorders", func() sim.App { return &wayward{2, 1} }, sim.Unreliable{Reorder: true}, "channel A->B holds something else"},
	} {
		p := newPlay(graphOf(2, [2]int32{0, 1}))
		p.loosely(c.how)
		p.run.NewApp = func(int32) sim.App { return c.newApp() }
		p.reset()
		s := p.trigger(0)
		p.record(s, 0)
		p.holding = true
		p.external(0)
		p.record(s, 1)
		p.h.End = sim.StepLimit
		report := Check(p.end(), nil)
		if c.says == "" && !report.Holds() {
			t.Errorf("%s: %v", c.name, report.Violations)
		} else if c.says != "" {
			says(t, report, "reachability", c.says)
		}
	}
}

// lost is an App that sends where it has no output once it was loaded.
type lost struct{ output int32 }

func (a *lost) Step(_ sim.Input, _ sim.Message, fx *sim.Effects) { fx.Send(a.output, 1, 1, 1) }
func (a *lost) Load([]byte) error                                { a.output = 1; return nil }
func (a *lost) Save(buf []byte) []byte                           { return buf }

func TestNextOutputInAWindow(t *testing.T) {
	p := newPlay(graphOf(2, [2]int32{0, 1}))
	p.run.NewApp = func(int32) sim.App { return new(lost) }
	p.reset()
	s := p.trigger(0)
	p.record(s, 0)
	p.external(0)
	p.record(s, 1)
	says(t, Check(p.end(), nil), "reachability", "the App of A sends on its output 1, which it does not have")
}

// TestEveryStateIsReached: the recorded state of every node is compared.
func TestEveryStateIsReached(t *testing.T) {
	for v := range int32(2) {
		p := newPlay(graphOf(2, [2]int32{0, 1}))
		s := p.trigger(0)
		p.record(s, 0, 1)
		s.States[v][0]++
		if found, _ := find(Check(p.end(), nil), "reachability"); found.Node != v || found.Snapshot != 1 {
			t.Errorf("node %d: %+v", v, found)
		}
	}
}
