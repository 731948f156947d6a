package scenarios

import (
	"strings"
	"testing"

	"simrun/sim"
)

// TestDefaults: the shortest scenario resolves to this.
func TestDefaults(t *testing.T) {
	const want = `version: 1
algorithm: chandy-lamport
order: timed
seed: 1
graph:
  generate: ring
  nodes: 5
app:
  kind: bank
  balance: 100
  amount: 20
  transfers: 20
  every: 5ms
network:
  delay:
    uniform: [1ms, 5ms]
service: {constant: 0ns}
store: {write: {uniform: [1ms, 3ms]}}
snapshots:
  every: 50ms
  initiators: [n0]
replay: from-offset
stop: {at: 200ms}
steps: 10000000
`
	for _, text := range []string{"version: 1", "seed: 1", "{}", "network:\napp: null\nfaults: []\nsnapshots: {}\ngraph: {}\nexpect:\nchecks: {off: }\nstop:\nstore: ~\nservice:"} {
		if got := resolvedText(t, mustResolve(t, text)); got != want {
			t.Errorf("%q resolves to\n%s", text, got)
		}
	}
}

// TestResolvedKeepsZeros: what is 0 or empty on purpose is so in the resolved form.
func TestResolvedKeepsZeros(t *testing.T) {
	for _, test := range []struct{ text, has string }{
		{"seed: 0", "seed: 0"},
		{"snapshots: {at: []}", "every: 0ns"},
		{"snapshots: {at: [30ms, 5ms]}", "at: [30ms, 5ms]"},
		{"order: chosen", "every: 100"},
		{"order: chosen\nsnapshots: {every: 0}", "every: 0"},
		{"app: {kind: bank, balance: 0, every: 0ns}", "balance: 0"},
		{"graph: {generate: random, seed: 0}", "seed: 0"},
		{"seed: 18446744073709551615", "seed: 18446744073709551615"},
		{"expect: {snapshots: 0, recoveries: 0}", "expect: {snapshots: 0, recoveries: 0}"},
		{"faults: [{crash: n1, at: 5ms, down: 0ns, after-outputs: 0}]", "after-outputs: 0"},
	} {
		plan := mustResolve(t, test.text)
		got := resolvedText(t, plan)
		if !strings.Contains(got, test.has) {
			t.Errorf("%q resolves to\n%s", test.text, got)
		}
		if again := resolvedText(t, mustResolve(t, got)); again != got {
			t.Errorf("%q: resolved twice it is\n%s", test.text, again)
		}
	}
}

// TestOverrides: what the command line says counts, and the file stays as it is.
func TestOverrides(t *testing.T) {
	c := Default()
	s, err := Parse(c, "x.yaml", []byte("algorithm: abs\nseed: 5"))
	if err != nil {
		t.Fatal(err)
	}
	seed := uint64(0)
	p, err := s.Resolve(c, Overrides{Algorithm: "chandy-lamport", Seed: &seed})
	if err != nil || p.Seed != 0 || p.Algorithm.Name != "chandy-lamport" || p.BackEdge != nil {
		t.Errorf("%v, %+v", err, p)
	}
	p, err = s.Resolve(c, Overrides{})
	if err != nil || p.Seed != 5 || p.Algorithm.Name != "abs" || p.BackEdge == nil {
		t.Errorf("%v, %+v", err, p)
	}
	if _, err = s.Resolve(c, Overrides{Algorithm: "abc"}); err == nil || !strings.Contains(err.Error(), `no algorithm is named "abc"; did you mean abs?`) {
		t.Errorf("%v", err)
	}
}

// TestConfig: what the engine is given.
func TestConfig(t *testing.T) {
	p := mustResolve(t, `
algorithm: abs
graph: {nodes: [1, "x->y", null-ish, z], channels: [[1, x->y], [x->y, z], [z, 1], [1, z], [1, z]]}
network:
  delay: {exponential: {mean: 2ms}}
  channels:
    1->x->y: {delay: {constant: 1ms}}
    1->z: {delay: {bimodal: {fast: [1ms, 2ms], slow: [3ms, 4ms], percent: 7}}}
snapshots: {at: [20ms, 10ms], initiators: [null-ish, 1]}
replay: none
stop: {at: 90ms, records: 8}
steps: 1000
faults:
  - {crash: [z, 1], when: {phase: recorded, snapshot: 2, occurrence: 3}, after-outputs: 4, down: 1us}
  - {crash: z, step: 7}
`)
	cfg := p.config
	if len(cfg.Delays) != 3 || cfg.Delays[0] != (sim.Dist{Kind: sim.Exponential, Low: 1, High: 2e6}) ||
		cfg.Delays[2] != (sim.Dist{Kind: sim.Bimodal, Low: 1e6, High: 2e6, SlowLow: 3e6, SlowHigh: 4e6, Percent: 7}) {
		t.Errorf("delays %+v", cfg.Delays)
	}
	if got := string(cfg.DelayOf); got != "\x01\x00\x00\x02\x02" {
		t.Errorf("delays of the channels: %q", got)
	}
	if s := cfg.Snapshots; s.Every != 0 || s.At[0] != 10e6 || s.At[1] != 20e6 || len(s.Initiators) != 2 || s.Initiators[0] != 0 || s.Initiators[1] != 2 {
		t.Errorf("snapshots %+v", s)
	}
	if cfg.Replay != sim.NoReplay || cfg.Stop != (sim.Stop{At: 90e6, Records: 8}) || cfg.MaxSteps != 1000 {
		t.Errorf("%+v, %+v, %d steps", cfg.Replay, cfg.Stop, cfg.MaxSteps)
	}
	f := cfg.Faults[0]
	if f.Nodes[0] != 3 || f.Nodes[1] != 0 || f.Phase != sim.PhaseRecorded || f.Snapshot != 2 || f.Occurrence != 3 || *f.AfterOutputs != 4 || f.Down != 1000 {
		t.Errorf("fault %+v", f)
	}
	if f := cfg.Faults[1]; f.Step != 7 || f.Phase != sim.NoPhase || f.Down != 5e6 {
		t.Errorf("fault %+v", f)
	}
	if len(cfg.BackEdge) != 5 || !cfg.BackEdge[2] || cfg.BackEdge[0] {
		t.Errorf("back-edges %v", cfg.BackEdge)
	}
}

