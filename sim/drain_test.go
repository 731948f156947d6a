package sim_test

import (
	"fmt"
	"strings"
	"testing"

	"simrun/sim"
)

// ender is a Node that ends its outputs when nothing comes any more. It asks once every
// input has ended.
type ender struct {
	actor
	info  sim.NodeInfo
	ended int
}

func newEnder(info sim.NodeInfo) sim.Node { return &ender{info: info} }

func (n *ender) Receive(in sim.Input, m sim.Message, out *sim.Out) {
	if m.Kind() != sim.EndOfStream {
		n.actor.Receive(in, m, out)
		return
	}
	if n.ended++; n.ended == n.info.Inputs {
		out.Drain()
	}
}

func (n *ender) Drained(out *sim.Out) {
	for c := range n.info.Outputs {
		out.SendEnd(c)
	}
}

// idle is a Coordinator that takes the graph back to the beginning after a crash.
type idle struct{}

func (idle) Start(sim.Standing, *sim.Decisions)                   {}
func (idle) Alarm(uint32, *sim.Decisions)                         {}
func (idle) Receive(int32, sim.Control, *sim.Decisions)           {}
func (idle) Published(sim.SnapshotID, bool, *sim.Decisions)       {}
func (idle) Failed(_ int32, out *sim.Decisions)                   { out.Restore(0, 0) }
func (idle) Restored(uint8, sim.SnapshotID, bool, *sim.Decisions) {}
func (idle) Stop(*sim.Decisions)                                  {}
func (idle) Save(buf []byte) []byte                               { return buf }
func (idle) Load([]byte) error                                    { return nil }

// endings notes when streams end.
type endings struct{ lines []string }

func (l *endings) Observe(ev *sim.Event) {
	switch ev.Kind {
	case sim.EventEndSent:
		l.lines = append(l.lines, fmt.Sprintf("%d n%d ends c%d due %d", ev.At, ev.Node, ev.Channel, ev.Due))
	case sim.EventEnd:
		l.lines = append(l.lines, fmt.Sprintf("%d n%d sees the end of c%d", ev.At, ev.Node, ev.Channel))
	}
}

// endingScene is a scene whose nodes finish, with records for node 0.
func endingScene(g sim.Graph, records releases, does ...deed) (*sim.Config, *endings) {
	cfg, l := scene(g, does...), new(endings)
	cfg.NewNode, cfg.NewSource, cfg.Observer = newEnder, feed(records), l
	cfg.Management = sim.ManagementPlan{New: func() sim.Coordinator { return idle{} }, Finish: true, Delay: sim.Dist{Low: 1}}
	return cfg, l
}

// alarmed sets a timer with each record.
func alarmed(in sim.Input, _ sim.Message, fx *sim.Effects) {
	if in == sim.External {
		fx.SetTimer(3, 100)
	}
}

// TestWhenNothingComesAnyMore: when a Node is told, and what it sends then.
func TestWhenNothingComesAnyMore(t *testing.T) {
	chain := graph(3, 0, 1, 1, 2)
	for _, c := range []struct {
		name    string
		records releases
		does    deed
		tune    func(cfg *sim.Config)
		want    string
	}{
		{"a source that is exhausted", releases{5, 20}, pass, nil,
			"20 n0 ends c0 due 30; 30 n1 sees the end of c0; 30 n1 ends c1 due 40; 40 n2 sees the end of c1"},
		{"a node without a source", nil, pass, nil,
			"0 n0 ends c0 due 10; 10 n1 sees the end of c0; 10 n1 ends c1 due 20; 20 n2 sees the end of c1"},
		{"a source with nothing to say", releases{}, pass, nil,
			"0 n0 ends c0 due 10; 10 n1 sees the end of c0; 10 n1 ends c1 due 20; 20 n2 sees the end of c1"},
		{"a timer", releases{5, 20}, alarmed, nil,
			"120 n0 ends c0 due 130; 130 n1 sees the end of c0; 130 n1 ends c1 due 140; 140 n2 sees the end of c1"},
		{"a busy node", releases{5}, pass, func(cfg *sim.Config) { cfg.Service = sim.Dist{Low: 100} },
			"105 n0 ends c0 due 115; 215 n1 sees the end of c0; 215 n1 ends c1 due 225; 225 n2 sees the end of c1"},
		{"a record behind the stop", releases{5, 500}, pass, func(cfg *sim.Config) { cfg.Stop.At = 100 },
			"100 n0 ends c0 due 110; 110 n1 sees the end of c0; 110 n1 ends c1 due 120; 120 n2 sees the end of c1"},
		{"the last record before the stop", releases{5, 500}, pass, func(cfg *sim.Config) { cfg.Stop.Records = 1 },
			"5 n0 ends c0 due 15; 15 n1 sees the end of c0; 15 n1 ends c1 due 25; 25 n2 sees the end of c1"},
		{"a crash", releases{5}, pass, func(cfg *sim.Config) { cfg.Faults = []sim.Fault{{Nodes: []int32{1}, At: 12, Down: 8}} },
			"5 n0 ends c0 due 15; 20 n0 ends c0 due 30; 30 n1 sees the end of c0; 30 n1 ends c1 due 40; 40 n2 sees the end of c1"},
	} {
		cfg, l := endingScene(chain, c.records, c.does)
		if c.records == nil {
			cfg.NewSource = nil
		}
		if c.tune != nil {
			c.tune(cfg)
		}
		h := play(t, cfg)
		same(t, c.name, strings.Join(l.lines, "; "), c.want)
		same(t, c.name+": the channels that have ended", h.Final.Ended, []int32{0, 1})
		if len(h.Behind) > 0 {
			t.Errorf("%s: behind an end: %v", c.name, h.Behind)
		}
	}
}

