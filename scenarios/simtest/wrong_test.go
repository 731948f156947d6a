package simtest

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"simrun/algorithms/abs"
	"simrun/algorithms/chandylamport"
	"simrun/scenarios"
	"simrun/scenarios/generate"
	"simrun/sim"
)

// moody is Chandy and Lamport's algorithm that forgets to store what is in flight, in every
// other run of the process.
func moody() sim.NewNode {
	made := 0
	return func(info sim.NodeInfo) sim.Node {
		made++
		if info.ID == 0 {
			made++
		}
		return &unsaving{chandylamport.New(info), made%3 != 0}
	}
}

type unsaving struct {
	sim.Node
	right bool
}

func (n *unsaving) Receive(in sim.Input, m sim.Message, out *sim.Out) {
	if n.right || m.Kind() == sim.Marker {
		n.Node.Receive(in, m, out)
		return
	}
	out.Send(out.Process(in, m)...)
}

// TestMoody: an algorithm that is not the same twice is found out by the audit, and told
// so, also where it is not found out again.
func TestMoody(t *testing.T) {
	x := experimentIn(t, t.TempDir(), moody())
	f := x.search(1, x.runs)
	if f == nil {
		t.Fatal("nothing is wrong")
	}
	want(t, f.text, "violates conduct", "conduct: node n")
}

// endless answers every marker with a marker.
type endless struct{ sim.Node }

func (n endless) Receive(in sim.Input, m sim.Message, out *sim.Out) {
	n.Node.Receive(in, m, out)
	if m.Kind() == sim.Marker {
		out.SendMarker(0, m.Snapshot())
	}
}

// TestEndless: a run that does not end is no success.
func TestEndless(t *testing.T) {
	x := experimentIn(t, t.TempDir(), func(info sim.NodeInfo) sim.Node { return endless{chandylamport.New(info)} }, StronglyConnected(2, 3))
	f := x.search(1, x.runs)
	if f == nil {
		t.Fatal("nothing is wrong")
	}
	want(t, f.text, "run 1 of 200 (seed 1) is inconclusive: it does not end", "at its limit of 100000 steps", "-simrun.seed 1 -simrun.runs 1")
}

// TestUntested: runs that put nothing to the test are no success.
func TestUntested(t *testing.T) {
	x := experimentIn(t, t.TempDir(), abs.New, Algorithm(scenarios.Algorithm{Name: "abs", BackEdges: true, Aligned: true, Acyclic: true}), StronglyConnected(2, 3), Runs(5))
	problems, _ := x.check(1, 0)
	want(t, strings.Join(problems, "\n"), "none of the 5 scenarios is one for the algorithm")
	x = experimentIn(t, t.TempDir(), abs.New)
	x.tried = 3
	want(t, x.untested(), "no snapshot was complete in any of 3 runs")
	x.completed, x.unended = 3, 1
	want(t, x.untested(), "1 of 3 runs do not end")
	x = experimentIn(t, t.TempDir(), abs.New, Algorithm(scenarios.Algorithm{Name: "abs", BackEdges: true, Aligned: true, Acyclic: true}), Runs(5))
	if problems, _ := x.check(1, 0); problems != nil {
		t.Error(problems)
	}
}

// TestRapid: right algorithms hold under rapid.
func TestRapid(t *testing.T) {
	rapid.Check(t, Property(chandylamport.New, StronglyConnected(2, 6), Invisible()))
}

// TestProperty: the first run that violates something is made small and told; while rapid
// makes its draws smaller, whatever violates the same is told in the same words.
func TestProperty(t *testing.T) {
	s, err := newSettings(wrong(t, "no-channel-state"), nil)
	if err != nil {
		t.Fatal(err)
	}
	p := property{settings: s, home: homeOf(t.Name())}
	p.home.work = t.TempDir()
	told, first := map[string]int{}, 0
	for seed := range 20 {
		text, again := p.try(s.scenarios().Example(seed))
		if told[text]++; text != "" && !again {
			first++
		}
	}
	if len(told) > 3 || told[""] == 20 || first == 0 || first > 2 {
		t.Fatal(told)
	}
	for text := range told {
		if text != "" {
			want(t, text, "the run violates ", "\nsmall: ", "reproduce: go test simrun/scenarios/simtest -run '^TestProperty$' -simrun.file ")
		}
	}
	if problems := p.experiment().saved(); len(problems) != first {
		t.Error(problems)
	}
}

// FuzzRight is fuzzed with go test -fuzz FuzzRight ./scenarios/simtest.
func FuzzRight(f *testing.F) { Fuzz(f, abs.New, AnyGraph(1, 6), Aligned(), BackEdges()) }

// TestFuzzInputs: inputs of a fuzz test find wrong algorithms, too.
func TestFuzzInputs(t *testing.T) {
	for _, name := range []string{"no-blocking", "log-twice", "no-channel-state", "late-markers"} {
		x := experimentIn(t, t.TempDir(), wrong(t, name), BackEdges(), Aligned())
		found := false
		for seed := range uint64(100) {
			found = found || x.run(generate.Draw(&input{seeded(seed)}, x.drawn), "", "").wrong() != ""
		}
		if !found {
			t.Errorf("%s is not found", name)
		}
	}
}
