package search

import (
	"math"
	"slices"
	"testing"

	"simrun/sim"
)

// toy is a run of chains of steps that are always enabled: the least that a scheduler can
// be asked about. Chain c has the steps of channel c, so many of them.
type toy []int

// run lets a scheduler order all steps, and returns the chain of each.
func (lengths toy) run(s sim.Scheduler) (order []int32) {
	left := slices.Clone(lengths)
	for n := int64(0); ; n++ {
		var enabled list
		for c, steps := range left {
			if steps > 0 {
				enabled = append(enabled, sim.Step{Kind: sim.StepDeliver, Entity: int32(c)})
			}
		}
		if len(enabled) == 0 {
			return order
		}
		c := enabled[s.Pick(n, enabled)].Entity
		left[c]--
		order = append(order, c)
	}
}

// steps is how many steps the toy has.
func (lengths toy) steps() (n int64) {
	for _, steps := range lengths {
		n += int64(steps)
	}
	return n
}

// list is a set of enabled steps.
type list []sim.Step

func (l list) Len() int          { return len(l) }
func (l list) At(i int) sim.Step { return l[i] }
func chain(c int32) sim.Step     { return sim.Step{Kind: sim.StepDeliver, Entity: c} }
func position(o []int32, c int32, k int) int {
	for i, at := range o {
		if at == c {
			if k--; k == 0 {
				return i
			}
		}
	}
	return -1
}

// setup is what a strategy is told of the toy.
func (lengths toy) setup(seed uint64) Run {
	r := Run{Seed: seed, Nodes: 2, Steps: lengths.steps()}
	for range lengths {
		r.To = append(r.To, 0)
	}
	return r
}

// meets counts the seeds below a number with which a strategy meets a mistake.
func (lengths toy) meets(s Setting, seeds uint64, mistake func(order []int32) bool) (n int) {
	for seed := range seeds {
		if mistake(lengths.run(s.New(lengths.setup(seed)))) {
			n++
		}
	}
	return n
}

// TestPCTKeepsItsBound: mistakes of known depth, in a toy with n chains and k steps, are
// met at least as often as 1/(n*k^(d-1)), and by random choice never.
func TestPCTKeepsItsBound(t *testing.T) {
	const seeds = 20_000
	for _, test := range []struct {
		depth   int
		toy     toy
		mistake func(o []int32) bool
	}{
		{1, toy{20, 1, 20, 20}, func(o []int32) bool { // chain 1 comes after all else
			return position(o, 1, 1) == len(o)-1
		}},
		{2, toy{12, 12, 1}, func(o []int32) bool { // all of chain 1 between steps 6 and 7 of chain 0
			return position(o, 0, 6) < position(o, 1, 1) && position(o, 1, 12) < position(o, 0, 7)
		}},
		{3, toy{8, 8}, func(o []int32) bool { // and step 8 of chain 1 still behind
			return position(o, 0, 4) < position(o, 1, 1) && position(o, 1, 5) < position(o, 0, 5) && position(o, 0, 8) < position(o, 1, 6)
		}},
	} {
		bound := float64(seeds) / float64(len(test.toy))
		for range test.depth - 1 {
			bound /= float64(test.toy.steps())
		}
		least := bound - 3*math.Sqrt(bound) // three standard deviations
		got := test.toy.meets(Setting{PCT, test.depth}, seeds, test.mistake)
		random := test.toy.meets(Setting{Random, 0}, seeds, test.mistake)
		t.Log("depth", test.depth, "met", got, "bound", bound, "by random choice", random)
		if least < 10 || float64(got) < least {
			t.Errorf("depth %d: met with %d of %d seeds, the bound is %f", test.depth, got, seeds, bound)
		}
		if random > 0 {
			t.Errorf("depth %d: random choice meets it %d times, so that it shows nothing", test.depth, random)
		}
	}
}

