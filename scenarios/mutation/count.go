package mutation

import (
	"cmp"
	"slices"

	"simrun/scenarios"
)

// add counts one run.
func (w *Wrong) add(t *trial, o *scenarios.Outcome, print printing) {
	for _, name := range o.Broken {
		at := slices.IndexFunc(w.By, func(k Killer) bool { return k.Invariant == name })
		if at < 0 {
			at = len(w.By)
			w.By = append(w.By, Killer{Invariant: name})
		}
		w.By[at].Seeds++
	}
	if !slices.Contains(o.Broken, w.Expected) {
		return
	}
	w.Killed = true
	w.Kills++
	w.killers = append(w.killers, t.seed)
	if killed := (Killed{t.seed, t.nodes, t.channels, o.Deliveries, print(t.seed)}); w.Smallest == nil || killed.smaller(w.Smallest) {
		w.Smallest = &killed
	}
}

// smaller says which of two scenarios is easier to look at.
func (k *Killed) smaller(than *Killed) bool {
	return cmp.Or(cmp.Compare(k.Nodes, than.Nodes), cmp.Compare(k.Channels, than.Channels), cmp.Compare(k.Deliveries, than.Deliveries)) < 0
}

// printing is the command that prints the scenario of a seed.
type printing func(seed uint64) string

// finish computes what takes all runs.
func (w *Wrong) finish(first uint64, seeds int64) {
	slices.SortFunc(w.By, func(a, b Killer) int {
		switch {
		case a.Invariant == b.Invariant:
			return 0
		case a.Invariant == w.Expected:
			return -1
		case b.Invariant == w.Expected:
			return 1
		}
		return cmp.Or(cmp.Compare(b.Seeds, a.Seeds), cmp.Compare(a.Invariant, b.Invariant))
	})
	if len(w.killers) == 0 {
		return
	}
	needed := seedsNeeded(w.killers, first, seeds)
	w.Median, w.Most = &needed[(len(needed)-1)/2], &needed[len(needed)-1]
}

// seedsNeeded is, for every seed of the range as the one to begin with, how many it
// takes up to the next killer, in ascending order.
func seedsNeeded(killers []uint64, first uint64, seeds int64) []int64 {
	needed := make([]int64, 0, seeds)
	before := int64(killers[len(killers)-1]-first) - seeds // the last one, in the round before
	for _, killer := range killers {
		at := int64(killer - first)
		for n := range at - before {
			needed = append(needed, n+1)
		}
		before = at
	}
	slices.Sort(needed)
	return needed
}

// add counts one run, if the scenario is one for the algorithm.
func (r *Right) add(o *scenarios.Outcome, print printing) {
	if o.Verdict == "" {
		return
	}
	r.Runs++
	r.Deliveries += o.Deliveries
	r.Completed += o.Completed
	r.Exercised.Add(&o.Exercised)
	switch o.Verdict {
	case scenarios.Holds:
		r.Holds++
	case scenarios.Inconclusive:
		r.Inconclusive++
		if o.GaveUp {
			r.GaveUp++
		}
	default:
		r.Accusations++
		if len(r.Accused) < accusedMax {
			r.Accused = append(r.Accused, Accused{o.Seed, o.Broken, print(o.Seed)})
		}
	}
}
