package scenarios

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"simrun/invariants"
	"simrun/invariants/explain"
	"simrun/sim"
)

var update = flag.Bool("update", false, "write the golden explanations anew")

// explained is a run whose explanation is held against a file of testdata/explain.
type explained struct {
	name     string
	text     string // the scenario
	snapshot uint32 // 0: all
	shows    string // what the explanation is there to show
}

const pair = "graph: {nodes: [P1, P2], channels: [[P1, P2], [P2, P1]]}\napp: {kind: bank, transfers: 3, every: 10ms}\n" +
	"network: {channels: {P1->P2: {delay: {constant: 5ms}}, P2->P1: {delay: {constant: 10ms}}}}\n" +
	"store: {write: {constant: 1ms}}\nsnapshots: {at: [8ms], initiators: [P1]}\nstop: {at: 60ms}\n"

const joined = "graph: {nodes: [quick, slow, join], channels: [[quick, join], [slow, join]]}\napp: {kind: sums, records: 12, every: 2ms}\n" +
	"network: {channels: {quick->join: {delay: {constant: 1ms}}, slow->join: {delay: {constant: 5ms}}}}\nsnapshots: {at: [9ms]}\nstop: {at: 60ms}\n"

const triangle = "graph: {nodes: [a, b, c], channels: [[a, b], [b, c], [c, a], [a, c]]}\napp: {kind: bank, transfers: 6, every: 4ms}\n" +
	"network: {delay: {constant: 3ms}, channels: {c->a: {delay: {constant: 9ms}}, a->c: {delay: {constant: 11ms}}}}\nsnapshots: {at: [10ms], initiators: [a]}\nstop: {at: 60ms}\n"

func explanations() []explained {
	return []explained{
		{"abs-aligned", "algorithm: abs\n" + joined, 1, "2 of 2"},
		{"orphan", "algorithm: no-blocking\n" + joined, 0, "(after/before). An orphan"},
		{"missing", "algorithm: no-channel-state\n" + pair, 0, "after a restore it would be lost"},
		{"extra", "algorithm: open-until-last-marker\n" + triangle, 0, "but the recording went on"},
		{"foreign", "algorithm: every-open-channel\n" + triangle, 0, "saved as the state of a channel that"},
		{"closed", "algorithm: one-marker-closes-all\n" + strings.Replace(triangle, "initiators: [a]", "initiators: [c]", 1), 0, "had ended its part of the snapshot before"},
		{"early-barrier", "algorithm: early-broadcast\ngraph: {nodes: [s, t, j, k], channels: [[s, j], [t, j], [j, k]]}\napp: {kind: sums, records: 12, every: 2ms}\n" +
			"network: {channels: {s->j: {delay: {constant: 1ms}}, t->j: {delay: {constant: 6ms}}}}\nsnapshots: {at: [9ms]}\nstop: {at: 60ms}\n", 0, "it was sent in front of it"},
		{"chosen", "order: chosen\nseed: 3\ngraph: {generate: ring, nodes: 3}\napp: {kind: bank, transfers: 6}\nsnapshots: {at: [12]}\nstop: {at: 60}\n", 1, "in flight stored"},
		{"restored", "algorithm: abs\ngraph: {nodes: [s, h], channels: [[s, h], [h, h]]}\napp: {kind: loop, hops: 3, records: 20, every: 2ms}\n" +
			"network: {channels: {h->h: {delay: {constant: 7ms}}}}\nsnapshots: {at: [10ms, 36ms]}\nfaults: [{crash: h, at: 26ms}]\nstop: {at: 60ms}\n", 2, "in incarnation 1"},
		{"replayed-twice", "algorithm: log-twice\ngraph: {nodes: [s, h], channels: [[s, h], [h, h]]}\napp: {kind: loop, hops: 3, records: 20, every: 2ms}\n" +
			"network: {channels: {h->h: {delay: {constant: 7ms}}}}\nsnapshots: {at: [10ms, 36ms]}\nfaults: [{crash: h, at: 26ms}]\nstop: {at: 60ms}\n", 0, "had processed message"},
		{"hang", "algorithm: aligned-back-edges\ngraph: {nodes: [s, h], channels: [[s, h], [h, h]]}\napp: {kind: loop, hops: 2, records: 5, every: 2ms}\nsnapshots: {at: [10ms]}\nstop: {at: 60ms}\n",
			0, "waiting in a circle: h"},
		{"sink-of-dag", "graph: {nodes: [a, b, c], channels: [[a, b], [b, c]]}\nsnapshots: {at: [10ms], initiators: [c]}\napp: {kind: bank, transfers: 2}\nstop: {at: 60ms}\nexpect: {incomplete: true}\n",
			0, "a has no input and is no initiator"},
		{"overtaken", "algorithm: abs\nseed: 5\n" + strings.Replace(joined, "quick->join: {delay: {constant: 1ms}}", "quick->join: {reorder: true, delay: {uniform: [1ms, 12ms]}}", 1), 1, "because it overtook the message"},
		{"doubled", strings.Replace(pair, "P2->P1: {", "P2->P1: {duplicate: 100%, ", 1), 1, "x2 wrong"},
		{"no-channel", "algorithm: abs\ngraph: {nodes: [W]}\napp: {kind: windows, records: 3, window: 10ms}\nsnapshots: {at: [4ms]}\n", 1, "timers due"},
	}
}

