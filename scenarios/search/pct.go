package search

import "simrun/sim"

// pct is probabilistic concurrency testing: Burckhardt, Kothari, Musuvathi,
// Nagarakatte, A Randomized Scheduler with Probabilistic Guarantees of Finding Bugs,
// ASPLOS 2010. A chain is what runs one step at a time in an order of its own: a
// channel, an External input, a timer, an order to initiate, a write. Each has a random
// priority, and the enabled one with the highest runs. At depth-1 points, uniform over
// the steps of a run, the chain that would run next gets a priority below all others.
//
// Guarantee: a mistake that shows whenever depth certain steps come in a certain order
// is met with a probability of at least 1/(n*k^(depth-1)), for n chains and k steps.
// Random choice has no such bound: that one channel is slower than ten steps of others
// together is exponentially rare there, and has a chance of 1/n here.
//
// A chain that never ends, such as an alarm that is always set again, would have all
// steps if it came first. The bound is about runs of k steps: from many times as many on
// the choice is random, so that every run comes to its end.
type pct struct {
	stream  sim.Stream
	points  []int64    // step numbers at which a chain is put back
	lowered []sim.Step // by point, the chain that was
	reached []bool     // by point
	patient int64      // for so many steps
	random  *sim.RandomScheduler
}

// patience is how many times the length of a run PCT goes on by priorities.
const patience = 10

func newPCT(depth int, r Run) *pct {
	p := &pct{stream: sim.NewStream(r.Seed, sim.ForPriority, 0), patient: patience * r.Steps, random: sim.NewRandomScheduler(r.Seed)}
	points := sim.NewStream(r.Seed, sim.ForChangePoint, 0)
	for i := range depth - 1 {
		p.points = append(p.points, int64(sim.Scale(points.Draw(0, uint64(i)), uint64(r.Steps))))
	}
	p.lowered, p.reached = make([]sim.Step, len(p.points)), make([]bool, len(p.points))
	return p
}

// Pick implements sim.Scheduler.
func (p *pct) Pick(n int64, enabled sim.Enabled) int {
	if n >= p.patient {
		return p.random.Pick(n, enabled)
	}
	at := highest(enabled, p.priority)
	for i, point := range p.points {
		if point == n {
			p.lowered[i], p.reached[i] = enabled.At(at), true
			at = highest(enabled, p.priority)
		}
	}
	return at
}

// priority is that of a chain: its own, above all points, or that of the last point
// that it was put back at.
func (p *pct) priority(s sim.Step) uint64 {
	own, last := uint64(len(p.points))+draw(p.stream, s)>>8, int64(-1)
	for i := range p.points {
		if p.reached[i] && p.lowered[i] == s && p.points[i] >= last {
			own, last = uint64(i), p.points[i]
		}
	}
	return own
}
