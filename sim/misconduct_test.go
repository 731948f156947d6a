package sim_test

import (
	"errors"
	"strings"
	"testing"

	"simrun/sim"
)

// misconductOf is what f panics with.
func misconductOf(t *testing.T, f func()) (m *sim.Misconduct) {
	t.Helper()
	defer func() {
		cause, _ := recover().(error)
		if !errors.As(cause, &m) {
			t.Errorf("the panic is no Misconduct: %v", cause)
		}
	}()
	f()
	return nil
}

// TestAbandon: the history of a run that somebody's misconduct has ended has what came
// before, and the step that was under way; the engine runs again after a Reset.
func TestAbandon(t *testing.T) {
	cfg := scene(graph(2, 0, 1, 1, 0))
	cfg.NewSource = feed(nil, releases{10, 20, 30})
	received := 0
	cfg.NewNode = cast(nil, func() *actor {
		return &actor{receive: func(in sim.Input, m sim.Message, out *sim.Out) {
			out.Process(in, m)
			if received++; received == 3 {
				out.Send(sim.Send{Output: 5})
			}
		}}
	})
	cfg.Rows = true
	e, err := sim.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	m := misconductOf(t, func() { e.Run() })
	if m.Node != 1 || m.App || m.Does != "sends on output 5, and has 1 outputs" {
		t.Errorf("%+v", m)
	}
	h := e.Abandon()
	if h.End != sim.Misbehaved || !h.End.Limited() || len(h.Rows) != 3 || h.EndedAt != 30 || h.Final.States != nil || len(h.Final.Offsets) != 2 {
		t.Errorf("ended %d at %d, %d rows", h.End, h.EndedAt, len(h.Rows))
	}
	received = 10
	if err := e.Reset(cfg); err != nil {
		t.Fatal(err)
	}
	if h := e.Run(); h.End != sim.Quiescent || len(h.Rows) != 3 {
		t.Errorf("ended %d, %d rows", h.End, len(h.Rows))
	}
}

// TestEndless: recorders do not grow without end.
func TestEndless(t *testing.T) {
	for name, ask := range map[string]func(){
		"a Node's sends": func() {
			for out := sim.NewOut(nil); ; {
				out.Send(sim.Send{})
			}
		},
		"an App's sends": func() {
			for fx := new(sim.Effects); ; {
				fx.Send(0, 0, 0, 0)
			}
		},
		"an App's timers": func() {
			for fx := new(sim.Effects); ; {
				fx.SetTimer(1, 1)
			}
		},
		"a coordinator's decisions": func() {
			for d := new(sim.Decisions); ; {
				d.Begin(1)
			}
		},
	} {
		if m := misconductOf(t, ask); m == nil || !strings.Contains(m.Error(), "things in one handler, and goes on") {
			t.Errorf("%s: %v", name, m)
		}
	}
}

// steps is a Chronicler that keeps what it is told.
type steps []sim.Step

func (s *steps) Observe(*sim.Event) {}
func (s *steps) Took(step sim.Step) { *s = append(*s, step) }

// TestAbandonedStep: the step that was under way is among those that were taken, once,
// whether the handler has panicked or what it had asked for.
func TestAbandonedStep(t *testing.T) {
	for _, panics := range []bool{false, true} {
		var taken steps
		cfg := scene(graph(2, 0, 1))
		cfg.NewSource = feed(releases{10})
		cfg.Observer = &taken
		cfg.NewNode = cast(func() *actor {
			return &actor{receive: func(in sim.Input, m sim.Message, out *sim.Out) {
				out.Process(in, m)
				out.Send(sim.Send{})
			}}
		}, func() *actor {
			return &actor{receive: func(sim.Input, sim.Message, *sim.Out) {
				if panics {
					panic("mine")
				}
			}, initiate: lone}
		})
		e, err := sim.New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		func() {
			defer func() { _ = recover() }()
			e.Run()
		}()
		if panics {
			e.Abandon()
		}
		last := len(taken) - 1
		if want := (sim.Step{Kind: sim.StepDeliver}); last < 1 || taken[last] != want || taken[last-1] == want {
			t.Errorf("panics: %t: %v", panics, taken)
		}
	}
}