// TestExplanations holds what is printed against files; -update writes them anew.
func TestExplanations(t *testing.T) {
	for _, e := range explanations() {
		t.Run(e.name, func(t *testing.T) {
			plan := mustResolve(t, e.text)
			out, err := plan.NewRunner().Explain(plan.Seed, e.snapshot)
			if err != nil {
				t.Fatal(err)
			}
			golden(t, e.name, out, e.shows)
		})
	}
	t.Run("in-transit", func(t *testing.T) {
		plan := mustLoad(t, "in-transit.yaml", "")
		out, err := plan.NewRunner().Explain(plan.Seed, 1)
		if err != nil {
			t.Fatal(err)
		}
		golden(t, "in-transit", out, "P2->P1#1 - 1 - 2-3 1")
	})
}

func golden(t *testing.T, name string, out *Explained, shows string) {
	t.Helper()
	var b bytes.Buffer
	if err := out.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	got := strings.ReplaceAll(b.String(), filepath.ToSlash(scenarioFolder)+"/", "")
	if flat := strings.Join(strings.Fields(got), " "); !strings.Contains(flat, shows) {
		t.Errorf("it does not show %q:\n%s", shows, got)
	}
	path := filepath.Join("..", "testdata", "explain", name+".txt")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil || string(want) != got {
		t.Errorf("%v, %s is not what is printed:\n%s", err, path, got)
	}
}

// TestWrongState: a recorded state that is the node's two steps later, or of no time
// at all, and a recorded offset that is not the node's.
func TestWrongState(t *testing.T) {
	for name, test := range map[string]struct {
		damage func(s *sim.Snapshot, later []byte)
		says   string
	}{
		"state-later": {func(s *sim.Snapshot, later []byte) { s.States[1] = later }, "too new"},
		"state-none":  {func(s *sim.Snapshot, _ []byte) { s.States[1][3]++ }, "was in no such state"},
		"state-first": {func(s *sim.Snapshot, _ []byte) { s.States[1] = nil }, "should be"},
		"offset":      {func(s *sim.Snapshot, _ []byte) { s.Recordings[1].Offset++ }, "how far the input from outside had been read"},
	} {
		t.Run(name, func(t *testing.T) {
			plan := mustResolve(t, pair)
			notes := new(explain.Notes)
			x := plan.NewRunner().execute(1, notes)
			test.damage(x.history.Snapshots[0], x.history.Final.States[1])
			x.report = invariants.Check(x.run, nil)
			x.verdict = Violated
			out, err := plan.explained(x, notes, 1)
			if err != nil || !slices.ContainsFunc(out.Snapshots[0].Violations, func(v explain.Violation) bool { return v.Invariant == "state-truth" }) {
				t.Fatal(err, x.report.Violations)
			}
			golden(t, name, out, test.says)
		})
	}
}

// TestNoSuchSnapshot: the run has no snapshot with that id.
func TestNoSuchSnapshot(t *testing.T) {
	plan := mustResolve(t, pair)
	if _, err := plan.NewRunner().Explain(1, 2); err == nil || !strings.Contains(err.Error(), "there is no snapshot 2 in this run") {
		t.Error(err)
	}
}