// TestAnchors: anchors, aliases and merge keys mean what they mean in YAML.
func TestAnchors(t *testing.T) {
	p := mustResolve(t, `
service: &d {constant: 2ms}
store: {write: *d}
faults:
  - &f {crash: [n1], at: 10ms, down: 1ms}
  - {<<: *f, at: 60ms}
`)
	if got := p.config.Write; got.Low != 2e6 {
		t.Errorf("write %+v", got)
	}
	if f := p.config.Faults[1]; f.At != 60e6 || f.Down != 1e6 || f.Nodes[0] != 1 {
		t.Errorf("fault %+v", f)
	}
}

// TestDeclaredBackEdges: a larger L than the search finds is taken as it is.
func TestDeclaredBackEdges(t *testing.T) {
	const graph = "algorithm: abs\ngraph: {nodes: [s, a, b], channels: [[s, a], [s, b], [a, b], [b, a]]}\n"
	found := mustResolve(t, graph).BackEdge
	declared := mustResolve(t, graph+"back_edges: [a->b#2, 3]").BackEdge
	if found[2] || !found[3] || !declared[2] || !declared[3] {
		t.Errorf("found %v, declared %v", found, declared)
	}
}

// TestExpectations: met or not, and why not.
func TestExpectations(t *testing.T) {
	const crash = "\nfaults: [{crash: n1, at: 70ms}]"
	for _, test := range []struct {
		text  string
		code  int
		unmet string
	}{
		{"seed: 1", 0, ""},
		{"expect: {verdict: holds, snapshots: 2, recoveries: 0}", 0, ""},
		{"expect: {snapshots: 99}", 1, "2 snapshots completed, expected at least 99"},
		{"expect: {recoveries: 1}" + crash, 0, ""},
		{"expect: {recoveries: 0}" + crash, 1, "1 recovery, expected 0"},
		{"expect: {recoveries: 0}\nfaults: [{crash: n1, when: {phase: aligning}}]", 1, "fault 0 never fired: crash n1 when aligning"},
		{"expect: {verdict: violated}", 1, "the verdict is holds, expected violated"},
		{"expect: {violation: fifo}", 1, "fifo is not violated"},
		{"algorithm: no-channel-state\nexpect: {violation: channel-state}", 0, ""},
		{"algorithm: no-channel-state\nexpect: {violation: fifo}", 1, "fifo is not violated"},
		{"algorithm: no-channel-state", 1, ""},
		{"algorithm: no-channel-state\nchecks: {off: [channel-state, reachability, conservation]}", 0, ""},
		{"steps: 50", 3, ""},
		{"steps: 50\nexpect: {verdict: inconclusive}", 0, ""},
		{"steps: 50\nexpect: {verdict: holds}", 1, "the verdict is inconclusive"},
		{"expect: {incomplete: true}", 1, "no snapshot is incomplete"},
		{"graph: {generate: line}\nsnapshots: {initiators: [n2]}\nexpect: {incomplete: true}", 0, ""},
		{"graph: {generate: line}\nsnapshots: {initiators: [n2]}\nexpect: {incomplete: true, violation: termination}", 0, ""},
		{"graph: {generate: line}\nalgorithm: abs\nsnapshots: {initiators: [n2]}\nexpect: {incomplete: true}", 0, ""},
		{"replay: none" + crash, 0, ""},
	} {
		res := mustResolve(t, test.text).NewRunner().Run(1)
		if got := strings.Join(res.Unmet, "; "); res.ExitCode() != test.code || !strings.Contains(got, test.unmet) || (test.unmet == "") != (got == "") {
			t.Errorf("%s: exit code %d, unmet %q; want %d, %q", test.text, res.ExitCode(), got, test.code, test.unmet)
		}
		if (res.Expected == nil) != !strings.Contains(test.text, "expect:") {
			t.Errorf("%s: expected is %v", test.text, res.Expected)
		}
	}
}
