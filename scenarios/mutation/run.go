package mutation

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"simrun/scenarios"
	"simrun/scenarios/generate"
	"simrun/scenarios/parallel"
)

// Result is what came of running algorithms over the scenarios of a range of seeds.
// It does not depend on how many of them ran at the same time.
type Result struct {
	First       uint64  `json:"first_seed"`
	Last        uint64  `json:"last_seed"` // of those that were run
	Seeds       int64   `json:"seeds"`     // how many were run
	Wrong       []Wrong `json:"wrong"`     // by number
	Right       []Right `json:"right"`     // in the catalogue's order
	Interrupted bool    `json:"interrupted"`

	program string
	family  generate.Family
}

// Wrong is what became of an algorithm that is wrong on purpose.
type Wrong struct {
	Algorithm string `json:"algorithm"`
	Number    int    `json:"number"`
	Expected  string `json:"expected"` // the invariant that must be violated

	Killed bool     `json:"killed"`      // by the expected invariant, with some seed
	Kills  int64    `json:"kills"`       // seeds with which the expected invariant is violated
	By     []Killer `json:"violated_by"` // every invariant that is, the expected one first
	// How many seeds it takes from any seed of the range on until the expected
	// invariant is violated. Behind the last one the range begins again. Null if it
	// is alive.
	Median   *int64  `json:"median_seeds"`
	Most     *int64  `json:"most_seeds"`
	Smallest *Killed `json:"smallest"` // null if it is alive

	killers []uint64 // the seeds, ascending
}

// Killer is an invariant that was violated.
type Killer struct {
	Invariant string `json:"invariant"`
	Seeds     int64  `json:"seeds"` // with which it was
}

// Killed is a scenario in which the expected invariant is violated.
type Killed struct {
	Seed       uint64 `json:"seed"`
	Nodes      int    `json:"nodes"`
	Channels   int    `json:"channels"`
	Deliveries int64  `json:"deliveries"`
	Print      string `json:"print"` // the command that prints it
}

// Right is what is said of an algorithm that is right.
type Right struct {
	Algorithm    string              `json:"algorithm"`
	Runs         int64               `json:"runs"`
	Holds        int64               `json:"holds"`
	Inconclusive int64               `json:"inconclusive"`
	GaveUp       int64               `json:"gave_up"`     // of these: the restart strategy allowed no more
	Accusations  int64               `json:"accusations"` // runs in which something is violated
	Accused      []Accused           `json:"accused"`     // the first hundred of them
	Deliveries   int64               `json:"deliveries"`
	Completed    int64               `json:"completed_snapshots"`
	Exercised    scenarios.Exercised `json:"exercised"`
}

// Accused is a run in which a right algorithm is accused.
type Accused struct {
	Seed       uint64   `json:"seed"`
	Invariants []string `json:"invariants"`
	Print      string   `json:"print"`
}

// accusedMax is how many accusations are listed.
const accusedMax = 100

// trial is the scenario of a seed, run under all algorithms.
type trial struct {
	seed            uint64
	nodes, channels int
	outcomes        []scenarios.Outcome // by algorithm; without a verdict if the scenario is not one for it
}

// Run is On over the plain scenarios.
func Run(ctx context.Context, c scenarios.Catalogue, algorithms []scenarios.Algorithm, first, last uint64, workers int, progress func(done int64)) *Result {
	return On(ctx, generate.Plain, c, algorithms, first, last, workers, progress)
}

// On runs the algorithms, which are some of the catalogue's, over the family's scenarios
// of the seeds from first to last, both included, on so many goroutines. When ctx ends
// it returns at once, with what is known of the first of the seeds. progress, if not
// nil, is told now and then how many are done.
func On(ctx context.Context, family generate.Family, c scenarios.Catalogue, algorithms []scenarios.Algorithm, first, last uint64, workers int, progress func(done int64)) *Result {
	r := &Result{First: first, Last: first, Wrong: []Wrong{}, Right: []Right{}, program: cmp.Or(c.Program, "simrun"), family: family}
	print := func(seed uint64) string {
		return fmt.Sprintf("%s generate --seed %d%s", r.program, seed, family.Flags)
	}
	place := make([]int, len(algorithms)) // in r.Wrong or r.Right
	for i := range algorithms {
		if a := &algorithms[i]; a.Wrong {
			place[i] = len(r.Wrong)
			r.Wrong = append(r.Wrong, Wrong{Algorithm: a.Name, Number: a.Number, Expected: a.Catches, By: []Killer{}})
		} else {
			place[i] = len(r.Right)
			r.Right = append(r.Right, Right{Algorithm: a.Name, Accused: []Accused{}})
		}
	}
	worker := func() func(uint64) trial {
		return func(seed uint64) trial { return try(c, algorithms, family.Scenario(seed)) }
	}
	add := func(t trial) {
		r.Seeds++
		r.Last = t.seed
		for i := range t.outcomes {
			if algorithms[i].Wrong {
				r.Wrong[place[i]].add(&t, &t.outcomes[i], print)
			} else {
				r.Right[place[i]].add(&t.outcomes[i], print)
			}
		}
	}
	r.Interrupted = !parallel.Seeds(ctx, first, last, workers, worker, add, progress)
	for i := range r.Wrong {
		r.Wrong[i].finish(first, r.Seeds)
	}
	slices.SortStableFunc(r.Wrong, func(a, b Wrong) int { return cmp.Compare(a.Number, b.Number) })
	return r
}

// try runs the scenario of a seed under every algorithm.
func try(c scenarios.Catalogue, algorithms []scenarios.Algorithm, scenario *scenarios.Scenario) trial {
	t := trial{seed: *scenario.Seed}
	for i := range algorithms {
		plan, err := scenario.Resolve(c, scenarios.Overrides{Algorithm: algorithms[i].Name})
		var unsuited *scenarios.Error
		if errors.As(err, &unsuited) && unsuited.Unsuited {
			t.outcomes = append(t.outcomes, scenarios.Outcome{})
			continue
		}
		if err != nil {
			panic("mutation: a generated scenario is refused: " + err.Error())
		}
		t.nodes, t.channels = len(plan.Graph.Nodes), len(plan.Graph.Channels)
		t.outcomes = append(t.outcomes, plan.NewRunner().Outcome(t.seed))
	}
	return t
}
