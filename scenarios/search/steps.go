package search

import "simrun/sim"

// draw is 64 random bits for a step.
func draw(stream sim.Stream, s sim.Step) uint64 {
	return stream.Draw(s.Entity, uint64(s.Kind)<<32|uint64(s.Index))
}

// highest is the index of the enabled step with the highest priority, and among
// several of the first by what it is.
func highest(enabled sim.Enabled, priority func(sim.Step) uint64) int {
	at, best, top := -1, sim.Step{}, uint64(0)
	for i := range enabled.Len() {
		s := enabled.At(i)
		if p := priority(s); at < 0 || p > top || p == top && s.Compare(best) < 0 {
			at, best, top = i, s, p
		}
	}
	return at
}