// TestNobodyIsToldOtherwise: without Finish, or where the Node cannot finish.
func TestNobodyIsToldOtherwise(t *testing.T) {
	cfg, l := endingScene(graph(2, 0, 1), releases{5}, pass)
	cfg.Management.Finish = false
	play(t, cfg)
	other, m := endingScene(graph(2, 0, 1), releases{5}, pass)
	other.NewNode = func(sim.NodeInfo) sim.Node { return &actor{} }
	play(t, other)
	if len(l.lines)+len(m.lines) > 0 {
		t.Errorf("%v, %v", l.lines, m.lines)
	}
}

// TestStopInChosenOrder: a source whose input is cut off is exhausted.
func TestStopInChosenOrder(t *testing.T) {
	for seed := range uint64(20) {
		cfg, l := endingScene(graph(3, 0, 2, 1, 2), make(releases, 1000), pass, pass)
		cfg.Seed, cfg.Order, cfg.Stop.At = seed, sim.Chosen, 30
		h := play(t, cfg)
		if same(t, "the channels that have ended", h.Final.Ended, []int32{0, 1}); len(l.lines) != 4 || h.Final.Read[0] >= 30 {
			t.Errorf("seed %d: %v after %d records", seed, l.lines, h.Final.Read[0])
		}
	}
}

// hurried ends its output before each record that it passes on, and puts a marker behind.
type hurried struct{ actor }

func (n *hurried) Receive(in sim.Input, m sim.Message, out *sim.Out) {
	if in == sim.External {
		out.SendEnd(0)
	}
	if m.Kind() == sim.Data {
		n.actor.Receive(in, m, out)
	}
}

// TestWhatIsSentBehindAnEnd: messages, markers and other ends are noted; a restore lets
// the channel begin anew.
func TestWhatIsSentBehindAnEnd(t *testing.T) {
	cfg, _ := endingScene(graph(2, 0, 1), releases{5, 7}, pass)
	cfg.NewNode = func(sim.NodeInfo) sim.Node { return &hurried{} }
	cfg.Faults = []sim.Fault{{Nodes: []int32{1}, At: 6, Down: 50}}
	h := play(t, cfg)
	var got []string
	for _, b := range h.Behind {
		got = append(got, fmt.Sprintf("%d: c%d, message %d, in incarnation %d", b.At, b.Channel, b.Number, b.Incarnation))
		if row := h.Rows[b.Row]; b.Number > 0 && (row.Kind() != sim.RowSend || row.Number != b.Number) {
			t.Errorf("row %d is %v", b.Row, row)
		}
	}
	same(t, "what was sent behind an end", got, []string{
		"5: c0, message 1, in incarnation 0", "7: c0, message 0, in incarnation 0", "7: c0, message 2, in incarnation 0",
		"56: c0, message 1, in incarnation 1", "56: c0, message 0, in incarnation 1", "56: c0, message 2, in incarnation 1",
	})
}

// TestEndsNeedReliableChannels: an end that is lost or overtakes says what is not so.
func TestEndsNeedReliableChannels(t *testing.T) {
	cfg, _ := endingScene(graph(2, 0, 1), releases{5}, pass)
	cfg.Unreliable = []sim.Unreliable{{Reorder: true}}
	if _, err := sim.New(cfg); err == nil || !strings.Contains(err.Error(), "channel 0 is unreliable") {
		t.Error(err)
	}
}
