package scenarios

import (
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"simrun/algorithms/chandylamport"
	"simrun/scenarios/apps"
	"simrun/scenarios/units"
	"simrun/sim"
	"simrun/topology"
)

// ticker is an app of a user's own: it counts the ticks of its timer, and sends
// each count on.
type ticker struct {
	period int64
	ticks  uint64
}

// tickerParams is what a scenario can say of it.
type tickerParams struct {
	Period units.Duration `yaml:"period"`
}

func (p *tickerParams) Build(*apps.Env) (*apps.Workload, error) {
	if p.Period == 0 {
		return nil, errors.New("a period of nothing")
	}
	return &apps.Workload{
		NewApp: func(uint64, int32) sim.App { return &ticker{period: int64(p.Period)} },
		NewSource: func(_ uint64, node int32) sim.Source {
			if node != 0 {
				return nil
			}
			return firstTick{}
		},
		Restless: true,
	}, nil
}

// firstTick is the one record that sets the timer going.
type firstTick struct{}

func (firstTick) Record(k uint64) (m sim.Message, at int64, ok bool) { return m, 1e6, k == 0 }

func (a *ticker) Step(in sim.Input, _ sim.Message, fx *sim.Effects) {
	if in == sim.Timer {
		a.ticks++
		fx.Send(0, a.ticks, 0, 0)
	}
	if in == sim.Timer || in == sim.External {
		fx.SetTimer(3, a.period)
	}
}

func (a *ticker) Save(buf []byte) []byte { return binary.BigEndian.AppendUint64(buf, a.ticks) }

func (a *ticker) Load(state []byte) error {
	a.ticks = binary.BigEndian.Uint64(state)
	return nil
}

// tracedRun is a run with what it was made of.
type tracedRun struct {
	graph   *topology.Graph
	history *sim.History
}

// tickerTrace is the trace of a run with timers, a crash and a restore.
func tickerTrace(t *testing.T) (string, tracedRun) {
	c := Default()
	c.Apps = append(c.Apps, apps.Kind{Name: "ticker", Doc: "ticks", New: func() apps.Builder { return &tickerParams{Period: 3_000_000} }})
	s, err := Parse(c, "ticker.yaml", []byte("app: {kind: ticker}\nsnapshots: {every: 20ms}\nfaults: [{crash: n0, at: 50ms}]\nstop: {at: 100ms}"))
	if err != nil {
		t.Fatal(err)
	}
	plan, err := s.Resolve(c, Overrides{})
	if err != nil {
		t.Fatal(err)
	}
	var trace strings.Builder
	if _, err := plan.NewRunner().Trace(1, &trace); err != nil {
		t.Fatal(err)
	}
	return trace.String(), tracedRun{plan.Graph, plan.NewRunner().execute(1, nil).history}
}

// TestCatalogueOfOnesOwn: an app and an algorithm that this module does not have
// are used like the others, and an app with timers that never rests ends.
func TestCatalogueOfOnesOwn(t *testing.T) {
	c := Default()
	c.Algorithms = append(c.Algorithms, Algorithm{Name: "mine", Doc: "my own", New: chandylamport.New})
	c.Apps = append(c.Apps, apps.Kind{Name: "ticker", Doc: "ticks", New: func() apps.Builder { return &tickerParams{Period: 4_000_000} }})
	const text = `
algorithm: mine
app: {kind: ticker, period: 3ms}
snapshots: {every: 20ms}
faults: [{crash: n0, at: 50ms}]
stop: {at: 100ms}
expect: {verdict: holds, snapshots: 3, recoveries: 1}
`
	s, err := Parse(c, "own.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	plan, err := s.Resolve(c, Overrides{})
	if err != nil {
		t.Fatal(err)
	}
	var trace strings.Builder
	res, err := plan.NewRunner().Trace(1, &trace)
	if err != nil || res.ExitCode() != 0 || res.End != "settled" || res.Algorithm != "mine" {
		t.Errorf("%v, %+v", err, res)
	}
	// The timer is armed at 1 ms for 4 ms.
	if want := `"kind":"timer","node":"n0","incarnation":0,"id":3,"due_ns":4000000}`; !strings.Contains(trace.String(), want) {
		t.Errorf("no line with %s in\n%.2000s", want, trace.String())
	}
	// The snapshot's timer is due again when the graph is restored, at 55 ms.
	if want := `"kind":"timer","node":"n0","incarnation":1,"id":3,"due_ns":55000000}`; !strings.Contains(trace.String(), want) {
		t.Errorf("no line with %s", want)
	}
	// An app that does not describe its state shows the bytes.
	if want := `"state":"0000000000000006"`; !strings.Contains(trace.String(), want) {
		t.Errorf("no line with %s", want)
	}
	if got := resolvedText(t, plan); !strings.Contains(got, "period: 3ms") {
		t.Errorf("resolved:\n%s", got)
	}
	if _, err := Parse(c, "own.yaml", []byte("app: {kind: ticker, perod: 1ms}")); err == nil || !strings.Contains(err.Error(), "did you mean period?") {
		t.Errorf("%v", err)
	}
	s, err = Parse(c, "own.yaml", []byte("app: {kind: ticker, period: 0ns}"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err = s.Resolve(c, Overrides{}); err == nil || !strings.Contains(err.Error(), "own.yaml:1:6: a period of nothing") {
		t.Errorf("%v", err)
	}
}

// TestScenarioByHand: a scenario made without a file works, and its errors have no
// position.
func TestScenarioByHand(t *testing.T) {
	s := &Scenario{Version: 1, Name: "by hand", Faults: []Fault{{Crash: Names{"n9"}, Step: new(int64)}}}
	if _, err := s.Resolve(Default(), Overrides{}); err == nil || !strings.HasPrefix(err.Error(), `no node is named "n9"`) {
		t.Errorf("%v", err)
	}
	s.Faults = nil
	plan, err := s.Resolve(Default(), Overrides{})
	if err != nil || plan.NewRunner().Run(1).Verdict != Holds {
		t.Errorf("%v", err)
	}
}
