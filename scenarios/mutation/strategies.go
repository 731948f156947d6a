package mutation

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"simrun/scenarios"
	"simrun/scenarios/generate"
	"simrun/scenarios/parallel"
	"simrun/scenarios/search"
)

// Table is how many seeds each strategy needs to catch each wrong algorithm, over the
// generated scenarios that leave to a search what they can. It does not depend on how
// many of them ran at the same time.
type Table struct {
	First       uint64   `json:"first_seed"`
	Last        uint64   `json:"last_seed"` // of those that were run
	Seeds       int64    `json:"seeds"`     // how many were run
	Strategies  []string `json:"strategies"`
	Wrong       []Hunted `json:"wrong"` // by number
	Interrupted bool     `json:"interrupted"`

	program string
}

// Hunted is what became of a wrong algorithm.
type Hunted struct {
	Algorithm string `json:"algorithm"`
	Number    int    `json:"number"`
	Expected  string `json:"expected"` // the invariant that must be violated
	Hunts     []Hunt `json:"hunts"`    // by strategy, in their order
}

// Hunt is what a strategy needs for an algorithm. Every seed of the range is one
// repetition: the seeds are counted from it on to the next that kills, and behind the
// last one the range begins again.
type Hunt struct {
	Strategy string  `json:"strategy"`
	Kills    int64   `json:"kills"`        // seeds with which the expected invariant is violated
	First    *uint64 `json:"first_kill"`   // the first of them; null if there is none
	Median   *int64  `json:"median_seeds"` // of all repetitions
	Worst    *int64  `json:"worst_seeds"`

	killers []uint64 // ascending
}

// Strategies hunts the wrong ones of some algorithms with some strategies, over the
// scenarios of the seeds from first to last, both included, on so many goroutines. When
// ctx ends it returns at once, with what is known of the first of the seeds. progress, if
// not nil, is told now and then how many are done.
func Strategies(ctx context.Context, c scenarios.Catalogue, algorithms []scenarios.Algorithm, strategies []string, first, last uint64, workers int, progress func(done int64)) *Table {
	t := &Table{First: first, Last: first, Strategies: strategies, Wrong: []Hunted{}, program: cmp.Or(c.Program, "simrun")}
	for i := range algorithms {
		if a := &algorithms[i]; a.Wrong {
			h := Hunted{Algorithm: a.Name, Number: a.Number, Expected: a.Catches}
			for _, name := range t.Strategies {
				h.Hunts = append(h.Hunts, Hunt{Strategy: name})
			}
			t.Wrong = append(t.Wrong, h)
		}
	}
	slices.SortStableFunc(t.Wrong, func(a, b Hunted) int { return cmp.Compare(a.Number, b.Number) })
	worker := func() func(uint64) bag {
		return func(seed uint64) bag { return t.hunt(c, seed) }
	}
	t.Interrupted = !parallel.Seeds(ctx, first, last, workers, worker, t.add, progress)
	for i := range t.Wrong {
		for j := range t.Wrong[i].Hunts {
			t.Wrong[i].Hunts[j].finish(first, t.Seeds)
		}
	}
	return t
}

// bag is what a seed has killed.
type bag struct {
	seed   uint64
	killed [][]bool // by algorithm and strategy
}

// hunt runs the scenario of a seed under every algorithm with every strategy.
func (t *Table) hunt(c scenarios.Catalogue, seed uint64) bag {
	scenario := generate.Open.Scenario(seed)
	b := bag{seed: seed}
	for i := range t.Wrong {
		killed := make([]bool, len(t.Strategies))
		for j, strategy := range t.Strategies {
			plan, err := scenario.Resolve(c, scenarios.Overrides{Algorithm: t.Wrong[i].Algorithm, Strategy: strategy})
			var unsuited *scenarios.Error
			if errors.As(err, &unsuited) && unsuited.Unsuited {
				break
			}
			if err != nil {
				panic("mutation: a generated scenario is refused: " + err.Error())
			}
			o := plan.NewRunner().Outcome(seed)
			killed[j] = slices.Contains(o.Broken, t.Wrong[i].Expected)
		}
		b.killed = append(b.killed, killed)
	}
	return b
}

// add counts what a seed has killed.
func (t *Table) add(b bag) {
	t.Seeds++
	t.Last = b.seed
	for i := range b.killed {
		for j, killed := range b.killed[i] {
			if killed {
				h := &t.Wrong[i].Hunts[j]
				h.Kills++
				h.killers = append(h.killers, b.seed)
			}
		}
	}
}

// finish computes what takes all runs.
func (h *Hunt) finish(first uint64, seeds int64) {
	if h.Kills == 0 {
		return
	}
	needed := seedsNeeded(h.killers, first, seeds)
	h.First, h.Median, h.Worst = &h.killers[0], &needed[(len(needed)-1)/2], &needed[len(needed)-1]
}

// missed says whether the portfolio has not killed what some strategy has.
func (w *Hunted) missed() bool {
	any := slices.ContainsFunc(w.Hunts, func(h Hunt) bool { return h.Kills > 0 })
	return any && slices.ContainsFunc(w.Hunts, func(h Hunt) bool { return h.Strategy == search.Portfolio && h.Kills == 0 })
}
