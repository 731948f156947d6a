package invariants

import (
	"strings"
	"testing"

	"simrun/sim"
)

// clock is an App with one timer, which it arms again when it goes off or a record
// comes, five times in all. It reads its two input channels in turn.
type clock struct{ ticks, turn uint8 }

func (a *clock) Step(in sim.Input, _ sim.Message, fx *sim.Effects) {
	if in >= 0 {
		a.turn = 1 - a.turn
		return
	}
	if in == sim.External {
		fx.Send(0, 1, 1, 0)
		fx.Send(1, 1, 1, 0)
	}
	if a.ticks++; a.ticks < 5 {
		fx.SetTimer(0, 3)
	}
}

func (a *clock) Accepts(in sim.Input) bool { return in == sim.Input(a.turn) }
func (a *clock) Save(buf []byte) []byte    { return append(buf, a.ticks, a.turn) }
func (a *clock) Load(state []byte) error   { a.ticks, a.turn = state[0], state[1]; return nil }

// meddler lets the App have what comes at once, but for what receive does.
type meddler struct {
	count   int
	held    []sim.Logged
	receive func(n *meddler, in sim.Input, m sim.Message, out *sim.Out) (done bool)
}

func (n *meddler) Initiate(sim.SnapshotID, *sim.Out) {}
func (n *meddler) Receive(in sim.Input, m sim.Message, out *sim.Out) {
	n.count++
	if n.receive == nil || !n.receive(n, in, m, out) {
		out.Send(out.Process(in, m)...)
	}
}
func (n *meddler) Recover([]byte, []sim.Logged, *sim.Out) {}
func (n *meddler) Save(buf []byte) []byte                 { return buf }
func (n *meddler) Load([]byte) error                      { return nil }

type threeRecords struct{}

func (threeRecords) Record(k uint64) (sim.Message, int64, bool) {
	return sim.Message{Key: k}, 5 * int64(k), k < 3
}

// TestForgedInputs: a Node that gives its App what the engine has not handed to it, or
// what the App does not accept, or that keeps what it was handed, is found, although
// the App can do every step.
func TestForgedInputs(t *testing.T) {
	for _, c := range []struct {
		name, invariant, says string
		receive               func(n *meddler, in sim.Input, m sim.Message, out *sim.Out) bool
	}{
		{"right", "", "", nil},
		{"a timer twice", "state-truth", "which had not gone off", func(_ *meddler, in sim.Input, m sim.Message, out *sim.Out) bool {
			if in == sim.Timer {
				out.Send(out.Process(in, m)...)
			}
			return false
		}},
		{"a timer before it goes off", "state-truth", "which had not gone off", func(n *meddler, _ sim.Input, _ sim.Message, out *sim.Out) bool {
			if n.count == 2 {
				out.Send(out.Process(sim.Timer, sim.Message{})...)
			}
			return false
		}},
		{"a timer changed", "state-truth", "or was changed", func(_ *meddler, in sim.Input, m sim.Message, out *sim.Out) bool {
			if m.Value = 1; in == sim.Timer {
				out.Send(out.Process(in, m)...)
			}
			return in == sim.Timer
		}},
		{"a timer swallowed", "termination", "the App has armed it again since", func(n *meddler, in sim.Input, _ sim.Message, _ *sim.Out) bool {
			if in != sim.Timer {
				return false
			}
			n.held = append(n.held, sim.Logged{})
			return len(n.held) == 1
		}},
		{"two of a channel at once", "non-interference", "which it did not accept then", func(n *meddler, in sim.Input, m sim.Message, out *sim.Out) bool {
			if in != 0 || n.count > 100 {
				return false
			}
			if n.held = append(n.held, sim.Logged{Input: in, Message: m}); len(n.held) == 3 {
				for _, l := range n.held {
					out.Send(out.Process(l.Input, l.Message)...)
				}
			}
			return true
		}},
	} {
		cfg := &sim.Config{
			Graph: sim.Graph{Nodes: 1, From: []int32{0, 0}, To: []int32{0, 0}}, Rows: true, MaxSteps: 1000,
			NewNode:   func(sim.NodeInfo) sim.Node { return &meddler{receive: c.receive} },
			NewApp:    func(int32) sim.App { return new(clock) },
			NewSource: func(int32) sim.Source { return threeRecords{} },
			Delays:    []sim.Dist{{Low: 8}},
		}
		e, err := sim.New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		report := Check(Of(cfg, e.Run()), nil)
		if c.invariant == "" {
			if !report.Holds() {
				t.Errorf("%s: %v", c.name, report.Violations)
			}
			continue
		}
		if v, ok := find(report, c.invariant); !ok || !strings.Contains(v.Detail, c.says) {
			t.Errorf("%s: %v", c.name, report.Violations)
		}
	}
}
