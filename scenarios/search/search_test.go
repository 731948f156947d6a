package search

import (
	"slices"
	"testing"

	"simrun/sim"
)

// settings is every strategy, the deep ones with several depths.
func settings() []Setting {
	return []Setting{{Random, 0}, {PCT, 1}, {PCT, 3}, {PCT, 9}, {POS, 0}, {Delay, 0}, {Delay, 4}, {Portfolio, 0}}
}

// TestDeterministic: the same seed gives the same order, and another one another.
func TestDeterministic(t *testing.T) {
	lengths := toy{9, 7, 8, 3}
	for _, s := range settings() {
		different := map[string]bool{}
		for seed := range uint64(20) {
			order := lengths.run(s.New(lengths.setup(seed)))
			if again := lengths.run(s.New(lengths.setup(seed))); !slices.Equal(order, again) {
				t.Errorf("%+v, seed %d: %v, and again %v", s, seed, order, again)
			}
			different[string(runes(order))] = true
		}
		if s != (Setting{Delay, 0}) && len(different) < 10 {
			t.Errorf("%+v: only %d orders with 20 seeds", s, len(different))
		}
	}
}

func runes(order []int32) []rune { return slices.Clone(order) }

// backwards asks another scheduler about the same steps in another order.
type backwards struct{ sim.Scheduler }

func (b backwards) Pick(n int64, enabled sim.Enabled) int {
	var turned list
	for i := range enabled.Len() {
		turned = append(turned, enabled.At(enabled.Len()-1-i))
	}
	return enabled.Len() - 1 - b.Scheduler.Pick(n, turned)
}

// TestListOrderDoesNotMatter: what is picked is a step, wherever it stands. Random choice
// is the engine's own, and takes a place.
func TestListOrderDoesNotMatter(t *testing.T) {
	lengths := toy{9, 7, 8, 3}
	for _, s := range settings() {
		if s.Strategy == Random || s.Strategy == Portfolio {
			continue
		}
		for seed := range uint64(20) {
			order := lengths.run(s.New(lengths.setup(seed)))
			if turned := lengths.run(backwards{s.New(lengths.setup(seed))}); !slices.Equal(order, turned) {
				t.Errorf("%+v, seed %d: %v, with the list turned %v", s, seed, order, turned)
			}
		}
	}
}

// TestPortfolioTakesTurns: every member has its turn, and alone it makes the same run.
func TestPortfolioTakesTurns(t *testing.T) {
	lengths, seen := toy{9, 7, 8, 3}, map[Setting]int{}
	for seed := range uint64(40) {
		alone := Setting{Strategy: Portfolio}.Alone(seed)
		seen[alone]++
		if got, want := lengths.run(Setting{Strategy: Portfolio}.New(lengths.setup(seed))), lengths.run(alone.New(lengths.setup(seed))); !slices.Equal(got, want) {
			t.Errorf("seed %d: %v, %+v alone makes %v", seed, got, alone, want)
		}
	}
	for _, m := range Members() {
		if seen[m] != 8 {
			t.Errorf("%+v had %d turns of 40", m, seen[m])
		}
	}
}

// TestOpenChoices: what is left open happens at most as often as it may, of each kind, at
// any step, to anybody; and with Necessary never.
func TestOpenChoices(t *testing.T) {
	crash := func(v int32) sim.Step { return sim.Step{Kind: sim.StepCrash, Entity: v, Index: 1} }
	trigger, lose := sim.Step{Kind: sim.StepSnapshot}, sim.Step{Kind: sim.StepLose, Entity: 2}
	enabled := list{crash(0), chain(0), trigger, crash(1), chain(1), lose}
	r := Run{Nodes: 2, To: []int32{0, 0}, Steps: 40, Open: []Choice{{sim.StepCrash, 1, 2}, {sim.StepSnapshot, 0, 3}, {sim.StepLose, 2, 1}}}
	at, whom := map[sim.StepKind]map[int64]int{}, map[int32]int{}
	for r.Seed = range 2000 {
		for _, s := range settings() {
			picked := map[sim.StepKind]int{}
			scheduler := s.New(r)
			for n := range int64(60) {
				step := enabled[scheduler.Pick(n, enabled)]
				picked[step.Kind]++
				if s.Strategy == POS && step.Kind.Open() {
					if at[step.Kind] == nil {
						at[step.Kind] = map[int64]int{}
					}
					at[step.Kind][n]++
				}
				if step.Kind == sim.StepCrash {
					whom[step.Entity]++
				}
			}
			if picked[sim.StepCrash] != 2 || picked[sim.StepSnapshot] != 3 || picked[sim.StepLose] != 1 {
				t.Fatalf("%+v, seed %d: %v", s, r.Seed, picked)
			}
		}
	}
	for kind, steps := range at {
		if len(steps) < 50 {
			t.Errorf("the kind %d comes at %d different steps", kind, len(steps))
		}
	}
	if whom[0] < whom[1]*9/10 || whom[1] < whom[0]*9/10 {
		t.Errorf("crashes by node: %v", whom)
	}
	closed := Necessary(Setting{PCT, 3}.New(Run{Steps: 40}))
	for n := range int64(60) {
		if step := enabled[closed.Pick(n, enabled)]; step.Kind.Open() {
			t.Errorf("step %d: %+v is picked", n, step)
		}
	}
}

// TestChoicesWait: what cannot happen at its moment happens as soon as it can.
func TestChoicesWait(t *testing.T) {
	lose := sim.Step{Kind: sim.StepLose, Entity: 2}
	s := Setting{Strategy: Random}.New(Run{Steps: 1, Open: []Choice{{sim.StepLose, 2, 1}}})
	for n := range int64(9) {
		s.Pick(n, list{chain(0), {Kind: sim.StepSnapshot}})
	}
	for n, want := range []sim.Step{lose, chain(0), chain(0)} {
		if enabled := (list{chain(0), lose}); enabled[s.Pick(int64(9+n), enabled)] != want {
			t.Errorf("step %d is not %+v", 9+n, want)
		}
	}
}