// TestPCTNeedsItsDepth: with no change point no chain is interrupted.
func TestPCTNeedsItsDepth(t *testing.T) {
	interrupted := func(o []int32) bool { return len(slices.Compact(slices.Clone(o))) > 3 }
	if n := (toy{5, 5, 5}).meets(Setting{PCT, 1}, 1000, interrupted); n > 0 {
		t.Errorf("with depth 1 a chain is interrupted in %d runs", n)
	}
	twice := func(o []int32) bool { return len(slices.Compact(slices.Clone(o))) > 4 }
	if n := (toy{5, 5, 5}).meets(Setting{PCT, 2}, 1000, twice); n > 0 {
		t.Errorf("with depth 2 chains are interrupted twice in %d runs", n)
	}
	if n := (toy{5, 5, 5}).meets(Setting{PCT, 2}, 1000, interrupted); n < 300 {
		t.Errorf("with depth 2 a chain is interrupted in only %d runs", n)
	}
}

// TestPCTComesToAnEnd: a chain that never ends does not keep the others from theirs.
func TestPCTComesToAnEnd(t *testing.T) {
	delayed := 0
	for seed := range uint64(50) {
		s, left, n := (Setting{PCT, 1}).New(Run{Seed: seed, Steps: 20}), 10, int64(0)
		for ; left > 0 && n < 1000; n++ {
			if (list{chain(0), chain(1)})[s.Pick(n, list{chain(0), chain(1)})] == chain(1) {
				left--
			}
		}
		if left > 0 {
			t.Errorf("seed %d: %d steps are left after %d", seed, left, n)
		}
		if n > 200 {
			delayed++
		}
	}
	if delayed < 10 {
		t.Errorf("the chain that never ends came first with %d of 50 seeds", delayed)
	}
}

// TestPOSCountsRacesOnly: one step at node 0 races with another one there, which has ten
// steps at node 1 before it. By chance the one that waits comes last in one of a thousand
// runs; for POS its chance falls only with how many come before.
func TestPOSCountsRacesOnly(t *testing.T) {
	const seeds, before = 20_000, 10
	met := map[string]int{}
	for _, s := range []Setting{{POS, 0}, {Random, 0}} {
		for seed := range uint64(seeds) {
			// Channel 0 brings the one to node 0. Channel 1 has ten for node 1, after which
			// channel 2 has one for node 0.
			scheduler := s.New(Run{Seed: seed, Nodes: 2, To: []int32{0, 1, 0}, Steps: before + 2})
			for n := range int64(before + 1) {
				enabled := list{chain(0), chain(1)}
				if n == before {
					enabled[1] = chain(2)
				}
				i := scheduler.Pick(n, enabled)
				if i == 0 {
					break
				}
				if n == before {
					met[s.Strategy]++
				}
			}
		}
	}
	t.Log(met)
	if met[POS] < seeds/(before+4) || met[Random] > seeds/500 {
		t.Errorf("met %v of %d", met, seeds)
	}
}

// TestPOSDrawsAnewForRaces: chains at one node race with each other step by step, so that
// each can come between any two steps of another.
func TestPOSDrawsAnewForRaces(t *testing.T) {
	mixed := func(o []int32) bool { return len(slices.Compact(slices.Clone(o))) > 4 }
	if n := (toy{5, 5}).meets(Setting{POS, 0}, 1000, mixed); n < 600 {
		t.Errorf("the chains mix in %d of 1000 runs", n)
	}
}

// TestRound: without delays there is one run, whatever the seed: the round. Each delay
// passes one over.
func TestRound(t *testing.T) {
	lengths := toy{3, 2, 4}
	want := []int32{0, 1, 2, 0, 1, 2, 0, 2, 2}
	for seed := range uint64(50) {
		if got := lengths.run(Setting{Delay, 0}.New(lengths.setup(seed))); !slices.Equal(got, want) {
			t.Errorf("seed %d: %v, want %v", seed, got, want)
		}
	}
	runs := map[int]bool{}
	for seed := range uint64(500) {
		got := toy{9, 9, 9}.run(Setting{Delay, 1}.New(Run{Seed: seed, Steps: 12}))
		passed := 0
		for n := range 12 {
			if int(got[n]) != (n+passed)%3 {
				passed++
				runs[n] = true
			}
			if int(got[n]) != (n+passed)%3 || passed > 1 {
				t.Fatalf("seed %d: more than one is passed over in %v", seed, got)
			}
		}
		if passed != 1 {
			t.Errorf("seed %d: %d are passed over in %v", seed, passed, got)
		}
	}
	if len(runs) != 12 {
		t.Errorf("the delay comes at %d of 12 steps", len(runs))
	}
}
